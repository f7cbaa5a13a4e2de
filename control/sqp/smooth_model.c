/* SPDX-License-Identifier: BSD-2-Clause */
/* The quadratic model of a step for user-defined values: gradient, matrix and linearised constraints. */
#include "control/outcome/values.h"
#include "control/problem/bounds.h"
#include "control/sqp/conditions.h"
#include "control/sqp/smooth.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

/* Penalty weight of a constraint violation, as a multiple of the largest multiplier that the gradient of f can cause.
 * Since it exceeds all multipliers, the constraint is met if that is possible (exact penalty). */
static const double PENALTY = 1e4;
/* a multiplier above this fraction of the penalty weight shows that the constraint is not met */
static const double PENALIZED = 0.9;
static const double REGULARIZATION = 1e-12; /* smallest diagonal entry of B, relative to its largest one */
static const double DAMPING = 0.2;   /* smallest curvature along the step after an update, relative to that of B */
static const double MISS_UNIT = 1e6; /* unit of the constraint violations, in tolerances */
/* smallest number added to the diagonal of the evaluator's matrix, relative to the matrix or the gradient */
static const double FLAT = 1e-9;
static const double AT_REST = 1e-3; /* a value of a dof at rest meets its target if its miss is at most this, in
                                     * tolerances */
/* B is updated if the cosine of the angle between the step and the change of the gradient exceeds this */
static const double CURVED = 0.05;
static const double LONGEST_PART = 0.2; /* for CTL_STEP_PART: longest step of a variable, relative to its value */
/* for CTL_STEP_SHRINK: largest decrease of a variable in one step, relative to its value (SHRINKS) and to its size
 * (SHORT) */
static const double SHRINKS = 0.3, SHORT = 0.1;

static bool is_constraint(const CtlProblem *p, int i) { return p->roles[i] >= CTL_ROLE_EQUAL; }

double ctl_smooth_sign(const CtlProblem *p, int i) { return p->roles[i] == CTL_ROLE_AT_LEAST ? -1 : 1; }

static const double *row_of(const CtlSmooth *s, int i) { return s->rows + (size_t)i * (size_t)s->n; }

bool ctl_smooth_rows(const CtlProblem *p, const double *from, double *rows) {
  double sum = 0;
  for (int i = 0; i < p->d; i++, from += ctl_row_size(p->n))
    for (int k = 0; k < p->n; k++) {
      *rows = from[k] * p->size[k];
      sum += fabs(*rows++);
    }
  return isfinite(sum);
}

void ctl_smooth_gradient(const CtlProblem *p, const double *values, const double *rows, double *gradient) {
  memset(gradient, 0, (size_t)p->n * sizeof *gradient);
  for (int i = 0; i < p->d; i++) {
    const double *row = rows + (size_t)i * (size_t)p->n;
    if (p->roles[i] >= CTL_ROLE_MAGNITUDE) continue;
    double times = p->roles[i] == CTL_ROLE_RESIDUAL ? 2 * values[i] : 1;
    for (int k = 0; k < p->n; k++) gradient[k] += times * row[k];
  }
}

void ctl_smooth_lagrangian(const CtlProblem *p, const double *gradient, const double *rows, const double *y,
                           double *out) {
  memcpy(out, gradient, (size_t)p->n * sizeof *out);
  for (int i = 0; i < p->d; i++, rows += p->n)
    for (int k = 0; k < p->n && y[i] != 0; k++) out[k] += y[i] * rows[k];
}

double ctl_smooth_misses(const CtlProblem *p, const double *values) {
  double sum = 0;
  for (int i = 0; i < p->d; i++)
    if (is_constraint(p, i)) sum += ctl_value_miss(p, i, values[i]) / (MISS_UNIT * p->position_scale[i]);
  return sum;
}

/* Whether the dof of value i is at rest and the value meets its constraint. Its derivatives are then those of the
 * motion without coming to rest. */
static bool ctl_smooth_rests(const CtlSmooth *s, int i) {
  const CtlProblem *p = s->problem;
  return is_constraint(p, i) && s->ahead[i] != 0 &&
         ctl_value_miss(p, i, s->values[i]) <= AT_REST * p->position_scale[i];
}

/* Returns the sign with which a constraint's row enters the quadratic problem. If a dof at rest meets the target of an
 * equality, the row is an inequality, and the sign is chosen such that the signed value is <= 0 while the dof rests. */
