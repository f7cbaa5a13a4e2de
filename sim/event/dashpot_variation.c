/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/dashpot_variation.h"

#include "sim/event/variation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ORDER: order of all series. PASSES: maximum number of passes of a fixed-point iteration for a series. MOST_PIECES:
 * maximum number of pieces of a segment, each with its own series. */
enum { ORDER = POLYNOMIAL_ORDER, PASSES = 60, MOST_PIECES = 4000 };
/* A piece of a segment is skipped if it is a smaller fraction of the segment than this. */
static const double SHORTEST = 1e-15;
/* REACH: longest piece of a segment for one series, as a multiple of 1/s, with s the rate of the fastest mode, in 1/s.
 * GONE: number of relaxation times after which a deviation from the slow solution has decayed. */
static const double REACH = 3, GONE = 40;
/* SMALL: relative truncation error of series. TOUCH: if a mass stops under a force below this fraction of f_crit, its
 * velocity has only touched 0. FOLDED: if w and mu differ by less than this, relatively, two equally near solutions w
 * count as one fold. */
static const double SMALL = 1e-13, TOUCH = 1e-6, FOLDED = 1e-5;

/* A part of a segment. Its series are in powers of a variable z that goes from 0 to 1 in this part. K and R are defined
 * in dashpot_variation.h. */
typedef struct Piece {
  double clock[ORDER + 1];    /* dt/dz in s */
  double rate[ORDER + 1];     /* slope R = V'(w) of the law, m/(N s); for Coulomb's law 1 */
  double inertia[ORDER + 1];  /* m R/t', the factor of the derivative X_v' in its equation */
  double share[2][ORDER + 1]; /* weights of dF, the derivative of the force, at the two nodes of the control around the
                               * piece */
  double stiffness;           /* K of dashpot_variation.h, in N/m */
  double drag;                /* factor of X_v in its equation: 1; for Coulomb's law 0 */
} Piece;

/* Series of X_x and X_v along a piece. These series have one order more than the series of the piece. */
typedef struct Course {
  double x[VARIATION_ORDER + 2], v[VARIATION_ORDER + 2];
} Course;

static const DashpotLink identity = {.map = {{1, 0}, {0, 1}}, .smooth = true};

/* Returns coefficient n of the product a b of two series, where a has orders up to ORDER. */
static double product(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i <= n && i <= ORDER; i++) sum += a[i] * b[n - i];
  return sum;
}

static double size_of(const double *a) {
  double sum = 0;
  for (int k = 0; k <= ORDER; k++) sum += fabs(a[k]);
  return sum;
}

/* Returns coefficient n of the series R (dF - K X_x), the right side of the equation of X_v. force: series of dF; NULL:
 * dF = 0. x: series of X_x. */
static double pull(const Piece *piece, const double *force, const double *x, int n) {
  double sum = -piece->stiffness * product(n, piece->rate, x);
  for (int i = 0; i <= n && force; i++)
    if (i <= ORDER && n - i <= ORDER) sum += piece->rate[i] * force[n - i];
  return sum;
}

/* Returns coefficient n of the product inertia X_v', without the terms with the first `known` coefficients of
 * inertia. */
static double inertia_beyond(const Piece *piece, int known, int n, const double *v) {
  double sum = 0;
  for (int i = known; i <= n && i <= ORDER; i++) sum += piece->inertia[i] * (n + 1 - i) * v[n + 1 - i];
  return sum;
}

/* Computes X_x and X_v at the end of a piece, end [2], from x0 and v0 at its start, by Taylor series. force: series of
 * dF; NULL: 0. Returns false if the series do not converge. */
static bool go_along(const Piece *piece, const double *force, double x0, double v0, double *end) {
  Course c;
  int small = 0;
  end[0] = c.x[0] = x0;
  end[1] = c.v[0] = v0;
  for (int n = 0; n <= VARIATION_ORDER; n++) {
    double sum = pull(piece, force, c.x, n) - piece->drag * c.v[n] - inertia_beyond(piece, 1, n, c.v);
    c.x[n + 1] = product(n, piece->clock, c.v) / (n + 1);
    c.v[n + 1] = sum / ((n + 1) * piece->inertia[0]);
    end[0] += c.x[n + 1];
    end[1] += c.v[n + 1];
    bool little = fabs(c.x[n + 1]) <= DBL_EPSILON * fabs(end[0]) && fabs(c.v[n + 1]) <= DBL_EPSILON * fabs(end[1]);
    small = little ? small + 1 : 0;
    if (small >= 2 && n > ORDER) return true;
  }
  return false;
}

