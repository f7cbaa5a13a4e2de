/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/dashpot.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* If the load exceeds its threshold at the start of a segment by more than this times its rounding error, a force has
 * jumped there. */
static const double JUMP = 1000; /* smallest difference that counts as a jump, as a multiple of the rounding error */
/* Two solutions w of V(w) = q, the law at the speed q, count as one if their relative difference is below this: near a
 * fold (an extremum of V) such a difference is rounding error. */
static const double DOUBLE = 1e-6;
/* A root this close to the start of a segment, as a fraction of the segment, counts as a root at the start. */
static const double JUST = 1e-12;
/* maximum number of Newton steps that refine the time of a tie (look_at_ties) */
enum { REFINEMENTS = 50 };

typedef struct Search {
  DashpotMotion *motion;
  int order;
  double p[DASHPOT_ROWS]; /* coefficients of a function of z that is positive until the event */
} Search;

/* Sets the polynomial search->p to scale (series - bound). */
static void take(Search *search, const double *series, double scale, double bound) {
  for (int k = 0; k <= search->order; k++) search->p[k] = scale * series[k];
  search->p[0] -= scale * bound;
}

/* Finds the time at which p becomes negative. If it is before m->part, sets m->part to it and m->crossing to the event.
 * Leading coefficients of p that are 0 are skipped, and so are the first `ties` coefficients. */
static void look(Search *search, int ties, DashpotCrossing crossing) {
  DashpotMotion *m = search->motion;
  const double *p = search->p;
  int zeros = ties;
  while (zeros <= search->order && p[zeros] == 0) zeros++;
  if (zeros > search->order) return;
  if (p[zeros] < 0)
    m->part = 0;
  else if (!polynomial_first_root(search->order - zeros, p + zeros, m->part, &m->part))
    return;
  m->crossing = crossing;
}

/* Finds the time at which p becomes negative, as `look` does. p is 0 at the segment's start, because the motion's mode
 * has just been decided there; p(0) may differ from 0 by the rounding error `doubt`. */
static void look_doubtful(Search *search, double doubt, DashpotCrossing crossing) {
  double *p = search->p;
  p[0] += doubt;
  if (p[0] < doubt && p[0] > -JUMP * doubt) p[0] = doubt;
  look(search, 0, crossing);
}

static void look_at_contact(const DashpotSystem *s, Search *search) {
  const SimProblem *p = dashpot_problem_of(s);
  const DashpotMotion *m = search->motion;
  double place = p->dashpot.support_position;
  if (!p->dashpot.has_support) return;
  bool touches = m->at.x > place || (m->at.x == place && m->at.slip > 0);
  take(search, m->segment.x, touches ? 1 : -1, place);
  look(search, 0, DASHPOT_CONTACT);
}

/* Finds when the force w reaches an end of its branch of the law, or when the speed q reaches the speed of a fold (an
 * extremum of V), at which other branches begin. */
static void look_at_folds(const DashpotSystem *s, Search *search) {
  DashpotMotion *m = search->motion;
  long branch = m->at.branch;
  for (long j = 0; j < s->law.n_folds; j++) {
    bool top = j % 2 == 0; /* whether V has a maximum at fold j; the two branches that meet there then exist at lower
                            * speeds only */
    double before = m->part;
    if (j == branch || j == branch - 1) {
      take(search, m->segment.w, j == branch ? -1 : 1, s->law.fold[j]);
      look(search, 0, DASHPOT_TURNS);
    } else if (top ? m->at.q >= s->level[j] : m->at.q <= s->level[j]) {
      take(search, m->segment.q, top ? 1 : -1, s->level[j]);
      /* q is set to exactly the speed of the fold at an event, so any difference is rounding error */
      if (m->at.q == s->level[j]) search->p[0] = 0;
      int zeros = 0;
      while (zeros < search->order && search->p[zeros] == 0) zeros++;
      if (search->p[zeros] > 0) look(search, 0, DASHPOT_TURNS);
    }
    if (m->part < before) m->fold = j;
  }
}

/* Returns (V(r) - V(w))/(r - w) at z, where r = 2 mu - w is the mirror image of w at mu, by synthetic division. The
 * result is 0 if r has the same speed as w: then r is a solution on another branch, as near to mu as w. */
static double tie_at(const DashpotSystem *s, const DashpotSegment *g, double z) {
  double w = dashpot_at(g, g->w, z), r = 2 * dashpot_at(g, g->mu, z) - w;
  double b = 0, sum = 0, way = 1, terms[DASHPOT_DEGREE_MAX + 1] = {0};
  for (int j = s->law.degree; j >= 1; j--) terms[j] = b = b * w + s->law.coefficient[j];
  for (int j = 1; j <= s->law.degree; j++, way *= r) sum += terms[j] * way;
  return sum;
}

