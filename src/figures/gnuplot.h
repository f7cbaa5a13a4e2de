/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs gnuplot. It reads a script from its standard input and writes the picture to its standard output. No file name
 * is ever part of the script. Text from users is only in single quotes (gnuplot_text). */
#ifndef SRC_GNUPLOT_H
#define SRC_GNUPLOT_H

#include "src/base/diagnostics.h"

/* Runs the script, a regular file, from its beginning, without the user's gnuplot settings. ending: the last bytes of a
 * complete picture. picture: [size] bytes from malloc, NUL-terminated, owned by the caller. Returns 0; EXIT_USAGE after
 * reporting which package is missing; EXIT_INTERNAL after reporting gnuplot's message. */
int gnuplot_run(FILE *script, const char *ending, char **picture, size_t *size, Diagnostics *diagnostics);

/* Writes at most `room` bytes of a text as a gnuplot string in single quotes, which gnuplot does not expand. Quotes in
 * the text become typographic ones, since gnuplot misreads doubled quotes at the beginning. Control characters become
 * spaces, and invalid UTF-8 becomes question marks. */
void gnuplot_text(FILE *script, const char *text, size_t room);

#endif
