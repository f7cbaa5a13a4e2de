/* How many starts a stage has of its own. */
#include "control/auto/stage.h"
#include "control/outcome/penalty.h"

enum {
  PER_START = 16, /* evaluations that a budget should hold for a start */
  COARSE = 8,     /* segments of stages with starts of their own at most */
  ENOUGH = 4      /* with so many segments a stage has found what finer ones begin at */
};

static long least_of(long a, long b) { return a < b ? a : b; }

/* Starts of the only stage, at first or again: few where each takes long. Where there are as many targets as variables, each order of
 * stick and slip may have an answer of its own, and the first that is found may be the dearest. */
static long starts_alone(const CtlProblem *p, bool again) {
  enum { SQUARES = 16384, MOST = 96, LEAST = 4, BOUND = 32, FEW = 2 };
  long share = SQUARES / ((long)p->n * p->n);
  share = share > MOST ? MOST : share < LEAST ? LEAST : share;
  bool few = p->convex || ctl_level_has_function(p);
  if (!again && p->n <= ctl_target_count(p)) share = least_of(share, few ? FEW : BOUND);
  return share;
}

bool ctl_stage_is_coarse(int segments) {
  for (int L = ENOUGH; L < segments && segments > COARSE; L++)
    if (segments % L == 0) return false;
  return true;
}

/* Starts of one of several stages. */
static long starts_among(const CtlProblem *p, bool again) {
  enum { SHORT = 2, FEW = 6, MOST = 32, AGAIN = 8 };
  if (!ctl_stage_is_coarse(p->segments) && !again) return 1;
  long share = p->local_starts ? p->local_starts : least_of(again ? AGAIN : MOST, starts_alone(p, true));
  return p->segments <= SHORT ? least_of(FEW, share) : share;
}

long ctl_stage_starts(const CtlProblem *p, bool alone, bool again) {
  long afford = p->max_evaluations && !p->local_starts ? p->max_evaluations / PER_START / (alone ? 1 : 2) : CTL_STARTS_MAX;
  long starts = !alone ? starts_among(p, again) : p->local_starts ? p->local_starts : starts_alone(p, again);
  starts = least_of(starts, afford);
  return starts < 1 ? 1 : starts;
}