/* Computes the function of tie_at as a series in z. Its sign is chosen so that the function is positive while w is
 * nearer to mu than the solution on the other branch. Orders beyond the segment's order are omitted. */
static void expand_tie(const DashpotSystem *s, Search *search) {
  const DashpotMotion *m = search->motion;
  const DashpotSegment *g = &m->segment;
  double b[DASHPOT_DEGREE_MAX + 1][DASHPOT_ROWS] = {{0}}, r[DASHPOT_ROWS], sum[DASHPOT_ROWS] = {0}, next[DASHPOT_ROWS];
  int degree = s->law.degree, order = search->order;
  for (int k = 0; k <= order; k++) r[k] = 2 * g->mu[k] - g->w[k];
  b[degree][0] = s->law.coefficient[degree];
  for (int j = degree - 1; j >= 1; j--) {
    dashpot_multiply(order, b[j + 1], g->w, b[j]);
    b[j][0] += s->law.coefficient[j];
  }
  for (int j = degree; j >= 1; j--) {
    dashpot_multiply(order, sum, r, next);
    for (int k = 0; k <= order; k++) sum[k] = next[k] + b[j][k];
  }
  take(search, sum, m->at.branch % 2 ? -1 : 1, 0);
}

/* Returns 1 if r = 2 mu - w, the mirror image of the force w at the load mu, is above a bound at the segment's start,
 * else -1. The segment ends at the time when r passes the bound. */
static int side_of(const DashpotSystem *s, Search *search, double bound) {
  const DashpotSegment *g = &search->motion->segment;
  double r[DASHPOT_ROWS] = {0};
  int zeros = 0;
  for (int k = 0; k <= search->order; k++) r[k] = 2 * g->mu[k] - g->w[k];
  r[0] -= bound;
  bool just = fabs(r[0]) <= dashpot_doubt(s, search->motion) || fabs(r[0]) <= JUST * fabs(r[1]);
  if (just) r[0] = 0; /* r passes the bound at the segment's start */
  while (zeros < search->order && r[zeros] == 0) zeros++;
  int side = r[zeros] < 0 ? -1 : 1;
  take(search, r, side, 0);
  look(search, 0, DASHPOT_PAUSES);
  return side;
}

/* Returns the number of leading coefficients of the series of expand_tie that are 0 at the segment's start. At a fold
 * of V this number is 1: there w coincides with its mirror image r = 2 mu - w at the load mu. */
static int ties_of(const DashpotMotion *m) { return m->at.mode == DASHPOT_DEPARTS ? 1 : (int)m->at.ties; }

/* Whether another force w with the same speed V(w) = q is nearer to the load mu than the current w. This happens if the
 * load has jumped, possibly past several branches. */
static bool has_jumped(const DashpotSystem *s, const DashpotMotion *m) {
  double w[DASHPOT_DEGREE_MAX], mu = m->segment.mu[0], near = fabs(m->at.w - mu) - JUMP * dashpot_doubt(s, m);
  StepTally tally = {0};
  int n = ties_of(m) == 0 ? dashpot_line_meet(&s->law, m->at.q, w, &tally) : 0;
  bool jumped = false;
  for (int i = 0; i < n; i++) jumped = jumped || (fabs(w[i] - mu) < near && fabs(w[i] - m->at.w) > DOUBLE * m->at.w);
  return jumped;
}

/* Finds when the force w of another branch becomes as near to the load mu as the current w. Newton steps correct the
 * error of the omitted orders of the series. */
static void look_at_ties(const DashpotSystem *s, Search *search) {
  DashpotMotion *m = search->motion;
  /* the polynomial V describes the law only for w >= 0, and beyond s->reach no other w has the same speed */
  int above = side_of(s, search, 0), beyond_reach = side_of(s, search, s->reach);
  if (has_jumped(s, m)) {
    m->part = 0;
    m->crossing = DASHPOT_JUMPED;
    return;
  }
  if (above < 0 || beyond_reach > 0) return;
  double sign = m->at.branch % 2 ? -1 : 1, before = m->part;
  DashpotCrossing otherwise = m->crossing;
  expand_tie(s, search);
  bool beyond = ties_of(m) == 0 && search->p[0] < 0;
  look(search, ties_of(m), beyond ? DASHPOT_JUMPED : DASHPOT_TIES);
  for (int k = 0; k < REFINEMENTS && m->crossing == DASHPOT_TIES && m->part > 0; k++) {
    double slope = 0, at = m->part;
    for (int j = search->order; j >= 1; j--) slope = slope * at + j * search->p[j];
    m->part = fmin(before, fmax(0, at - sign * tie_at(s, &m->segment, at) / slope));
    if (fabs(m->part - at) <= DBL_EPSILON * at) break;
  }
  if (m->crossing == DASHPOT_TIES && m->part > 0 && m->part == before)
    m->crossing = otherwise; /* the root is only an error of the truncated series, so the event found before remains */
}

