/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/dashpot.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* SHARE: truncation error allowed for a series, as a fraction of the tolerance. MARGIN: factor by which a segment that
 * is too long is shortened further than necessary. */
static const double SHARE = 0.01, MARGIN = 0.95;
/* Longest segment in sigma, in units of m, for which 24 orders of the series of exp(-sigma/m) suffice. */
static const double LONGEST = 8;
/* The excess w counts as following the load mu closely if two ratios are below this: their difference relative to the
 * forces, and the relaxation time m |V'| relative to the length of the segment. */
static const double FOLLOWS = 1e-2;
/* NEWTON_STEPS: maximum number of Newton steps for order 0 of a series. The others are for segments in which w follows
 * mu closely. CREEP_ORDER: order of their series. PASSES: maximum number of repetitions of creep_once. TRIALS: number
 * of lengths of a segment that are tried, each a quarter of the one before. */
enum { NEWTON_STEPS = 50, CREEP_ORDER = 16, PASSES = 40, TRIALS = 8 };

void dashpot_multiply(int order, const double *a, const double *b, double *p) {
  for (int n = 0; n <= order; n++) {
    double sum = 0;
    for (int i = 0; i <= n; i++) sum += a[i] * b[n - i];
    p[n] = sum;
  }
}

/* Computes the series of the polynomial sum_j b_j y^j, where y is a series, up to an order, by Horner's rule. `sum` has
 * space for DASHPOT_ROWS coefficients. */
static void compose(int order, int degree, const double *b, const double *y, double *sum) {
  double next[DASHPOT_ROWS];
  memset(sum, 0, DASHPOT_ROWS * sizeof *sum);
  for (int j = degree; j >= 0; j--) {
    dashpot_multiply(order, sum, y, next);
    next[0] += b[j];
    memcpy(sum, next, (size_t)(order + 1) * sizeof *sum);
  }
}

/* Computes coefficient n of the series force(clock(z)), the force as a function of z. Coefficients of the clock (time)
 * beyond order `terms` are taken as 0. */
static void compose_force(DashpotMotion *m, int n, int terms) {
  DashpotSegment *g = &m->segment;
  int order = m->driven.segment.force_order;
  for (int j = n < order ? n : order; j >= 0; j--) {
    int k = n - j;
    double sum = k ? 0 : m->force[j];
    for (int i = 1; j < order && i <= k && i <= terms; i++) sum += g->clock[i] * g->nested[j + 1][k - i];
    g->nested[j][k] = sum;
  }
  g->force[n] = g->nested[0][n];
}

static void find_mu(const DashpotSystem *s, DashpotMotion *m, int n) {
  DashpotSegment *g = &m->segment;
  double stiffness = dashpot_stiffness(s, m);
  g->mu[n] = n ? dashpot_sign(m) * (g->force[n] - stiffness * g->x[n]) : dashpot_load(s, m);
  /* the decision has found that mu - w is 0 up to this order; the computed value is rounding error */
  if (n < m->at.rest_order) g->mu[n] = n ? 0 : m->at.w;
}

/* Computes coefficient n of the series |V'(w)|, the slope of the law. */
static void find_rate(const DashpotSystem *s, DashpotMotion *m, int n) {
  DashpotSegment *g = &m->segment;
  int top = s->law.degree - 1;
  for (int j = top; j >= 0; j--) {
    double sum = n ? 0 : (j + 1) * s->law.coefficient[j + 1];
    for (int i = 0; j < top && i <= n; i++) sum += g->w[i] * g->slope[j + 1][n - i];
    g->slope[j][n] = sum;
  }
  g->rate[n] = top < 0 ? n == 0 : m->at.branch % 2 ? -g->slope[0][n] : g->slope[0][n];
}

