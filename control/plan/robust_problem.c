/* SPDX-License-Identifier: BSD-2-Clause */
/* The search problem of a robust plan, and its report: quantities of all scenarios, optimality. */
#include "control/base/argument.h"
#include "control/plan/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double T_TOLERANCE = 1e-6; /* tolerance of f_s - t <= 0, in units of the size of t */
/* least size of t, relative to its value at the first start: an answer for one scenario may have f_s = 0 */
static const double T_LEAST = 1e-4;

/* Sets the last entry of a point, t, to the largest f_s there. Where a motion fails it is 0. */
static SimStatus set_largest(CtlRobust *r, double *values, double *point) {
  SimFinal final = {0};
  double most = -INFINITY;
  point[r->n - 1] = 0;
  SimStatus status = robust_evaluate(r, point, &final, values, NULL);
  for (int s = 0; s < r->scenarios && status == SIM_OK; s++) most = robust_larger(most, values[robust_place_f(r, s)]);
  if (isfinite(most)) point[r->n - 1] = most;
  return status == SIM_CANCELLED || status == SIM_NO_MEMORY ? status : SIM_OK;
}

/* Gives t its bounds, none, its size, and its values at the starts. */
static SimStatus add_largest(CtlRobust *r, CtlProblem *p) {
  int t = r->n - 1;
  double *values = malloc((size_t)r->m * sizeof *values), least = INFINITY;
  if (!values) return SIM_NO_MEMORY;
  SimStatus status = set_largest(r, values, p->start);
  for (int k = 0; k < p->start_count && status == SIM_OK; k++) {
    double *start = p->starts + (size_t)k * (size_t)r->n;
    status = set_largest(r, values, start);
    if (start[t] != 0) least = fmin(least, fabs(start[t]));
  }
  free(values);
  p->lower[t] = -INFINITY;
  p->upper[t] = INFINITY;
  if (p->start[t] != 0) least = fmax(fmin(least, fabs(p->start[t])), T_LEAST * fabs(p->start[t]));
  p->size[t] = isfinite(least) ? least : 1;
  return status;
}

/* Sets the roles of all values. Those of shared quantities are of the first plan, like their values. */
static void take_roles(const CtlRobust *r, CtlProblem *p) {
  for (int s = 0; s < r->scenarios; s++) {
    const CtlPlan *plan = r->plan[s];
    for (int k = 0; k < plan->quantities; k++) {
      const CtlQuantity *q = &plan->quantity[k];
      if (s > 0 && robust_is_shared(q)) continue;
      CtlRole role = q->read == CTL_READ_FUEL ? CTL_ROLE_MAGNITUDE : q->role;
      int at = robust_place(r, s, k), count = plan->first[k + 1] - plan->first[k];
      for (int i = 0; at >= 0 && i < count && !robust_stops(q); i++)
        stiction_control_set_role(p, at + i, role, q->target, q->tolerance);
      for (int below = 0; below < 2 && robust_stops(q); below++)
        stiction_control_set_role(p, at + below, below ? CTL_ROLE_AT_LEAST : CTL_ROLE_AT_MOST, 0, q->tolerance);
    }
    if (r->epigraph)
      stiction_control_set_role(p, robust_place_f(r, s), CTL_ROLE_AT_MOST, 0, T_TOLERANCE * p->size[r->n - 1]);
  }
}

/* Copies the variables of the nominal problem, and its options of the search. */
static void take_nominal(const CtlProblem *nominal, CtlProblem *p) {
  size_t n = (size_t)nominal->n;
  memcpy(p->lower, nominal->lower, n * sizeof *p->lower);
  memcpy(p->upper, nominal->upper, n * sizeof *p->upper);
  memcpy(p->size, nominal->size, n * sizeof *p->size);
  memcpy(p->start, nominal->start, n * sizeof *p->start);
  for (size_t i = 0; i < n && nominal->rules; i++) p->rules[i] = nominal->rules[i];
  for (size_t k = 0; k < (size_t)p->start_count; k++)
    memcpy(p->starts + k * (size_t)p->n, nominal->starts + k * n, n * sizeof *p->starts);
  for (const SimParameter *row = ctl_values_search_parameters; row->key; row++)
    if (row->size && row->extent == SIM_ONE) sim_parameter_set(row, p, sim_parameter_get(row, nominal));
}

