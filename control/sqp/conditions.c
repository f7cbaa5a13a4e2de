/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/conditions.h"
#include "control/problem/bounds.h"
#include "control/sqp/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* There is no C header of LAPACK here. Its functions have Fortran's calling convention and 32-bit integers. */
void dgesvd_(const char *jobu, const char *jobv, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *v, const int *ldv, double *work, const int *lwork, int *info, size_t,
             size_t);

static const double BOUND_TOLERANCE = 1e-9; /* a bound closer than this to u_i, relative to u, is active */
static const double RANK_TOLERANCE = 1e-10; /* active conditions count as linearly dependent if the sine of their
                                             * angle is smaller than this */

void ctl_conditions_clear(CtlConditions *c) {
  free(c->free);
  free(c->of);
  free(c->columns);
}

bool ctl_conditions_is_held(const CtlProblem *p, const double *u, int i) {
  double near = BOUND_TOLERANCE * (1 + fabs(u[i]));
  return u[i] - p->lower[i] <= near || p->upper[i] - u[i] <= near;
}

/* Compares u_i with the same force in the previous segment. Returns 1 if it exceeds that value by the rate limit, -1 if
 * it is below that value by the rate limit, and 0 if the rate limit is not active. */
int ctl_conditions_rate_side(const CtlProblem *p, const double *u, int i) {
  double before, most = ctl_bounds_change(p, u, i, &before), change = u[i] - before;
  if (!isfinite(most) || fabs(change) < most - BOUND_TOLERANCE * (1 + fabs(u[i]))) return 0;
  return change > 0 ? 1 : -1;
}

double ctl_norm(int n, const double *a) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sqrt(sum);
}

/* Whether row k of the linear problem (linear.h) is an active condition: it is an equality, or the row of a dof that
 * stops exactly at T. */
bool ctl_conditions_row_holds(const CtlSqp *s, int k) {
  const CtlSqpShared *shared = s->shared;
  int j = shared->target[k];
  const CtlProblem *p = shared->problem;
  if (shared->qp.equality[k]) return true;
  double near = p->accept * shared->unit[j] + p->resolution * fabs(ctl_linear_deceleration(s, j));
  return fabs(ctl_linear_ahead(s, j)) <= near;
}

void ctl_conditions_add(CtlConditions *c, const double *row) {
  double *column = c->columns + (size_t)c->count * (size_t)c->n, length;
  for (int i = 0; i < c->n; i++) column[i] = row[c->free[i]];
  length = ctl_norm(c->n, column);
  for (int i = 0; i < c->n && length > 0; i++) column[i] /= length;
  c->y[c->count++] = length; /* until ctl_conditions_solve computes the multipliers, y holds the original lengths of the
                              * columns */
}

bool ctl_conditions_init(CtlConditions *c, const CtlProblem *p, const double *u, int most) {
  size_t room = (size_t)most;
  *c = (CtlConditions){.free = calloc((size_t)p->n + 1, sizeof(int)), .of = calloc(room + 1, sizeof(int))};
  for (int i = 0; i < p->n && c->free; i++)
    if (!ctl_conditions_is_held(p, u, i)) c->free[c->n++] = i;
  size_t size = (size_t)c->n;
  c->columns = calloc(room * (size + 1) + 2 * size + size * size + 1, sizeof *c->columns);
  c->no_memory = !c->free || !c->of || !c->columns;
  if (c->no_memory) return false;
  c->y = c->columns + room * size;
  c->gradient = c->y + room;
  c->residual = c->gradient + size;
  c->basis = c->residual + size;
  return true;
}

bool ctl_conditions_find(const CtlSqp *s, const bool *dropped, CtlConditions *c) {
  const CtlQp *qp = &s->shared->qp;
  const CtlProblem *p = s->shared->problem;
  int n = qp->n, rates = 0;
  double *all = calloc(2 * (size_t)n, sizeof *all), *row = all ? all + n : NULL;
  for (int i = 0; i < n; i++) rates += ctl_conditions_rate_side(p, s->at, i) != 0;
  bool good = ctl_conditions_init(c, p, s->at, qp->m + rates) && all;
  c->no_memory = !good;
  if (good) {
    ctl_linear_multiply(s->shared, s->at, all);
    for (int i = 0; i < c->n; i++) c->gradient[i] = all[c->free[i]];
  }
  for (int k = 0; k < qp->m && good; k++) {
    if (dropped[k] || !ctl_conditions_row_holds(s, k)) continue;
    c->of[c->targets++] = k;
    ctl_conditions_add(c, qp->rows + (size_t)k * (size_t)n);
  }
  for (int i = 0; i < n && good; i++) {
    int side = ctl_conditions_rate_side(p, s->at, i);
    if (side == 0) continue;
    memset(row, 0, (size_t)n * sizeof *row);
    row[i] = side;
    if (i >= p->p) row[i - p->p] = -side;
    ctl_conditions_add(c, row);
  }
  free(all);
  return good;
}