static double row_sign(const CtlSmooth *s, int i) {
  if (s->problem->roles[i] == CTL_ROLE_EQUAL && ctl_smooth_rests(s, i)) return s->ahead[i] > 0 ? -1 : 1;
  return ctl_smooth_sign(s->problem, i);
}

/* Adds 2 sum r'r' over the residuals to the matrix B, where r' is the gradient of a residual. */
static void add_squares(CtlSmooth *s) {
  int n = s->n;
  for (int i = 0; i < s->m; i++)
    for (int j = 0; j < n && s->problem->roles[i] == CTL_ROLE_RESIDUAL; j++)
      for (int k = 0; k < n; k++) s->B[j * n + k] += 2 * row_of(s, i)[j] * row_of(s, i)[k];
}

static double largest_of(const CtlSmooth *s, const double *matrix) {
  double most = 0;
  for (int i = 0; i < s->n; i++) most = fmax(most, matrix[i * s->n + i]);
  return most;
}

static double largest_curvature(const CtlSmooth *s) { return largest_of(s, s->B); }

static void set_squares(CtlSmooth *s) {
  memset(s->B, 0, (size_t)s->n * (size_t)s->n * sizeof *s->B);
  add_squares(s);
}

void ctl_smooth_take_matrix(CtlSmooth *s, const double *rows) {
  const double *from = rows + (size_t)s->m * ctl_row_size(s->n), *size = s->problem->size;
  int n = s->n;
  for (int i = 0; i < n; i++, from += ctl_row_size(n))
    for (int j = 0; j < n; j++) s->B[i * n + j] = from[j] * size[i] * size[j];
  add_squares(s);
  s->scaled = true;
}

void ctl_smooth_begin_matrix(CtlSmooth *s) {
  double steep = ctl_norm(s->n, s->gradient);
  if (s->problem->curvature) {
    for (int i = 0; i < s->n * s->n; i++) s->B[i] -= s->extra[i];
    memset(s->extra, 0, (size_t)s->n * (size_t)s->n * sizeof *s->extra);
    return;
  }
  set_squares(s);
  s->scaled = ctl_values_count(s->problem, CTL_ROLE_OBJECTIVE) == 0 && largest_curvature(s) > 0;
  for (int i = 0; i < s->n && !s->scaled; i++) s->B[i * s->n + i] += steep > 0 ? steep / s->radius : 1;
}

/* Updates B by the BFGS formula with Powell's damping. B may be 0 along the step. */
static void update_by_step(const CtlSmooth *s, double *B, double *change, double *Bs) {
  int n = s->n;
  double along = dense_dot(n, s->step, change), curvature;
  for (int i = 0; i < n; i++) Bs[i] = dense_dot(n, B + (size_t)i * (size_t)n, s->step);
  curvature = dense_dot(n, s->step, Bs);
  if (curvature > 0 && along < DAMPING * curvature) {
    double part = (1 - DAMPING) * curvature / (curvature - along);
    for (int i = 0; i < n; i++) change[i] = part * change[i] + (1 - part) * Bs[i];
    along = DAMPING * curvature;
  }
  if (!(along > 0)) return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i * n + j] += change[i] * change[j] / along - (curvature > 0 ? Bs[i] * Bs[j] / curvature : 0);
}

/* Updates CtlSmooth.extra, the part of B that is not in the evaluator's matrix; B is that matrix on entry. change: [n]
 * change of the Lagrangian's gradient along the step. taken: whether the step was accepted. After a rejected step
 * `extra` changes only if the curvature along the step is positive. */
static void add_extra(CtlSmooth *s, double *change, bool taken) {
  int n = s->n;
  for (int i = 0; i < n; i++) change[i] -= dense_dot(n, s->B + (size_t)i * (size_t)n, s->step);
  double along = dense_dot(n, s->step, change), least = CURVED * ctl_norm(n, s->step) * ctl_norm(n, change);
  if (along >= least || (taken && largest_of(s, s->extra) > 0)) update_by_step(s, s->extra, change, s->room + n);
  for (int i = 0; i < n * n; i++) s->B[i] += s->extra[i];
}