static double largest(const double *a) { return polynomial_largest(ORDER + 1, a); }

static bool has_ended(const double *a) { return polynomial_tail(ORDER, a) <= SMALL * largest(a); }

static double sum_of(const double *a) {
  double sum = 0;
  for (int k = ORDER; k >= 0; k--) sum += a[k];
  return sum;
}

/* Computes, by a fixed-point iteration, the slow solution that starts with X_x = x0. In this solution X_v follows X_x
 * and the force without a fast transient. It is needed if the inertia m R/t' is small or starts at 0. Returns whether
 * the iteration converges. */
static bool follow(const Piece *piece, const double *force, double x0, Course *c) {
  double change = INFINITY;
  memset(c, 0, sizeof *c);
  c->x[0] = x0;
  for (int k = 0; k < PASSES && change > SMALL * largest(c->v); k++) {
    change = 0;
    for (int n = 0; n <= ORDER; n++) {
      double later = n < ORDER ? piece->inertia[0] * (n + 1) * c->v[n + 1] : 0;
      double v = (pull(piece, force, c->x, n) - later - inertia_beyond(piece, 2, n, c->v)) /
                 (piece->drag + n * piece->inertia[1]);
      if (!(fabs(v - c->v[n]) <= change)) change = fabs(v - c->v[n]);
      c->v[n] = v;
      c->x[n + 1] = product(n, piece->clock, c->v) / (n + 1);
    }
  }
  return change <= SMALL * largest(c->v) && has_ended(c->v) && has_ended(c->x);
}

/* Computes *beside = p_v/p_x at the start of the piece, for the slow solution of the adjoint equation, with p_v =
 * inertia pi. A solution that starts at (X_x, X_v) approaches the slow solution that starts with X_x + beside X_v.
 * Returns whether the computation has converged. */
static bool find_beside(const Piece *piece, double *beside) {
  double p[ORDER + 2] = {1}, pi[ORDER + 2] = {0}, change = INFINITY;
  for (int k = 0; k < PASSES && change > SMALL * largest(pi); k++) {
    change = 0;
    for (int n = 0; n <= ORDER; n++) {
      double later = (n + 1) * piece->inertia[0] * pi[n + 1];
      for (int i = 2; i <= n + 1 && i <= ORDER; i++) later += (n + 1) * piece->inertia[i] * pi[n + 1 - i];
      double next = (product(n, piece->clock, p) + later) / (1 - (n + 1) * piece->inertia[1]);
      if (!(fabs(next - pi[n]) <= change)) change = fabs(next - pi[n]);
      pi[n] = next;
      p[n + 1] = piece->stiffness * product(n, piece->rate, pi) / (n + 1);
    }
  }
  *beside = piece->inertia[0] * pi[0];
  return change <= SMALL * largest(pi) && has_ended(pi) && has_ended(p);
}

/* Computes the link over a piece if initial deviations from the slow solutions have decayed at its end. Returns false
 * if the slow solutions cannot be computed. */
static bool link_slow(const Piece *piece, DashpotLink *link) {
  Course own, driven;
  double beside = 0;
  if (!follow(piece, NULL, 1, &own)) return false;
  if (piece->inertia[0] != 0 && !find_beside(piece, &beside)) return false;
  double end[2] = {sum_of(own.x), sum_of(own.v)}, of_x = 1 / (1 + beside * own.v[0]), of_v = beside * of_x;
  for (int j = 0; j < 2; j++) {
    if (!follow(piece, piece->share[j], 0, &driven)) return false;
    link->force[0][j] = sum_of(driven.x) - end[0] * of_v * driven.v[0];
    link->force[1][j] = sum_of(driven.v) - end[1] * of_v * driven.v[0];
  }
  for (int i = 0; i < 2; i++) {
    link->map[i][0] = end[i] * of_x;
    link->map[i][1] = end[i] * of_v;
  }
  return true;
}