SimStatus ctl_robust_problem(CtlRobust *r, const CtlProblem *nominal, CtlProblem *p) {
  ARGUMENT_THERE(r);
  ARGUMENT(nominal && nominal->roles && nominal->n == robust_like(r)->n, "nominal", "is not a problem of such a plan");
  SimStatus status = ctl_problem_init_values(p, r->n, r->m);
  if (status != SIM_OK) return status;
  p->start_count = nominal->start_count;
  p->rules = calloc((size_t)r->n, sizeof *p->rules);
  p->starts = calloc((size_t)p->start_count * (size_t)r->n + 1, sizeof *p->starts);
  p->derivatives = r->derivatives;
  p->curvature = r->curvature;
  status = p->rules && p->starts ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) take_nominal(nominal, p);
  if (status == SIM_OK && r->epigraph) status = add_largest(r, p);
  if (status == SIM_OK)
    take_roles(r, p);
  else
    ctl_problem_clear(p);
  return status;
}

/* Returns what is minimised in a scenario, without shared quantities. */
static double objective_of(const CtlPlan *plan, const CtlQuantityValue *values) {
  double sum = 0;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    if (robust_is_shared(q)) continue;
    if (q->role == CTL_ROLE_OBJECTIVE) sum += q->weight * values[k].value;
    if (q->role == CTL_ROLE_RESIDUAL) sum += q->weight * (values[k].value - q->target) * (values[k].value - q->target);
  }
  return sum;
}

SimStatus ctl_robust_read(CtlRobust *r, const double *point, CtlQuantityValue *values, double *f) {
  ARGUMENT_THERE(r);
  ARGUMENT_THERE(point);
  ARGUMENT_THERE(values);
  SimStatus status = SIM_OK;
  for (int s = 0; s < r->scenarios && status == SIM_OK; s++) {
    CtlQuantityValue *own = values + (size_t)s * (size_t)r->plan[s]->quantities;
    status = ctl_plan_read(r->plan[s], point, own);
    if (status == SIM_OK && f) f[s] = objective_of(r->plan[s], own);
  }
  return status;
}

static bool has_stops(const CtlPlan *plan) {
  for (int k = 0; k < plan->quantities; k++)
    if (robust_stops(&plan->quantity[k])) return true;
  return false;
}

SimStatus ctl_robust_optimality(CtlRobust *r, const CtlProblem *problem, const double *point,
                                CtlPlanOptimality *optimality, CtlQuantityValue *values, double *weights) {
  ARGUMENT_THERE(optimality);
  *optimality = (CtlPlanOptimality){.hamiltonian = NAN};
  const CtlPlan *plan = robust_like(r);
  CtlEvaluator evaluator = ctl_robust_evaluator(r);
  if (!r->derivatives) return SIM_BAD_PROBLEM;
  SimStatus status = ctl_optimality_find(problem, &evaluator, point, &optimality->all);
  if (status != SIM_OK) return status;
  const double *y = optimality->all.multipliers;
  for (int s = 0; s < r->scenarios; s++) {
    CtlQuantityValue *own = values + (size_t)s * (size_t)plan->quantities;
    for (int k = 0; k < plan->quantities; k++) {
      bool stops = robust_stops(&plan->quantity[k]);
      int at = robust_place(r, s, k), count = stops ? 2 : plan->first[k + 1] - plan->first[k];
      bool elsewhere = at < 0 || (s > 0 && robust_is_shared(&plan->quantity[k]));
      own[k].multiplier = elsewhere ? (double)NAN : 0;
      for (int i = 0; i < count && !elsewhere; i++) own[k].multiplier += y[at + i];
      if (stops) own[k].active = own[k].multiplier != 0;
    }
    weights[s] = r->epigraph ? y[robust_place_f(r, s)] : (double)NAN;
  }
  plan_take_pull(plan, optimality);
  if (optimality->all.local_minimum == CTL_MINIMUM_NO && has_stops(plan)) {
    optimality->all.local_minimum = CTL_MINIMUM_UNKNOWN;
    optimality->all.why = "where friction just holds a dof there is no derivative of its velocity";
  }
  return SIM_OK;
}
