/* SPDX-License-Identifier: BSD-2-Clause */
/* First and second order optimality conditions. For the exact motion, the result CTL_MINIMUM_NO is always accompanied
 * by a control that costs less. If joints stop exactly at T, J has a corner (corner.h); the conditions are then checked
 * for motions in which these joints slide on to T. */
#include "control/base/argument.h"
#include "control/refine.h"
#include "control/sqp/beside.h"
#include "control/sqp/conditions.h"
#include "control/sqp/corner.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/linear.h"
#include "control/sqp/smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* There is no C header of LAPACK here. Its functions have Fortran's calling convention and 32-bit integers. */
void dsygv_(const int *type, const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *b,
            const int *ldb, double *w, double *work, const int *lwork, int *info, size_t, size_t);

enum {
  SIZE_MAX_SVD = 1024,       /* maximum number of variables and of conditions in a singular value decomposition, since
                              * its time grows with the cube */
  CURVATURE_DIRECTIONS = 512 /* maximum number of directions in which the curvature is computed, since each takes two
                              * motions */
};

static const double KKT_MINIMUM = 1e-5;    /* a point with a larger kkt (relative norm of the Lagrangian's gradient)
                                            * does not count as a minimum */
static const double KKT_NO_MINIMUM = 1e-3; /* a point with a larger kkt is not a minimum */
/* A point of a time-stepping scheme with a larger kkt is not a minimum. The limit is wider than KKT_NO_MINIMUM, because
 * such points lie on kinks of J, where derivatives jump. */
static const double KKT_NO_MINIMUM_GRID = 0.05;
/* a point counts as a minimum if the smallest eigenvalue of its reduced Hessian exceeds this, relative to the Hessian
 * of J */
static const double CURVATURE_MIN = 1e-6;
static const double DIFFERENCE_STEP = 1e-6; /* step of finite differences, relative to u */
static const double CURVATURE_TOLERANCE =
    0.1; /* largest accepted difference between the curvatures on both sides of the point, relative to the curvature of
          * J */

/* Computes A'y over the free variables at a control: the derivatives A of the conditions there, multiplied by the
 * multipliers y. Returns false if the motion of the control failed. */
