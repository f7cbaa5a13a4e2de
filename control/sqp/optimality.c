/* First and second order conditions of a least effort. What holds at u: the targets' rows (of a dof that stops just at T its row
 * before the stop, if its multiplier is not negative), and the bounds and rates that are met exactly. */
#include "control/base/argument.h"
#include "control/problem/bounds.h"
#include "control/refine.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK has no C header of its own here: Fortran's calling convention, 32-bit integers. */
void dgesvd_(const char *jobu, const char *jobv, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *v, const int *ldv, double *work, const int *lwork, int *info, size_t,
             size_t);
void dsygv_(const int *type, const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *b,
            const int *ldb, double *w, double *work, const int *lwork, int *info, size_t, size_t);

enum {
  SIZE_MAX_SVD = 1024, /* variables and conditions beyond which neither order is looked at: time grows with the cube */
  CURVED_MAX = 256     /* directions beyond which curvature is not: two motions each */
};

static const double HELD = 1e-9;       /* of u: how near a bound it is held by it */
static const double DEPENDENT = 1e-10; /* sine below which conditions depend on each other */
static const double STATIONARY = 1e-5; /* kkt of a least effort */
static const double STEEP = 1e-3;      /* kkt of what is none */
static const double STEEP_GRID = 0.05; /* the same of a grid, whose answers lie on its kinks */
static const double CURVED = 1e-6;     /* reduced Hessian of a least effort, as a part of that of J */
static const double DIFFERENCE = 1e-6; /* of u, for differences of derivatives */
static const double HOLDS = 1e-3;      /* part of such a step that misses may grow by along what changes none */
static const double AGREE = 0.1;       /* how far these may disagree to both sides, as a part of J's curvature */

/* The conditions that hold at a point, as columns over the free variables; in one block, owned by the first. */
typedef struct Conditions {
  int n, count, rank; /* free variables; conditions */
  int targets;        /* the first so many are targets' rows */
  int *free;          /* [n] variable of each; owned */
  int *of;            /* [count] row of the linear problem, of a target; owned */
  double *columns;    /* [count][n] */
  double *gradient;   /* [n] H u */
  double *y;          /* [count] multipliers */
  double *residual;   /* [n] H u + A'y */
  double *basis;      /* [n][n]: the directions along which no condition changes are the last n - rank */
  bool no_memory;     /* for something that was to be found of them */
} Conditions;

static void conditions_clear(Conditions *c) {
  free(c->free);
  free(c->of);
  free(c->columns);
}

static bool is_held(const CtlProblem *p, const double *u, int i) {
  double near = HELD * (1 + fabs(u[i]));
  return u[i] - p->lower[i] <= near || p->upper[i] - u[i] <= near;
}

/* +-1: the rate holds u_i above, below the one before it; 0: it does not. */
static int rate_side(const CtlProblem *p, const double *u, int i) {
  double before, most = ctl_bounds_change(p, u, i, &before), change = u[i] - before;
  if (!isfinite(most) || fabs(change) < most - HELD * (1 + fabs(u[i]))) return 0;
  return change > 0 ? 1 : -1;
}

static double norm(int n, const double *a) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sqrt(sum);
}

/* Whether row k of the linear problem holds: an equality, or a dof that stops just at T. */
static bool row_holds(const CtlSqp *s, int k) {
  const CtlSqpShared *shared = s->shared;
  int j = shared->target[k];
  const CtlProblem *p = shared->problem;
  if (shared->qp.equality[k]) return true;
  double near = p->accept * shared->unit[j] + p->resolution * fabs(ctl_linear_deceleration(s, j));
  return fabs(ctl_linear_ahead(s, j)) <= near;
}

/* One condition more, by what it is of variable i. */
static void add_column(Conditions *c, const double *row) {
  double *column = c->columns + (size_t)c->count * (size_t)c->n, length;
  for (int i = 0; i < c->n; i++) column[i] = row[c->free[i]];
  length = norm(c->n, column);
  for (int i = 0; i < c->n && length > 0; i++) column[i] /= length;
  c->y[c->count++] = length; /* until there are multipliers */
}

