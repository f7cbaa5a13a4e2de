#include "control/sqp/linear.h"

#include "control/outcome/penalty.h"
#include "control/problem/bounds.h"

#include <math.h>
#include <stdlib.h>

/* Part of the largest entry of H that is added to its diagonal, where the weight of the cost is singular. */
static const double SINGULAR = 1e-10;
/* What a miss costs in a linear problem, in multipliers of an effort like the answer's: it is left only where it cannot be met. */
static const double DEAR = 1e3;
/* A row that moves its miss by less than this part of its unit, at an effort like the answer's, is none. */
static const double NO_ROW = 1e-12;

/* Misses below which another point's rows are near enough to say something here. */
static const double NEAR = 1e-2;
/* A miss of rest below this part of its unit is none: regularized friction creeps. */
static const double AT_REST = 1e-9;

/* H of J = z'H z/2, of the signal's pieces side by side. */
static void set_cost(CtlSqpShared *shared) {
  const CtlProblem *p = shared->problem;
  CtlQp *qp = &shared->qp;
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
  for (int row = 0; row < p->n; row++) qp->H[row * width + qp->band] += SINGULAR * most;
}

/* Of a target in the L2 norm its own unit over sqrt(h m): m misses of it make an error of 1. */
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

bool ctl_sqp_shared_init(CtlSqpShared *shared, const CtlProblem *problem) {
  int n = problem->n, m = ctl_target_count(problem), p = problem->p, band = p;
  if (problem->signal == SIM_PIECEWISE_LINEAR) band = 2 * p - 1;
  *shared = (CtlSqpShared){.problem = problem, .n = n, .m = m, .unit = calloc(3 * (size_t)m + 1, sizeof(double))};
  shared->target = calloc(2 * (size_t)m + 1, sizeof *shared->target);
  bool good = ctl_qp_init(&shared->qp, n, 2 * m, p, band < n ? band : n - 1) && shared->unit && shared->target;
  if (!good) return false;
  shared->miss = shared->unit + m;
  shared->bend = shared->miss + m;
  int positions =
      set_units(problem->d, problem->position, problem->position_scale, problem->position_spacing, shared->unit);
  set_units(problem->d, problem->velocity, problem->velocity_scale, problem->velocity_spacing,
            shared->unit + positions);
  set_cost(shared);
  return true;
}

void ctl_sqp_shared_clear(CtlSqpShared *shared) {
  free(shared->unit);
  free(shared->target);
  ctl_qp_clear(&shared->qp);
}

static int subtract(int d, const double *y, const double *target, double *miss) {
  int count = 0;
  for (int i = 0; i < d; i++)
    if (!isnan(target[i])) miss[count++] = y[i] - target[i];
  return count;
}

double ctl_linear_miss(const CtlSqpShared *shared, const double *x, const double *v, double *miss) {
  const CtlProblem *p = shared->problem;
  double sum = 0;
  subtract(p->d, v, p->velocity, miss + subtract(p->d, x, p->position, miss));
  for (int j = 0; j < shared->m; j++) sum += fabs(miss[j]) / shared->unit[j];
  return sum;
}

bool ctl_linear_meets(const CtlSqpShared *shared, const double *miss, double error) {
  for (int j = 0; j < shared->m; j++)
    if (!(fabs(miss[j]) <= error * shared->unit[j])) return false;
  return true;
}

static CtlSqpPoint here(const CtlSqp *s) { return (CtlSqpPoint){s->at, s->miss, s->rows, s->misses}; }

static const double *row_of(const CtlSqp *s, int j) { return s->rows + (size_t)j * ctl_row_size(s->shared->n); }

double ctl_linear_ahead(const CtlSqp *s, int j) { return row_of(s, j)[s->shared->n]; }
double ctl_linear_deceleration(const CtlSqp *s, int j) { return row_of(s, j)[s->shared->n + 1]; }

/* sqrt(a'H^-1 a), H by its diagonal: what one unit of effort does to the miss. */
static double reach_of(const CtlSqp *s, int j) {
  const CtlQp *qp = &s->shared->qp;
  const double *row = row_of(s, j);
  double sum = 0;
  for (int i = 0; i < qp->n; i++) sum += row[i] * row[i] / qp->H[i * (qp->band + 1) + qp->band];
  return sqrt(sum);
}

