/* The quadratic model of a step for user-defined values: gradient, matrix, linear constraints. */
#include "control/outcome/values.h"
#include "control/problem/bounds.h"
#include "control/sqp/conditions.h"
#include "control/sqp/smooth.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

/* Penalty of a constraint's miss, in multipliers as large as f's gradient can make them. It is exact: a constraint is
 * met if possible. */
static const double PENALTY = 1e4;
static const double PENALIZED = 0.9; /* part of the penalty above which a multiplier is that of an unmet constraint */
static const double REGULARIZATION = 1e-12; /* floor of B's diagonal, relative to its largest entry */
static const double DAMPING = 0.2;          /* least curvature of an update, relative to B's */
static const double MISS_UNIT = 1e6;        /* unit of misses, tolerances */

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
    if (is_constraint(p, i)) continue;
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

/* B = 2 sum r'r' over the residuals. */
static void set_squares(CtlSmooth *s) {
  int n = s->n;
  memset(s->B, 0, (size_t)n * (size_t)n * sizeof *s->B);
  for (int i = 0; i < s->m; i++)
    for (int j = 0; j < n && s->problem->roles[i] == CTL_ROLE_RESIDUAL; j++)
      for (int k = 0; k < n; k++) s->B[j * n + k] += 2 * row_of(s, i)[j] * row_of(s, i)[k];
}

static double largest_curvature(const CtlSmooth *s) {
  double most = 0;
  for (int i = 0; i < s->n; i++) most = fmax(most, s->B[i * s->n + i]);
  return most;
}

void ctl_smooth_begin_matrix(CtlSmooth *s) {
  double steep = ctl_norm(s->n, s->gradient);
  set_squares(s);
  s->scaled = ctl_values_count(s->problem, CTL_ROLE_OBJECTIVE) == 0 && largest_curvature(s) > 0;
  for (int i = 0; i < s->n && !s->scaled; i++) s->B[i * s->n + i] += steep > 0 ? steep / s->radius : 1;
}

void ctl_smooth_update_matrix(CtlSmooth *s, double *change, bool fell) {
  int n = s->n;
  double *Bs = s->room + n;
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
  for (int i = 0; i < n; i++) Bs[i] = dense_dot(n, s->B + (size_t)i * (size_t)n, s->step);
  double curvature = dense_dot(n, s->step, Bs);
  if (!(curvature > 0)) return;
  if (along < DAMPING * curvature) {
    double part = (1 - DAMPING) * curvature / (curvature - along);
    for (int i = 0; i < n; i++) change[i] = part * change[i] + (1 - part) * Bs[i];
    along = DAMPING * curvature;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s->B[i * n + j] += change[i] * change[j] / along - Bs[i] * Bs[j] / curvature;
}

/* Sets the row of a constraint, unless u does not act on it. */
static void set_row(CtlSmooth *s, int i, double bend, double steep) {
  CtlQp *qp = &s->qp;
  const CtlProblem *p = s->problem;
  double *row = qp->rows + (size_t)qp->m * (size_t)qp->n, length = ctl_norm(s->n, row_of(s, i));
  if (!(length > 0)) return;
  for (int k = 0; k < s->n; k++) row[k] = ctl_smooth_sign(p, i) * row_of(s, i)[k];
  qp->b[qp->m] = ctl_value_residual(p, i, s->values[i]) + bend;
  qp->weight[qp->m] = fmax(PENALTY * steep / length, 10 * fabs(s->y[i]));
  s->of[qp->m] = i;
  qp->equality[qp->m++] = p->roles[i] == CTL_ROLE_EQUAL;
}

/* Multipliers of the step. Those of a constraint that it cannot meet are its penalty's, and say nothing of the
 * Lagrangian: then the former ones stay. */
static void set_multipliers(CtlSmooth *s) {
  const CtlQp *qp = &s->qp;
  bool met = true;
  for (int k = 0; k < qp->m; k++) met = met && fabs(qp->y[k]) < PENALIZED * qp->weight[k];
  memcpy(s->next, s->y, (size_t)s->m * sizeof *s->next);
  if (!met) return;
  memset(s->next, 0, (size_t)s->m * sizeof *s->next);
  for (int k = 0; k < qp->m; k++) s->next[s->of[k]] = ctl_smooth_sign(s->problem, s->of[k]) * qp->y[k];
}

bool ctl_smooth_solve(CtlSmooth *s, const double *bend) {
  const CtlProblem *p = s->problem;
  CtlQp *qp = &s->qp;
  int n = s->n, width = qp->band + 1;
  double most = largest_curvature(s), steep = ctl_norm(n, s->gradient) + most * s->radius;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) qp->H[i * width + qp->band + j - i] = s->B[i * n + j];
    qp->H[i * width + qp->band] += REGULARIZATION * most;
    qp->g[i] = -s->gradient[i];
    qp->lower[i] = fmax(fmin(0, (p->lower[i] - s->at[i]) / p->size[i]), -s->radius);
    qp->upper[i] = fmin(fmax(0, (p->upper[i] - s->at[i]) / p->size[i]), s->radius);
    qp->rise[i] = INFINITY;
    qp->z[i] = 0;
  }
  qp->m = 0;
  for (int i = 0; i < s->m; i++)
    if (is_constraint(p, i)) set_row(s, i, bend ? bend[i] : 0, steep);
  if (!ctl_qp_solve(qp)) return false;
  set_multipliers(s);
  for (int i = 0; i < n; i++) s->trial[i] = s->at[i] + p->size[i] * qp->z[i];
  ctl_bounds_move_inside(p, s->trial);
  for (int i = 0; i < n; i++) s->step[i] = (s->trial[i] - s->at[i]) / p->size[i];
  return true;
}

void ctl_smooth_predict(CtlSmooth *s) {
  double *linear = s->room + 2 * s->n;
  s->promised = -dense_dot(s->n, s->gradient, s->step);
  for (int i = 0; i < s->n; i++)
    s->promised -= s->step[i] * dense_dot(s->n, s->B + (size_t)i * (size_t)s->n, s->step) / 2;
  for (int i = 0; i < s->m; i++) linear[i] = s->values[i] + dense_dot(s->n, row_of(s, i), s->step);
  s->remaining = ctl_smooth_misses(s->problem, linear);
}

void ctl_smooth_bend(const CtlSmooth *s, const double *values, double *bend) {
  for (int i = 0; i < s->m; i++)
    bend[i] = ctl_smooth_sign(s->problem, i) * (values[i] - s->values[i] - dense_dot(s->n, row_of(s, i), s->step));
}
