/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/qp.h"

#include "control/sqp/kkt.h"
#include "sim/operator/dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATIONS = 100 };
/* tolerance of the residuals, and of the complementary products relative to the objective */
static const double TOLERANCE = 1e-14;
/* smallest tolerance that round-off allows for the solution by columns */
static const double TOLERANCE_BY_COLUMNS = 1e-12;
/* tolerance that is accepted if round-off or the limit of iterations prevents a smaller one */
static const double ACCEPTABLE_TOLERANCE = 1e-6;
/* after a step shorter than this fraction of the full step, a pure centring step follows */
static const double SHORT_STEP = 0.6;
/* largest fraction of the distance to the next bound that a step may use */
static const double FRACTION_TO_BOUNDARY = 0.995;

/* Vectors of one iteration, stored in qp->work. Names that begin with d are steps; names that begin with bend are the
 * second-order terms of the predictor step. A side is one of the CTL_QP_SIDES kinds of bounds (qp.h). */
typedef struct Iterate {
  /* [n] slacks s and multipliers lambda of each side; s is INFINITY if the side has no bound */
  double *s[CTL_QP_SIDES], *lambda[CTL_QP_SIDES];
  double *ds[CTL_QP_SIDES], *dlambda[CTL_QP_SIDES]; /* [n] steps of the slacks and of their multipliers */
  double *bend[CTL_QP_SIDES];                       /* [n] second-order terms of the slacks */
  double *over, *under, *d_over, *d_under, *r_row;  /* [m] each: positive and negative part of the rows' values b + A z,
                                                     * their steps, and the residual of the rows */
  double *bend_over, *bend_under, *dy;              /* [m] each: second-order terms of over and under, and the step
                                                     * of the rows' multipliers */
  double *dz, *r_dual;                              /* [n] step; [n] residual of the dual equations */
  double *kept;                                     /* [n + m] z and y of the best iterate */
  CtlKkt kkt;
} Iterate;

static size_t work_size(const CtlQp *qp) {
  size_t n = (size_t)qp->n, m = (size_t)qp->rows_most;
  return 5 * CTL_QP_SIDES * n + 8 * m + 3 * n + m + ctl_kkt_size(qp);
}

bool ctl_qp_init(CtlQp *qp, int n, int tops, int rows_most, int apart, int band) {
  *qp = (CtlQp){.n = n, .tops = tops, .rows_most = rows_most, .apart = apart, .band = band};
  size_t vector = (size_t)n, rows = (size_t)rows_most;
  size_t room = 2 * rows; /* space for all rows, and for the rows of the working set */
  qp->H = calloc(vector * (size_t)(band + 1) + 5 * vector + room * (size_t)(n - tops) + 3 * room + work_size(qp),
                 sizeof *qp->H);
  qp->equality = calloc(room + rows + 1, sizeof *qp->equality);
  qp->top = calloc(2 * rows + 1, sizeof *qp->top);
  if (!qp->H || !qp->equality || !qp->top) return false;
  for (int j = 0; j < rows_most; j++) qp->top[j] = -1;
  qp->g = qp->H + vector * (size_t)(band + 1);
  qp->lower = qp->g + n;
  qp->upper = qp->lower + n;
  qp->rise = qp->upper + n;
  qp->z = qp->rise + n;
  qp->rows = qp->z + n;
  qp->b = qp->rows + room * (size_t)(n - tops);
  qp->weight = qp->b + room;
  qp->y = qp->weight + room;
  qp->work = qp->y + room;
  qp->is_chosen = qp->equality + room;
  qp->chosen = qp->top + rows;
  return true;
}

void ctl_qp_clear(CtlQp *qp) {
  free(qp->H);
  free(qp->equality);
  free(qp->top);
}

