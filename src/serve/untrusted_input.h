/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks problem files that any user may have written. */
#ifndef SRC_SERVE_UNTRUSTED_INPUT_H
#define SRC_SERVE_UNTRUSTED_INPUT_H

#include "src/base/diagnostics.h"

/* Reports each {file: NAME} in a problem file and its settings, unless NAME is the plain name of a file that was
 * submitted with it. Reports each {from: DIR}, since it would read other files. Returns 0 if there is none, even if the
 * file has other errors; EXIT_USAGE if one was reported; EXIT_INTERNAL without memory, after reporting it. */
int untrusted_input_check(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics);

#endif
