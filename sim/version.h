/* The version, by semantic versioning: what changes the meaning of a program that uses the library raises the first number, or, while that is
 * 0, the second. CMakeLists.txt reads it here. */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

#include "sim/api.h"

SIM_API_BEGIN

/* The first number of the version, */
#define STICTION_VERSION_MAJOR 0
/* the second, */
#define STICTION_VERSION_MINOR 1
/* and the third. */
#define STICTION_VERSION_PATCH 0

/* The version as a text, "0.1.0". */
#define STICTION_VERSION                                                                                               \
  STICTION_DOTTED(STICTION_VERSION_MAJOR)                                                                              \
  "." STICTION_DOTTED(STICTION_VERSION_MINOR) "." STICTION_DOTTED(STICTION_VERSION_PATCH)
#define STICTION_DOTTED(number) STICTION_TEXT(number) /* a number of it as a text, once it is expanded */
#define STICTION_TEXT(number)   #number               /* a text of what stands between the brackets */

/* STICTION_VERSION of the library that is there at run time; static storage. */
const char *sim_version(void);

SIM_API_END

#endif