static bool link_series(const Piece *piece, DashpotLink *link) {
  double end[4][2];
  for (int j = 0; j < 4; j++)
    if (!go_along(piece, j < 2 ? NULL : piece->share[j - 2], j == 0, j == 1, end[j])) return false;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      link->map[i][j] = end[j][i];
      link->force[i][j] = end[2 + j][i];
    }
  return true;
}

static bool link_piece(const Piece *piece, DashpotLink *link) {
  double most = size_of(piece->inertia), least = 2 * fabs(piece->inertia[0]) - most;
  if (piece->inertia[0] == 0) return link_slow(piece, link);
  if (piece->inertia[0] > 0 && piece->drag > GONE * most) return link_slow(piece, link);
  if (!(least > 0)) return false;
  double a = size_of(piece->clock) * size_of(piece->rate) * piece->stiffness / least, b = piece->drag / least;
  return (b + sqrt(b * b + 4 * a)) / 2 <= REACH && link_series(piece, link);
}

/* Replaces `link` by the composed map: `link`, followed by `next`. */
static void append(DashpotLink *link, const DashpotLink *next) {
  DashpotLink sum = *next;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      sum.map[i][j] = next->map[i][0] * link->map[0][j] + next->map[i][1] * link->map[1][j];
      sum.force[i][j] += next->map[i][0] * link->force[0][j] + next->map[i][1] * link->force[1][j];
    }
  sum.smooth = link->smooth && next->smooth;
  *link = sum;
}

/* Returns the part [from, from + part] of the current segment as a Piece. */
static Piece piece_of(const DashpotSystem *s, const DashpotMotion *m, double from, double part) {
  const DashpotSegment *g = &m->segment;
  double width = m->driven.segment.width, mass = dashpot_problem_of(s)->dashpot.mass, slope[DASHPOT_ROWS];
  /* steady: z is proportional to time; linear: the control is piecewise linear */
  bool steady = true, linear = dashpot_problem_of(s)->signal == SIM_PIECEWISE_LINEAR;
  Piece piece = {.stiffness = dashpot_stiffness(s, m), .drag = s->law.degree > 0};
  const VariationRamp ramp = variation_ramp(&s->event, &m->driven);
  for (int k = 0; k < g->order; k++) piece.clock[k] = width * part * (k + 1) * g->clock[k + 1];
  for (int k = 1; k <= ORDER; k++) steady = steady && piece.clock[k] == 0;
  polynomial_part(ORDER, 1, piece.clock, from, part);
  dashpot_slope(s, m, from, part, slope);
  piece.rate[0] = 1;
  if (piece.drag > 0) memcpy(piece.rate, slope, sizeof piece.rate);
  piece.inertia[0] = (m->at.branch % 2 ? -mass : mass) / (g->span * part);
  for (int k = 0; k <= ORDER && steady; k++) piece.inertia[k] = mass * piece.rate[k] / piece.clock[0];
  if (m->at.mode == DASHPOT_BETWEEN) memset(piece.inertia, 0, sizeof piece.inertia);
  for (int k = 0; k <= g->order && linear; k++) piece.share[1][k] = ramp.rise * g->clock[k] + (k ? 0 : ramp.from);
  polynomial_part(ORDER, 1, piece.share[1], from, part);
  for (int k = 0; k <= ORDER; k++) piece.share[0][k] = (k == 0) - piece.share[1][k];
  return piece;
}

/* Computes the link over a segment as the product of links over pieces in which their series converge. A piece that is
 * as short as the rounding error of its position is skipped. */
static DashpotLink link_pieces(const DashpotSystem *s, const DashpotMotion *m, double until) {
  DashpotLink link = identity;
  double from = 0, part = 1;
  for (int k = 0; k < MOST_PIECES && from < 1; k++) {
    const Piece piece = piece_of(s, m, from * until, part * until);
    DashpotLink next = identity;
    if (part > SHORTEST && !link_piece(&piece, &next)) {
      part /= 2;
      continue;
    }
    append(&link, &next);
    from += part;
    while (part < 1 && fmod(from, 2 * part) == 0)
      part *= 2; /* deviations have decayed in this piece, so the next piece may be longer */
  }
  if (from < 1) {
    link.map[0][0] = link.map[1][1] = NAN;
    link.smooth = false;
  }
  return link;
}