static bool conditions_find(const CtlSqp *s, const bool *dropped, Conditions *c) {
  const CtlQp *qp = &s->shared->qp;
  const CtlProblem *p = s->shared->problem;
  int n = qp->n, rates = 0;
  *c = (Conditions){.free = calloc((size_t)n + 1, sizeof(int)), .of = calloc((size_t)qp->m + 1, sizeof(int))};
  double *all = calloc(2 * (size_t)n, sizeof *all), *row = all ? all + n : NULL;
  for (int i = 0; i < n; i++) rates += rate_side(p, s->at, i) != 0;
  for (int i = 0; i < n && c->free; i++)
    if (!is_held(p, s->at, i)) c->free[c->n++] = i;
  size_t most = (size_t)(qp->m + rates), size = (size_t)c->n;
  c->columns = calloc(most * (size + 1) + 2 * size + size * size + 1, sizeof *c->columns);
  bool good = c->free && c->of && all && c->columns;
  c->no_memory = !good;
  if (good) {
    c->y = c->columns + most * size;
    c->gradient = c->y + most;
    c->residual = c->gradient + size;
    c->basis = c->residual + size;
    ctl_qp_multiply(qp, s->at, all);
    for (int i = 0; i < c->n; i++) c->gradient[i] = all[c->free[i]];
  }
  for (int k = 0; k < qp->m && good; k++) {
    if (dropped[k] || !row_holds(s, k)) continue;
    c->of[c->targets++] = k;
    add_column(c, qp->rows + (size_t)k * (size_t)n);
  }
  for (int i = 0; i < n && good; i++) {
    int side = rate_side(p, s->at, i);
    if (side == 0) continue;
    memset(row, 0, (size_t)n * sizeof *row);
    row[i] = side;
    if (i >= p->p) row[i - p->p] = -side;
    add_column(c, row);
  }
  free(all);
  return good;
}

/* Singular values of the conditions' columns: rank, multipliers by least squares, what no condition holds. Returns false when out of
 * memory, or LAPACK fails. */
