/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/linear.h"

#include "control/outcome/penalty.h"
#include "control/problem/bounds.h"
#include "control/sqp/proximal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number added to the diagonal of H against round-off. It is relative to the diagonal entry, or to the largest entry
 * if the diagonal entry is 0. */
static const double REGULARIZATION = 1e-10;
/* Weight of the penalty for violating a row, as a multiple of the largest multiplier that an answer with the estimated
 * effort may have. Since the weight exceeds all multipliers, each row is satisfied if that is possible (exact
 * penalty). */
static const double PENALTY = 1e3;
/* A row is omitted if controls of about the answer's effort change its miss (distance from the target) by less than
 * this, relative to the unit of the miss. */
static const double ROW_TOLERANCE = 1e-12;

/* Rows linearised at the other point (CtlSqp.other) are used, too, if at both points the sum of the misses (distances
 * from the targets) is at most this, in units of E1 and E2. */
static const double OTHER_ROWS_MISS = 1e-2;
/* A dof that sticks meets its target if its miss (distance from the target) is at most this, relative to the unit of
 * the miss. The limit is above 0, since regularised friction lets such a dof creep. */
static const double REST_TOLERANCE = 1e-9;

int ctl_linear_band(const CtlProblem *p) { return p->signal == SIM_PIECEWISE_LINEAR ? 2 * p->p - 1 : p->p; }

void ctl_linear_cost(const CtlProblem *p, CtlQp *qp) {
  double h = p->end / p->segments, most = 0;
  bool linear = p->signal == SIM_PIECEWISE_LINEAR;
  int width = qp->band + 1;
  for (int row = 0; row < p->n; row++) {
    double *at = qp->H + row * width + qp->band - row;
    int segment = row / p->p, first = row - row % p->p;
    double share = !linear ? 1 : segment == p->segments - 1 ? 1.0 / 3 : 2.0 / 3;
    for (int i = 0; i < p->p; i++) {
      double w = 2 * h * p->weight[row % p->p * p->p + i];
      if (first + i <= row) at[first + i] = share * w;
      if (linear && segment > 0) at[first - p->p + i] = w / 6;
      most = fmax(most, w);
    }
  }
  if (!(most > 0)) most = 1;
  for (int row = 0; row < p->n; row++) {
    double *own = &qp->H[row * width + qp->band];
    *own += REGULARIZATION * (*own > 0 ? *own : most);
  }
}

void ctl_linear_multiply(const CtlSqpShared *shared, const double *z, double *out) {
  ctl_qp_multiply(&shared->qp, z, out);
  for (int i = 0; i < shared->n; i++) out[i] -= shared->proximal[i % shared->problem->p] * z[i];
}

/* Sets the unit in which the distance of each entry from its target is measured. For a target with the L2 norm, units
 * are divided by sqrt(h m), so that m distances of one unit give an error of 1. Returns the number of entries with a
 * target. */
static int set_units(int d, const double *target, const double *scale, double spacing, double *unit) {
  double size = ctl_target_size(d, target, spacing);
  int count = 0;
  for (int i = 0; i < d; i++) {
    if (isnan(target[i])) continue;
    unit[count++] = isnan(scale[i]) ? size : scale[i];
  }
  for (int j = 0; j < count && spacing > 0; j++) unit[j] /= sqrt(spacing * count);
  return count;
}

/* Returns the maximum number of rows of the linear problem: two for each single entry of a target, and two for each
 * variable if a target is a function along a string. */
static int rows_most(const CtlSqpShared *shared) {
  int most = 0;
  for (int part = 0; part < 2; part++) {
    int count = shared->first[part + 1] - shared->first[part];
    most += 2 * (shared->together[part] && shared->n < count ? shared->n : count);
  }
  return most;
}

bool ctl_sqp_shared_init(CtlSqpShared *shared, const CtlProblem *problem) {
  int n = problem->n, m = ctl_target_count(problem), p = problem->p, band = ctl_linear_band(problem);
  *shared = (CtlSqpShared){.problem = problem, .n = n, .m = m, .unit = calloc(3 * (size_t)m + 1, sizeof(double))};
  shared->first[1] = ctl_target_given(problem->d, problem->position);
  shared->first[2] = m;
  shared->together[0] = problem->position_spacing > 0;
  shared->together[1] = problem->velocity_spacing > 0;
  int rows = rows_most(shared);
  shared->target = calloc((size_t)rows + 1, sizeof *shared->target);
  if (shared->together[0] || shared->together[1]) {
    shared->rests = calloc((size_t)m + 1, sizeof *shared->rests);
    if (!ctl_squares_init(&shared->squares, n) || !shared->rests) return false;
  }
  bool good = ctl_qp_init(&shared->qp, n, 0, rows, p, band < n ? band : n - 1) && shared->unit && shared->target;
  if (!good) return false;
  shared->miss = shared->unit + m;
  shared->bend = shared->miss + m;
  int positions =
      set_units(problem->d, problem->position, problem->position_scale, problem->position_spacing, shared->unit);
  set_units(problem->d, problem->velocity, problem->velocity_scale, problem->velocity_spacing,
            shared->unit + positions);
  ctl_linear_cost(problem, &shared->qp);
  return ctl_proximal_init(shared);
}

