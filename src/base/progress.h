/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows the progress of a computation in one line on a terminal. */
#ifndef SRC_BASE_PROGRESS_H
#define SRC_BASE_PROGRESS_H

#include "src/base/diagnostics.h"

typedef struct Progress {
  FILE *stream; /* borrowed; NULL: no progress line */
  double last;  /* time of the last drawing, from ctl_seconds, in s; 0: not drawn yet */
  int width;    /* number of characters of the line now on the screen */
} Progress;

/* Draws the line, at most ten times a second. */
void progress_draw(Progress *progress, const char *format, ...) LIKE_PRINTF(2, 3);

/* Erases the line so that other output may follow. */
void progress_clear(Progress *progress);

#endif
