/* SPDX-License-Identifier: BSD-2-Clause */
/* One step of the bundle method (bundle.h): minimises J + rho stat with linearised misses, the distances of the final
 * states from the target. */
#include "control/bundle/bundle.h"

#include "control/outcome/penalty.h"
#include "control/problem/bounds.h"
#include "control/sqp/linear.h"

#include <math.h>
#include <string.h>

/* ROUNDS: maximum number of rounds in which pieces are added to the bundle. PRICES: maximum number of prices (weights
 * of J) that are tried in a step. */
enum { ROUNDS = 40, PRICES = 40 };
static const double PIECE_TOLERANCE = 1e-7; /* amount by which a linear piece of a scenario's error may exceed the
                                             * variable t that bounds this error, as a fraction of the largest error */
/* curvature, relative to rho, that is added to the objective in the variables t (bounds of errors) to make the
 * quadratic problem strictly convex */
static const double TOP_CURVATURE = 1e-7;
static const double PIECE_PENALTY = 2; /* penalty, relative to rho, for a linear piece of a scenario's error that
                                        * exceeds the variable t, the bound of this error */
/* relative accuracy of the price (weight of J), and of J with respect to effort_at_most */
static const double EFFORT_TOLERANCE = 1e-3;
/* The search for the price of J ends if the price is above this, or below its inverse. */
static const double PRICE_MAX = 1e12;

/* Returns the error e_s of scenario s with linearised misses. which[2], sign[2]: row and sign of the largest miss in
 * x(T) and in v(T); row -1 if there is none. */
static double error_of(const CtlBundleShared *shared, int s, int which[2], double sign[2]) {
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    const int *first = shared->first + k * (shared->scenarios + 1);
    double worst = -1;
    which[k] = -1;
    for (int j = first[s]; j < first[s + 1]; j++) {
      double r = fabs(shared->miss[j]) / shared->unit[j];
      if (!(r > worst)) continue;
      worst = r;
      which[k] = j;
      sign[k] = shared->miss[j] < 0 ? -1 : 1;
    }
    if (worst > 0) sum += worst;
  }
  return sum;
}

/* Computes the linearised misses and errors e_s for a control, in `shared`. Returns J + rho stat. */
static double evaluate_model(const CtlBundle *bundle, const double *control) {
  const CtlBundleShared *shared = bundle->shared;
  int which[2], n = shared->n;
  double sign[2];
  for (int j = 0; j < shared->m; j++) {
    const double *row = bundle->rows + (ptrdiff_t)j * n;
    double miss = bundle->miss[j];
    for (int i = 0; i < n; i++) miss += row[i] * (control[i] - bundle->at[i]);
    shared->miss[j] = miss;
  }
  for (int s = 0; s < shared->scenarios; s++) shared->error[s] = error_of(shared, s, which, sign);
  return ctl_cost(shared->problem, control) +
         shared->rho * ctl_statistic_of(shared->problem, shared->scenarios, shared->error);
}

/* Whether the error of a scenario contributes to the statistic. To a quantile only the scenarios with errors at or
 * above it contribute. */
static bool scenario_counts(const CtlBundleShared *shared, const double *error, int s) {
  const CtlProblem *p = shared->problem;
  if (p->statistic != CTL_QUANTILE) return true;
  int below = 0;
  for (int k = 0; k < shared->scenarios; k++) below += error[k] < error[s] || (k < s && error[k] == error[s]);
  return below <= ctl_quantile_rank(p->quantile, shared->scenarios);
}

/* Adds the linear piece of the error e_s of scenario s that is largest for the misses in shared->miss. In the quadratic
 * problem the piece becomes an inequality: the linearised error minus the variable t that bounds it is at most 0. */