/* In mode DASHPOT_SLIDES: computes coefficient n + 1 of the series of force w, speed q, position x and clock (time). */
static void slide_on(const DashpotSystem *s, DashpotMotion *m, int n) {
  const SimProblem *p = dashpot_problem_of(s);
  DashpotSegment *g = &m->segment;
  double by = g->span / (n + 1), q = 0, x = 0;
  find_rate(s, m, n);
  g->pull[n] = (g->mu[n] - g->w[n]) / p->dashpot.mass;
  for (int i = 0; i <= n; i++) {
    q += g->rate[i] * g->pull[n - i];
    x += g->rate[i] * g->q[n - i];
  }
  g->w[n + 1] = s->law.degree == 0 ? 0 : (m->at.branch % 2 ? -by : by) * g->pull[n];
  g->q[n + 1] = by * q;
  g->x[n + 1] = by * dashpot_sign(m) * x;
  g->clock[n + 1] = by * g->rate[n] / m->driven.segment.width;
}

/* In mode DASHPOT_DEPARTS, in which z is time: returns coefficient n of w from m dV(w)/dt = mu - w, with V'(w_0) = 0
 * and w_0 = mu_0. */
static double departing(const DashpotSystem *s, const DashpotMotion *m, int n) {
  const DashpotSegment *g = &m->segment;
  double b[DASHPOT_DEGREE_MAX + 1], y[DASHPOT_ROWS] = {0}, sum[DASHPOT_ROWS], next[DASHPOT_ROWS];
  double mass = dashpot_problem_of(s)->dashpot.mass * (n + 1) / g->span;
  memcpy(b, s->law.coefficient, sizeof b);
  polynomial_part(s->law.degree, 1, b, m->at.w, 1);
  double root = 1 + sqrt(fmax(0, 1 + 4 * mass * b[2] * g->mu[1]));
  if (n == 1) return m->at.branch % 2 ? -root / (2 * mass * b[2]) : 2 * g->mu[1] / root;
  memcpy(y + 1, g->w + 1, (size_t)(n - 1) * sizeof *y);
  compose(n + 1, s->law.degree - 2, b + 2, y, sum);
  dashpot_multiply(n + 1, sum, y, next);
  dashpot_multiply(n + 1, next, y, sum);
  return (g->mu[n] - mass * sum[n + 1]) / (1 + 2 * mass * b[2] * g->w[1]);
}

/* Computes the series of V^(j)(mu)/j!, the coefficients of V about mu, up to an order; V^(j) is the j-th derivative. */
static void derive(const DashpotSystem *s, const DashpotSegment *g, int order, int j, double *a) {
  double b[DASHPOT_DEGREE_MAX + 1];
  for (int k = s->law.degree; k >= j; k--) {
    double binomial = 1;
    for (int i = 1; i <= j; i++) binomial = binomial * (k - j + i) / i;
    b[k - j] = binomial * s->law.coefficient[k];
  }
  compose(order, s->law.degree - j, b, g->mu, a);
}

/* Computes the series a[first] + a[first + 2] h + a[first + 4] h^2 up to an order, with h = g->half. */
static void evaluate(const DashpotSegment *g, int order, double a[][DASHPOT_ROWS], int first, double *sum) {
  double next[DASHPOT_ROWS];
  memcpy(sum, a[first + 4], (size_t)(order + 1) * sizeof *sum);
  for (int j = first + 2; j >= first; j -= 2) {
    dashpot_multiply(order, sum, g->half, next);
    for (int k = 0; k <= order; k++) sum[k] = next[k] + a[j][k];
  }
}

/* In mode DASHPOT_BETWEEN: computes the series of dq/dmu = e - o^2/(2 a_3 + 4 a_5 h). Here h is g->half, a_j is the
 * series of `derive`, and V'(mu +- sqrt(h)) = e +- sqrt(h) o defines e and o. As a_1 + a_3 h + a_5 h^2 = 0, e = h (2
 * a_3 + 4 a_5 h). */
