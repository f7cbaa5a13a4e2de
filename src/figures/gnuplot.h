/* One picture drawn by gnuplot, from a script on its standard input to bytes from its standard output: no name of a
 * file, and no text of a user but in single quotes (gnuplot_text), ever is part of what it runs. */
#ifndef SRC_GNUPLOT_H
#define SRC_GNUPLOT_H

#include "src/base/diagnostics.h"

/* Runs the script (from its beginning; a regular file) without any of the user's own settings. ending: what the bytes
 * of a whole picture end with. picture: [size], malloc'ed, the caller's, with a 0 behind. Returns 0; EXIT_USAGE after
 * telling which package is missing; EXIT_INTERNAL after telling what gnuplot has said. */
int gnuplot_run(FILE *script, const char *ending, char **picture, size_t *size, Diagnostics *diagnostics);

/* Writes a text as a gnuplot string in which nothing is expanded: between single quotes, those inside made typographic
 * (gnuplot reads doubled ones wrongly at the beginning); control characters become spaces, and what is not UTF-8
 * question marks. At most `room` bytes of it. */
void gnuplot_text(FILE *script, const char *text, size_t room);

#endif
