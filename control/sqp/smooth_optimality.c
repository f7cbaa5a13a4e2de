/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks first and second order optimality of user-defined values at a point. */
#include "control/outcome/values.h"
#include "control/sqp/conditions.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/smooth.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS_MAX = 512 /* maximum number of directions for the curvature, since each takes two evaluations */ };

static const double KKT_MINIMUM = 1e-5;    /* a point with a larger kkt (relative norm of the Lagrangian's gradient)
                                            * does not count as a minimum */
static const double KKT_NO_MINIMUM = 1e-3; /* a point with a larger kkt is not a minimum */
static const double CURVATURE_MIN = 1e-6;  /* smallest relative curvature with which a point counts as a minimum */
/* A magnitude |y| counts as 0 if y, relative to the length of its gradient, is at most this. */
static const double KINK = 1e-8;
/* A curvature counts as 0 if it is below this, relative to the gradient of f divided by the size of u. The multipliers
 * of a point that counts as a minimum may be wrong by KKT_MINIMUM, and so may the curvature of the Lagrangian. */
static const double FLAT = 1e-5;
/* largest accepted difference between the curvatures from both sides, and between both triangles of the matrix,
 * relative to a curvature */
static const double KINKED = 0.1;
static const double SNAP = 1e-8; /* a variable closer to a bound than this, in its CtlProblem.size, is held by the
                                  * bound */
/* step of finite differences, in units of CtlProblem.size, relative to max(1, |u|) */
static const double DIFFERENCE_STEP = 1e-6;
/* A product of a multiplier and its gradient's length counts as 0 below MULTIPLIER_MIN. Such products are limited to
 * MULTIPLIER_MAX. Both are relative to the gradient of f. */
static const double MULTIPLIER_MIN = 1e-9, MULTIPLIER_MAX = 1e6;

typedef struct Look {
  const CtlProblem *problem;
  CtlPoint point;
  CtlConditions c;
  /* [m][n] rows and [n] gradient at the evaluated point, which is first the point itself, then others; [m] multipliers
   * of all values */
  double *rows, *gradient, *y;
  double *pull, *trial; /* [n] gradient of the Lagrangian; [n] point for finite differences */
  double *side;  /* [m] sign of the row of an active constraint; 1 for a magnitude at 0; 0: the value is not active */
  double *slope; /* [m] sign of each magnitude that is not 0; 0 for other values */
  double size;   /* max(1, |u|), in units of CtlProblem.size */
  double curvature; /* largest absolute curvature in the null space */
} Look;

/* Evaluates a point and stores its values and rows. Returns its status. */
static SimStatus evaluate_point(Look *l, const double *u) {
  SimStatus status = ctl_point_evaluate(&l->point, u);
  if (status != SIM_OK) return status;
  return ctl_smooth_rows(l->problem, l->point.rows, l->rows) ? SIM_OK : SIM_NON_FINITE;
}

static const double *row_of(const Look *l, int i) { return l->rows + (size_t)i * (size_t)l->problem->n; }

/* Sets the gradient of the objective f, without those magnitudes |y| that are 0. */
static void set_gradient(Look *l) {
  const CtlProblem *p = l->problem;
  ctl_smooth_gradient(p, l->point.final.x, l->rows, l->gradient);
  for (int i = 0; i < p->d; i++)
    for (int k = 0; k < p->n && l->slope[i] != 0; k++) l->gradient[k] += l->slope[i] * row_of(l, i)[k];
}

/* Computes the gradient of the Lagrangian at the evaluated point: pull = gradient of f + sum y_i a_i, with the
 * multipliers y_i and the gradients a_i of the conditions. */
static void pull_lagrangian(Look *l) {
  set_gradient(l);
  ctl_smooth_lagrangian(l->problem, l->gradient, l->rows, l->y, l->pull);
}

static double ahead_of(const Look *l, int i) {
  return l->point.rows[(size_t)i * ctl_row_size(l->problem->n) + (size_t)l->problem->n];
}

/* Whether the dof of value i is at rest and the value meets its constraint. Its derivatives are then those of the
 * motion without coming to rest. */
static bool rests(const Look *l, int i) {
  const CtlProblem *p = l->problem;
  return p->roles[i] >= CTL_ROLE_EQUAL && ahead_of(l, i) != 0 &&
         ctl_value_miss(p, i, l->point.final.x[i]) <= p->position_scale[i];
}

static bool is_equation(const Look *l, int i) {
  return l->problem->roles[i] == CTL_ROLE_MAGNITUDE || (l->problem->roles[i] == CTL_ROLE_EQUAL && !rests(l, i));
}

/* Returns the sign of the row of value i if it is active; 0 if it is not. A constraint is active if it holds with
 * equality, up to its tolerance; for a dof at rest, if the dof stops exactly at T. A magnitude |y| is active if y is
 * 0. */