static void find_between_slope(const DashpotSystem *s, const DashpotSegment *g, double *slope) {
  double a[6][DASHPOT_ROWS], e[DASHPOT_ROWS], o[DASHPOT_ROWS], d[DASHPOT_ROWS], square[DASHPOT_ROWS];
  int order = g->order;
  for (int j = 2; j < 6; j++) derive(s, g, order, j, a[j]);
  dashpot_multiply(order, a[4], g->half, o);
  dashpot_multiply(order, a[5], g->half, d);
  for (int k = 0; k <= order; k++) {
    o[k] = 2 * a[2][k] + 4 * o[k];
    d[k] = 2 * a[3][k] + 4 * d[k];
  }
  dashpot_multiply(order, d, g->half, e);
  dashpot_multiply(order, o, o, square);
  for (int k = 0; k <= order; k++) { /* power series division: `square` becomes o^2/d */
    for (int i = 1; i <= k; i++) square[k] -= d[i] * square[k - i];
    square[k] /= d[0];
    slope[k] = e[k] - square[k];
  }
}

void dashpot_slope(const DashpotSystem *s, const DashpotMotion *m, double from, double part, double *slope) {
  const DashpotSegment *g = &m->segment;
  double w[DASHPOT_ROWS] = {0}, b[DASHPOT_DEGREE_MAX];
  memset(slope, 0, DASHPOT_ROWS * sizeof *slope);
  if (m->at.mode == DASHPOT_BETWEEN) {
    find_between_slope(s, g, slope);
    polynomial_part(g->order, 1, slope, from, part);
    return;
  }
  memcpy(w, g->w, (size_t)(g->order + 1) * sizeof *w);
  polynomial_part(g->order, 1, w, from, part);
  for (int j = s->law.degree; j >= 1; j--) b[j - 1] = j * s->law.coefficient[j];
  compose(POLYNOMIAL_ORDER, s->law.degree - 1, b, w, slope);
  /* the exact value is 0; the computed one has a rounding error */
  if (m->at.mode == DASHPOT_DEPARTS && from == 0) slope[0] = 0;
}

/* In mode DASHPOT_BETWEEN: computes coefficient n of h = g->half and of q, from V(mu - sqrt(h)) = V(mu + sqrt(h)) =
 * q. */
static void find_between(const DashpotSystem *s, DashpotMotion *m, int n) {
  DashpotSegment *g = &m->segment;
  double a[6][DASHPOT_ROWS], odd[DASHPOT_ROWS], even[DASHPOT_ROWS];
  for (int j = 0; j < 6; j++) derive(s, g, n, j, a[j]);
  g->half[n] = n ? 0 : (g->mu[0] - m->at.w) * (g->mu[0] - m->at.w);
  for (int k = 0; k < (n ? 1 : NEWTON_STEPS); k++) {
    evaluate(g, n, a, 1, odd);
    double step = odd[n] / (a[3][0] + 2 * a[5][0] * g->half[0]);
    g->half[n] -= step;
    if (fabs(step) <= DBL_EPSILON * fabs(g->half[n])) break;
  }
  evaluate(g, n, a, 0, even);
  g->q[n] = even[n];
}

/* In modes in which z is time: computes coefficient n + 1 of x and of the clock (time). */
static void pass_time(DashpotMotion *m, int n) {
  DashpotSegment *g = &m->segment;
  g->x[n + 1] = dashpot_sign(m) * g->span / (n + 1) * g->q[n];
  g->clock[n + 1] = n ? 0 : g->span / m->driven.segment.width;
}

static void advance(const DashpotSystem *s, DashpotMotion *m, int n) {
  DashpotSegment *g = &m->segment;
  double mass = dashpot_problem_of(s)->dashpot.mass;
  bool steady = m->at.mode != DASHPOT_SLIDES || s->law.degree <= 1;
  compose_force(m, n, steady ? 1 : n);
  find_mu(s, m, n);
  switch ((DashpotMode)m->at.mode) {
  case DASHPOT_SLIDES: slide_on(s, m, n); return;
  case DASHPOT_DEPARTS:
    if (n) g->w[n] = departing(s, m, n);
    g->q[n + 1] = n ? g->span * (g->mu[n] - g->w[n]) / (mass * (n + 1)) : 0;
    break;
  case DASHPOT_LEVEL:
    g->w[n] = g->mu[n];
    g->q[n + 1] = 0;
    break;
  case DASHPOT_BETWEEN:
    find_between(s, m, n);
    if (n) g->w[n - 1] = g->mu[n - 1] - mass * n * g->q[n] / g->span;
    break;
  case DASHPOT_STICKS: g->q[n + 1] = g->w[n] = 0; break;
  }
  pass_time(m, n);
}