void ctl_smooth_update_matrix(CtlSmooth *s, double *change, bool fell) {
  int n = s->n;
  if (s->problem->curvature) {
    add_extra(s, change, true);
    return;
  }
  if (fell && ctl_values_count(s->problem, CTL_ROLE_OBJECTIVE) == 0) {
    set_squares(s);
    s->scaled = largest_curvature(s) > 0;
    if (s->scaled) return;
  }
  double along = dense_dot(n, s->step, change), squares = dense_dot(n, change, change);
  if (!s->scaled && along > 0) {
    memset(s->B, 0, (size_t)n * (size_t)n * sizeof *s->B);
    for (int i = 0; i < n; i++) s->B[i * n + i] = squares / along;
    s->scaled = true;
  }
  update_by_step(s, s->B, change, s->room + n);
}

bool ctl_smooth_has_matrix(const CtlSmooth *s) {
  bool any = false;
  for (int i = 0; i < s->n; i++) any = any || s->B[i * s->n + i] > s->extra[i * s->n + i];
  return s->problem->curvature && any;
}

void ctl_smooth_learn(CtlSmooth *s, const double *values, const double *rows) {
  int n = s->n;
  double *change = s->room, *after = change + n, *gradient = after + n, *trial_rows = gradient + n + s->m;
  if (!ctl_smooth_has_matrix(s) || s->restores) return;
  ctl_smooth_rows(s->problem, rows, trial_rows);
  ctl_smooth_gradient(s->problem, values, trial_rows, gradient);
  ctl_smooth_lagrangian(s->problem, gradient, trial_rows, s->next, after);
  ctl_smooth_lagrangian(s->problem, s->gradient, s->rows, s->next, change);
  for (int i = 0; i < n; i++) change[i] = after[i] - change[i];
  for (int i = 0; i < n * n; i++) s->B[i] -= s->extra[i];
  add_extra(s, change, false);
}

/* Returns the largest value of row'z over all steps z in the box. */
static double row_reach(const CtlQp *qp, const double *row) {
  double sum = 0;
  for (int k = 0; k < qp->n; k++) sum += fmax(row[k] * qp->lower[k], row[k] * qp->upper[k]);
  return sum;
}

/* Sets the row of a constraint or a magnitude. The row is omitted if u does not act on it or if no step in the box
 * violates it. */
static void set_row(CtlSmooth *s, int i, double bend, double steep) {
  CtlQp *qp = &s->qp;
  const CtlProblem *p = s->problem;
  bool magnitude = p->roles[i] == CTL_ROLE_MAGNITUDE, rests = ctl_smooth_rests(s, i);
  bool equality = magnitude || (p->roles[i] == CTL_ROLE_EQUAL && !rests);
  double *row = qp->rows + (size_t)qp->m * (size_t)qp->n, length = ctl_norm(s->n, row_of(s, i));
  double sign = row_sign(s, i), b = sign * (s->values[i] + s->ahead[i] - (magnitude ? 0 : p->position[i]) + bend);
  if (!(length > 0) || (rests && p->roles[i] != CTL_ROLE_EQUAL && sign * s->ahead[i] > 0)) return;
  for (int k = 0; k < s->n; k++) row[k] = sign * row_of(s, i)[k];
  if (!equality && b + row_reach(qp, row) < 0) return;
  qp->b[qp->m] = b;
  qp->weight[qp->m] = magnitude ? 1 : fmax(PENALTY * steep / length, 10 * fabs(s->y[i]));
  s->of[qp->m] = i;
  qp->equality[qp->m++] = equality;
}

/* Sets the multipliers of the step. A constraint that the step cannot meet has the penalty weight as its multiplier,
 * which is not a multiplier of the Lagrangian. In that case all constraints keep their previous multipliers. */
static void set_multipliers(CtlSmooth *s) {
  const CtlQp *qp = &s->qp;
  bool met = true;
  for (int k = 0; k < qp->m; k++)
    met = met && (!is_constraint(s->problem, s->of[k]) || fabs(qp->y[k]) < PENALIZED * qp->weight[k]);
  memcpy(s->next, s->y, (size_t)s->m * sizeof *s->next);
  if (!met) return;
  memset(s->next, 0, (size_t)s->m * sizeof *s->next);
  for (int k = 0; k < qp->m; k++) s->next[s->of[k]] = row_sign(s, s->of[k]) * qp->y[k];
}