static void look_at_level(const DashpotSystem *s, Search *search) {
  DashpotMotion *m = search->motion;
  double bounds[2], doubt = dashpot_doubt(s, m);
  dashpot_level_bounds(s, m->at.branch, bounds);
  for (int side = 0; side < 2; side++) {
    take(search, m->segment.mu, side ? -1 : 1, bounds[side]);
    bool jumped = search->p[0] < -JUMP * doubt;
    look_doubtful(search, doubt, jumped ? DASHPOT_JUMPED : DASHPOT_LEAVES);
  }
}

/* In mode DASHPOT_BETWEEN: finds when the w of one of the two branches reaches fold j. That branch ends there, on the
 * side away from the other branch. */
static void look_at_partner(const DashpotSystem *s, Search *search, long j) {
  DashpotMotion *m = search->motion;
  const DashpotSegment *g = &m->segment;
  double far[DASHPOT_ROWS], square[DASHPOT_ROWS], before = m->part;
  if (j < 0 || j >= s->law.n_folds) return;
  for (int k = 0; k <= search->order; k++) far[k] = g->mu[k] - (k ? 0 : s->law.fold[j]);
  dashpot_multiply(search->order, far, far, square);
  for (int k = 0; k <= search->order; k++) search->p[k] = square[k] - g->half[k];
  /* the force w starts at the fold, so the difference is rounding error */
  if (fabs(search->p[0]) <= JUMP * EVENT_DOUBT * g->half[0]) search->p[0] = 0;
  look(search, 0, DASHPOT_TURNS);
  if (m->part < before) m->fold = j;
}

static void look_between(const DashpotSystem *s, Search *search) {
  DashpotMotion *m = search->motion;
  const DashpotSegment *g = &m->segment;
  double mass = dashpot_problem_of(s)->dashpot.mass, rate[DASHPOT_ROWS] = {0}, square[DASHPOT_ROWS];
  for (int k = 0; k < search->order; k++) rate[k] = mass * (k + 1) * g->q[k + 1] / g->span;
  dashpot_multiply(search->order, rate, rate, square);
  for (int k = 0; k <= search->order; k++) search->p[k] = g->half[k] - square[k];
  look(search, 0, DASHPOT_LEAVES);
  for (long j = m->at.branch - 1; j <= m->at.branch + 1; j += 2) look_at_partner(s, search, j);
  if (fabs(g->q[0] - m->at.q) <= EVENT_DOUBT * JUMP * m->at.q) return;
  m->part = 0;
  m->crossing = DASHPOT_JUMPED;
}

static void look_at_slide(const DashpotSystem *s, Search *search) {
  DashpotMotion *m = search->motion;
  take(search, s->law.degree ? m->segment.w : m->segment.q, 1, 0);
  look(search, m->at.q == 0 ? (int)m->at.rest_order : 0, DASHPOT_RESTS);
  if (!s->law.n_folds) return;
  look_at_folds(s, search);
  if (s->law.selection == SIM_NEAREST_VELOCITY) look_at_ties(s, search);
}

static void look_at_stick(const DashpotSystem *s, Search *search) {
  DashpotMotion *m = search->motion;
  double doubt = dashpot_doubt(s, m);
  for (int side = -1; side <= 1; side += 2) {
    take(search, m->segment.mu, -side, side * s->law.f_crit);
    look_doubtful(search, doubt, DASHPOT_RESTS);
  }
}

void dashpot_find_crossing(const DashpotSystem *s, DashpotMotion *m) {
  Search search = {.motion = m, .order = m->segment.order};
  m->part = 1;
  m->crossing = DASHPOT_GOES_ON;
  take(&search, m->segment.clock, -1, 1);
  look(&search, 0, DASHPOT_GOES_ON);
  switch ((DashpotMode)m->at.mode) {
  case DASHPOT_STICKS: look_at_stick(s, &search); return;
  case DASHPOT_SLIDES:
  case DASHPOT_DEPARTS: look_at_slide(s, &search); break;
  case DASHPOT_LEVEL: look_at_level(s, &search); break;
  case DASHPOT_BETWEEN: look_between(s, &search); break;
  }
  look_at_contact(s, &search);
}
