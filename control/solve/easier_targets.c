/* SPDX-License-Identifier: BSD-2-Clause */
/* Targets at T of single positions and velocities, by which easier problems replace a plan's conditions at T. */
#include "control/solve/easier_problems.h"
#include "control/sqp/qp.h"

#include <math.h>
#include <stdlib.h>

static const double PRICE = 1e6; /* penalty weight of a violated condition, in units of the largest violation */
static const double NEAR = 1e-9; /* violation, or change of an entry, that counts as 0, in units of the largest
                                  * violation */

static double weight_of(const CtlPlan *plan, const CtlQuantity *q, int i) {
  int d = plan->problem.d;
  const double *weights = i < d ? q->of.x : q->of.v;
  return weights ? weights[i < d ? i : i - d] : 0;
}

/* Returns the number of entries of the final state (x, v) that occur in a condition; 0 if it is no linear condition at
 * T. *entry: set to the last of these entries. */
static int entries_of(const CtlPlan *plan, const CtlQuantity *q, int *entry) {
  int count = 0;
  bool linear = q->read == CTL_READ_MOTION && q->of.way == SIM_AT_END && !q->of.control && !q->of.place;
  for (int i = 0; i < 2 * plan->problem.d && linear && q->role >= CTL_ROLE_EQUAL; i++) {
    if (weight_of(plan, q, i) == 0) continue;
    *entry = i;
    count++;
  }
  return count;
}

/* Returns the target of the weighted sum of the final state in a condition: the quantity's target plus the weighted sum
 * of the initial state. */
static double target_of(const CtlPlan *plan, const CtlQuantity *q, const double *first) {
  int d = plan->problem.d;
  double from = 0;
  for (int i = 0; i < d; i++) {
    if (q->of.from_x && q->of.from_x[i] != 0) from += q->of.from_x[i] * first[i];
    if (q->of.from_v && q->of.from_v[i] != 0) from += q->of.from_v[i] * first[d + i];
  }
  return q->target + from;
}

/* Sets the targets of entries that occur alone in a condition. */
static void take_single(const CtlPlan *plan, const double *first, double *target) {
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    int i;
    if (entries_of(plan, q, &i) != 1) continue;
    double weight = weight_of(plan, q, i), to = target_of(plan, q, first) / weight, ahead = (to - first[i]) * weight;
    if ((q->role == CTL_ROLE_AT_LEAST && ahead <= 0) || (q->role == CTL_ROLE_AT_MOST && ahead >= 0)) continue;
    target[i] = to;
  }
}

/* Lists the entries without a target that occur in conditions on sums. held: [2 d] set to whether such a condition is
 * an equality. Returns the number of entries. */
static int list_entries(const CtlPlan *plan, const double *target, int *entries, bool *held) {
  int count = 0;
  for (int i = 0; i < 2 * plan->problem.d; i++) {
    bool any = false;
    for (int k = 0, last; k < plan->quantities && isnan(target[i]); k++) {
      const CtlQuantity *q = &plan->quantity[k];
      if (weight_of(plan, q, i) == 0 || entries_of(plan, q, &last) < 2) continue;
      any = true;
      held[i] = held[i] || q->role == CTL_ROLE_EQUAL;
    }
    if (any) entries[count++] = i;
  }
  return count;
}

/* Adds a condition to the quadratic problem as a row of norm 1 in the changes of the entries. state: [2 d] final state
 * before these changes. */
static void add_row(const CtlPlan *plan, const CtlQuantity *q, const double *first, const double *state,
                    const int *entries, CtlQp *qp) {
  double *row = qp->rows + qp->m * qp->n, sum = -target_of(plan, q, first), length = 0;
  for (int i = 0; i < 2 * plan->problem.d; i++) sum += weight_of(plan, q, i) * state[i];
  for (int j = 0; j < qp->n; j++) length = hypot(length, weight_of(plan, q, entries[j]));
  if (length == 0) return;
  double factor = (q->role == CTL_ROLE_AT_LEAST ? -1 : 1) / length;
  for (int j = 0; j < qp->n; j++) row[j] = factor * weight_of(plan, q, entries[j]);
  qp->equality[qp->m] = q->role == CTL_ROLE_EQUAL;
  qp->b[qp->m++] = factor * sum;
}

/* Sets up the quadratic problem: the smallest change of the entries so that the final state meets all conditions.
 * Returns the largest violation for zero change. */
static double fill_problem(const CtlPlan *plan, const double *first, const double *state, const int *entries,
                           CtlQp *qp) {
  double largest = 0;
  qp->m = 0;
  for (int k = 0, last; k < plan->quantities; k++)
    if (entries_of(plan, &plan->quantity[k], &last)) add_row(plan, &plan->quantity[k], first, state, entries, qp);
  for (int j = 0; j < qp->m; j++) largest = fmax(largest, qp->equality[j] ? fabs(qp->b[j]) : qp->b[j]);
  for (int j = 0; j < qp->m; j++) qp->weight[j] = PRICE * largest;
  for (int j = 0; j < qp->n; j++) {
    qp->H[j] = 1;
    qp->lower[j] = -INFINITY;
    qp->upper[j] = qp->rise[j] = INFINITY;
  }
  return largest;
}

/* Solves the quadratic problem. Returns whether its solution violates no row by more than `most`. */
static bool solve(CtlQp *qp, double most) {
  if (!ctl_qp_solve(qp)) return false;
  for (int j = 0; j < qp->m; j++) {
    double miss = qp->b[j];
    for (int i = 0; i < qp->n; i++) miss += qp->rows[j * qp->n + i] * qp->z[i];
    if ((qp->equality[j] ? fabs(miss) : miss) > most) return false;
  }
  return true;
}

/* Sets the targets of entries in conditions on sums to the values of the nearest final state that meets all conditions.
 * An entry that does not change and occurs in inequalities only gets no target. */
static SimStatus take_sums(const CtlPlan *plan, const double *first, double *target, double *state, int *entries,
                           bool *held) {
  CtlQp qp;
  int n = list_entries(plan, target, entries, held);
  if (!n) return SIM_OK;
  for (int i = 0; i < 2 * plan->problem.d; i++) state[i] = isnan(target[i]) ? first[i] : target[i];
  if (!ctl_qp_init(&qp, n, 0, plan->quantities, n, 0)) {
    ctl_qp_clear(&qp);
    return SIM_NO_MEMORY;
  }
  double largest = fill_problem(plan, first, state, entries, &qp);
  bool found = largest == 0 || solve(&qp, NEAR * largest);
  for (int j = 0; j < n && found; j++) {
    int i = entries[j];
    if (held[i] || fabs(qp.z[j]) > NEAR * largest) target[i] = first[i] + qp.z[j];
  }
  ctl_qp_clear(&qp);
  return SIM_OK;
}

SimStatus easier_targets(const CtlPlan *plan, const double *first, double *target) {
  size_t size = 2 * (size_t)plan->problem.d;
  double *state = calloc(size, sizeof *state);
  int *entries = calloc(size, sizeof *entries);
  bool *held = calloc(size, sizeof *held);
  SimStatus status = state && entries && held ? SIM_OK : SIM_NO_MEMORY;
  for (size_t i = 0; i < size; i++) target[i] = NAN;
  take_single(plan, first, target);
  if (status == SIM_OK) status = take_sums(plan, first, target, state, entries, held);
  free(state);
  free(entries);
  free(held);
  return status;
}