static Iterate lay_out(const CtlQp *qp) {
  Iterate it = {0};
  size_t n = (size_t)qp->n, m = (size_t)qp->rows_most;
  double *next = qp->work;
  double **const of_rows[] = {&it.over,  &it.under,     &it.d_over,     &it.d_under,
                              &it.r_row, &it.bend_over, &it.bend_under, &it.dy};
  for (int k = 0; k < CTL_QP_SIDES; k++) {
    double **const of_side[] = {&it.s[k], &it.lambda[k], &it.ds[k], &it.dlambda[k], &it.bend[k]};
    for (size_t i = 0; i < sizeof of_side / sizeof *of_side; i++, next += n) *of_side[i] = next;
  }
  for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++, next += m) *of_rows[i] = next;
  it.dz = next;
  it.r_dual = it.dz + n;
  it.kept = it.r_dual + n;
  ctl_kkt_lay_out(&it.kkt, qp, it.kept + n + m);
  return it;
}

/* side_value returns the quantity that bound i of kind k limits: z_i or -z_i, or the change of z_i from the variable
 * `apart` before it, or the negative of that change. side_limit returns the upper limit of this quantity. */
static double side_value(const CtlQp *qp, int k, int i, const double *z) {
  double before = i >= qp->apart ? z[i - qp->apart] : 0;
  double value = k < 2 ? z[i] : z[i] - before;
  return k % 2 ? -value : value;
}

static double side_limit(const CtlQp *qp, int k, int i) {
  return k == 0 ? qp->upper[i] : k == 1 ? -qp->lower[i] : qp->rise[i];
}

/* Adds the contribution of a multiplier to out: out += G_k' v, where v is the multiplier of bound i of kind k (0 ..
 * CTL_QP_SIDES - 1). */
static void side_add(const CtlQp *qp, int k, int i, double v, double *out) {
  double signed_v = k % 2 ? -v : v;
  out[i] += signed_v;
  if (k >= 2 && i >= qp->apart) out[i - qp->apart] -= signed_v;
}

void ctl_qp_multiply(const CtlQp *qp, const double *z, double *out) { ctl_kkt_multiply(qp, qp->H, z, out); }

/* Whether a variable is fixed, because its bounds leave no interior. */
static bool is_fixed(const CtlQp *qp, int i) {
  return isfinite(qp->upper[i] - qp->lower[i]) &&
         qp->upper[i] - qp->lower[i] <= 8 * DBL_EPSILON * (fabs(qp->upper[i]) + fabs(qp->lower[i]));
}

/* Sets the initial iterate. The products of slacks and multipliers become about equal, with the size of the
 * objective. */
static void set_start(const CtlQp *qp, Iterate *it) {
  double size = 0;
  for (int i = 0; i < qp->n; i++) {
    if (is_fixed(qp, i)) qp->z[i] = qp->lower[i];
    qp->z[i] = fmin(fmax(qp->z[i], qp->lower[i]), qp->upper[i]);
    size = fmax(size, fabs(qp->z[i]));
  }
  ctl_qp_multiply(qp, qp->z, it->r_dual);
  double steep = 0;
  for (int k = 0; k < CTL_QP_SIDES; k++) { /* all steps are zero at first */
    memset(it->ds[k], 0, (size_t)qp->n * sizeof *it->ds[k]);
    memset(it->dlambda[k], 0, (size_t)qp->n * sizeof *it->dlambda[k]);
  }
  for (int j = 0; j < qp->m; j++) it->dy[j] = it->d_over[j] = it->d_under[j] = 0;
  for (int i = 0; i < qp->n; i++) steep = fmax(steep, fabs(it->r_dual[i] - qp->g[i]));
  for (int j = 0; j < qp->m; j++) {
    double r = qp->b[j] + ctl_kkt_row_times(qp, j, qp->z), part = fabs(r) + 1e-3 * (1 + fabs(qp->b[j]));
    qp->y[j] = qp->equality[j] ? 0 : qp->weight[j] / 2;
    it->over[j] = r > 0 ? r + part : part;
    it->under[j] = it->over[j] - r;
  }
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < qp->n; i++) {
      double limit = side_limit(qp, k, i);
      bool held = is_fixed(qp, i) && (k < 2 || (i >= qp->apart && is_fixed(qp, i - qp->apart)));
      bool none = !isfinite(limit) || held;
      double room = limit - side_value(qp, k, i, qp->z), least = fmax(1e-2 * fmax(size, fabs(limit)), 1e-8);
      it->s[k][i] = none ? INFINITY : fmax(room, least);
      it->lambda[k][i] = none ? 0 : fmax(steep, 1e-8) * least / it->s[k][i];
    }
}