static bool conditions_solve(Conditions *c) {
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
  while (c->rank < least && values[c->rank] > DEPENDENT * values[0]) c->rank++;
  for (int k = 0; k < r; k++) c->y[k] = 0;
  for (int q = 0; q < c->rank; q++) { /* y = -V S^-1 U'gradient; v holds V' */
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

/* Rank of the targets' rows alone: by the conditions' own where no rate holds. -1: not known. */
static int target_rank(Conditions *c) {
  if (c->count == c->targets) return c->rank;
  size_t n = (size_t)c->n, targets = (size_t)c->targets;
  double *room = calloc(targets + n + n * n + 1, sizeof *room);
  Conditions alone = *c;
  alone.count = c->targets;
  alone.y = room;
  alone.residual = room ? room + targets : NULL;
  alone.basis = room ? alone.residual + n : NULL;
  bool good = room && conditions_solve(&alone);
  c->no_memory |= !room || alone.no_memory;
  free(room);
  return good ? alone.rank : -1;
}

/* A stop, or a rate, that would rather give way: drops the worst of the stops. Returns whether there was one. */
static bool drop_worst(const CtlSqp *s, const Conditions *c, bool *dropped) {
  int worst = -1;
  for (int k = 0; k < c->targets; k++)
    if (!s->shared->qp.equality[c->of[k]] && c->y[k] < 0 && (worst < 0 || c->y[k] < c->y[worst])) worst = k;
  if (worst >= 0) dropped[c->of[worst]] = true;
  return worst >= 0;
}

/* H u + A'y of entries that bounds hold, and multipliers of rates, where they point inside: J can fall there. */
static double inward(const CtlSqp *s, const Conditions *c, double *all) {
  const CtlQp *qp = &s->shared->qp;
  const CtlProblem *p = s->shared->problem;
  double sum = 0;
  ctl_qp_multiply(qp, s->at, all);
  for (int k = 0; k < c->targets; k++)
    for (int i = 0; i < qp->n; i++) all[i] += c->y[k] * qp->rows[(size_t)c->of[k] * (size_t)qp->n + (size_t)i];
  for (int i = 0, k = c->targets; i < qp->n; i++) {
    int side = rate_side(p, s->at, i);
    if (side == 0) continue;
    all[i] += side * c->y[k];
    if (i >= p->p) all[i - p->p] -= side * c->y[k];
    sum += pow(fmin(0, c->y[k++]), 2);
  }
  for (int i = 0; i < qp->n; i++) {
    if (!is_held(p, s->at, i)) continue;
    bool low = s->at[i] - p->lower[i] <= p->upper[i] - s->at[i];
    sum += pow(low ? fmin(0, all[i]) : fmax(0, all[i]), 2);
  }
  return sqrt(sum);
}

/* A'y at a point, over the free variables; false: its motion failed. */
static bool pull(CtlPoint *point, const CtlSqp *s, Conditions *c, const double *control, double *out) {
  const CtlSqpShared *shared = s->shared;
  int n = shared->n;
  SimStatus status = ctl_point_evaluate(point, control);
  c->no_memory |= status == SIM_NO_MEMORY;
  if (status != SIM_OK) return false;
  memset(out, 0, (size_t)c->n * sizeof *out);
  for (int k = 0; k < c->targets; k++) {
    int row = c->of[k], j = shared->target[row];
    const double *from = point->rows + (size_t)j * ctl_row_size(n);
    double sign = !shared->qp.equality[row] && ctl_linear_ahead(s, j) > 0 ? -1 : 1;
    for (int i = 0; i < c->n; i++) out[i] += sign * c->y[k] * from[c->free[i]];
  }
  return true;
}

/* Curvature of the Lagrangian along one direction: change of A'y over a step to either side, [n] each; false: they do not agree. */
static bool bend(CtlPoint *point, const CtlSqp *s, Conditions *c, const double *direction, const double *centre,
                 double *room, double *out) {
  int n = s->shared->n;
  double *control = room, *here = control + n, *there = here + c->n;
  double size = fmax(1e-3, norm(n, s->at)), h = DIFFERENCE * size, apart = 0, scale = 0;
  bool good = true;
  for (int side = 0; side < 2 && good; side++) {
    memcpy(control, s->at, (size_t)n * sizeof *control);
    for (int i = 0; i < c->n; i++) control[c->free[i]] += (side ? h : -h) * direction[i];
    good = pull(point, s, c, control, side ? there : here);
  }
  for (int i = 0; i < c->n && good; i++) {
    double up = (there[i] - centre[i]) / h, down = (centre[i] - here[i]) / h;
    apart = fmax(apart, fabs(up - down));
    scale = fmax(scale, fabs(s->shared->qp.H[c->free[i] * (s->shared->qp.band + 1) + s->shared->qp.band]));
    out[i] = (up + down) / 2;
  }
  return good && apart <= AGREE * scale;
}

/* Least eigenvalue of Z'(H + C)Z by Z'HZ, Z what no condition holds, C the curvature of y'(x(T), v(T)). NAN: not known. */
static double least_curvature(CtlPoint *point, const CtlSqp *s, Conditions *c) {
  const CtlQp *qp = &s->shared->qp;
  int n = c->n, k = n - c->rank, lwork = 34 * (k + 1), info = 0, one = 1;
  if (k <= 0 || k > CURVED_MAX || s->shared->together[0] || s->shared->together[1]) return NAN;
  size_t squared = (size_t)k * (size_t)k, all = (size_t)qp->n;
  double *L = calloc(2 * squared + (size_t)k + (size_t)lwork + 3 * all + 4 * (size_t)n, sizeof *L), least = NAN;
  c->no_memory |= !L;
  if (!L) return NAN;
  double *H = L + squared, *values = H + squared, *work = values + k, *direction = work + lwork,
         *times = direction + all, *room = times + all, *curved = room + all + 2 * n, *centre = curved + n;
  bool good = pull(point, s, c, s->at, centre);
  for (int q = 0; q < k && good; q++) {
    const double *z = c->basis + (size_t)(c->rank + q) * (size_t)n;
    memset(direction, 0, all * sizeof *direction);
    for (int i = 0; i < n; i++) direction[c->free[i]] = z[i];
    ctl_qp_multiply(qp, direction, times);
    good = bend(point, s, c, z, centre, room, curved);
    for (int r = 0; r < k; r++) {
      const double *other = c->basis + (size_t)(c->rank + r) * (size_t)n;
      for (int i = 0; i < n; i++) {
        H[q * k + r] += other[i] * times[c->free[i]];
        L[q * k + r] += other[i] * (times[c->free[i]] + curved[i]);
      }
    }
  }
  for (int q = 0; q < k; q++)
    for (int r = 0; r < q; r++) L[q * k + r] = L[r * k + q] = (L[q * k + r] + L[r * k + q]) / 2;
  if (good) dsygv_(&one, "N", "U", &k, L, &k, H, &k, values, work, &lwork, &info, 1, 1);
  if (good && info == 0) least = values[0];
  free(L);
  return least;
}

/* How many dofs stop just at T: of two nobody can say which is first. */
static int stops_at_end(const CtlSqp *s) {
  int count = 0;
  for (int k = 0; k < s->shared->qp.m; k++) count += !s->shared->qp.equality[k] && row_holds(s, k);
  return count;
}

/* Whether a small step that lowers J keeps to the targets, as the derivatives say: at a kink they are those to one side of it. */
static bool falls(CtlPoint *point, const CtlSqp *s, const Conditions *c) {
  const CtlSqpShared *shared = s->shared;
  double length = norm(c->n, c->residual), size = norm(shared->n, s->at);
  memcpy(s->trial, s->at, (size_t)shared->n * sizeof *s->trial);
  for (int i = 0; i < c->n && length > 0; i++) s->trial[c->free[i]] -= DIFFERENCE * size * c->residual[i] / length;
  ctl_bounds_move_inside(shared->problem, s->trial);
  if (ctl_point_evaluate(point, s->trial) != SIM_OK) return false;
  return ctl_linear_miss(shared, point->final.x, point->final.v, shared->miss) <= s->misses + HOLDS * DIFFERENCE;
}

static CtlMinimum judge(const CtlOptimality *o, const Conditions *c, bool clear, double steep) {
  bool free = c->n > c->rank;
  if (!clear || isnan(o->kkt)) return CTL_MINIMUM_UNKNOWN;
  bool many = c->rank < c->count; /* multipliers: others might do where these do not */
  if (o->kkt > steep && many) return CTL_MINIMUM_UNKNOWN;
  if (o->kkt > steep || o->reduced_hessian_min < -CURVED) return CTL_MINIMUM_NO;
  bool least = o->kkt <= STATIONARY && (!free || o->reduced_hessian_min > CURVED);
  return least ? CTL_MINIMUM_YES : CTL_MINIMUM_UNKNOWN;
}

/* Why it is not known whether there is a local minimum. */
static const char *doubt(const CtlOptimality *o, const Conditions *c, bool smooth, int stops, bool refuted) {
  if (stops > 1) return "two joints or more stop just at T";
  if (!smooth) return "derivatives differ to either side";
  if (isnan(o->kkt)) return "too many variables or targets";
  if (refuted) return "J would fall by the derivatives, not by the motion";
  return c->rank < c->count ? "targets depend on each other" : "the curvature is not known, or nearly 0";
}

/* About s->at, whose linear problem is laid out; smooth: its motion has derivatives to both sides. */
static SimStatus find(const CtlSqp *s, CtlPoint *point, bool smooth, CtlOptimality *o) {
  const CtlQp *qp = &s->shared->qp;
  Conditions c = {0};
  bool *dropped = calloc((size_t)qp->m + 1, sizeof *dropped), good = dropped;
  double *all = calloc((size_t)qp->n, sizeof *all);
  do {
    conditions_clear(&c);
    good = good && all && conditions_find(s, dropped, &c) && c.n <= SIZE_MAX_SVD && c.count <= SIZE_MAX_SVD &&
           conditions_solve(&c);
  } while (good && drop_worst(s, &c, dropped));
  if (good) {
    o->why = NULL;
    ctl_qp_multiply(qp, s->at, all);
    double size = norm(qp->n, all);
    o->kkt = size > 0 && s->J > 0 ? hypot(norm(c.n, c.residual), inward(s, &c, all)) / size : 0;
    o->rank = target_rank(&c);
    for (int k = 0; k < c.targets; k++) {
      int row = c.of[k], j = s->shared->target[row];
      if (j < 0) continue;
      o->multipliers[j] = !qp->equality[row] && ctl_linear_ahead(s, j) > 0 ? -c.y[k] : c.y[k];
    }
    if (o->kkt <= STEEP) o->reduced_hessian_min = least_curvature(point, s, &c);
    if (ctl_linear_meets(s->shared, s->miss, s->shared->problem->accept))
      o->local_minimum =
          judge(o, &c, smooth && stops_at_end(s) <= 1, s->shared->problem->resolution > 0 ? STEEP_GRID : STEEP);
    bool by_slope = o->local_minimum == CTL_MINIMUM_NO && o->kkt > STEEP && s->shared->problem->resolution == 0;
    bool refuted = by_slope && !falls(point, s, &c);
    if (refuted) o->local_minimum = CTL_MINIMUM_UNKNOWN;
    if (o->local_minimum == CTL_MINIMUM_UNKNOWN) o->why = doubt(o, &c, smooth, stops_at_end(s), refuted);
  }
  conditions_clear(&c);
  free(dropped);
  free(all);
  return dropped && all && !c.no_memory ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus ctl_optimality_find(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *control,
                              CtlOptimality *o) {
  ARGUMENT(o != NULL, "optimality", "is NULL");
  *o = (CtlOptimality){0};
  ARGUMENT_PROBLEM(problem);
  ARGUMENT(ctl_point_gives(evaluator, problem), "evaluator", ctl_point_gives_not);
  ARGUMENT_THERE(control);
  CtlSqpShared shared = {0};
  CtlSqp s = {0};
  CtlPoint point = {0};
  SimStatus status = SIM_NO_MEMORY;
  *o = (CtlOptimality){
      .kkt = NAN, .reduced_hessian_min = NAN, .m = evaluator->m, .why = "too many variables or targets"};
  o->multipliers = malloc(((size_t)evaluator->m + 1) * sizeof *o->multipliers);
  if (o->multipliers && ctl_sqp_shared_init(&shared, problem) && ctl_sqp_init(&s, &shared) &&
      ctl_point_init(&point, evaluator)) {
    for (int j = 0; j < o->m; j++) o->multipliers[j] = NAN;
    ctl_sqp_start(&s, control, problem->accept);
    status = ctl_point_evaluate(&point, s.trial);
    if (status == SIM_OK) {
      bool smooth = !evaluator->smooth || *evaluator->smooth;
      ctl_sqp_look(&s, point.final.x, point.final.v, point.rows);
      ctl_linear_problem(&s, NULL);
      status = find(&s, &point, smooth, o);
    }
  }
  ctl_point_clear(&point);
  ctl_sqp_clear(&s);
  ctl_sqp_shared_clear(&shared);
  if (status != SIM_OK) ctl_optimality_clear(o);
  return status;
}

void ctl_optimality_clear(CtlOptimality *o) {
  free(o->multipliers);
  *o = (CtlOptimality){0};
}