/* Sets the bounds of variable i for a step. */
static void set_box(CtlSmooth *s, int i) {
  const CtlProblem *p = s->problem;
  CtlStepRule rule = p->rules ? p->rules[i] : CTL_STEP_ANY;
  double at = s->at[i], lower = p->lower[i], upper = p->upper[i], most = s->radius;
  if (rule == CTL_STEP_PART) most = fmin(most, LONGEST_PART * fabs(at) / p->size[i]);
  if (rule == CTL_STEP_SHRINK) lower = fmax(lower, at - SHRINKS * at - SHORT * p->size[i]);
  if (rule == CTL_STEP_SIDE && at >= 0) lower = fmax(lower, 0);
  if (rule == CTL_STEP_SIDE && at <= 0) upper = fmin(upper, 0);
  s->qp.lower[i] = fmax(fmin(0, (lower - at) / p->size[i]), -most);
  s->qp.upper[i] = fmin(fmax(0, (upper - at) / p->size[i]), most);
}

/* Returns an upper bound of the norm of the gradient of the objective f, including magnitudes. */
static double steepness(CtlSmooth *s) {
  double *most = s->room + 2 * s->n;
  for (int k = 0; k < s->n; k++) most[k] = fabs(s->gradient[k]);
  for (int i = 0; i < s->m; i++)
    for (int k = 0; k < s->n && s->problem->roles[i] == CTL_ROLE_MAGNITUDE; k++) most[k] += fabs(row_of(s, i)[k]);
  return ctl_norm(s->n, most);
}

bool ctl_smooth_solve(CtlSmooth *s, const double *bend) {
  const CtlProblem *p = s->problem;
  CtlQp *qp = &s->qp;
  int n = s->n, width = qp->band + 1;
  double most = largest_curvature(s), steep = steepness(s) + most * s->radius;
  double floor = p->curvature ? FLAT * fmax(most, steep) : REGULARIZATION * most;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) qp->H[i * width + qp->band + j - i] = s->restores ? i == j : s->B[i * n + j];
    qp->H[i * width + qp->band] += s->restores ? 0 : floor;
    qp->g[i] = s->restores ? 0 : -s->gradient[i];
    qp->rise[i] = INFINITY;
    qp->z[i] = 0;
    set_box(s, i);
  }
  qp->m = 0;
  for (int i = 0; i < s->m; i++)
    if (p->roles[i] >= (s->restores ? CTL_ROLE_EQUAL : CTL_ROLE_MAGNITUDE)) set_row(s, i, bend ? bend[i] : 0, steep);
  if (!ctl_qp_solve(qp)) return false;
  set_multipliers(s);
  for (int i = 0; i < n; i++) s->trial[i] = s->at[i] + p->size[i] * qp->z[i];
  ctl_bounds_move_inside(p, s->trial);
  for (int i = 0; i < n; i++) s->step[i] = (s->trial[i] - s->at[i]) / p->size[i];
  return true;
}

/* Predicts value i after the step from the linear model. For a dof at rest, ahead is the change that
 * its value would have if it did not come to rest: while the predicted change has this sign, friction still holds the
 * dof, and the value stays as it is. */
static double predict_value(const CtlSmooth *s, int i) {
  double change = s->ahead[i] + dense_dot(s->n, row_of(s, i), s->step);
  return ctl_smooth_rests(s, i) && change * s->ahead[i] > 0 ? s->values[i] : s->values[i] + change;
}

void ctl_smooth_predict(CtlSmooth *s) {
  double *linear = s->room + 3 * s->n;
  s->promised = -dense_dot(s->n, s->gradient, s->step);
  for (int i = 0; i < s->n; i++)
    s->promised -= s->step[i] * dense_dot(s->n, s->B + (size_t)i * (size_t)s->n, s->step) / 2;
  for (int i = 0; i < s->m; i++) {
    linear[i] = predict_value(s, i);
    if (s->problem->roles[i] == CTL_ROLE_MAGNITUDE) s->promised += fabs(s->values[i]) - fabs(linear[i]);
  }
  s->remaining = ctl_smooth_misses(s->problem, linear);
  if (s->restores) s->promised = 0;
}

void ctl_smooth_bend(const CtlSmooth *s, const double *values, const double *rows, double *bend) {
  for (int i = 0; i < s->m; i++) {
    double ahead = rows[(size_t)i * ctl_row_size(s->n) + (size_t)s->n];
    bend[i] = values[i] + ahead - s->values[i] - s->ahead[i] - dense_dot(s->n, row_of(s, i), s->step);
  }
}
