/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of the quantities of a plan at a point, and the optimality of the point. */
#include "control/plan/internal.h"

#include "control/base/argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Converts a value of the search problem back to the quantity, before weight and target were applied. */
static double own_value(const CtlQuantity *q, double value) { return value / plan_factor(q) + plan_offset(q); }

double ctl_quantity_tolerance(const CtlQuantity *q) {
  return q->tolerance > 0 ? q->tolerance : 1e-6 * fmax(1, fabs(q->target));
}

static double miss_of(const CtlQuantity *q, double value) {
  double r = q->role == CTL_ROLE_AT_LEAST ? q->target - value : value - q->target;
  if (q->role < CTL_ROLE_EQUAL) return 0;
  return q->role == CTL_ROLE_EQUAL ? fabs(r) : fmax(r, 0);
}

/* Reads quantity k. from: index of the quantity's first number among those that the scheme has read. values: values of
 * the search problem. */
static CtlQuantityValue take_value(const CtlPlan *plan, int k, int from, double end, const double *values) {
  const CtlQuantity *q = &plan->quantity[k];
  int first = plan->first[k], count = plan->first[k + 1] - first, worst = 0;
  CtlQuantityValue out = {.time = end, .multiplier = NAN};
  for (int j = 0; j < count && q->read == CTL_READ_FUEL; j++) out.value += fabs(values[first + j]) / q->weight;
  for (int j = 1; j < count && q->read == CTL_READ_MOTION; j++)
    if (plan_side(q) * (values[first + j] - values[first + worst]) > 0) worst = j;
  if (q->read != CTL_READ_FUEL) out.value = own_value(q, values[first + worst]);
  if (q->read == CTL_READ_MOTION) out.time = plan->reading.times[from + worst];
  out.miss = miss_of(q, out.value);
  double slack = q->role == CTL_ROLE_AT_LEAST ? out.value - q->target : q->target - out.value;
  out.active = q->role >= CTL_ROLE_EQUAL && (q->role == CTL_ROLE_EQUAL || slack <= q->tolerance);
  return out;
}

/* Whether the values of SimProblem.pieces, or of its thresholds, depend on time: they have several rows (pieces of
 * time), or one row with a polynomial of order > 0. */
static bool changes(long rows, const double *row) { return rows > 1 || (rows == 1 && row[1] > 0); }

/* Whether force and thresholds are known until the end T of a point's motion, within the tolerance of T. If they depend
 * on t, they are known until the end of the setting's problem. Moving surfaces need no check, because a problem with a
 * varying T cannot have any. */
static bool is_known(CtlPlan *plan, const double *point) {
  const SimProblem *p = &plan->problem;
  const CtlQuantity at_most = {.target = p->end};
  bool in_time = changes(p->piece_count, p->pieces) || changes(p->threshold_pieces, p->thresholds);
  return !in_time || plan_lengths(plan, point) <= p->end + ctl_quantity_tolerance(&at_most);
}

SimStatus ctl_plan_read(CtlPlan *plan, const double *point, CtlQuantityValue *out) {
  ARGUMENT_THERE(plan);
  ARGUMENT_THERE(point);
  ARGUMENT_THERE(out);
  if (!is_known(plan, point)) return SIM_BAD_PROBLEM;
  double *values = malloc((size_t)plan->m * sizeof *values);
  SimFinal final = {0};
  if (!values) return SIM_NO_MEMORY;
  SimStatus status = plan_evaluate(plan, point, &final, values, NULL);
  double end = status == SIM_OK ? plan_lengths(plan, point) : 0;
  for (int k = 0, from = 0; k < plan->quantities && status == SIM_OK; k++) {
    out[k] = take_value(plan, k, from, end, values);
    if (plan->read_of[k] >= 0) from += plan->first[k + 1] - plan->first[k];
  }
  free(values);
  return status;
}

void plan_take_pull(const CtlPlan *plan, CtlPlanOptimality *optimality) {
  const double *pull = optimality->all.pull + plan->controls;
  optimality->vertex = optimality->all.vertex;
  if (plan->lengths >= 0) optimality->lengths = pull + plan->lengths;
  if (plan->end >= 0) optimality->hamiltonian = pull[plan->end];
  if (plan->lengths >= 0) optimality->hamiltonian = optimality->lengths[plan_segments(plan) - 1];
}

SimStatus ctl_plan_optimality(CtlPlan *plan, const CtlProblem *problem, const double *point,
                              CtlPlanOptimality *optimality, CtlQuantityValue *values) {
  ARGUMENT_THERE(optimality);
  *optimality = (CtlPlanOptimality){.hamiltonian = NAN};
  CtlEvaluator evaluator = ctl_plan_evaluator(plan);
  SimStatus status = ctl_plan_read(plan, point, values);
  if (status == SIM_OK && !plan->derivatives) status = SIM_BAD_PROBLEM;
  if (status == SIM_OK) status = ctl_optimality_find(problem, &evaluator, point, &optimality->all);
  if (status != SIM_OK) return status;
  for (int k = 0; k < plan->quantities; k++) {
    double sum = 0;
    for (int i = plan->first[k]; i < plan->first[k + 1]; i++) sum += optimality->all.multipliers[i];
    values[k].multiplier = sum;
  }
  plan_take_pull(plan, optimality);
  return SIM_OK;
}

void ctl_plan_optimality_clear(CtlPlanOptimality *optimality) {
  if (optimality) ctl_optimality_clear(&optimality->all);
}