void ctl_sqp_shared_clear(CtlSqpShared *shared) {
  free(shared->unit);
  free(shared->proximal);
  free(shared->target);
  free(shared->rests);
  ctl_squares_clear(&shared->squares);
  ctl_qp_clear(&shared->qp);
}

static int subtract_target(int d, const double *y, const double *target, double *miss) {
  int count = 0;
  for (int i = 0; i < d; i++)
    if (!isnan(target[i])) miss[count++] = y[i] - target[i];
  return count;
}

/* Returns the norm of the differences between the final state and a target that is a function along a string, in units
 * of E1 (part 0, positions) or E2 (part 1, velocities). */
static double norm_of(const CtlSqpShared *shared, int part, const double *miss) {
  int first = shared->first[part], count = shared->first[part + 1] - first;
  double sum = 0;
  for (int j = first; j < first + count; j++) sum += miss[j] / shared->unit[j] * (miss[j] / shared->unit[j]);
  return sqrt(sum / count);
}

/* Returns the sum of the misses in units of E1 and E2. Targets that are functions along a string are not included. */
static double sum_of(const CtlSqpShared *shared, const double *miss) {
  double sum = 0;
  for (int part = 0; part < 2; part++) {
    int first = shared->first[part], end = shared->first[part + 1];
    if (shared->together[part] && first < end) sum += norm_of(shared, part, miss);
    for (int j = first; j < end && !shared->together[part]; j++) sum += fabs(miss[j]) / shared->unit[j];
  }
  return sum;
}

double ctl_linear_miss(const CtlSqpShared *shared, const double *x, const double *v, double *miss) {
  const CtlProblem *p = shared->problem;
  subtract_target(p->d, v, p->velocity, miss + subtract_target(p->d, x, p->position, miss));
  return sum_of(shared, miss);
}

bool ctl_linear_meets(const CtlSqpShared *shared, const double *miss, double error) {
  for (int part = 0; part < 2; part++)
    for (int j = shared->first[part]; j < shared->first[part + 1]; j++) {
      double one = shared->together[part] ? norm_of(shared, part, miss) : fabs(miss[j]) / shared->unit[j];
      if (!(one <= error)) return false;
      if (shared->together[part]) break;
    }
  return true;
}

static CtlSqpPoint current_point(const CtlSqp *s) { return (CtlSqpPoint){s->at, s->miss, s->rows, s->misses}; }

static const double *row_of(const CtlSqp *s, int j) { return s->rows + (size_t)j * ctl_row_size(s->shared->n); }

double ctl_linear_ahead(const CtlSqp *s, int j) { return row_of(s, j)[s->shared->n]; }
double ctl_linear_deceleration(const CtlSqp *s, int j) { return row_of(s, j)[s->shared->n + 1]; }

/* Returns by how much a control of effort 1 can change the value of a row a: sqrt(a'H^-1 a), with H replaced by its
 * diagonal. */
static double row_reach(const CtlQp *qp, const double *row) {
  double sum = 0;
  for (int i = 0; i < qp->n; i++) sum += row[i] * row[i] / qp->H[i * (qp->band + 1) + qp->band];
  return sqrt(sum);
}

static double reach_of(const CtlSqp *s, int j) { return row_reach(&s->shared->qp, row_of(s, j)); }

/* Returns an estimate of sqrt(2 J) for a control that meets the targets. J is the larger one of the current J and the
 * estimate so far; if both are 0, the effort that meets the most distant target alone. */
static double effort_of(const CtlSqp *s) {
  double effort = sqrt(2 * fmax(s->J, s->effort));
  if (effort > 0) return effort;
  for (int j = 0; j < s->shared->m; j++) {
    double reach = reach_of(s, j);
    if (reach > 0) effort = fmax(effort, fabs(s->miss[j]) / reach);
  }
  return effort > 0 ? effort : 1;
}

/* Whether the dof of target j has stopped at the point and meets the target there. It would also meet the target if it
 * stopped sooner. */
static bool has_stopped(const CtlSqpShared *shared, const CtlSqpPoint *point, int j) {
  double ahead = point->rows[(size_t)j * ctl_row_size(shared->n) + (size_t)shared->n];
  return ahead != 0 && fabs(point->miss[j]) <= REST_TOLERANCE * shared->unit[j];
}