static bool multiplier_pull(CtlPoint *point, const CtlSqp *s, CtlConditions *c, const double *control, double *out) {
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

/* Computes the curvature of the Lagrangian in one direction: from the changes of A'y over a small step forward and over
 * a small step back, [n] each. Returns false if both steps give different results. */
static bool direction_curvature(CtlPoint *point, const CtlSqp *s, CtlConditions *c, const double *direction,
                                const double *centre, double *room, double *out) {
  int n = s->shared->n;
  double *control = room, *here = control + n, *there = here + c->n;
  double size = fmax(1e-3, ctl_norm(n, s->at)), h = DIFFERENCE_STEP * size, apart = 0, scale = 0;
  bool good = true;
  for (int side = 0; side < 2 && good; side++) {
    memcpy(control, s->at, (size_t)n * sizeof *control);
    for (int i = 0; i < c->n; i++) control[c->free[i]] += (side ? h : -h) * direction[i];
    good = multiplier_pull(point, s, c, control, side ? there : here);
  }
  for (int i = 0; i < c->n && good; i++) {
    double up = (there[i] - centre[i]) / h, down = (centre[i] - here[i]) / h;
    apart = fmax(apart, fabs(up - down));
    scale = fmax(scale, fabs(s->shared->qp.H[c->free[i] * (s->shared->qp.band + 1) + s->shared->qp.band]));
    out[i] = (up + down) / 2;
  }
  return good && apart <= CURVATURE_TOLERANCE * scale;
}

/* Returns the smallest eigenvalue of Z'(H + C)Z relative to Z'HZ. The columns of Z span the null space of the
 * conditions, and C is the curvature of y'(x(T), v(T)). way: [number of all variables] set to the eigenvector. NAN:
 * unknown. */
static double least_curvature(CtlPoint *point, const CtlSqp *s, CtlConditions *c, double *way) {
  const CtlQp *qp = &s->shared->qp;
  int n = c->n, k = n - c->rank, lwork = 34 * (k + 1), info = 0, one = 1;
  if (k <= 0 || k > CURVATURE_DIRECTIONS || s->shared->together[0] || s->shared->together[1]) return NAN;
  size_t squared = (size_t)k * (size_t)k, all = (size_t)qp->n;
  double *L = calloc(2 * squared + (size_t)k + (size_t)lwork + 3 * all + 4 * (size_t)n, sizeof *L), least = NAN;
  c->no_memory |= !L;
  if (!L) return NAN;
  double *H = L + squared, *values = H + squared, *work = values + k, *direction = work + lwork,
         *times = direction + all, *room = times + all, *curved = room + all + 2 * n, *centre = curved + n;
  bool good = multiplier_pull(point, s, c, s->at, centre);
  for (int q = 0; q < k && good; q++) {
    const double *z = c->basis + (size_t)(c->rank + q) * (size_t)n;
    memset(direction, 0, all * sizeof *direction);
    for (int i = 0; i < n; i++) direction[c->free[i]] = z[i];
    ctl_linear_multiply(s->shared, direction, times);
    good = direction_curvature(point, s, c, z, centre, room, curved);
    for (int r = 0; r < k; r++) {
      const double *other = c->basis + (size_t)(c->rank + r) * (size_t)n;
      for (int i = 0; i < n; i++) {
        double besides =
            /* the proximal term, without which the sum would be 0 for forces that cost nothing */
            s->shared->proximal[c->free[i] % s->shared->problem->p] * z[i];
        H[q * k + r] += other[i] * (times[c->free[i]] + besides);
        L[q * k + r] += other[i] * (times[c->free[i]] + curved[i]);
      }
    }
  }
  for (int q = 0; q < k; q++)
    for (int r = 0; r < q; r++) L[q * k + r] = L[r * k + q] = (L[q * k + r] + L[r * k + q]) / 2;
  if (good) dsygv_(&one, "V", "U", &k, L, &k, H, &k, values, work, &lwork, &info, 1, 1);
  if (good && info == 0) {
    least = values[0];
    memset(way, 0, all * sizeof *way);
    for (int q = 0; q < k; q++)
      for (int i = 0; i < n; i++) way[c->free[i]] += L[q] * c->basis[(size_t)(c->rank + q) * (size_t)n + (size_t)i];
  }
  free(L);
  return least;
}

/* Returns the number of dofs that stop exactly at T, for schemes with time steps. If there are two or more, the order
 * of their stops is unknown. */
static int stops_at_end(const CtlSqp *s) {
  int count = 0;
  for (int k = 0; k < s->shared->qp.m; k++) count += !s->shared->qp.equality[k] && ctl_conditions_row_holds(s, k);
  return count;
}

/* Data of the checks of one answer. */
typedef struct Look {
  CtlSqp *s; /* SQP state at the answer or, if joints stop exactly at T, at a point near the answer at which they still
              * slide at T */
  CtlPoint *point;
  CtlRestore *restore; /* restoration for the exact motion; NULL: the scheme has time steps */
  bool smooth;         /* whether the motion is differentiable */
  /* whether no joint stops exactly at T in the motion of s, so that its derivatives are valid there: either none does
   * at the answer, or s has been moved to a point near the answer at which these joints still slide at T */
  bool slides;
  bool met;    /* whether the answer meets the targets */
  double *way; /* [n] direction along which J may decrease; owned */
} Look;

/* Checks the first-order and second-order conditions from the derivatives at s->at. Returns false if they are
 * unknown. */
static bool measure_conditions(const Look *look, CtlConditions *c, bool *dropped, CtlOptimality *o) {
  const CtlSqp *s = look->s;
  const CtlQp *qp = &s->shared->qp;
  bool good = true;
  do {
    ctl_conditions_clear(c);
    good = ctl_conditions_find(s, dropped, c) && c->n <= SIZE_MAX_SVD && c->count <= SIZE_MAX_SVD &&
           ctl_conditions_solve(c);
  } while (good && ctl_conditions_drop_worst(s, c, dropped));
  if (!good) return false;
  ctl_linear_multiply(s->shared, s->at, look->way);
  double size = ctl_norm(qp->n, look->way);
  o->kkt = size > 0 && s->J > 0 ? hypot(ctl_norm(c->n, c->residual), ctl_conditions_inward(s, c, look->way)) / size : 0;
  o->rank = ctl_conditions_target_rank(c);
  for (int k = 0; k < c->targets; k++) {
    int row = c->of[k], j = s->shared->target[row];
    if (j >= 0) o->multipliers[j] = !qp->equality[row] && ctl_linear_ahead(s, j) > 0 ? -c->y[k] : c->y[k];
  }
  for (int i = 0; i < qp->n; i++) look->way[i] = -look->way[i];
  for (int i = 0; i < c->n; i++) look->way[c->free[i]] = -c->residual[i];
  if (o->kkt <= KKT_NO_MINIMUM) o->reduced_hessian_min = least_curvature(look->point, s, c, look->way);
  return true;
}

static bool is_minimum(const CtlOptimality *o, const CtlConditions *c) {
  return o->kkt <= KKT_MINIMUM && (c->n == c->rank || o->reduced_hessian_min > CURVATURE_MIN);
}

/* Decides from derivatives alone whether an answer of a time-stepping scheme is a minimum. Such answers lie on kinks of
 * J. */
static CtlMinimum judge_grid(const Look *look, const CtlConditions *c, CtlOptimality *o) {
  int stops = stops_at_end(look->s);
  bool many = c->rank < c->count; /* whether the multipliers are not unique; other multipliers might then satisfy the
                                   * conditions */
  o->why = stops > 1            ? "two or more joints stop exactly at T"
           : !look->smooth      ? "the derivatives jump at this u"
           : c->rank < c->count ? "u acts on several targets in the same way"
                                : "J is flat there, or its curvature is unknown";
  if (stops > 1 || !look->smooth || (o->kkt > KKT_NO_MINIMUM_GRID && many)) return CTL_MINIMUM_UNKNOWN;
  if (o->kkt > KKT_NO_MINIMUM_GRID || o->reduced_hessian_min < -CURVATURE_MIN) return CTL_MINIMUM_NO;
  return is_minimum(o, c) ? CTL_MINIMUM_YES : CTL_MINIMUM_UNKNOWN;
}

/* Decides from derivatives whether an answer of the exact motion is a minimum. With the result CTL_MINIMUM_NO a control
 * that costs less has been found. */
static CtlMinimum judge_exact(const Look *look, const CtlConditions *c, CtlOptimality *o) {
  if (o->kkt > KKT_NO_MINIMUM || o->reduced_hessian_min < -CURVATURE_MIN) {
    o->why = "by the derivatives J falls nearby, but no control tried there costs less";
    return ctl_beside_falls(look->restore, look->way) ? CTL_MINIMUM_NO : CTL_MINIMUM_UNKNOWN;
  }
  o->why = "the derivatives jump at this u";
  if (!look->smooth) return CTL_MINIMUM_UNKNOWN;
  o->why =
      c->rank < c->count ? "u acts on several targets in the same way" : "J is flat there, or its curvature is unknown";
  return is_minimum(o, c) ? ctl_corner_edges(look->restore, &o->why) : CTL_MINIMUM_UNKNOWN;
}

/* If derivatives do not decide whether an answer is a minimum, decides it by simulating controls near it. */
static CtlMinimum judge_motion(const Look *look, const CtlConditions *c, CtlOptimality *o) {
  CtlMinimum minimum = CTL_MINIMUM_UNKNOWN;
  if (look->slides)
    minimum = judge_exact(look, c, o);
  else
    o->why = look->restore->stops > CTL_CORNER_STOPS
                 ? "more than 6 joints stop exactly at T"
                 : "several joints stop exactly at T, in an order that was not found";
  if (minimum != CTL_MINIMUM_UNKNOWN) return minimum;
  bool less = ctl_beside_falls_at_random(look->restore) || ctl_beside_leads_on(look->restore);
  return less ? CTL_MINIMUM_NO : CTL_MINIMUM_UNKNOWN;
}

/* Whether J is 0 up to round-off, so that no control costs less. */
static bool costs_nothing(const CtlSqp *s) {
  /* J counts as 0 below this fraction of the cost of u if each force had the largest weight */
  static const double COST_ROUND_OFF = 1e-14;
  const CtlProblem *p = s->shared->problem;
  double most = 0, size = ctl_norm(p->n, s->at);
  for (int i = 0; i < p->p; i++) most = fmax(most, p->weight[i * p->p + i]);
  return s->J <= COST_ROUND_OFF * most * p->end / p->segments * size * size;
}

static SimStatus find_optimality(Look *look, CtlOptimality *o) {
  const CtlQp *qp = &look->s->shared->qp;
  CtlConditions c = {0};
  bool *dropped = calloc((size_t)qp->m + 1, sizeof *dropped);
  look->way = calloc((size_t)qp->n, sizeof *look->way);
  bool good = dropped && look->way;
  if (good && measure_conditions(look, &c, dropped, o) && look->met) {
    o->local_minimum = costs_nothing(look->s) ? CTL_MINIMUM_YES
                       : look->restore        ? judge_motion(look, &c, o)
                                              : judge_grid(look, &c, o);
    if (o->local_minimum != CTL_MINIMUM_UNKNOWN) o->why = NULL;
    if (o->local_minimum == CTL_MINIMUM_NO && look->restore) {
      o->lesser = malloc((size_t)qp->n * sizeof *o->lesser);
      good = o->lesser;
      if (good) memcpy(o->lesser, look->restore->control, (size_t)qp->n * sizeof *o->lesser);
    }
  }
  good = good && !c.no_memory;
  ctl_conditions_clear(&c);
  free(dropped);
  free(look->way);
  return good ? SIM_OK : SIM_NO_MEMORY;
}

/* Sets s to the point at which the conditions are computed: the answer or, at a corner (corner.h), a point near it. */
static void look_at(Look *look, const CtlEvaluator *evaluator, const double *control) {
  CtlSqp *s = look->s;
  memmove(s->trial, control, (size_t)s->shared->n * sizeof *s->trial);
  ctl_sqp_look(s, look->point->final.x, look->point->final.v, look->point->rows);
  s->other.misses = INFINITY;
  look->smooth = !evaluator->smooth || *evaluator->smooth;
}

/* Checks the first-order and second-order conditions of the answer at s->at. */
static SimStatus look_about(Look *look, const CtlEvaluator *evaluator, CtlOptimality *o) {
  CtlSqp *s = look->s;
  const CtlProblem *p = s->shared->problem;
  CtlRestore restore = {0};
  look->met = ctl_linear_meets(s->shared, s->miss, p->accept);
  bool good = true;
  if (p->resolution == 0 && s->shared->n + s->shared->m <= SIZE_MAX_SVD) {
    good = ctl_restore_init(&restore, s, look->point);
    look->restore = &restore;
    look->slides = good && restore.stops <= CTL_CORNER_STOPS && (restore.stops == 0 || ctl_corner_slide(&restore));
    if (look->slides && restore.stops > 0) look_at(look, evaluator, restore.control);
  }
  ctl_linear_problem(s, NULL);
  SimStatus status = good && !restore.no_memory ? find_optimality(look, o) : SIM_NO_MEMORY;
  if (status == SIM_OK && restore.no_memory) status = SIM_NO_MEMORY;
  ctl_restore_clear(&restore);
  look->restore = NULL;
  return status;
}

SimStatus ctl_optimality_find(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *control,
                              CtlOptimality *o) {
  ARGUMENT(o != NULL, "optimality", "is NULL");
  *o = (CtlOptimality){0};
  ARGUMENT_PROBLEM(problem);
  ARGUMENT(ctl_point_gives(evaluator, problem), "evaluator", ctl_point_gives_not);
  ARGUMENT_THERE(control);
  if (problem->roles) return ctl_smooth_optimality(problem, evaluator, control, o);
  CtlSqpShared shared = {0};
  CtlSqp s = {0};
  CtlPoint point = {0};
  SimStatus status = SIM_NO_MEMORY;
  *o = (CtlOptimality){
      .kkt = NAN, .reduced_hessian_min = NAN, .m = evaluator->m, .why = "more than 1024 variables and targets"};
  o->multipliers = malloc(((size_t)evaluator->m + 1) * sizeof *o->multipliers);
  if (o->multipliers && ctl_sqp_shared_init(&shared, problem) && ctl_sqp_init(&s, &shared) &&
      ctl_point_init(&point, evaluator)) {
    for (int j = 0; j < o->m; j++) o->multipliers[j] = NAN;
    ctl_sqp_start(&s, control, problem->accept);
    status = ctl_point_evaluate(&point, s.trial);
    if (status == SIM_OK) {
      Look look = {.s = &s, .point = &point};
      look_at(&look, evaluator, s.trial);
      status = look_about(&look, evaluator, o);
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
  free(o->lesser);
  free(o->pull);
  *o = (CtlOptimality){0};
}
