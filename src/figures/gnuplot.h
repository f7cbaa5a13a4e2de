/* Runs gnuplot: a script on its standard input, the picture from its standard output. No file name ever is part of the
 * script, and user text only in single quotes (gnuplot_text). */
#ifndef SRC_GNUPLOT_H
#define SRC_GNUPLOT_H

#include "src/base/diagnostics.h"

/* Runs the script (a regular file, from its beginning) without the user's gnuplot settings. ending: the last bytes of a
 * complete picture. picture: [size], malloc'ed, owned by the caller, NUL-terminated. Returns 0; EXIT_USAGE after
 * reporting which package is missing; EXIT_INTERNAL after reporting gnuplot's message. */
int gnuplot_run(FILE *script, const char *ending, char **picture, size_t *size, Diagnostics *diagnostics);

/* Writes a text, at most `room` bytes of it, as a gnuplot string without expansion: in single quotes, with quotes
 * inside replaced by typographic ones (gnuplot misreads doubled quotes at the beginning), control characters by spaces,
 * and invalid UTF-8 by question marks. */
void gnuplot_text(FILE *script, const char *text, size_t room);

#endif
