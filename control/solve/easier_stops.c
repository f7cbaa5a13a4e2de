/* SPDX-License-Identifier: BSD-2-Clause */
/* The easier problem of a plan with rigid stops: limits of the position take their place. Its motions have no impacts,
 * so its derivatives do not jump. The limits keep a distance from the stops: its answer is a motion of the whole plan,
 * too, since it touches no stop. */
#include "control/solve/easier_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distance of a limit from its stop, relative to the distance from the initial position to the stop, or 1 m if that is
 * less. */
static const double DISTANCE = 1e-6;

static bool is_rigid_end(const SimStops *stops, int i, double end) {
  return stops->present && isnan(stops->stiffness[i]) && !isnan(end);
}

bool easier_has_stops(const CtlPlan *plan) {
  const SimStops *stops = &plan->problem.stops;
  bool any = false;
  for (int i = 0; i < plan->problem.d && stops->present; i++)
    any = any || is_rigid_end(stops, i, stops->lower[i]) || is_rigid_end(stops, i, stops->upper[i]);
  return any && sim_scheme_moves_end(plan->problem.scheme);
}

/* Adds the limit that takes the place of one end of a dof. side: -1 lower, 1 upper. unit: [d] weights of the dof. */
static CtlQuantity limit_of(const SimProblem *p, int i, int side, const double *unit) {
  double end = side < 0 ? p->stops.lower[i] : p->stops.upper[i];
  double limit = end - side * DISTANCE * fmin(1, fabs(end - p->x0[i]));
  return (CtlQuantity){
      .of = {.way = SIM_LARGEST, .x = unit}, .role = side < 0 ? CTL_ROLE_AT_LEAST : CTL_ROLE_AT_MOST, .target = limit};
}

/* Makes the plan without stops. units: [d][d] rows of the identity. quantity: room for those of the plan and 2 d more.
 * variable: [variables] room. */
static SimStatus create(const Easier *e, const double *from, double *units, CtlQuantity *quantity,
                        CtlVariable *variable, CtlPlan **easy) {
  const CtlPlan *plan = e->plan;
  SimProblem motion;
  int d = plan->problem.d, count = plan->quantities;
  memcpy(quantity, plan->quantity, (size_t)count * sizeof *quantity);
  for (int i = 0; i < d; i++)
    for (int side = -1; side <= 1; side += 2) {
      units[i * (d + 1)] = 1;
      if (is_rigid_end(&plan->problem.stops, i, (side < 0 ? plan->problem.stops.lower : plan->problem.stops.upper)[i]))
        quantity[count++] = limit_of(&plan->problem, i, side, units + (size_t)i * (size_t)d);
    }
  for (int k = 0; k < plan->variables; k++) {
    variable[k] = plan->variable[k];
    variable[k].start = from[plan->controls + k];
  }
  SimStatus status = sim_problem_copy(&plan->problem, &motion);
  if (status != SIM_OK) return status;
  motion.stops.present = false;
  status = stiction_problem_finalize(&motion, NULL);
  const CtlPlanSetting setting = {.problem = &motion,
                                  .variables = plan->variables,
                                  .variable = variable,
                                  .quantities = count,
                                  .quantity = quantity,
                                  .weight = plan_weight(plan),
                                  .lower = plan_bound(plan, 0),
                                  .upper = plan_bound(plan, 1),
                                  .start = from};
  if (status == SIM_OK) status = ctl_plan_create(&setting, NULL, easy);
  sim_problem_clear(&motion);
  return status;
}

/* Searches the plan without stops, all of it. */
static SimStatus search(const Easier *e, CtlPlan *easy, const double *from, long most, double *point) {
  Easier own = *e;
  CtlProblem whole;
  SimStatus status = ctl_plan_problem(easy, &whole);
  if (status != SIM_OK) return status;
  own.plan = easy;
  own.whole = &whole;
  own.kept = malloc((size_t)easy->m * sizeof *own.kept);
  own.share_count = 0;
  for (int i = 0; i < easy->n; i++) easier_add_share(&own, i, i, 1);
  if (own.kept) memset(own.kept, true, (size_t)easy->m * sizeof *own.kept);
  status = own.kept ? easier_search_part(&own, from, most, point) : SIM_NO_MEMORY;
  free(own.kept);
  ctl_problem_clear(&whole);
  return status;
}

SimStatus easier_stops(Easier *e, const double *from) {
  const CtlPlan *plan = e->plan;
  size_t d = (size_t)plan->problem.d, n = (size_t)plan->n;
  long most = easier_share_of_search(e, 1);
  if (!most) return SIM_OK;
  double *units = calloc(d * d, sizeof *units);
  CtlQuantity *quantity = calloc((size_t)plan->quantities + 2 * d, sizeof *quantity);
  CtlVariable *variable = calloc((size_t)plan->variables + 1, sizeof *variable);
  CtlPlan *easy = NULL;
  SimStatus status = units && quantity && variable ? create(e, from, units, quantity, variable, &easy) : SIM_NO_MEMORY;
  if (easy && plan->interrupts) ctl_plan_interrupt(easy, &plan->interrupt);
  if (status == SIM_OK) status = search(e, easy, from, most, e->points + (size_t)e->count++ * n);
  ctl_plan_destroy(easy);
  free(units);
  free(quantity);
  free(variable);
  return status == SIM_BAD_PROBLEM ? SIM_OK : status;
}
