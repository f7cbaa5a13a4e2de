/* SPDX-License-Identifier: BSD-2-Clause */
/* Values and derivatives of a plan at a point. */
#include "control/plan/internal.h"

#include <math.h>
#include <string.h>

/* Copies a row of derivatives from the columns of the sensitivity to the variables of a point, multiplied by a
 * factor. */
static void take_row(const CtlPlan *plan, const double *from, double factor, double *row) {
  for (int i = 0; i < plan->n; i++) row[i] = plan->column[i] < 0 ? 0 : factor * from[plan->column[i]];
}

/* If the quantity reads the velocity of a single dof at T, and this dof sticks at T after it has slid, returns the
 * dof; otherwise -1. */
static int stopped_dof(const CtlPlan *plan, const CtlQuantity *q) {
  int found = -1;
  if (q->of.way != SIM_AT_END || q->of.control || !q->of.v || q->role < CTL_ROLE_EQUAL) return -1;
  for (int i = 0; i < plan->problem.d; i++) {
    if (q->of.v[i] == 0 || isnan(plan->derivative.stop_time[i])) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/* For a dof that stopped: replaces its row of derivatives, 0 at rest, by the row of the velocity that the dof would
 * have if it had not stopped, and sets the two numbers behind the row (CtlOutcome.rows). */
static void go_on(const CtlPlan *plan, const CtlQuantity *q, double end, double *row) {
  int i = stopped_dof(plan, q);
  if (i < 0) return;
  const double *stop = plan->derivative.stop + (size_t)i * (size_t)plan->columns;
  double slope = q->of.v[i] * plan->derivative.stop_acceleration[i];
  for (int k = 0; k < plan->n; k++)
    if (plan->column[k] >= 0) row[k] += q->of.v[i] * stop[plan->column[k]];
  row[plan->n] = slope * (end - plan->derivative.stop_time[i]);
  row[plan->n + 1] = slope;
}

/* Computes the values of a quantity that the scheme has read, and their derivatives (rows). from: index of the
 * quantity's first number in plan->reading; count: how many of these numbers belong to the quantity. */
static void take_quantity(const CtlPlan *plan, const CtlQuantity *q, int from, int count, double end, double *values,
                          double *rows) {
  const SimReading *r = &plan->reading;
  double factor = plan_factor(q) * plan_side(q), offset = plan_factor(q) * plan_offset(q);
  for (int j = 0; j < count; j++) {
    values[j] = factor * r->values[from + j] - offset;
    if (!rows) continue;
    double *row = rows + (size_t)j * ctl_row_size(plan->n);
    take_row(plan, r->rows + (size_t)(from + j) * (size_t)plan->columns, factor, row);
    if (q->time > 0) row[plan->controls + q->time - 1] = factor * r->rates[from + j];
    go_on(plan, q, end, row);
  }
}

/* Returns u - a of an entry of the control, where a is the u of effort 0. Before the first entry, u is 0. */
static double plan_deviation(const CtlPlan *plan, const double *u, int entry) {
  int p = plan->problem.n_control;
  return (entry < 0 ? 0 : u[entry]) - plan_around(plan)[(entry + p) % p];
}

/* Returns the integral of (u - a)'N (u - a) at a point, without weight. row: [ctl_row_size]; `weight` times the
 * derivative of the integral is added to it; may be NULL. matrix: [n][ctl_row_size]; `weight` times the second
 * derivative is added to it; may be NULL. */
static double plan_effort(const CtlPlan *plan, const double *u, double weight, double *row, double *matrix) {
  int p = plan->problem.n_control, segments = plan->problem.segments;
  size_t width = ctl_row_size(plan->n);
  bool linear = plan->problem.signal == SIM_PIECEWISE_LINEAR;
  double sum = 0;
  for (int k = 0; k < segments; k++) {
    double h = plan->lengths_now[k], now = 0;
    /* share[i][j]: integral over a segment, divided by its length, of the product of the interpolation weights of
     * u_{k-1+i} and u_{k-1+j}; u_{-1} = 0 */
    const double share[2][2] = {{linear ? 1.0 / 3 : 0, linear ? 1.0 / 6 : 0},
                                {linear ? 1.0 / 6 : 0, linear ? 1.0 / 3 : 1}};
    for (int a = 0; a < 4 * p * p; a++) {
      int i = a / (2 * p) - p, j = a % (2 * p) - p; /* indices of the variables of the two factors, counted from the
                                                     * first entry of u_{k-1} */
      double part = share[i >= 0][j >= 0] * plan_weight(plan)[((i + p) % p) * p + (j + p) % p];
      if (part == 0) continue;
      int at = k * p + i, other = k * p + j;
      double deviation = plan_deviation(plan, u, other);
      now += part * plan_deviation(plan, u, at) * deviation;
      if (row && at >= 0) row[at] += 2 * weight * h * part * deviation;
      if (matrix && at >= 0 && other >= 0) matrix[(size_t)at * width + (size_t)other] += 2 * weight * h * part;
    }
    sum += h * now;
    for (int v = 0; v < plan->variables && row; v++)
      row[plan->controls + v] += weight * now * plan_length_change(plan, k, v);
  }
  return sum;
}

/* Computes the values of fuel: weight h_k u_kj [controls], where h_k is the length of segment k. rows:
 * [controls][ctl_row_size] derivatives, zero before; may be NULL. */
static void plan_fuel(const CtlPlan *plan, const double *u, double weight, double *values, double *rows) {
  int p = plan->problem.n_control;
  for (int i = 0; i < plan->controls; i++) {
    values[i] = weight * plan->lengths_now[i / p] * u[i];
    if (!rows) continue;
    double *row = rows + (size_t)i * ctl_row_size(plan->n);
    row[i] = weight * plan->lengths_now[i / p];
    for (int v = 0; v < plan->variables; v++)
      row[plan->controls + v] = weight * u[i] * plan_length_change(plan, i / p, v);
  }
}

/* Returns the time of a quantity minus T, in s, where T is the end of the motion. row: [ctl_row_size] derivatives, zero
 * on entry; may be NULL. */
static double plan_lateness(const CtlPlan *plan, const CtlQuantity *q, const double *point, double end, double *row) {
  for (int v = 0; v < plan->variables && row; v++) {
    CtlVary what = plan->variable[v].what;
    if (what == CTL_VARY_END || what == CTL_VARY_LENGTH) row[plan->controls + v] = -1;
  }
  if (row && q->time) row[plan->controls + q->time - 1] = 1;
  return (q->time ? point[plan->controls + q->time - 1] : q->of.time) - end;
}

/* Adds the second derivatives that the scheme has computed to the matrix of the search problem. */
static void add_matrix(const CtlPlan *plan, double *matrix) {
  for (int i = 0; i < plan->n; i++, matrix += ctl_row_size(plan->n))
    for (int j = 0; j < plan->n && plan->column[i] >= 0; j++)
      if (plan->column[j] >= 0)
        matrix[j] += plan->reading.matrix[(size_t)plan->column[i] * (size_t)plan->columns + (size_t)plan->column[j]];
}

/* Runs the motion of a point and reads the quantities of the plan. */
static SimStatus run_motion(CtlPlan *plan, const double *point, bool derives, SimFinal *final) {
  SimReading reading = plan->reading;
  SimFinal own = {.x = plan->x, .v = plan->v};
  double *x = final->x, *v = final->v;
  if (!derives) reading.rows = reading.matrix = NULL;
  SimStatus status =
      plan->reads == 0
          ? SIM_OK
          : sim_rollout_quantities(plan->model, plan->work, derives ? plan->sensitivity : NULL, point, plan->reads,
                                   plan->read, &own, derives ? &plan->derivative : NULL, &reading);
  *final = own;
  final->x = x;
  final->v = v;
  return status;
}

SimStatus plan_evaluate(CtlPlan *plan, const double *point, SimFinal *final, double *values, double *rows) {
  size_t width = ctl_row_size(plan->n);
  double *matrix = rows && plan->curvature ? rows + (size_t)plan->m * width : NULL;
  SimStatus status = plan_make(plan, point);
  if (status == SIM_OK) status = run_motion(plan, point, rows != NULL, final);
  if (status != SIM_OK) return status;
  double end = plan_lengths(plan, point);
  int from = 0;
  if (rows) memset(rows, 0, (size_t)(plan->m + (plan->curvature ? plan->n : 0)) * width * sizeof *rows);
  if (matrix && plan->reads) add_matrix(plan, matrix);
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    int first = plan->first[k], count = plan->first[k + 1] - first;
    double *row = rows ? rows + (size_t)first * width : NULL, factor = plan_factor(q);
    if (q->read == CTL_READ_FUEL) plan_fuel(plan, point, factor, values + first, row);
    if (q->read == CTL_READ_EFFORT)
      values[first] = factor * (plan_effort(plan, point, factor, row, q->role == CTL_ROLE_OBJECTIVE ? matrix : NULL) -
                                plan_offset(q));
    if (q->read == CTL_READ_LATE) values[first] = plan_lateness(plan, q, point, end, row);
    if (q->read != CTL_READ_MOTION) continue;
    take_quantity(plan, q, from, count, end, values + first, row);
    from += count;
  }
  return SIM_OK;
}

static void evaluate_points(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                            double *rows) {
  CtlPlan *plan = context; /* the plan may be changed here, although other functions have it as const, since only this
                            * thread uses it */
  size_t size = (size_t)(plan->m + (plan->curvature ? plan->n : 0)) * ctl_row_size(plan->n);
  for (int i = 0; i < count; i++) {
    SimFinal *one = &final[i];
    double *values = one->x;
    SimStatus status = plan_evaluate(plan, controls + (size_t)i * (size_t)plan->n, one, values,
                                     want.derivatives && rows && plan->derivatives ? rows + (size_t)i * size : NULL);
    one->status = status;
    memset(one->v, 0, (size_t)plan->m * sizeof *one->v);
  }
}

CtlEvaluator ctl_plan_evaluator(CtlPlan *plan) {
  if (!plan) return (CtlEvaluator){0};
  return (CtlEvaluator){.n = plan->n,
                        .d = plan->m,
                        .m = plan->derivatives ? plan->m + (plan->curvature ? plan->n : 0) : 0,
                        .smooth = &plan->derivative.smooth,
                        .block = 1,
                        .context = plan,
                        .evaluate = evaluate_points};
}
