/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks problem files that any user may have written. */
#ifndef SRC_SERVE_UNTRUSTED_INPUT_H
#define SRC_SERVE_UNTRUSTED_INPUT_H

#include "src/base/diagnostics.h"

/* Reports each {file: NAME} in a problem file and its settings, unless NAME is the plain name of a file that was
 * submitted together with the problem. Reports each {from: DIR}, since it would read files of other users. Returns 0 if
 * there is nothing to report, even if the file has other errors; EXIT_USAGE if something was reported; EXIT_INTERNAL,
 * after reporting it, if there is no memory. */
int untrusted_input_check(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics);

#endif