DashpotLink dashpot_link_segment(const DashpotSystem *s, const DashpotMotion *m, double part) {
  DashpotLink link = identity;
  bool holds = m->at.mode == DASHPOT_STICKS || m->at.mode == DASHPOT_LEVEL;
  if (holds) {
    link.map[1][1] = 0;
  } else if (part > 0) {
    link = link_pieces(s, m, part);
  }
  link.node = m->driven.at.node;
  return link;
}

DashpotBefore dashpot_before(const DashpotSystem *s, const DashpotMotion *m) {
  const DashpotSegment *g = &m->segment;
  DashpotBefore before = {(DashpotMode)m->at.mode, m->crossing, m->at.slip, m->at.branch, 0, 0, 0};
  before.w = polynomial_value(g->order, 1, g->w, m->part);
  before.mu = polynomial_value(g->order, 1, g->mu, m->part);
  if (before.mode != DASHPOT_STICKS)
    before.a = (double)before.slip * (before.mu - before.w) / dashpot_problem_of(s)->dashpot.mass;
  return before;
}

/* Returns dq/dmu if two solutions of V(w) = q, w and `other`, are equally near to mu (mode DASHPOT_BETWEEN). */
static double tie_slope(const DashpotSystem *s, double w, double other) {
  double one = dashpot_line_slope(&s->law, w), next = dashpot_line_slope(&s->law, other);
  return 2 * one * next / (one + next);
}

/* Whether the quantity E of an event (dashpot_variation.h) only touches 0 without a change of sign. This is so if its
 * rate E', in m/s^2, is too small. */
static bool touches(const DashpotSystem *s, double rate) {
  return fabs(rate) * dashpot_problem_of(s)->dashpot.mass <= TOUCH * s->law.f_crit;
}

/* Computes the link of an event with a time that derivatives shift: X_v += by dE, with dE = of_v X_v + of_force (dF - K
 * X_x). */
static void jump(const DashpotSystem *s, const DashpotMotion *m, double by, double of_v, double of_force,
                 DashpotLink *link) {
  const Piece here = piece_of(s, m, 0, 1);
  link->map[1][0] = -by * of_force * here.stiffness;
  link->map[1][1] = 1 + by * of_v;
  for (int j = 0; j < 2; j++) link->force[1][j] = by * of_force * here.share[j][0];
}

DashpotLink dashpot_link_event(const DashpotSystem *s, const DashpotMotion *m, const DashpotBefore *before) {
  const DashpotSegment *g = &m->segment;
  DashpotLink link = identity;
  double mass = dashpot_problem_of(s)->dashpot.mass, sign = (double)before->slip;
  bool slid = before->mode == DASHPOT_SLIDES || before->mode == DASHPOT_DEPARTS;
  bool rests = slid && before->crossing == DASHPOT_RESTS;
  bool tied = slid && before->crossing == DASHPOT_TIES && fabs(before->mu - before->w) > FOLDED * before->w;
  double a = m->at.mode == DASHPOT_STICKS ? 0 : (double)m->at.slip * (g->mu[0] - g->w[0]) / mass, less = before->a - a;
  link.node = m->driven.at.node;
  link.stops = before->slip != 0 && m->at.slip == 0;
  if (rests) link.smooth = !touches(s, before->a) || s->law.f_crit <= 0;
  if (!slid || m->at.mode != DASHPOT_SLIDES || before->crossing == DASHPOT_JUMPED) return link;
  if (rests || before->crossing == DASHPOT_TURNS) {
    if (less != 0) jump(s, m, -less / before->a, 1, 0, &link);
    link.smooth = link.smooth && (less == 0 || !touches(s, before->a));
  } else if (tied) {
    double slope = tie_slope(s, before->w, 2 * before->mu - before->w),
           rate = before->a - sign * slope * dashpot_rise(s, m);
    jump(s, m, -less / rate, 1, -slope, &link);
    link.smooth = !touches(s, rate);
  } else if (m->at.branch != before->branch) { /* the load mu and the force w have reached a fold together */
    double rise = dashpot_rise(s, m);
    jump(s, m, -less / rise, 0, sign, &link);
    link.smooth = rise != 0;
  }
  return link;
}
