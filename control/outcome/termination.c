/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/outcome/termination.h"

#include <math.h>

const char *stiction_reason_text(CtlReason reason) {
  static const char *const texts[] = {"running", "tolerance", "stop_at",  "budget",
                                      "stall",   "failed",    "too_long", "signal"};
  return (unsigned)reason < sizeof texts / sizeof *texts ? texts[reason] : NULL;
}

static bool within(const CtlState *state, double error) {
  return isfinite(state->best) && state->E1 <= error && state->E2 <= error;
}

bool ctl_state_meets(const CtlProblem *problem, const CtlState *state) {
  return problem && state && state->E1 <= problem->accept && state->E2 <= problem->accept;
}

static bool is_good_enough(const CtlProblem *problem, const CtlState *state) {
  if (problem->roles) return state->J <= problem->stop_at && within(state, problem->accept);
  return problem->stop_at > 0 && within(state, problem->stop_at);
}

CtlReason ctl_termination_result(const CtlProblem *problem, const CtlState *state, double relative_size) {
  if (is_good_enough(problem, state)) return CTL_REASON_STOP_AT;
  /* the negated comparison is also true if the edge is NAN, which must end the search */
  bool small = !(state->edge >= problem->tolerance) || relative_size < problem->relative_tolerance;
  if (!small) return CTL_RUNNING;
  if (!isfinite(state->best)) return CTL_REASON_FAILED;
  return problem->scenarios || within(state, problem->accept) ? CTL_REASON_TOLERANCE : CTL_REASON_STALL;
}

bool ctl_termination_too_long(long simulations, long too_long) {
  enum { TOO_LONG_FIRST = 8, TOO_LONG_MAX = 64 };
  return too_long > TOO_LONG_MAX || (simulations == TOO_LONG_FIRST && too_long == TOO_LONG_FIRST);
}

CtlReason ctl_termination_budget(const CtlProblem *problem, const CtlState *state, double seconds, long next) {
  bool over = (problem->max_simplexes && state->rounds >= problem->max_simplexes) ||
              (problem->max_seconds > 0 && seconds >= problem->max_seconds) ||
              (problem->max_evaluations && state->evaluations - state->questions + next > problem->max_evaluations);
  return over ? CTL_REASON_BUDGET : CTL_RUNNING;
}