static double row_cost_under(const CtlQp *qp, int j) { return qp->equality[j] ? qp->weight[j] : 0; }

/* Returns the sum of the products of slacks and multipliers after the fraction `part` of the step. *count: set to the
 * number of products. */
static double gap_after(const CtlQp *qp, const Iterate *it, double part, long *count) {
  double sum = 0;
  *count = 0;
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < qp->n; i++) {
      if (isinf(it->s[k][i])) continue;
      sum += (it->s[k][i] + part * it->ds[k][i]) * (it->lambda[k][i] + part * it->dlambda[k][i]);
      ++*count;
    }
  for (int j = 0; j < qp->m; j++) {
    double y = qp->y[j] + part * it->dy[j];
    sum += (it->over[j] + part * it->d_over[j]) * (qp->weight[j] - y) +
           (it->under[j] + part * it->d_under[j]) * (row_cost_under(qp, j) + y);
    *count += 2;
  }
  return sum;
}

/* Sets up and factors the linear system (kkt.h) that gives the next direction. Returns false if the factorisation
 * fails. */
static bool factor_system(const CtlQp *qp, Iterate *it) {
  int n = qp->n, band = qp->band, width = band + 1;
  CtlKkt *kkt = &it->kkt;
  memcpy(kkt->K, qp->H, (size_t)n * (size_t)width * sizeof *kkt->K);
  for (int i = 0; i < n; i++) {
    double *diagonal = &kkt->K[i * width + band];
    if (is_fixed(qp, i)) *diagonal *= 1e30;
    for (int k = 0; k < CTL_QP_SIDES; k++) {
      double ratio = isinf(it->s[k][i]) ? 0 : it->lambda[k][i] / it->s[k][i];
      *diagonal += ratio;
      if (k < 2 || i < qp->apart) continue;
      kkt->K[i * width + band - qp->apart] -= ratio;
      kkt->K[(i - qp->apart) * width + band] += ratio;
    }
  }
  for (int j = 0; j < qp->m; j++)
    kkt->delta[j] = it->over[j] / (qp->weight[j] - qp->y[j]) + it->under[j] / (row_cost_under(qp, j) + qp->y[j]);
  return ctl_kkt_factor(kkt, qp);
}

/* Computes the step that aims at the value tau for all products of slacks and multipliers. corrects: whether to
 * subtract the second-order terms of the predictor step. */
