/* Checks problem files from any user. */
#ifndef SRC_SERVE_UNTRUSTED_INPUT_H
#define SRC_SERVE_UNTRUSTED_INPUT_H

#include "src/base/diagnostics.h"

/* Reports each {file: NAME} of a problem file with settings if NAME is not the bare name of a file that was submitted
 * with it, and each {from: DIR}, since reading it would open other files. Returns 0 if there is none, even if the file
 * has other errors; EXIT_USAGE; or EXIT_INTERNAL without memory (reported). */
int untrusted_input_check(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics);

#endif
