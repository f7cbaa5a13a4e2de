/* One line on a terminal while a search runs. */
#ifndef SRC_PROGRESS_H
#define SRC_PROGRESS_H

#include "control/control.h"

typedef struct Progress {
  bool shown;     /* at all */
  double last;    /* s, when it was drawn */
  int evaluators; /* ranks that simulate */
  int width;      /* of the line on the screen */
} Progress;

/* Shown when standard error is a terminal and quiet is not wanted, or when asked for. */
Progress progress_start(bool asked, bool quiet, int evaluators);

/* Draws the line, ten times a second at most. */
void progress_draw(Progress *progress, const CtlState *state, double seconds, int busy);

/* Wipes the line, so that other output may follow. */
void progress_clear(Progress *progress);

#endif