static double find_side(const Look *l, int i) {
  const CtlProblem *p = l->problem;
  double value = l->point.final.x[i], ahead = ahead_of(l, i), sign = ctl_smooth_sign(p, i);
  if (p->roles[i] == CTL_ROLE_MAGNITUDE) return fabs(value) <= KINK * ctl_norm(p->n, row_of(l, i));
  if (p->roles[i] < CTL_ROLE_EQUAL) return 0;
  if (p->roles[i] == CTL_ROLE_EQUAL && rests(l, i)) return fabs(ahead) > p->position_scale[i] ? 0 : ahead > 0 ? -1 : 1;
  if (p->roles[i] == CTL_ROLE_EQUAL) return 1;
  if (rests(l, i) && sign * ahead > 0) return 0;
  return ctl_value_residual(p, i, value) + sign * ahead >= -p->position_scale[i] ? sign : 0;
}

/* Finds the active constraints at the point: sets l->side and l->slope of all values. */
static void find_sides(Look *l) {
  for (int i = 0; i < l->problem->d; i++) {
    double value = l->point.final.x[i];
    l->side[i] = find_side(l, i);
    l->slope[i] = l->problem->roles[i] == CTL_ROLE_MAGNITUDE && l->side[i] == 0 ? copysign(1, value) : 0;
  }
}

/* Sets the row of an active constraint, with the sign of its residual. */
static void set_row(const Look *l, int i, double *row) {
  for (int k = 0; k < l->problem->n; k++) row[k] = l->side[i] * row_of(l, i)[k];
}

/* Sets up the quadratic problem of find_multipliers, which determines a step. The solver's accuracy is relative to the
 * minimum of the objective, so this minimum must not be 0. Therefore the variable is the step plus e, where the entries
 * of e are 1 or -1 against the gradient. of: [qp.m] indices of the values of the rows. */
static void set_problem(const Look *l, const double *u, CtlQp *qp, int *of) {
  const CtlProblem *p = l->problem;
  double steep = ctl_norm(p->n, l->gradient), *e = l->trial;
  for (int k = 0; k < p->n; k++) {
    bool held = ctl_conditions_is_held(p, u, k), low = u[k] - p->lower[k] <= p->upper[k] - u[k];
    qp->z[k] = e[k] = l->gradient[k] > 0 ? -1 : 1;
    qp->H[k] = steep;
    qp->g[k] = steep * e[k] - l->gradient[k];
    qp->lower[k] = held && low ? e[k] : -INFINITY;
    qp->upper[k] = held && (!low || p->lower[k] == p->upper[k]) ? e[k] : INFINITY;
    qp->rise[k] = INFINITY;
  }
  for (int i = 0; i < p->d; i++) {
    double *row = qp->rows + (size_t)qp->m * (size_t)p->n, length = ctl_norm(p->n, row_of(l, i));
    if (l->side[i] == 0 || !(length > 0)) continue;
    set_row(l, i, row);
    qp->b[qp->m] = 0;
    for (int k = 0; k < p->n; k++) qp->b[qp->m] -= row[k] * e[k];
    qp->weight[qp->m] = p->roles[i] == CTL_ROLE_MAGNITUDE ? 1 : MULTIPLIER_MAX * steep / length;
    of[qp->m] = i;
    qp->equality[qp->m++] = is_equation(l, i);
  }
}

/* Computes the multipliers y that minimise the part of the Lagrangian's gradient along which f can decrease, with the
 * signs required for inequalities and bounds. They are those of the step z that minimises g'z + |g| z'z/2 without
 * violating an active condition, so they also exist if active conditions are dependent. Returns false if they are
 * unknown. */
static bool find_multipliers(Look *l, const double *u) {
  const CtlProblem *p = l->problem;
  CtlQp qp;
  int *of = calloc((size_t)p->d, sizeof *of);
  bool good = ctl_qp_init(&qp, p->n, 0, p->d, p->n, 0) && of;
  l->c.no_memory |= !good;
  if (good && ctl_norm(p->n, l->gradient) > 0) {
    set_problem(l, u, &qp, of);
    good = ctl_qp_solve(&qp);
    for (int k = 0; k < qp.m && good; k++) l->y[of[k]] = l->side[of[k]] * qp.y[k];
  }
  ctl_qp_clear(&qp);
  free(of);
  return good;
}

/* Whether an active inequality has the multiplier 0, or a magnitude at 0 the largest multiplier that it can have, 1.
 * The condition is then not strictly active. */
static bool is_weak(const Look *l, int i, double steep) {
  double length = ctl_norm(l->problem->n, row_of(l, i)), least = MULTIPLIER_MIN * steep;
  if (l->problem->roles[i] == CTL_ROLE_MAGNITUDE) return (1 - fabs(l->y[i])) * length <= least;
  return !is_equation(l, i) && fabs(l->y[i]) * length <= least;
}