/* The effort that is wanted, sqrt(2 J): that so far, or what meets the farthest target alone. */
static double effort_of(const CtlSqp *s) {
  double effort = sqrt(2 * fmax(s->J, s->effort));
  if (effort > 0) return effort;
  for (int j = 0; j < s->shared->m; j++) {
    double reach = reach_of(s, j);
    if (reach > 0) effort = fmax(effort, fabs(s->miss[j]) / reach);
  }
  return effort > 0 ? effort : 1;
}

/* Whether target j is met at a point by a dof that has come to rest, so that to stop sooner is as good. */
static bool has_stopped(const CtlSqpShared *shared, const CtlSqpPoint *point, int j) {
  double ahead = point->rows[(size_t)j * ctl_row_size(shared->n) + (size_t)shared->n];
  return ahead != 0 && fabs(point->miss[j]) <= AT_REST * shared->unit[j];
}

static bool is_inequality(const CtlSqp *s, int j) {
  const CtlSqpPoint point = here(s);
  return has_stopped(s->shared, &point, j);
}

/* The row of target j by what is linear about a point, and `bend` besides. */
static void set_row(CtlSqpShared *shared, const CtlSqpPoint *point, int j, double bend, double weight,
                    bool inequality) {
  CtlQp *qp = &shared->qp;
  const double *from = point->rows + (size_t)j * ctl_row_size(qp->n);
  double *row = qp->rows + (size_t)qp->m * (size_t)qp->n, ahead = from[qp->n], b = point->miss[j] + ahead + bend;
  bool backwards = ahead != 0 ? ahead > 0 : point->miss[j] < 0; /* it moved against where it would go now */
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

/* Beside the rows of a point those of the other, of dofs that stop about T: where several do, each is in the way of the others'
 * rows, and steps by the ones and the others in turn would go round for ever. */
static void set_other_rows(const CtlSqp *s, double effort) {
  CtlSqpShared *shared = s->shared;
  const CtlSqpPoint point = here(s);
  if (fmax(s->misses, s->other.misses) > NEAR) return;
  for (int j = 0; j < shared->m; j++) {
    double reach = reach_of(s, j);
    bool stops = has_stopped(shared, &point, j) || has_stopped(shared, &s->other, j);
    if (stops && reach * effort > NO_ROW * shared->unit[j])
      set_row(shared, &s->other, j, 0, DEAR * effort / reach, true);
  }
}

void ctl_linear_problem(const CtlSqp *s, const double *bend) {
  CtlSqpShared *shared = s->shared;
  const CtlProblem *p = shared->problem;
  const CtlSqpPoint point = here(s);
  CtlQp *qp = &shared->qp;
  double effort = effort_of(s);
  for (int i = 0; i < qp->n; i++) {
    double before;
    qp->rise[i] = ctl_bounds_change(p, s->at, i, &before);
    qp->lower[i] = fmax(p->lower[i], s->at[i] - s->radius);
    qp->upper[i] = fmin(p->upper[i], s->at[i] + s->radius);
    qp->g[i] = 0;
    qp->z[i] = s->at[i];
  }
  qp->m = 0;
  for (int j = 0; j < shared->m; j++) {
    double reach = reach_of(s, j);
    if (reach * effort > NO_ROW * shared->unit[j])
      set_row(shared, &point, j, bend ? bend[j] : 0, DEAR * effort / reach, is_inequality(s, j));
  }
  set_other_rows(s, effort);
}

double ctl_linear_misses(const CtlSqp *s) {
  const CtlSqpShared *shared = s->shared;
  double sum = 0;
  for (int j = 0; j < shared->m; j++) {
    double r = s->miss[j] + ctl_linear_ahead(s, j);
    for (int i = 0; i < shared->n; i++) r += row_of(s, j)[i] * (s->trial[i] - s->at[i]);
    if (is_inequality(s, j) && r * ctl_linear_ahead(s, j) > 0) r = 0;
    sum += fabs(r) / shared->unit[j];
  }
  return sum;
}

void ctl_linear_bend(const CtlSqp *s, const double *miss, double *bend) {
  for (int j = 0; j < s->shared->m; j++) {
    bend[j] = miss[j] - s->miss[j] - ctl_linear_ahead(s, j);
    for (int i = 0; i < s->shared->n; i++) bend[j] -= row_of(s, j)[i] * (s->trial[i] - s->at[i]);
  }
}