static bool is_inequality(const CtlSqp *s, int j) {
  const CtlSqpPoint point = current_point(s);
  return has_stopped(s->shared, &point, j);
}

/* Adds the row of target j, linearised at a point. bend: nonlinear part of the row's value, which is added. */
static void set_row(CtlSqpShared *shared, const CtlSqpPoint *point, int j, double bend, double weight,
                    bool inequality) {
  CtlQp *qp = &shared->qp;
  const double *from = point->rows + (size_t)j * ctl_row_size(qp->n);
  double *row = qp->rows + (size_t)qp->m * (size_t)qp->n, ahead = from[qp->n], b = point->miss[j] + ahead + bend;
  /* whether the dof moved backwards before it stopped or, if it has never moved, would move backwards */
  bool backwards = ahead != 0 ? ahead > 0 : point->miss[j] < 0;
  double sign = inequality && backwards ? -1 : 1;
  for (int i = 0; i < qp->n; i++) {
    row[i] = sign * from[i];
    b -= from[i] * point->at[i];
  }
  qp->b[qp->m] = sign * b;
  qp->weight[qp->m] = weight;
  shared->target[qp->m] = j;
  qp->equality[qp->m++] = !inequality;
}

static int compare_rests(const void *a, const void *b) {
  const CtlSqpRest *x = a, *y = b;
  if (x->effort != y->effort) return x->effort > y->effort ? 1 : -1;
  return x->target - y->target;
}

/* Adds row k of the reduced least-squares problem (squares.h) for a target that is a function along a string. */
static void set_square(CtlSqpShared *shared, int k, double effort, double unit, double *most) {
  CtlQp *qp = &shared->qp;
  const CtlSquares *squares = &shared->squares;
  double *row = qp->rows + (size_t)qp->m * (size_t)qp->n;
  for (int i = 0; i < qp->n; i++) row[i] = squares->block[(size_t)i * (size_t)squares->room + (size_t)k];
  double reach = row_reach(qp, row);
  if (!(reach * effort > ROW_TOLERANCE * unit)) return;
  *most = fmax(*most, reach);
  qp->b[qp->m] = squares->block[(size_t)qp->n * (size_t)squares->room + (size_t)k];
  shared->target[qp->m] = -1;
  qp->equality[qp->m++] = true;
}

/* Adds the rows of a target that is a function along a string. Moving nodes are combined by least squares into rows
 * with a common weight. Nodes at rest get a row each: those that need the least effort to move, and at most as many as
 * there are variables. */
static void set_together(const CtlSqp *s, int part, const double *bend, double effort) {
  CtlSqpShared *shared = s->shared;
  CtlQp *qp = &shared->qp;
  const CtlSqpPoint point = current_point(s);
  int rests = 0, before = qp->m, first = shared->first[part], count = shared->first[part + 1] - first;
  double most = 0;
  ctl_squares_begin(&shared->squares);
  for (int j = first; j < first + count; j++) {
    double reach = reach_of(s, j), b = s->miss[j] + ctl_linear_ahead(s, j) + (bend ? bend[j] : 0);
    if (!(reach * effort > ROW_TOLERANCE * shared->unit[j])) continue;
    if (has_stopped(shared, &point, j)) {
      shared->rests[rests++] = (CtlSqpRest){fabs(ctl_linear_ahead(s, j)) / reach, j};
      continue;
    }
    for (int i = 0; i < qp->n; i++) b -= row_of(s, j)[i] * s->at[i];
    ctl_squares_add(&shared->squares, row_of(s, j), b);
  }
  ctl_squares_fold(&shared->squares);
  for (int k = 0; k < qp->n && k < count; k++) set_square(shared, k, effort, shared->unit[first], &most);
  for (int k = before; k < qp->m; k++) qp->weight[k] = PENALTY * PENALTY * effort / most;
  qsort(shared->rests, (size_t)rests, sizeof *shared->rests, compare_rests);
  for (int k = 0; k < rests && k < qp->n && k < count; k++) {
    int j = shared->rests[k].target;
    set_row(shared, &point, j, bend ? bend[j] : 0, PENALTY * effort / reach_of(s, j), true);
  }
}

/* Adds rows linearised at the other point (CtlSqp.other) for dofs that stop near T. If several dofs stop near T, steps
 * with the rows of one point only would alternate between two points. */
