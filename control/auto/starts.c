/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses how many initial points (starts) a stage of the method `auto` has. */
#include "control/auto/stage.h"
#include "control/outcome/penalty.h"

enum {
  PER_START = 16,        /* number of evaluations that a budget must allow for each start */
  COARSE_SEGMENTS = 8,   /* maximum number of segments of a stage with several starts */
  PATTERN_SEGMENTS = 16, /* maximum number of segments of a stage with several starts if pattern queries are possible;
                          * patterns of stick and slip give most of the results */
  /* maximum number of segments of a stage with several starts for underactuated problems, where patterns help little
   * because dofs without a force are moved by their neighbours */
  WAVE_SEGMENTS = 32,
  SETTLED_SEGMENTS = 4, /* after a stage with at least this number of segments, finer stages need no starts of their
                         * own */
  FIXED_STARTS = 3      /* number of starts that are not random */
};

static long least_of(long a, long b) { return a < b ? a : b; }

/* Returns the number of starts if there is only one stage, at first or, with `again`, after all runs have missed the
 * target. This number is small if each start takes long. With as many targets as variables, each order of stick and
 * slip may have a solution of its own, and the first solution found may be the one with the most effort. */
static long starts_alone(const CtlProblem *p, bool again) {
  /* With n variables the number is SQUARES/n^2, but between ALONE_MIN and ALONE_MAX. At first it is also at most
   * ALONE_DETERMINED if there are no more variables than targets, and then only FUNCTION_STARTS if the problem is
   * convex or a target is a function along a string. */
  enum { SQUARES = 16384, ALONE_MAX = 96, ALONE_MIN = 4, ALONE_DETERMINED = 32, FUNCTION_STARTS = 2 };
  long share = SQUARES / ((long)p->n * p->n);
  share = share > ALONE_MAX ? ALONE_MAX : share < ALONE_MIN ? ALONE_MIN : share;
  bool few = p->convex || ctl_level_has_function(p);
  if (!again && p->n <= ctl_target_count(p)) share = least_of(share, few ? FUNCTION_STARTS : ALONE_DETERMINED);
  return share;
}

/* Whether the problem is underactuated and has so few variables that starts take little time. */
static bool makes_waves(const CtlProblem *level) {
  /* maximum number of variables with which a start takes little time */
  enum { VARIABLES = 64 };
  return level->n <= VARIABLES && ctl_problem_is_underactuated(level);
}

bool ctl_stage_is_coarse(const CtlProblem *level) {
  int segments = level->segments;
  int coarse = makes_waves(level) ? WAVE_SEGMENTS : level->patterns ? PATTERN_SEGMENTS : COARSE_SEGMENTS;
  for (int L = SETTLED_SEGMENTS; L < segments && segments > coarse; L++)
    if (segments % L == 0) return false;
  return true;
}

/* Returns the number of starts of one of several stages. It grows with the number of possible patterns of stick and
 * slip. With fewer variables than targets hardly any start meets the targets. With as many variables as targets, each
 * order of stick and slip may have a solution of its own. */
static long usual_among(const CtlProblem *p) {
  /* OF_SEGMENT, OF_VARIABLE: maximum number of starts for each segment, and for each variable. BESIDE_PATTERNS: maximum
   * number of starts if pattern queries are possible. TIMES_OF_WAVES: factor for underactuated problems with few
   * variables. */
  enum { OF_SEGMENT = 4, OF_VARIABLE = 8, BESIDE_PATTERNS = 6, TIMES_OF_WAVES = 4 };
  int targets = ctl_target_count(p);
  if (p->n < targets) return FIXED_STARTS;
  if (p->n == targets) return least_of(OF_VARIABLE * (long)p->n, starts_alone(p, false));
  long share = least_of(OF_SEGMENT * (long)p->segments, starts_alone(p, true));
  if (makes_waves(p)) return TIMES_OF_WAVES * share;
  return p->patterns ? least_of(BESIDE_PATTERNS, share) : share;
}

static long starts_among(const CtlProblem *p, bool again) {
  enum { RESTART_STARTS = 4 };
  bool hardly = p->n < ctl_target_count(p);
  if (again) return hardly ? 0 : p->local_starts ? p->local_starts : RESTART_STARTS;
  if (!ctl_stage_is_coarse(p)) return 1;
  if (!p->local_starts) return usual_among(p);
  return hardly ? least_of(FIXED_STARTS, p->local_starts) : p->local_starts;
}

/* Returns the number of starts that a budget allows. Half of the budget is reserved for finer stages. */
static long affordable_starts(const CtlProblem *p, bool alone) {
  long all = p->max_evaluations / PER_START / (alone ? 1 : 2);
  if (!p->max_evaluations || p->local_starts) return CTL_STARTS_MAX;
  return all < 1 ? 1 : all;
}

long ctl_stage_starts(const CtlProblem *p, bool alone, bool again) {
  long starts = !alone ? starts_among(p, again) : p->local_starts ? p->local_starts : starts_alone(p, again);
  return least_of(starts, affordable_starts(p, alone));
}