enum { SERIES = 5 };
static void list_series(DashpotSegment *g, double *series[SERIES]) {
  double *const list[SERIES] = {g->clock, g->x, g->q, g->w, g->mu};
  memcpy(series, list, sizeof list);
}

static void start_series(DashpotMotion *m) {
  DashpotSegment *g = &m->segment;
  g->clock[0] = 0;
  g->x[0] = m->at.x;
  g->q[0] = m->at.q;
  g->w[0] = m->at.w;
}

bool dashpot_can_be_between(const DashpotSystem *s, DashpotMotion *m) {
  DashpotSegment *g = &m->segment;
  g->span = m->driven.segment.width;
  start_series(m);
  for (int n = 0; n < 2; n++) advance(s, m, n);
  double force = dashpot_problem_of(s)->dashpot.mass * g->q[1] / g->span;
  return g->half[0] > force * force;
}

/* Computes all series order by order until the coefficients of two successive orders are small. Returns false if the
 * maximum order is reached before. */
static bool expand(const DashpotSystem *s, DashpotMotion *m) {
  DashpotSegment *g = &m->segment;
  double small = SHARE * s->event.tolerance, most[SERIES] = {0}, *series[SERIES];
  int least = m->driven.segment.force_order + 3;
  bool before = false;
  list_series(g, series);
  start_series(m);
  for (int n = 0;; n++) {
    bool now = n >= least;
    advance(s, m, n);
    int known = m->at.mode == DASHPOT_BETWEEN && n ? n - 1 : n;
    for (int k = 0; k < SERIES; k++) {
      double share = fabs(series[k][known]);
      most[k] = fmax(most[k], share);
      now = now && share <= small * most[k] && most[k] < INFINITY;
    }
    g->order = known;
    if (n == POLYNOMIAL_ORDER || (now && before)) return now && before;
    before = now;
  }
}

/* Returns the truncation error of a segment: the largest ratio, over all series, of the last two coefficients to the
 * largest one; INFINITY if a coefficient is not finite. */
static double remainder_of(DashpotSegment *g) {
  double worst = 0, *series[SERIES];
  list_series(g, series);
  for (int k = 0; k < SERIES; k++) {
    double last = polynomial_tail(g->order, series[k]), most = polynomial_largest(g->order + 1, series[k]);
    if (isnan(most)) return INFINITY;
    if (last > 0) worst = fmax(worst, last / most);
  }
  return worst;
}

static void shorten(DashpotSegment *g, double part) {
  double *series[SERIES];
  list_series(g, series);
  for (int k = 0; k < SERIES; k++) polynomial_part(g->order, 1, series[k], 0, part);
  polynomial_part(g->order, 1, g->force, 0, part);
  polynomial_part(g->order, 1, g->half, 0, part);
  g->span *= part;
}

/* Halves the segment until the force's piece does not end in its first half. If w grows without bound, the clock (time)
 * grows as its fifth power, for example to 1e50. Then an event near the start would be smaller than the clock's
 * rounding error. */
static void leave_out_later(DashpotSegment *g) {
  double part = 1;
  while (dashpot_at(g, g->clock, part / 2) > 1) part /= 2;
  if (part < 1) shorten(g, part);
}

/* Performs one pass of a fixed-point iteration for m dV(w)/dt = mu - w in time. It is used for a fast dash-pot, where w
 * follows the load mu, and series in sigma would cover short times only. A pass computes all orders. Returns the
 * largest change of a coefficient of w. */
