#include "src/search/progress.h"

#include <stdio.h>
#include <unistd.h>

Progress progress_start(bool asked, bool quiet, int evaluators) {
  return (Progress){.shown = asked || (!quiet && isatty(STDERR_FILENO)), .last = -1, .evaluators = evaluators};
}

void progress_draw(Progress *progress, const CtlState *state, double seconds, int busy) {
  if (!progress->shown || (progress->last >= 0 && seconds - progress->last < 0.1)) return;
  progress->last = seconds;
  double rate = seconds > 0 ? (double)state->evaluations / seconds : 0;
  int width = fprintf(stderr, "\rsimplex %ld  best %.8g  E1 %.2e  edge %.2e  %.0f evaluations/s  %d of %d busy",
                      state->simplexes, state->best, state->E1, state->edge, rate, busy, progress->evaluators);
  if (width < progress->width) fprintf(stderr, "%*s", progress->width - width, "");
  progress->width = width;
  fflush(stderr);
}

void progress_clear(Progress *progress) {
  if (progress->shown && progress->width) fprintf(stderr, "\r%*s\r", progress->width, "");
  progress->width = 0;
}
