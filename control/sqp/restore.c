/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/restore.h"
#include "control/problem/bounds.h"
#include "control/sqp/conditions.h"
#include "control/sqp/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* There is no C header of LAPACK here. Its functions have Fortran's calling convention and 32-bit integers. */
void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b, const int *ldb,
             int *jpvt, const double *rcond, int *rank, double *work, const int *lwork, int *info);

enum {
  STEPS_MAX = 24,
  FULL_STEPS = 6, /* number of full Newton steps before half steps are taken; full steps may cycle among the linear
                   * pieces of a nonsmooth motion */
  WORK = 5        /* factor in the size of LAPACK's workspace, times rows plus columns of the matrix */
};

static const double STEP_MAX = 0.3; /* longest Newton step, relative to the norm of u; a longer one would lead to
                                     * another solution */
static const double SPEED_TOLERANCE = 0.05; /* allowed deviation of a joint's velocity from the wanted velocity,
                                             * relative */
static const double RANK_TOLERANCE = 1e-10; /* rows at an angle with a smaller sine are linearly dependent */
static const double COST_REDUCTION = 1e-9;  /* fraction by which J must decrease to be lower in spite of round-off */

static const double *row_of(const CtlRestore *r, int j) {
  return r->point->rows + (size_t)j * ctl_row_size(r->shared->n);
}

/* Finds the targets of dofs that come to rest exactly at T in the motion of s->at. */
static void find_stops(CtlRestore *r, const CtlSqp *s) {
  const CtlSqpShared *shared = r->shared;
  const CtlProblem *p = shared->problem;
  for (int i = 0, j = shared->first[1]; i < p->d; i++) {
    if (isnan(p->velocity[i])) continue;
    double near = p->accept * shared->unit[j];
    bool stops = fabs(ctl_linear_ahead(s, j)) <= near && fabs(s->miss[j]) <= near;
    if (stops && p->velocity[i] == 0 && ctl_norm(shared->n, row_of(r, j)) > 0) r->stop[r->stops++] = j;
    j++;
  }
}

void ctl_restore_meet(CtlRestore *r) {
  for (int j = 0; j < r->shared->m; j++) {
    r->speed[j] = NAN;
    r->lead[j] = 0;
  }
  r->miss = CTL_RESTORE_MET;
}

bool ctl_restore_init(CtlRestore *r, const CtlSqp *s, CtlPoint *point) {
  const CtlSqpShared *shared = s->shared;
  const CtlProblem *p = shared->problem;
  size_t n = (size_t)shared->n, m = (size_t)shared->m, rows = m;
  *r = (CtlRestore){.shared = shared, .point = point, .misses = s->misses};
  for (int i = 0; i < shared->n; i++) rows += ctl_conditions_rate_side(p, s->at, i) != 0;
  r->answer = calloc(3 * n + 4 * m + rows * n + (1 + WORK) * (rows + n) + 1, sizeof *r->answer);
  r->stop = calloc(rows + m + 3 * n + 1, sizeof *r->stop);
  if (!r->answer || !r->stop) return false;
  r->control = r->answer + n;
  r->gradient = r->control + n;
  r->speed = r->gradient + n;
  r->lead = r->speed + m;
  r->deceleration = r->lead + m;
  r->lengths = r->deceleration + m;
  r->a = r->lengths + m;
  r->b = r->a + rows * n;
  r->room = r->b + rows + n;
  r->free = r->stop + m;
  r->rate = r->free + n;
  r->work = r->rate + n;
  memcpy(r->answer, s->at, n * sizeof *r->answer);
  r->J = ctl_cost(p, r->answer);
  ctl_restore_meet(r);
  for (int i = 0; i < shared->n; i++) {
    if (!ctl_conditions_is_held(p, r->answer, i)) r->free[r->variables++] = i;
    if (ctl_conditions_rate_side(p, r->answer, i) != 0) r->rate[r->rates++] = i;
  }
  if (!shared->together[0] && !shared->together[1]) find_stops(r, s);
  return true;
}

void ctl_restore_clear(CtlRestore *r) {
  free(r->answer);
  free(r->stop);
}

/* Returns v_j(T) at the present point. If joint j has come to rest, v_j is extrapolated from before its stop. */
static double ctl_restore_speed(const CtlRestore *r, int j) {
  double ahead = row_of(r, j)[r->shared->n];
  return ahead != 0 ? ahead : r->shared->miss[j];
}

bool ctl_restore_rests(const CtlRestore *r, int j) { return row_of(r, j)[r->shared->n] != 0; }

/* Returns the difference between the wanted and the actual velocity of joint j at T, in m/s. If the time of its stop is
 * wanted instead, the difference of times is converted to a velocity. *there: set to false if the difference exceeds
 * its tolerance. */
static double left_of_joint(const CtlRestore *r, int j, bool *there) {
  bool rests = ctl_restore_rests(r, j);
  double v = rests ? row_of(r, j)[r->shared->n + 1] : r->deceleration[j];
  double wanted = r->lead[j] > 0 ? v * r->lead[j] : r->speed[j], left = wanted - ctl_restore_speed(r, j);
  double slack = r->lead[j] > 0 ? r->slack * fabs(v) : SPEED_TOLERANCE * fabs(wanted);
  *there = *there && fabs(left) <= slack && (rests || !(r->lead[j] > 0));
  return left;
}