static void add_piece(const CtlBundle *bundle, int s) {
  CtlBundleShared *shared = bundle->shared;
  CtlQp *qp = &shared->qp;
  int which[2], n = shared->n;
  double sign[2], *row = qp->rows + (ptrdiff_t)qp->m * n;
  error_of(shared, s, which, sign);
  memset(row, 0, (size_t)n * sizeof *row);
  double b = 0;
  for (int k = 0; k < 2; k++) {
    if (which[k] < 0) continue;
    const double *from = bundle->rows + (ptrdiff_t)which[k] * n;
    double factor = sign[k] / shared->unit[which[k]];
    b += factor * bundle->miss[which[k]];
    for (int i = 0; i < n; i++) {
      row[i] += factor * from[i];
      b -= factor * from[i] * bundle->at[i];
    }
  }
  qp->b[qp->m] = b;
  qp->weight[qp->m] = PIECE_PENALTY * shared->rho;
  qp->equality[qp->m] = false;
  qp->top[qp->m] = shared->tops > 1 ? s : 0;
  qp->m++;
}

/* Removes pieces with zero multipliers, so that others can be added. */
static void drop_idle(CtlBundleShared *shared) {
  CtlQp *qp = &shared->qp;
  int kept = 0, n = shared->n;
  for (int k = 0; k < qp->m; k++) {
    if (qp->y[k] <= PIECE_TOLERANCE * shared->rho / qp->rows_most) continue;
    memmove(qp->rows + (ptrdiff_t)kept * n, qp->rows + (ptrdiff_t)k * n, (size_t)n * sizeof *qp->rows);
    qp->b[kept] = qp->b[k];
    qp->y[kept] = qp->y[k];
    qp->top[kept++] = qp->top[k];
  }
  qp->m = kept;
}

/* Adds pieces for the scenarios with errors, from shared->miss, that exceed their variables t most. Returns the number
 * of pieces added. eligible: whether each scenario may get a piece. top: [tops] values of t; NULL: all scenarios exceed
 * theirs. */
static int add_worst(const CtlBundle *bundle, const bool *eligible, const double *top) {
  CtlBundleShared *shared = bundle->shared;
  CtlQp *qp = &shared->qp;
  bool taken[CTL_SCENARIOS_MAX] = {false};
  double largest = 0;
  int added = 0, most = shared->tops > 1 ? shared->scenarios : shared->n + 8;
  for (int s = 0; s < shared->scenarios; s++) largest = fmax(largest, shared->error[s]);
  if (qp->m + most > qp->rows_most) drop_idle(shared);
  for (; added < most && qp->m < qp->rows_most; added++) {
    int worst = -1;
    double by = top ? PIECE_TOLERANCE * largest : -1;
    for (int s = 0; s < shared->scenarios; s++) {
      double above = shared->error[s] - (top ? top[shared->tops > 1 ? s : 0] : 0);
      if (taken[s] || !eligible[s] || !(above > by)) continue;
      by = above;
      worst = s;
    }
    if (worst < 0) break;
    taken[worst] = true;
    add_piece(bundle, worst);
  }
  return added;
}

/* Sets up the effort J and the box in the quadratic problem. The variables t have no cost yet. */
static void lay_out(CtlBundle *bundle) {
  CtlBundleShared *shared = bundle->shared;
  const CtlProblem *p = shared->problem;
  CtlQp *qp = &shared->qp;
  int n = shared->n;
  size_t width = (size_t)qp->band + 1;
  ctl_linear_cost(p, qp);
  for (size_t k = 0; k < (size_t)n * width; k++) qp->H[k] *= 1 + bundle->price;
  memset(qp->H + (size_t)n * width, 0, (size_t)shared->tops * width * sizeof *qp->H);
  memset(qp->g, 0, (size_t)n * sizeof *qp->g);
  for (int i = 0; i < n; i++) {
    double before;
    qp->rise[i] = ctl_bounds_change(p, bundle->at, i, &before);
    qp->lower[i] = fmax(p->lower[i], bundle->at[i] - bundle->radius);
    qp->upper[i] = fmin(p->upper[i], bundle->at[i] + bundle->radius);
  }
  for (int i = n; i < qp->n; i++) {
    qp->H[(size_t)i * width + (size_t)qp->band] = TOP_CURVATURE * shared->rho / shared->tops;
    qp->g[i] = -shared->rho / shared->tops;
    qp->lower[i] = 0;
    qp->upper[i] = qp->rise[i] = INFINITY;
  }
}

/* Moves a solution into the bounds, and then towards `at` until its effort is at most effort_at_most. This is possible
 * since J is convex and `at` satisfies the limit. */