/* Collects the active constraints and computes their rank and null space. Returns false if this fails. */
static bool find_conditions(Look *l, const double *u) {
  const CtlProblem *p = l->problem;
  CtlConditions *c = &l->c;
  if (!ctl_conditions_init(c, p, u, p->d)) return false;
  for (int k = 0; k < c->n; k++) c->gradient[k] = l->gradient[c->free[k]];
  for (int i = 0; i < p->d; i++) {
    if (l->side[i] == 0) continue;
    set_row(l, i, l->trial);
    c->of[c->targets++] = i;
    ctl_conditions_add(c, l->trial);
  }
  return ctl_conditions_solve(c);
}

/* Returns the component along null-space direction number r of the change of the Lagrangian's gradient from `base`. */
static double along_basis(const Look *l, int r, const double *base) {
  const CtlConditions *c = &l->c;
  const double *z = c->basis + (size_t)(c->rank + r) * (size_t)c->n;
  double sum = 0;
  for (int i = 0; i < c->n; i++) sum += z[i] * (l->pull[c->free[i]] - base[c->free[i]]);
  return sum;
}

/* Adds column q of the curvature [k][k] to L: the mean of the differences to both sides. base: [n] gradient of the
 * Lagrangian at u. Returns the difference between the two sides; INFINITY if an evaluation failed. */
static double add_curvature(Look *l, const double *u, const double *base, int q, int k, double *L) {
  const CtlProblem *p = l->problem;
  const CtlConditions *c = &l->c;
  const double *z = c->basis + (size_t)(c->rank + q) * (size_t)c->n;
  double apart = 0;
  for (int side = 0; side < 2; side++) {
    double step = (side ? -1 : 1) * DIFFERENCE_STEP * l->size;
    memcpy(l->trial, u, (size_t)p->n * sizeof *l->trial);
    for (int i = 0; i < c->n; i++) l->trial[c->free[i]] += step * z[i] * p->size[c->free[i]];
    if (evaluate_point(l, l->trial) != SIM_OK) return INFINITY;
    pull_lagrangian(l);
    for (int r = 0; r < k; r++) {
      double one = along_basis(l, r, base) / step;
      if (side) apart = fmax(apart, fabs(one - 2 * L[q * k + r]));
      L[q * k + r] += one / 2;
    }
  }
  return apart;
}

/* Returns the smallest curvature of the Lagrangian in the null space of the active constraints, relative to the largest
 * one. Returns 0 if f is flat, and NAN if the curvature is unknown, as at a kink, or if the null space is empty.
 * Evaluates other points. steep: norm of f's gradient. */
static double least_curvature(Look *l, const double *u, double steep) {
  const CtlConditions *c = &l->c;
  int k = c->n - c->rank;
  size_t n = (size_t)l->problem->n, room = (size_t)(k > 0 ? k : 0);
  double smallest = NAN, largest = NAN, apart = 0;
  if (k <= 0 || k > DIRECTIONS_MAX) return NAN;
  double *L = calloc(room * room + n, sizeof *L), *base = L ? L + room * room : NULL;
  l->c.no_memory |= !L;
  if (!L) return NAN;
  memcpy(base, l->pull, n * sizeof *base);
  for (int q = 0; q < k && isfinite(apart); q++) apart = fmax(apart, add_curvature(l, u, base, q, k, L));
  for (int q = 0; q < k; q++)
    for (int r = 0; r < q; r++) {
      apart = fmax(apart, fabs(L[q * k + r] - L[r * k + q]));
      L[q * k + r] = L[r * k + q] = (L[q * k + r] + L[r * k + q]) / 2;
    }
  bool good = isfinite(apart) && dense_eigenvalue_range(k, L, &smallest, &largest) == SIM_OK;
  free(L);
  l->curvature = good ? fmax(fabs(smallest), fabs(largest)) : 0;
  if (!good) return NAN;
  if (l->curvature * l->size <= FLAT * steep) return 0;
  /* curvature relative to which the error is measured */
  double of = smallest < 0 ? -smallest : l->curvature;
  return apart > KINKED * of ? NAN : smallest / l->curvature;
}

/* Returns the norm of the part of the Lagrangian's gradient along which f can decrease: entries of free variables, and
 * entries of variables at bounds if they point inside. each: [n] these entries. *weak: whether an active bound or
 * inequality has the multiplier 0. */