static double creep_once(const DashpotSystem *s, DashpotMotion *m) {
  DashpotSegment *g = &m->segment;
  double mass = dashpot_problem_of(s)->dashpot.mass, change = 0;
  compose(g->order, s->law.degree, s->law.coefficient, g->w, g->q);
  for (int n = 0; n <= g->order; n++) {
    compose_force(m, n, 1);
    find_mu(s, m, n);
    pass_time(m, n);
    double w = g->mu[n] - (n < g->order ? mass * (n + 1) * g->q[n + 1] / g->span : 0);
    if (!(fabs(w - g->w[n]) <= change)) change = fabs(w - g->w[n]);
    g->w[n] = w;
  }
  return change;
}

/* Repeats creep_once. Returns whether the passes converge to a series with small last coefficients. *far: difference
 * between this series and at.w at the start, in excess of rounding error, in N. */
static bool creep_over(const DashpotSystem *s, DashpotMotion *m, double *far) {
  DashpotSegment *g = &m->segment;
  double small = SHARE * s->event.tolerance, most = 0, change = INFINITY;
  g->order = CREEP_ORDER;
  g->clock[0] = 0;
  g->x[0] = m->at.x;
  memset(g->w, 0, sizeof g->w);
  g->w[0] = most = m->at.w;
  double enough = small * most + dashpot_doubt(s, m);
  for (int k = 0; k < PASSES && isfinite(most) && change > enough; k++) {
    change = creep_once(s, m);
    most = polynomial_largest(g->order + 1, g->w);
    enough = small * most + dashpot_doubt(s, m);
  }
  *far = fabs(g->w[0] - m->at.w) - enough;
  double enough_q = small * polynomial_largest(g->order + 1, g->q) + g->rate[0] * dashpot_doubt(s, m);
  return isfinite(enough) && change <= enough && polynomial_tail(g->order, g->w) <= enough &&
         polynomial_tail(g->order, g->q) <= enough_q &&
         polynomial_tail(g->order, g->x) <= small * polynomial_largest(g->order + 1, g->x);
}

/* Tries creep_over with shorter and shorter segments. Returns whether one of the series begins at the motion's
 * state. */
static bool creep(const DashpotSystem *s, DashpotMotion *m) {
  DashpotSegment *g = &m->segment;
  double relaxation = dashpot_problem_of(s)->dashpot.mass * g->rate[0], far;
  double follows = FOLLOWS * (s->law.f_crit + m->at.w) + dashpot_doubt(s, m);
  if (m->at.w == 0 && m->at.rest_order == 0) return false;
  if (fabs(dashpot_load(s, m) - m->at.w) > follows) return false;
  g->span = m->driven.segment.width;
  for (int k = 0; k < TRIALS && g->span * FOLLOWS > relaxation; k++, g->span /= 4)
    if (creep_over(s, m, &far)) return far <= 0;
  return false;
}

void dashpot_expand(const DashpotSystem *s, DashpotMotion *m) {
  DashpotSegment *g = &m->segment;
  double small = SHARE * s->event.tolerance, rest, mass = dashpot_problem_of(s)->dashpot.mass;
  g->span = m->driven.segment.width;
  if (m->at.mode == DASHPOT_SLIDES && s->law.degree > 0) {
    g->w[0] = m->at.w;
    find_rate(s, m, 0);
    if (m->at.branch % 2 == 0 && mass * g->rate[0] < FOLLOWS * m->driven.segment.width && creep(s, m)) return;
    g->span = LONGEST * mass;
    if (g->rate[0] * g->span > m->driven.segment.width) g->span = m->driven.segment.width / g->rate[0];
  }
  while (!expand(s, m) && g->span > 0) {
    rest = remainder_of(g);
    if (!isfinite(rest)) { /* the segment is so long that powers of its length overflow */
      g->span *= DBL_EPSILON;
      continue;
    }
    while ((rest = remainder_of(g)) > small) shorten(g, MARGIN * pow(small / rest, 1.0 / (g->order - 1)));
    break;
  }
  leave_out_later(g);
}
