/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the loaded library: its sources, the libraries that it uses, the compiler and its options. */
#ifndef SRC_LIBRARY_BUILD_INFO_H
#define SRC_LIBRARY_BUILD_INFO_H

#include "sim/api.h"

#include <stddef.h>

SIM_API_BEGIN

/* Writes to text [size] what `stiction --version` prints. It has a line for each of: the version with a hash of the
 * sources; the commit, if the sources were a clone; libraries; compiler and build type; the instruction sets of the
 * batch evaluation. A text that is too long is cut, and ends with '\0' if size > 0. Returns the length of the whole
 * text without '\0'. May be called at any time, also before MPI_Init. */
size_t stiction_build_info(char *text, size_t size);

SIM_API_END

#endif
