/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes advice about a search for a motion plan that has met some constraints with no motion, or that has ended at a
 * point that is not a minimum. */
#include "src/search/plan_results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void LIKE_PRINTF(2, 3) add(char text[PLAN_ADVICE_SIZE], const char *format, ...) {
  size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  length += (size_t)snprintf(text + length, PLAN_ADVICE_SIZE - length, "%s", length ? ", " : "");
  if (length < PLAN_ADVICE_SIZE) vsnprintf(text + length, PLAN_ADVICE_SIZE - length, format, arguments);
  va_end(arguments);
}

int plan_answer_worst(const SearchRun *run, const PlanAnswer *answer) {
  const MotionPlan *plan = run->problem.plan;
  int found = -1;
  double most = 0;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    if (q->role < CTL_ROLE_EQUAL || answer->values[k].miss / ctl_quantity_tolerance(q) <= most) continue;
    most = answer->values[k].miss / ctl_quantity_tolerance(q);
    found = k;
  }
  return found;
}

/* Returns the number of entries of u that are at a bound. */
static int count_held(const CtlProblem *control, const double *u) {
  static const double NEAR = 1e-6;
  int held = 0;
  for (int i = 0; i < control->n; i++) {
    double near = NEAR * fmax(1, fabs(u[i]));
    held += u[i] >= control->upper[i] - near || u[i] <= control->lower[i] + near;
  }
  return held;
}

/* Returns, of the limits that are violated or reached, the one that is violated most; -1 if there is none. */
static int acting_limit(const MotionPlan *plan, const PlanAnswer *answer) {
  int found = -1;
  double most = -1;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantityValue *v = &answer->values[k];
    if (plan->quantity[k].of.way != SIM_LARGEST || !v->active || v->miss <= most) continue;
    most = v->miss;
    found = k;
  }
  return found;
}

/* Returns the time nearest to t, in s, at which u jumps, i.e. one segment ends and the next begins. Returns NAN if
 * there is none. Sets *length to the length of a segment, in s. */
static double jump_near(const SimProblem *motion, double t, double *length) {
  double found = NAN;
  *length = motion->end / fmax(1, motion->segments);
  for (int k = 1; k < motion->segments; k++) {
    double at = motion->start_count ? motion->starts[k] : *length * k;
    if (isnan(found) || fabs(at - t) < fabs(found - t)) found = at;
  }
  return found;
}

bool plan_descends(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]) {
  /* distance from a jump of u, in lengths of a segment, up to which a time counts as beside it */
  static const double BESIDE = 0.01;
  const MotionPlan *plan = run->problem.plan;
  const CtlOptimality *optimality = answer->judged == SIM_OK ? &answer->optimality.all : NULL;
  if (!optimality || optimality->local_minimum != CTL_MINIMUM_NO || !plan_answer_met(run, answer)) return false;
  snprintf(text, PLAN_ADVICE_SIZE, "What may find a lower f: more search.local_starts, another control.start");
  if (run->problem.sim.signal != SIM_PIECEWISE_CONSTANT) return true;
  for (int k = 0; k < plan->variables; k++) {
    double t = answer->state.control[run->problem.control.n + k], length, jump = jump_near(&answer->motion, t, &length);
    if (plan->variable[k].what != CTL_VARY_TIME || !(fabs(jump - t) < BESIDE * length)) continue;
    snprintf(
        text, PLAN_ADVICE_SIZE,
        "The search stopped at control.%s = %.9g s beside t = %.9g s, where u jumps and f has a kink. What may find "
        "a lower f: %.9g in place of control.%s, which is then no variable",
        plan->variable[k].name, t, jump, jump, plan->variable[k].name);
    return true;
  }
  return true;
}

void plan_advice(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]) {
  static const double NEAR = 0.01; /* T this near to its upper bound, relative to it, may want to be longer */
  const Problem *problem = &run->problem;
  const CtlProblem *control = &problem->control;
  const SimProblem *motion = &answer->motion;
  bool found = motion_plan_varies_end(problem->plan);
  int held = count_held(control, answer->state.control), limit = acting_limit(problem->plan, answer);
  *text = 0;
  if (run->robust.robust) add(text, "wider intervals, or numbers that vary by less in scenarios.vary");
  if (!found)
    add(text, "a time.end later than %g s, or free", motion->end);
  else if (motion->end >= problem->sim.end * (1 - NEAR))
    add(text, "a time.end.at_most beyond %g s (T = %.6g s)", problem->sim.end, motion->end);
  if (limit >= 0) {
    const CtlQuantity *q = &problem->plan->quantity[limit];
    add(text, "a wider %s (%g, with %g in this motion)", q->name, q->target, answer->values[limit].value);
  }
  if (!answer->moves)
    add(text, "wider control.bounds or a larger control.start (no force in this motion moves anything)");
  else if (4 * held >= control->n)
    add(text, "wider control.bounds (%d of %d values of u are at them)", held, control->n);
  if (motion->signal != SIM_CONSTANT) add(text, "more control.signal.segments than %d", motion->segments);
  if (found) add(text, "a time.end.start nearer to T");
  add(text, "more search.local_starts than %ld", answer->state.starts > 0 ? answer->state.starts : 1L);
  add(text, "another control.start");
}

/* Lists the schemes that compute the plan and have derivatives, separated by " or ". The list is "" if there are
 * none. */
static void list_schemes(const Problem *problem, char *list, size_t size) {
  const SimScheme *scheme;
  size_t length = 0;
  *list = 0;
  for (int k = 0; (scheme = sim_scheme_of_kind(problem->sim.kind, k)) != NULL; k++)
    if (sim_scheme_serves(scheme, &problem->sim) && sim_scheme_differentiates(scheme, &problem->sim) &&
        motion_plan_takes(problem->plan, scheme) && length < size)
      length += (size_t)snprintf(list + length, size - length, "%s%s", length ? " or " : "", sim_scheme_name(scheme));
}

bool plan_unproven(const SearchRun *run, const PlanAnswer *answer, char text[PLAN_ADVICE_SIZE]) {
  /* if the residual kkt of the optimality conditions is below this, f does not fall near the answer, to first order */
  static const double SMALL = 1e-6;
  const CtlProblem *sought = &run->sought;
  const CtlOptimality *optimality = answer->judged == SIM_OK ? &answer->optimality.all : NULL;
  bool proven = optimality && optimality->local_minimum == CTL_MINIMUM_YES;
  if (proven || ctl_problem_needs_derivatives(sought) || !plan_answer_met(run, answer)) return false;
  const char *far = optimality && optimality->kkt < SMALL ? "" : ": f may be far above the least",
             *method = stiction_method_name(ctl_problem_method(sought));
  char schemes[80];
  list_schemes(&run->problem, schemes, sizeof schemes);
  if (sought->derivatives)
    snprintf(text, PLAN_ADVICE_SIZE,
             "%s ended without proof of a minimum%s. From here go on by search.method: sqp with control.start: {from: "
             "DIR}, DIR being these results; or search from many starts by search.method: auto",
             method, far);
  else
    snprintf(text, PLAN_ADVICE_SIZE,
             "%s ended without proof of a minimum%s. There are no derivatives, which a proof needs (%s%s). What may "
             "find a lower f: more search.restarts than %d, another control.start",
             method, far, *schemes ? "expected for one: scheme.name: " : "no scheme has them for this plan", schemes,
             sought->restarts);
  return true;
}