static void find_direction(const CtlQp *qp, Iterate *it, double tau, bool corrects) {
  int n = qp->n, m = qp->m;
  for (int i = 0; i < n; i++) it->dz[i] = -it->r_dual[i];
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < n; i++) {
      double s = it->s[k][i], lambda = it->lambda[k][i];
      if (isinf(s)) continue;
      double broken = side_value(qp, k, i, qp->z) + s - side_limit(qp, k, i);
      it->dlambda[k][i] = ((tau - (corrects ? it->bend[k][i] : 0)) + lambda * broken) / s - lambda;
      side_add(qp, k, i, -it->dlambda[k][i], it->dz);
    }
  for (int i = 0; i < n; i++)
    if (is_fixed(qp, i)) it->dz[i] = 0;
  for (int j = 0; j < m; j++) {
    double from_over = (tau - (corrects ? it->bend_over[j] : 0)) / (qp->weight[j] - qp->y[j]) - it->over[j];
    double from_under = (tau - (corrects ? it->bend_under[j] : 0)) / (row_cost_under(qp, j) + qp->y[j]) - it->under[j];
    it->d_over[j] = from_over;
    it->d_under[j] = from_under;
  }
  ctl_kkt_solve(&it->kkt, qp, (const double *[]){it->r_row, it->d_over, it->d_under}, it->dz, it->dy);
  for (int j = 0; j < m; j++) {
    it->d_over[j] += it->over[j] / (qp->weight[j] - qp->y[j]) * it->dy[j];
    it->d_under[j] -= it->under[j] / (row_cost_under(qp, j) + qp->y[j]) * it->dy[j];
  }
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < n; i++) {
      double s = it->s[k][i];
      if (isinf(s)) continue;
      double change = side_value(qp, k, i, it->dz), broken = side_value(qp, k, i, qp->z) + s - side_limit(qp, k, i);
      it->ds[k][i] = -broken - change;
      it->dlambda[k][i] += it->lambda[k][i] / s * change;
    }
}

static void keep_positive(double value, double change, double *part) {
  if (change < 0) *part = fmin(*part, -value / change);
}

/* Returns the longest step along the direction, as a fraction of it, for which all slacks and multipliers stay
 * positive. */
static double step_length(const CtlQp *qp, const Iterate *it) {
  double part = 1 / FRACTION_TO_BOUNDARY;
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < qp->n; i++) {
      if (isinf(it->s[k][i])) continue;
      keep_positive(it->s[k][i], it->ds[k][i], &part);
      keep_positive(it->lambda[k][i], it->dlambda[k][i], &part);
    }
  for (int j = 0; j < qp->m; j++) {
    keep_positive(it->over[j], it->d_over[j], &part);
    keep_positive(it->under[j], it->d_under[j], &part);
    keep_positive(qp->weight[j] - qp->y[j], -it->dy[j], &part);
    keep_positive(row_cost_under(qp, j) + qp->y[j], it->dy[j], &part);
  }
  return fmin(1, FRACTION_TO_BOUNDARY * part);
}

static void keep_bend(const CtlQp *qp, Iterate *it) {
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < qp->n; i++) it->bend[k][i] = isinf(it->s[k][i]) ? 0 : it->ds[k][i] * it->dlambda[k][i];
  for (int j = 0; j < qp->m; j++) {
    it->bend_over[j] = -it->d_over[j] * it->dy[j];
    it->bend_under[j] = it->d_under[j] * it->dy[j];
  }
}

static void move_iterate(const CtlQp *qp, Iterate *it, double part) {
  for (int i = 0; i < qp->n; i++) qp->z[i] += part * it->dz[i];
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < qp->n; i++) {
      if (isinf(it->s[k][i])) continue;
      it->s[k][i] += part * it->ds[k][i];
      it->lambda[k][i] += part * it->dlambda[k][i];
    }
  for (int j = 0; j < qp->m; j++) {
    qp->y[j] += part * it->dy[j];
    it->over[j] += part * it->d_over[j];
    it->under[j] += part * it->d_under[j];
  }
}

/* Computes r_dual and r_row. Returns the largest residual of these equations, of bounds and of slacks, each relative to
 * the size of its terms. */