/* Computes the singular values of the matrix of the conditions' columns, and from them the rank, the least-squares
 * multipliers and the null space. Returns false when out of memory or if LAPACK fails. */
bool ctl_conditions_solve(CtlConditions *c) {
  int n = c->n, r = c->count, least = n < r ? n : r, lwork = 10 * (n + r) + 64, info = 0;
  size_t size = (size_t)r * (size_t)n + (size_t)least + (size_t)r * (size_t)r + (size_t)lwork + (size_t)r + 1;
  double *a = calloc(size, sizeof *a);
  c->no_memory |= !a;
  if (!a) return false;
  double *values = a + (size_t)r * (size_t)n, *v = values + least, *work = v + (size_t)r * (size_t)r,
         *lengths = work + lwork;
  memcpy(a, c->columns, (size_t)r * (size_t)n * sizeof *a);
  memcpy(lengths, c->y, (size_t)r * sizeof *lengths);
  c->rank = 0;
  if (r > 0 && n > 0)
    dgesvd_("A", "A", &n, &r, a, &n, values, c->basis, &n, v, &r, work, &lwork, &info, 1, 1);
  else
    for (int i = 0; i < n; i++) c->basis[i * n + i] = 1;
  while (c->rank < least && values[c->rank] > RANK_TOLERANCE * values[0]) c->rank++;
  for (int k = 0; k < r; k++) c->y[k] = 0;
  for (int q = 0; q < c->rank; q++) { /* y = -V S^-1 U'gradient; LAPACK has stored V' in v */
    double along = 0;
    for (int i = 0; i < n; i++) along -= c->basis[(size_t)q * (size_t)n + (size_t)i] * c->gradient[i];
    for (int k = 0; k < r; k++) c->y[k] += v[(size_t)k * (size_t)r + (size_t)q] * along / values[q];
  }
  memcpy(c->residual, c->gradient, (size_t)n * sizeof *c->residual);
  for (int k = 0; k < r; k++) {
    for (int i = 0; i < n; i++) c->residual[i] += c->columns[(size_t)k * (size_t)n + (size_t)i] * c->y[k];
    c->y[k] = lengths[k] > 0 ? c->y[k] / lengths[k] : 0;
  }
  free(a);
  return info == 0;
}

/* Returns the rank of the rows of the targets alone; -1: unknown. */
int ctl_conditions_target_rank(CtlConditions *c) {
  if (c->count == c->targets) return c->rank;
  size_t n = (size_t)c->n, targets = (size_t)c->targets;
  double *room = calloc(targets + n + n * n + 1, sizeof *room);
  CtlConditions alone = *c;
  alone.count = c->targets;
  alone.y = room;
  alone.residual = room ? room + targets : NULL;
  alone.basis = room ? alone.residual + n : NULL;
  bool good = room && ctl_conditions_solve(&alone);
  c->no_memory |= !room || alone.no_memory;
  free(room);
  return good ? alone.rank : -1;
}

/* Among the conditions of dofs that stop exactly at T, marks the one with the most negative multiplier in `dropped`.
 * Returns whether there was one. */
bool ctl_conditions_drop_worst(const CtlSqp *s, const CtlConditions *c, bool *dropped) {
  int worst = -1;
  for (int k = 0; k < c->targets; k++)
    if (!s->shared->qp.equality[c->of[k]] && c->y[k] < 0 && (worst < 0 || c->y[k] < c->y[worst])) worst = k;
  if (worst >= 0) dropped[c->of[worst]] = true;
  return worst >= 0;
}

/* Returns the norm of the first-order decrease of J that is possible by leaving bounds or rate limits. It consists of
 * the entries of the Lagrangian's gradient H u + A'y for variables at bounds, and of the multipliers of active rate
 * limits; entries that point out of the permitted range are omitted. all: [n] set to H u + A'y. */
double ctl_conditions_inward(const CtlSqp *s, const CtlConditions *c, double *all) {
  const CtlQp *qp = &s->shared->qp;
  const CtlProblem *p = s->shared->problem;
  double sum = 0;
  ctl_linear_multiply(s->shared, s->at, all);
  for (int k = 0; k < c->targets; k++)
    for (int i = 0; i < qp->n; i++) all[i] += c->y[k] * qp->rows[(size_t)c->of[k] * (size_t)qp->n + (size_t)i];
  for (int i = 0, k = c->targets; i < qp->n; i++) {
    int side = ctl_conditions_rate_side(p, s->at, i);
    if (side == 0) continue;
    all[i] += side * c->y[k];
    if (i >= p->p) all[i - p->p] -= side * c->y[k];
    sum += pow(fmin(0, c->y[k++]), 2);
  }
  for (int i = 0; i < qp->n; i++) {
    if (!ctl_conditions_is_held(p, s->at, i)) continue;
    bool low = s->at[i] - p->lower[i] <= p->upper[i] - s->at[i];
    sum += pow(low ? fmin(0, all[i]) : fmax(0, all[i]), 2);
  }
  return sqrt(sum);
}