static void hold_effort(const CtlBundle *bundle, double *answer, double *control) {
  const CtlProblem *p = bundle->shared->problem;
  double low = 0, high = 1;
  ctl_bounds_move_inside(p, answer);
  memcpy(control, answer, (size_t)p->n * sizeof *control);
  if (!ctl_bounds_too_dear(p, control)) return;
  for (int halving = 0; halving < 50; halving++) {
    double part = 0.5 * (low + high);
    for (int i = 0; i < p->n; i++) control[i] = bundle->at[i] + part * (answer[i] - bundle->at[i]);
    *(ctl_bounds_too_dear(p, control) ? &high : &low) = part;
  }
  for (int i = 0; i < p->n; i++) control[i] = bundle->at[i] + low * (answer[i] - bundle->at[i]);
}

/* Solves the quadratic problem and adds linear pieces until the error of every scenario is at most its variable t.
 * Returns the lowest J + rho stat found on the way, and stores its point in bundle->trial. Returns INFINITY if every
 * solution fails. least: lowest value found before; only lower values are stored. */
static double solve_pieces(CtlBundle *bundle, const bool *eligible, double least) {
  CtlBundleShared *shared = bundle->shared;
  CtlQp *qp = &shared->qp;
  lay_out(bundle);
  for (int round = 0; round < ROUNDS; round++) {
    if (!ctl_qp_solve(qp)) break;
    hold_effort(bundle, qp->z, shared->point);
    double P = evaluate_model(bundle, shared->point);
    if (P < least) {
      least = P;
      memcpy(bundle->trial, shared->point, (size_t)shared->n * sizeof *shared->point);
    }
    evaluate_model(bundle, qp->z);
    if (!add_worst(bundle, eligible, qp->z + shared->n)) break;
  }
  return least;
}

/* Returns the natural logarithm of the ratio of J at the solution to effort_at_most. */
static double effort_excess(const CtlBundleShared *shared) {
  return log(ctl_cost(shared->problem, shared->qp.z) / shared->problem->effort_at_most);
}

/* Finds the price, an additional weight of J, for which J equals effort_at_most. The unknown is the logarithm of the
 * price, since J is roughly a power of the price. The search begins at the price of the previous step, continues by
 * factors of ten until the limit lies between two prices, then by the Illinois rule. Returns the lowest J + rho stat
 * found. */
static double find_price(CtlBundle *bundle, const bool *eligible, double first, double least) {
  /* logarithms of a price that is too low and of one that is too high; logarithms of J / effort_at_most for both */
  double at = log(first), ends[2] = {NAN, NAN}, values[2] = {0};
  for (int k = 0, last = -1; k < PRICES && fabs(at) < log(PRICE_MAX); k++) {
    bundle->price = exp(at);
    least = solve_pieces(bundle, eligible, least);
    double value = effort_excess(bundle->shared);
    int side = value <= 0;
    ends[side] = at;
    values[side] = value;
    if (side == last) values[!side] /= 2;
    last = side;
    double width = ends[1] - ends[0];
    if (fabs(value) <= EFFORT_TOLERANCE || width <= EFFORT_TOLERANCE) break;
    if (isnan(width))
      at += side ? -log(10) : log(10);
    else
      at = isfinite(values[1]) ? ends[0] + width * values[0] / (values[0] - values[1]) : ends[0] + width / 2;
  }
  return least;
}

double ctl_bundle_step(CtlBundle *bundle) {
  CtlBundleShared *shared = bundle->shared;
  double before = bundle->price;
  bool eligible[CTL_SCENARIOS_MAX];
  shared->qp.m = 0;
  memcpy(shared->qp.z, bundle->at, (size_t)shared->n * sizeof *bundle->at);
  evaluate_model(bundle, bundle->at);
  for (int s = 0; s < shared->scenarios; s++) eligible[s] = scenario_counts(shared, shared->error, s);
  for (int k = 0; k < shared->tops; k++) shared->qp.z[shared->n + k] = shared->error[k];
  add_worst(bundle, eligible, NULL);
  bundle->price = 0;
  double least = solve_pieces(bundle, eligible, INFINITY);
  if (!(shared->problem->effort_at_most > 0) || effort_excess(shared) <= 0) return least;
  return find_price(bundle, eligible, before > 0 ? before : 1, least);
}
