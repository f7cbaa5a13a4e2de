/* Problem files that come from anybody. */
#ifndef SRC_SERVE_UNTRUSTED_INPUT_H
#define SRC_SERVE_UNTRUSTED_INPUT_H

#include "src/base/diagnostics.h"

/* Tells each {file: NAME} of a problem file with settings that is not the bare name of a file beside it, which came with it, and each
 * {from: DIR}: reading it would open other files, anywhere. Returns 0 when there is none, also of a file with other mistakes, EXIT_USAGE, or
 * EXIT_INTERNAL when out of memory (told). */
int untrusted_input_check(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics);

#endif