static void set_other_rows(const CtlSqp *s, double effort) {
  CtlSqpShared *shared = s->shared;
  const CtlSqpPoint point = current_point(s);
  if (fmax(s->misses, s->other.misses) > OTHER_ROWS_MISS) return;
  for (int j = 0; j < shared->m; j++) {
    double reach = reach_of(s, j);
    bool stops = has_stopped(shared, &point, j) || has_stopped(shared, &s->other, j);
    if (shared->together[j >= shared->first[1]]) continue;
    if (stops && reach * effort > ROW_TOLERANCE * shared->unit[j])
      set_row(shared, &s->other, j, 0, PENALTY * effort / reach, true);
  }
}

void ctl_linear_problem(const CtlSqp *s, const double *bend) {
  CtlSqpShared *shared = s->shared;
  const CtlProblem *p = shared->problem;
  const CtlSqpPoint point = current_point(s);
  CtlQp *qp = &shared->qp;
  ctl_proximal_set(s);
  double effort = effort_of(s);
  for (int i = 0; i < qp->n; i++) {
    double before;
    qp->rise[i] = ctl_bounds_change(p, s->at, i, &before);
    qp->lower[i] = fmax(p->lower[i], s->at[i] - s->radius);
    qp->upper[i] = fmin(p->upper[i], s->at[i] + s->radius);
    qp->g[i] = shared->proximal[i % p->p] * s->at[i];
    qp->z[i] = s->at[i];
  }
  qp->m = 0;
  for (int j = 0; j < shared->m; j++) {
    double reach = reach_of(s, j);
    if (!shared->together[j >= shared->first[1]] && reach * effort > ROW_TOLERANCE * shared->unit[j])
      set_row(shared, &point, j, bend ? bend[j] : 0, PENALTY * effort / reach, is_inequality(s, j));
  }
  for (int part = 0; part < 2; part++)
    if (shared->together[part]) set_together(s, part, bend, effort);
  set_other_rows(s, effort);
}

void ctl_linear_set_nearest(const CtlSqp *s, bool nearest) {
  CtlQp *qp = &s->shared->qp;
  for (int i = 0; i < qp->n && !nearest; i++) qp->g[i] = s->shared->proximal[i % s->shared->problem->p] * s->at[i];
  if (nearest) ctl_qp_multiply(qp, s->at, qp->g);
  for (int k = 0; k < qp->m; k++) {
    double dear = s->shared->target[k] < 0 ? PENALTY * PENALTY : PENALTY;
    qp->weight[k] *= nearest ? 1 / dear : dear;
  }
}

void ctl_linear_set_price(CtlSqp *s) {
  const CtlSqpShared *shared = s->shared;
  const CtlQp *qp = &shared->qp;
  double most = 0; /* largest product of a row's multiplier and the unit of its target */
  memset(s->price, 0, (size_t)shared->m * sizeof *s->price);
  for (int k = 0; k < qp->m; k++) {
    int j = shared->target[k]; /* target of row k, or -1 for a row that combines several: their unit is that of the
                                * velocities if these are a function */
    double unit = shared->unit[j >= 0 ? j : shared->together[1] ? shared->first[1] : 0];
    most = fmax(most, fabs(qp->y[k]) * unit);
    if (j >= 0) s->price[j] = fmax(s->price[j], fabs(qp->y[k]));
  }
  for (int part = 0; part < 2; part++)
    if (shared->together[part] && shared->first[part] < shared->first[part + 1]) s->price[shared->first[part]] = most;
}

double ctl_linear_price(const CtlSqp *s, const double *miss) {
  const CtlSqpShared *shared = s->shared;
  double sum = 0;
  for (int part = 0; part < 2; part++) {
    int first = shared->first[part], end = shared->first[part + 1];
    if (shared->together[part] && first < end) sum += s->price[first] * norm_of(shared, part, miss);
    for (int j = first; j < end && !shared->together[part]; j++) sum += s->price[j] * fabs(miss[j]);
  }
  return sum;
}

double ctl_linear_misses(const CtlSqp *s) {
  const CtlSqpShared *shared = s->shared;
  double *r = shared->bend;
  for (int j = 0; j < shared->m; j++) {
    r[j] = s->miss[j] + ctl_linear_ahead(s, j);
    for (int i = 0; i < shared->n; i++) r[j] += row_of(s, j)[i] * (s->trial[i] - s->at[i]);
    if (is_inequality(s, j) && r[j] * ctl_linear_ahead(s, j) > 0) r[j] = 0;
  }
  return sum_of(shared, r);
}

void ctl_linear_bend(const CtlSqp *s, const double *miss, double *bend) {
  for (int j = 0; j < s->shared->m; j++) {
    bend[j] = miss[j] - s->miss[j] - ctl_linear_ahead(s, j);
    for (int i = 0; i < s->shared->n; i++) bend[j] -= row_of(s, j)[i] * (s->trial[i] - s->at[i]);
  }
}
