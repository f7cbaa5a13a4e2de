/* One line on a terminal that tells how far a run is. */
#ifndef SRC_BASE_PROGRESS_H
#define SRC_BASE_PROGRESS_H

#include "src/base/diagnostics.h"

typedef struct Progress {
  FILE *stream; /* borrowed; NULL: it is not shown */
  double last;  /* ctl_seconds, when it was drawn; 0: not yet */
  int width;    /* of the line on the screen */
} Progress;

/* Draws the line, ten times a second at most. */
void progress_draw(Progress *progress, const char *format, ...) LIKE_PRINTF(2, 3);

/* Wipes the line, so that other output may follow. */
void progress_clear(Progress *progress);

#endif
