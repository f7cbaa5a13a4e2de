/* The progress line on a terminal. */
#ifndef SRC_BASE_PROGRESS_H
#define SRC_BASE_PROGRESS_H

#include "src/base/diagnostics.h"

typedef struct Progress {
  FILE *stream; /* borrowed; NULL: no progress line */
  double last;  /* time of the last drawing, from ctl_seconds; 0: never */
  int width;    /* of the line on the screen */
} Progress;

/* Draws the line, at most ten times a second. */
void progress_draw(Progress *progress, const char *format, ...) LIKE_PRINTF(2, 3);

/* Erases the line so that other output may follow. */
void progress_clear(Progress *progress);

#endif
