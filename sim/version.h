/* SPDX-License-Identifier: BSD-2-Clause */
/* The version number, by semantic versioning. A change that breaks programs which use the library increases the first
 * number, or, while that is 0, the second. CMakeLists.txt reads it here. */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

#include "sim/api.h"

SIM_API_BEGIN

/* The first (major) number of the version. */
#define STICTION_VERSION_MAJOR 0
/* The second (minor) number of the version. */
#define STICTION_VERSION_MINOR 1
/* The third (patch) number of the version. */
#define STICTION_VERSION_PATCH 0

/* The version as a text, "0.1.0". */
#define STICTION_VERSION                                                                                               \
  STICTION_DOTTED(STICTION_VERSION_MAJOR)                                                                              \
  "." STICTION_DOTTED(STICTION_VERSION_MINOR) "." STICTION_DOTTED(STICTION_VERSION_PATCH)
#define STICTION_DOTTED(number) STICTION_TEXT(number) /* converts the macro's value to a text */
#define STICTION_TEXT(number)   #number               /* converts the argument to a text */

/* Returns STICTION_VERSION of the library loaded at run time; static storage. */
const char *stiction_version(void);

SIM_API_END

#endif
