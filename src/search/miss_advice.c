/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/further_searches.h"

#include "control/problem/bounds.h"
#include "src/base/diagnostics.h"
#include "src/file/sections/understood.h"
#include "src/results/motion_failure.h"
#include "src/run/refinement.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends an advice to a text, after a comma if the text is not empty. Does nothing if there is not enough room. */
static void LIKE_PRINTF(2, 3) add(char *text, const char *format, ...) {
  char more[MISS_ADVICE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(more, sizeof more, format, arguments);
  va_end(arguments);
  const char *between = *text ? ", " : "";
  if (strlen(text) + strlen(between) + strlen(more) >= MISS_ADVICE_SIZE) return;
  strcat(text, between);
  strcat(text, more);
}

/* Adds the limits of the search (e.g. of evaluations) that were reached, or that one more round of evaluations would
 * have exceeded. */
static void add_budget(const CtlProblem *control, const CtlState *state, char *text) {
  /* A limit counts as reached if the search has used at least this fraction of it. */
  static const double NEARLY = 0.5;
  if (state->reason != CTL_REASON_BUDGET) return;
  if (control->max_evaluations && (double)state->evaluations >= NEARLY * (double)control->max_evaluations)
    add(text, "a larger search.max_evaluations (it is %ld)", control->max_evaluations);
  if (control->max_simplexes && state->rounds >= control->max_simplexes)
    add(text, "a larger search.max_simplexes (it is %ld)", control->max_simplexes);
  if (control->max_seconds > 0 && state->seconds >= NEARLY * control->max_seconds)
    add(text, "a larger search.max_seconds (it is %g)", control->max_seconds);
}

/* Adds advice if the forces do not reach some joints, because nothing connects these joints with a force. Returns
 * whether there is a joint that nothing can move. */
static bool add_reach(const Problem *problem, char *text) {
  int force = reach_idle_force(problem), joint = reach_missing_joint(problem);
  if (force) add(text, "an entry in column %d of control.matrix (force %d acts on nothing)", force, force);
  if (joint) add(text, "a force or a spring that reaches joint %d", joint);
  return joint;
}

static bool is_at(double u, double bound) {
  /* largest relative distance from a bound at which u counts as being at the bound */
  static const double NEAR = 1e-6;
  return isfinite(bound) && fabs(u - bound) <= NEAR * fmax(1, fabs(bound));
}

/* Adds the bounds on u, and the limits of its rate, that are reached by at least a quarter of the values of u. */
static void add_bounds(const CtlProblem *control, const CtlState *state, char *text) {
  int held = 0, fast = 0;
  bool limited = false;
  for (int i = 0; i < control->n; i++) {
    double before, most = ctl_bounds_change(control, state->control, i, &before), u = state->control[i];
    held += is_at(u, control->upper[i]) || is_at(u, control->lower[i]);
    fast += is_at(fabs(u - before), most);
    limited |= isfinite(control->upper[i]) || isfinite(control->lower[i]) || isfinite(most);
  }
  if (limited && state->J == 0)
    add(text, "wider control.bounds or a larger rate (nothing within them was found nearer than u = 0)");
  if (4 * held >= control->n) add(text, "wider control.bounds (%d of %d values of u are at them)", held, control->n);
  if (4 * fast >= control->n)
    add(text, "a larger control.bounds.rate (it holds %d of %d changes of u)", fast, control->n);
}

/* Adds the scheme `event`, unless it is known that the exact motion misses the target by nearly as much as the motion
 * with time steps. */
static void add_event(const SimProblem *sim, const CtlState *state, const Verification *verification, char *text) {
  static const double CLOSER = 0.5; /* the exact motion must reduce the distance from the target by this factor */
  const SimScheme *event = sim_scheme_for(sim->kind, "event");
  if (!event || event == sim->scheme || !sim_scheme_takes_all(event, sim)) return;
  bool known = verification->has_target && !*verification->failure;
  double misses = verification->misses[0] + verification->misses[1];
  if (!known || misses < CLOSER * (state->E1 + state->E2)) add(text, "scheme.name=event");
}

/* Adds advice to widen the ranges of laws, if trial motions have left these ranges. */
static void add_range(const SimProblem *sim, const CtlState *state, char *text) {
  if (state->out_of_range) add(text, "a wider range of %s", motion_failure_ranges(sim));
}

void miss_advice(const Problem *problem, const CtlState *state, const Verification *verification,
                 const FurtherSearches *further, char text[MISS_ADVICE_SIZE]) {
  const CtlProblem *control = &problem->control;
  *text = 0;
  add_budget(control, state, text);
  if (add_reach(problem, text)) return;
  add_bounds(control, state, text);
  add_range(&problem->sim, state, text);
  add_event(&problem->sim, state, verification, text);
  if (further->from > 0)
    add(text,
        further->itself ? "time={end: %.6g, steps: %ld} with scheme.name=event (met there)"
                        : "time={end: %.6g, steps: %ld} (met there)",
        further->end, problem->sim.steps);
  else
    add(text, "a later time.end");
  char more[REFINEMENT_ADVICE_SIZE];
  if (refinement_advise_starts(control, state, more) && state->reason != CTL_REASON_BUDGET) add(text, "%s", more);
}