/* Computes the deviations left [m] from all wanted values: targets, velocities, times of stops. Returns whether all are
 * within tolerance. */
static bool find_deviations(CtlRestore *r, double *left) {
  const CtlSqpShared *shared = r->shared;
  double others = 0;
  bool there = true;
  ctl_linear_miss(shared, r->point->final.x, r->point->final.v, shared->miss);
  for (int j = 0; j < shared->m; j++) {
    bool other = isnan(r->speed[j]) && !(r->lead[j] > 0);
    left[j] = other ? -shared->miss[j] : left_of_joint(r, j, &there);
    if (other) others += fabs(shared->miss[j]) / shared->unit[j];
  }
  return there && others <= fmax(r->miss, r->misses);
}

/* Sets up the equations of a Newton step for the free variables. There is one equation for each target on which u acts,
 * scaled to norm 1, and one for each active rate limit. a: coefficients, stored by columns, or by rows if transposed.
 * b: deviations, scaled by the same factors. lengths: norm of each target's row before scaling, 0 if u does not act on
 * it. Returns the number of equations. */
static int lay_out(const CtlRestore *r, bool transposed, const double *left, double *a, double *b, double *lengths) {
  const CtlSqpShared *shared = r->shared;
  int n = r->variables, p = shared->problem->p, rows = 0;
  for (int j = 0; j < shared->m; j++) rows += (lengths[j] = ctl_norm(shared->n, row_of(r, j))) > 0;
  rows += r->rates;
  size_t next = transposed ? 1 : (size_t)rows, down = transposed ? (size_t)n : 1, k = 0;
  for (int j = 0; j < shared->m; j++) {
    if (lengths[j] == 0) continue;
    for (int i = 0; i < n; i++) a[k * down + (size_t)i * next] = row_of(r, j)[r->free[i]] / lengths[j];
    b[k++] = left ? left[j] / lengths[j] : 0;
  }
  for (int q = 0; q < r->rates; q++, k++) {
    for (int i = 0; i < n; i++)
      a[k * down + (size_t)i * next] = (r->free[i] == r->rate[q]) - (r->free[i] == r->rate[q] - p);
    b[k] = 0;
  }
  return rows;
}

/* Overwrites b by the least-squares solution of smallest norm of a x = b. Returns false if LAPACK fails. */
static bool solve_least_norm(CtlRestore *r, int rows, int columns, double *a, double *b) {
  int rank = 0, one = 1, info = 0, ldb = rows > columns ? rows : columns, lwork = WORK * (rows + columns);
  memset(r->work, 0, (size_t)columns * sizeof *r->work);
  if (rows == 0 || columns == 0) return false;
  dgelsy_(&rows, &columns, &one, a, &rows, b, &ldb, r->work, &RANK_TOLERANCE, &rank, r->room, &lwork, &info);
  return info == 0;
}

/* Makes the smallest change of u that removes the fraction `part` of the deviations to first order. Returns false if
 * there is no such change near u. */
static bool newton_step(CtlRestore *r, const double *left, double part) {
  int n = r->variables, rows = lay_out(r, false, left, r->a, r->b, r->lengths);
  if (!solve_least_norm(r, rows, n, r->a, r->b)) return false;
  if (!(ctl_norm(n, r->b) <= STEP_MAX * ctl_norm(r->shared->n, r->answer))) return false;
  for (int i = 0; i < n; i++) r->control[r->free[i]] += part * r->b[i];
  return true;
}

bool ctl_restore_multipliers(CtlRestore *r, double *y) {
  const CtlSqpShared *shared = r->shared;
  int n = r->variables, rows = lay_out(r, true, NULL, r->a, r->b, r->lengths), k = 0;
  ctl_linear_multiply(shared, r->answer, r->gradient);
  for (int i = 0; i < n; i++) r->b[i] = -r->gradient[r->free[i]];
  if (!solve_least_norm(r, n, rows, r->a, r->b)) return false;
  for (int j = 0; j < shared->m; j++) y[j] = r->lengths[j] > 0 ? r->b[k++] / r->lengths[j] : 0;
  return true;
}

bool ctl_restore(CtlRestore *r) {
  for (int turn = 0; turn < STEPS_MAX; turn++) {
    SimStatus status = ctl_point_evaluate(r->point, r->control);
    r->no_memory |= status == SIM_NO_MEMORY;
    r->failed |= status != SIM_OK;
    if (status != SIM_OK) return false;
    if (find_deviations(r, r->shared->bend)) return true;
    if (!newton_step(r, r->shared->bend, turn < FULL_STEPS || turn % 4 == 0 ? 1 : 0.5)) return false;
  }
  return false;
}

bool ctl_restore_is_less(const CtlRestore *r) {
  const CtlProblem *p = r->shared->problem;
  return ctl_cost(p, r->control) < (1 - COST_REDUCTION) * r->J && ctl_bounds_broken(p, r->control) < 0;
}