static double find_residuals(const CtlQp *qp, Iterate *it) {
  int n = qp->n;
  double broken = 0, size = 0, apart = 0, reach = 1;
  ctl_qp_multiply(qp, qp->z, it->r_dual);
  for (int i = 0; i < n; i++) {
    size = fmax(size, fmax(fabs(it->r_dual[i]), fabs(qp->g[i])));
    reach = fmax(reach, fabs(qp->z[i]));
    it->r_dual[i] -= qp->g[i];
  }
  for (int j = 0; j < qp->m; j++) {
    const double *row = qp->rows + (size_t)j * (size_t)(n - qp->tops);
    ctl_kkt_row_add(qp, j, qp->y[j], it->r_dual);
    for (int i = 0; i < n - qp->tops; i++) size = fmax(size, fabs(row[i] * qp->y[j]));
    it->r_row[j] = qp->b[j] + ctl_kkt_row_times(qp, j, qp->z) - it->over[j] + it->under[j];
    apart = fmax(apart, fabs(it->r_row[j]) / (1 + fabs(qp->b[j])));
  }
  for (int k = 0; k < CTL_QP_SIDES; k++)
    for (int i = 0; i < n; i++) {
      if (isinf(it->s[k][i])) continue;
      side_add(qp, k, i, it->lambda[k][i], it->r_dual);
      apart = fmax(apart, fabs(side_value(qp, k, i, qp->z) + it->s[k][i] - side_limit(qp, k, i)) / reach);
    }
  for (int i = 0; i < n; i++)
    if (!is_fixed(qp, i)) broken = fmax(broken, fabs(it->r_dual[i]));
  return fmax(size > 0 ? broken / size : 0, apart);
}

static double objective_of(const CtlQp *qp, Iterate *it) {
  ctl_qp_multiply(qp, qp->z, it->dz);
  double value = dense_dot(qp->n, qp->z, it->dz) / 2 + fabs(dense_dot(qp->n, qp->g, qp->z));
  for (int j = 0; j < qp->m; j++) value += fabs(qp->y[j] * qp->b[j]);
  return value;
}

/* Saves z and y of the best iterate so far, since round-off may spoil later iterates. */
static void keep_iterate(const CtlQp *qp, double *kept) {
  memcpy(kept, qp->z, (size_t)qp->n * sizeof *kept);
  memcpy(kept + qp->n, qp->y, (size_t)qp->m * sizeof *kept);
}

static void take_back(CtlQp *qp, const double *kept) {
  memcpy(qp->z, kept, (size_t)qp->n * sizeof *kept);
  memcpy(qp->y, kept + qp->n, (size_t)qp->m * sizeof *kept);
}

/* Takes a predictor-corrector step. After a short step it takes a pure centring step, since predictor steps may then
 * cycle. left: sum of the `count` complementary products. Returns the fraction of the step that was taken. */
static double advance_iterate(const CtlQp *qp, Iterate *it, double left, long count, bool centres) {
  double tau = count ? left / (double)count : 0, part, ratio = 1;
  if (!centres) {
    find_direction(qp, it, 0, false);
    part = step_length(qp, it);
    ratio = left > 0 ? gap_after(qp, it, part, &count) / left : 0;
    keep_bend(qp, it);
  }
  find_direction(qp, it, centres ? tau / 2 : ratio * ratio * ratio * tau, !centres);
  part = step_length(qp, it);
  move_iterate(qp, it, part);
  return part;
}

bool ctl_qp_solve_rows(CtlQp *qp) {
  Iterate it = lay_out(qp);
  double least = INFINITY, step = 1;
  long count;
  set_start(qp, &it);
  for (qp->iterations = 0; qp->iterations < MAX_ITERATIONS; qp->iterations++) {
    double broken = find_residuals(qp, &it), left = gap_after(qp, &it, 0, &count), size = objective_of(qp, &it);
    double error = fmax(broken, size > 0 ? left / size : left);
    if (!isfinite(broken) || !isfinite(left + size)) break;
    if (error < least) {
      least = error;
      keep_iterate(qp, it.kept);
    }
    if (error <= (it.kkt.by_columns ? TOLERANCE_BY_COLUMNS : TOLERANCE) || !factor_system(qp, &it)) break;
    step = advance_iterate(qp, &it, left, count, step < SHORT_STEP);
  }
  if (!(least <= ACCEPTABLE_TOLERANCE)) return false;
  take_back(qp, it.kept);
  for (int i = 0; i < qp->n; i++) qp->z[i] = fmin(fmax(qp->z[i], qp->lower[i]), qp->upper[i]);
  return true;
}
