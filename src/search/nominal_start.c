/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/sequel.h"

#include "src/search/follow_up.h"

#include <math.h>
#include <stdlib.h>

/* A start is scaled to at most this fraction of the limit effort_at_most, so that round-off cannot make it exceed the
 * limit. */
static const double WITHIN = 1 - 1e-9;

static bool is_wanted(const SearchRun *run) {
  const CtlProblem *control = &run->problem.control;
  const CtlState *state = &run->sequel->state;
  return search_run_is_robust(run) && !ctl_method_of_scenarios(ctl_problem_method(control)) &&
         control->local_starts != 1 && state->reason == CTL_REASON_TOLERANCE && !state->no_memory;
}

/* Copies the best point [n] of a search, scaled to the allowed effort. Returns false if the search has no best point,
 * or the point is outside the bounds. */
static bool take_point(const CtlProblem *control, const CtlState *state, double *point) {
  double most = control->effort_at_most * WITHIN, part = most > 0 && state->J > most ? sqrt(most / state->J) : 1;
  bool inside = isfinite(state->best);
  for (int i = 0; i < control->n && inside; i++) {
    point[i] = part * state->control[i];
    inside = point[i] >= control->lower[i] && point[i] <= control->upper[i];
  }
  return inside;
}

/* Searches for the best control for the numbers in the file, without scenarios. Sets *known to whether one was
 * found. */
static int find_nominal(SearchRun *run, double until, double *point, bool *known) {
  Related nominal;
  CtlSearch *search;
  CtlState state;
  *known = false;
  int code = related_open(&run->problem, (ProblemChanges){.scheme = SCHEME_OWN, .finer = 1}, &nominal);
  if (code) return code == EXIT_USAGE ? 0 : code;
  code = follow_up_related(run, &nominal, until, "the file's own numbers", &search);
  if (!code) {
    stiction_asktell_state(search, &state);
    run->sequel->further.evaluations += state.evaluations;
    *known = take_point(&run->problem.control, &state, point);
  }
  stiction_asktell_destroy(search);
  related_close(&nominal);
  return code;
}

/* Repeats the run's search with `point` as its only start. until: time (ctl_seconds) at which it stops; 0: no limit. */
static int search_from(SearchRun *run, double *point, double until) {
  Sequel *sequel = run->sequel;
  sequel->tried = run->stacked;
  sequel->tried.restarts = 0;
  sequel->tried.start = point;
  return follow_up_again(run, &sequel->tried, until, "from the control for the file's own numbers", &sequel->more,
                         NULL);
}

/* Returns the merit of an answer: its effort J plus the penalty times its distance from the target. Uses the penalty
 * rho instead of the penalty of its own search. */
static double merit(const CtlState *state, double rho) {
  return state->J + rho * (state->best - state->J) / state->rho[0];
}

static void take(Sequel *sequel) {
  CtlState *state = &sequel->state, other;
  stiction_asktell_state(sequel->more, &other);
  sequel->further.evaluations += other.evaluations;
  if (!(merit(&other, state->rho[0]) < state->best)) return;
  sequel->further.taken = FURTHER_NOMINAL;
  state->best = merit(&other, state->rho[0]);
  state->J = other.J;
  state->E1 = other.E1;
  state->E2 = other.E2;
  state->control = other.control;
  state->x = other.x;
  state->v = other.v;
}

int nominal_start_run(SearchRun *run, double until) {
  Sequel *sequel = run->sequel;
  bool known;
  if (!is_wanted(run)) return 0;
  sequel->further.tried = true;
  sequel->start = malloc((size_t)run->problem.control.n * sizeof *sequel->start);
  int code = sequel->start ? find_nominal(run, until, sequel->start, &known) : EXIT_INTERNAL;
  if (!code && known) code = search_from(run, sequel->start, until);
  if (!code && known) take(sequel);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(run->diagnostics) : code;
}