static double falling_part(const Look *l, const double *u, double steep, bool *weak, double *each) {
  const CtlProblem *p = l->problem;
  double sum = 0;
  for (int k = 0; k < l->c.count; k++) *weak = *weak || is_weak(l, l->c.of[k], steep);
  for (int i = 0; i < p->n; i++) {
    bool held = ctl_conditions_is_held(p, u, i), low = u[i] - p->lower[i] <= p->upper[i] - u[i];
    bool fixed = p->lower[i] == p->upper[i];
    double along = !held ? fabs(l->pull[i]) : fixed ? 0 : fmax(0, low ? -l->pull[i] : l->pull[i]);
    *weak = *weak || (held && !fixed && fabs(l->pull[i]) <= MULTIPLIER_MIN * steep);
    each[i] = along;
    sum += along * along;
  }
  return sqrt(sum);
}

static void judge(const Look *l, bool weak, double error, CtlOptimality *o) {
  o->why = error > l->problem->accept ? "the constraints are not met"
           : weak                     ? "the multiplier of an active constraint or bound is 0"
                                      : "f is flat there, or its curvature is unknown";
  if (error > l->problem->accept) return;
  if (o->kkt > KKT_NO_MINIMUM || (!weak && o->reduced_hessian_min < -CURVATURE_MIN))
    o->local_minimum = CTL_MINIMUM_NO;
  else if (o->kkt <= KKT_MINIMUM && !weak && (o->vertex || o->reduced_hessian_min > CURVATURE_MIN))
    o->local_minimum = CTL_MINIMUM_YES;
  if (o->local_minimum != CTL_MINIMUM_UNKNOWN) o->why = NULL;
}

/* Computes all fields of *o at the point u. */
static SimStatus look_at(Look *l, const double *u, CtlOptimality *o) {
  const CtlProblem *p = l->problem;
  bool weak = false;
  SimStatus status = evaluate_point(l, u);
  if (status != SIM_OK) return status;
  find_sides(l);
  set_gradient(l);
  double error = ctl_values_error(p, l->point.final.x), squares = 0, steep = ctl_norm(p->n, l->gradient);
  for (int i = 0; i < p->n; i++) squares += pow(u[i] / p->size[i], 2);
  l->size = fmax(1, sqrt(squares));
  bool known = find_multipliers(l, u) && find_conditions(l, u);
  if (!known) return l->c.no_memory ? SIM_NO_MEMORY : SIM_OK;
  o->rank = l->c.rank;
  for (int i = 0; i < p->d; i++) o->multipliers[i] = p->roles[i] >= CTL_ROLE_EQUAL ? l->y[i] : NAN;
  pull_lagrangian(l);
  double falls = falling_part(l, u, steep, &weak, o->pull);
  o->vertex = l->c.n == l->c.rank;
  o->reduced_hessian_min = least_curvature(l, u, steep);
  double scale = fmax(steep, l->curvature * l->size);
  o->kkt = scale > 0 ? falls / scale : 0;
  for (int i = 0; i < p->n; i++) o->pull[i] = scale > 0 ? o->pull[i] / scale : 0;
  judge(l, weak, error, o);
  return l->c.no_memory ? SIM_NO_MEMORY : SIM_OK;
}

/* Moves a variable onto a bound if it differs from the bound only by the round-off of a step. */
static void snap(const CtlProblem *p, const double *point, double *u) {
  for (int i = 0; i < p->n; i++) {
    double near = SNAP * p->size[i];
    u[i] = point[i];
    if (fabs(u[i] - p->upper[i]) <= near) u[i] = p->upper[i];
    if (fabs(u[i] - p->lower[i]) <= near) u[i] = p->lower[i];
  }
}

SimStatus ctl_smooth_optimality(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *point,
                                CtlOptimality *o) {
  size_t n = (size_t)problem->n, m = (size_t)problem->d;
  Look l = {.problem = problem, .rows = calloc(m * n + 4 * n + 3 * m, sizeof(double))};
  SimStatus status = SIM_NO_MEMORY;
  *o = (CtlOptimality){.kkt = NAN,
                       .reduced_hessian_min = NAN,
                       .m = problem->d,
                       .multipliers = malloc(m * sizeof *o->multipliers),
                       .pull = calloc(n, sizeof *o->pull),
                       .why = "the multipliers are unknown"};
  for (size_t i = 0; i < m && o->multipliers; i++) o->multipliers[i] = NAN;
  if (o->multipliers && o->pull && l.rows && ctl_point_init(&l.point, evaluator)) {
    l.gradient = l.rows + m * n;
    l.pull = l.gradient + n;
    l.trial = l.pull + n;
    l.y = l.trial + n;
    l.side = l.y + m;
    l.slope = l.side + m;
    double *u = l.slope + m;
    snap(problem, point, u);
    status = look_at(&l, u, o);
  }
  ctl_point_clear(&l.point);
  ctl_conditions_clear(&l.c);
  free(l.rows);
  if (status != SIM_OK) ctl_optimality_clear(o);
  return status;
}
