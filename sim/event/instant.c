/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/residual.h"

#include "sim/base/curve.h"
#include "sim/joint/springs.h"
#include "sim/joint/surface.h"
#include "sim/joint/threshold.h"
#include "sim/joint/viscous.h"
#include "sim/law/friction_force.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* If a residual, relative to the row's largest term, is below this, its rounding error need not be computed. */
static const double SMALL = 1e-11;
/* ROUND_OFF: rounding error of a polynomial's value, relative to its largest coefficient. FORCE_ROUND_OFF: rounding
 * error of f, relative to the largest coefficient of all pieces of f. */
static const double ROUND_OFF = 16 * DBL_EPSILON, FORCE_ROUND_OFF = 256 * DBL_EPSILON;
/* Error of the pieces of a spring law, relative to the largest force between the piece and the nearest centre of the
 * law (sim/base/pieces.h). */
static const double LAW_ROUND_OFF = 64 * DBL_EPSILON;
/* Distances from an elongation e, relative to |x|, at which a spring law is evaluated to estimate its rounding error.
 * The distances are uneven, so that the rounding errors differ. */
static const double BESIDE[] = {-9.1e-10, -5.7e-10, -3.6e-10, -1.3e-10, 2.2e-10, 4.8e-10, 6.9e-10, 1e-9};

/* Evaluates the series of x, v and lambda, and the slopes of x and v, at the fraction at->part of the segment. */
static void take_series(const EventSystem *s, const EventMotion *m, Instant *at) {
  const EventSegment *g = &m->segment;
  int d = s->d;
  double part = at->part;
  for (int i = 0; i < d; i++) at->x[i] = at->v[i] = at->rate[i] = at->a[i] = at->hold[i] = 0;
  for (int k = g->order; k >= 0; k--) {
    const double *restrict x = g->x + k * d, *restrict v = g->v + k * d, *restrict lambda = g->lambda + k * d;
    for (int i = 0; i < d; i++) {
      at->rate[i] = at->rate[i] * part + at->x[i];
      at->x[i] = at->x[i] * part + x[i];
      at->a[i] = at->a[i] * part + at->v[i];
      at->v[i] = at->v[i] * part + v[i];
      at->hold[i] = at->hold[i] * part + lambda[i];
    }
  }
  for (int i = 0; i < d; i++) {
    at->rate[i] /= g->width;
    at->a[i] /= g->width;
    if (!event_varies(s) && s->friction[i] > 0) at->hold[i] *= s->friction[i];
  }
}

static void take_thresholds(const EventSystem *s, const SimOriginals *from, Instant *at) {
  const SimProblem *p = s->problem;
  double *course = at->course;
  bool asked = p->thresholds && from->thresholds;
  if (asked)
    from->thresholds(from->context, at->t, course);
  else if (p->thresholds)
    threshold_at(p, at->t, at->c, at->bias);
  for (int i = 0; i < s->d && !(p->thresholds && !asked); i++) {
    int column = p->threshold_columns == 1 ? 0 : i;
    double c = p->rise.pieces ? p->rise_base[i] : s->friction[i], bias = p->rise.pieces ? p->rise_base[s->d + i]
                                                                         : s->bias      ? s->bias[i]
                                                                                        : 0;
    double forward = asked ? course[column] : c + bias;
    double backward = asked ? course[p->by_direction ? p->threshold_columns + column : column] : c - bias;
    at->c[i] = (forward + backward) / 2;
    at->bias[i] = (forward - backward) / 2;
  }
}

/* Adds the position-dependent part h of thresholds to c. h depends on x, also if surfaces move and the segment's
 * positions are x - W. */
static void add_rise(const SimProblem *p, const SimOriginals *from, const double *x, double *c) {
  for (int i = 0; i < p->d && p->rise.pieces; i++)
    c[i] += from->rise ? from->rise(from->context, i, rise_elongation(p, x, i)) : rise_at(p, x, i).value;
}

/* Computes f at t by its original function, or by the problem's pieces if there is no function. */
static void take_force(const EventSystem *s, const SimOriginals *from, double t, double *f) {
  const SimProblem *p = s->problem;
  if (from->force) {
    from->force(from->context, t, f);
    return;
  }
  size_t size = sim_piece_size(p->d);
  const double *row = curve_row(p->pieces, p->piece_count, size, t, true);
  double next = piece_start(p, (row - p->pieces) / (long)size + 1);
  for (int i = 0; i < p->d; i++)
    f[i] = curve_value((int)row[1], p->d, row + SIM_PIECE_HEAD, i, (t - row[0]) / (next - row[0]));
}

void instant_force(const EventSystem *s, const EventMotion *m, const SimOriginals *from, double t, double *f) {
  const SimProblem *p = s->problem;
  int d = p->d;
  double passed = t / p->end * p->segments, node = fmin(floor(passed), p->segments - 1);
  if (p->start_count) {
    for (node = 0; node + 1 < p->segments && p->starts[(long)node + 1] <= t;) node++;
    passed = node + (t - p->starts[(long)node]) / (p->starts[(long)node + 1] - p->starts[(long)node]);
  }
  const double *now = p->signal == SIM_CONSTANT ? m->control_force : m->node_force + (long)node * d;
  double rises = p->signal == SIM_PIECEWISE_LINEAR ? passed - node : 0;
  take_force(s, from, t, f);
  for (int i = 0; i < d; i++) {
    f[i] += now[i] + (rises > 0 ? rises * (now[d + i] - now[i]) : 0);
    if (s->bias) f[i] += s->bias[i]; /* the scheme has subtracted this bias from B u, so it is added again */
  }
}

/* If surfaces move: computes the state x of equation (1) in sim/sim.h from that of the segment, y = x - W, with the
 * displacement W of the surface. moved: whether f is the force of equation (1); otherwise it is the force for y, and
 * the equation is examined in y. */
static void take_surface(const EventSystem *s, const Instant *at, bool moved, const Acting *acts) {
  const SimProblem *p = s->problem;
  size_t size = (size_t)p->d * sizeof(double);
  memcpy(acts->x, at->x, size);
  memcpy(acts->v, at->v, size);
  memcpy(acts->a, at->a, size);
  memset(acts->speed, 0, size);
  memcpy(acts->on_ground, at->x, size);
  if (!p->surface_pieces) return;
  const double *row = surface_piece(p, at->t);
  double part = fmin((at->t - row[0]) / row[1], 1);
  for (int i = 0; i < p->d; i++) {
    const CurvePoint w = curve_point(p->surface_columns, row, p->surface_columns == 1 ? 0 : i, part);
    acts->on_ground[i] += w.integral;
    if (!moved) continue;
    acts->x[i] += w.integral;
    acts->v[i] += w.value;
    acts->a[i] += w.slope;
    acts->speed[i] = w.value;
  }
}

/* Returns the row of coefficients of a spring law that holds at the elongation e. *column: the column of spring k in
 * the row. */
static const double *spring_row(const SimSpringLaw *law, int k, double e, int *column) {
  *column = law->columns == 1 ? 0 : k;
  return curve_row(law->rows, law->pieces, sim_curve_size(law->columns), e, false);
}

static double spring_polynomial(const SimProblem *p, SimSpringPlace place, int k, double e) {
  const SimSpringLaw *law = &p->springs[place];
  int column;
  const double *row = spring_row(law, k, e, &column);
  return curve_value((int)row[2], law->columns, curve_coefficients(row, law->columns), column, curve_part(row, e));
}

/* Returns the rounding error of the polynomial pieces of a spring law at e, in N. It is larger where larger terms
 * cancel. */
static double spring_doubt(const EventSystem *s, SimSpringPlace place, int k, double e) {
  const SimSpringLaw *law = &s->problem->springs[place];
  int column;
  const double *row = spring_row(law, k, e, &column);
  size_t piece = (size_t)(row - law->rows) / sim_curve_size(law->columns);
  return ROUND_OFF * curve_terms(law->columns, row, column, curve_part(row, e)).value +
         LAW_ROUND_OFF * s->laws->within[place][piece * (size_t)law->columns + (size_t)column];
}

static double spring_force(const SimProblem *p, const SimOriginals *from, SimSpringPlace place, int k, double e) {
  return from->spring ? from->spring(from->context, place, k, e) : spring_polynomial(p, place, k, e);
}

/* Returns the rounding error of a spring law's original function at e, in N. It exceeds the rounding error of the
 * function's value if the law is a difference of larger terms. A difference between function and pieces that is the
 * same at e and near e is an error of the pieces; if the difference varies, it is rounding error. */
static double spring_noise(const SimProblem *p, const SimOriginals *from, SimSpringPlace place, int k, double e,
                           double size) {
  const SimSpringLaw *law = &p->springs[place];
  const double *last = law->rows + (size_t)(law->pieces - 1) * sim_curve_size(law->columns);
  double apart = spring_force(p, from, place, k, e) - spring_polynomial(p, place, k, e), most = 0;
  for (size_t q = 0; q < sizeof BESIDE / sizeof *BESIDE; q++) {
    double at = e + BESIDE[q] * size;
    if (!(at >= law->rows[0] && at <= last[0] + last[1])) continue;
    double there = spring_force(p, from, place, k, at) - spring_polynomial(p, place, k, at);
    most = fmax(most, fabs(there - apart));
  }
  return 4 * most;
}

/* Computes the forces of springs with a law. Adds their rounding errors to doubt [d], in N: those of pieces and
 * functions, and the effect of the rounding of x if a law is steep. */
static void take_springs(const EventSystem *s, const SimOriginals *from, const Acting *acts, double *doubt) {
  int d = s->d;
  const double *x = acts->on_ground;
  memset(acts->spring, 0, (size_t)d * sizeof *acts->spring);
  memset(acts->spring_most, 0, (size_t)d * sizeof *acts->spring_most);
  for (SimSpringPlace place = 0; s->laws && place < SIM_SPRING_PLACES; place++) {
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      int i = place == SIM_ANCHORS ? k : k + 1;
      double e = springs_elongation(place, x, k);
      double g = spring_force(s->problem, from, place, k, e);
      double size = fabs(x[i]) + (place == SIM_LINKS ? fabs(x[k]) : 0), step = ROUND_OFF * size;
      double wrong = spring_doubt(s, place, k, e);
      if (step > 0) wrong += fabs(spring_force(s->problem, from, place, k, e - copysign(step, e)) - g);
      if (from->spring) wrong += spring_noise(s->problem, from, place, k, e, size);
      for (int j = k; j <= i; j++) {
        acts->spring[j] += j == i ? g : -g;
        acts->spring_most[j] = fmax(acts->spring_most[j], fabs(g));
        doubt[j] += wrong;
      }
    }
  }
}

/* Returns the friction force c_i (lambda_i - gamma(v_i)) of dof i, including the bias, in N. */
static double friction_of(const EventSystem *s, const EventMotion *m, const Instant *at, int i) {
  double slip = m->at.slip[i], c = at->c[i] + slip * at->bias[i];
  if (!event_slides(s, m, i)) return at->hold[i] + at->bias[i];
  if (!(s->friction[i] > 0)) return 0;
  return c * slip - (!s->series ? 0 : c * friction_gamma_of(s->problem, i, at->v[i]));
}

/* Returns the force of an elastic stop on dof i, in N. Adds to *doubt the error of the force due to the rounding of the
 * position x. */
static double end_push(const EventSystem *s, const EventMotion *m, int i, double x, double *doubt) {
  if (!s->stops || stops_rigid(s->stops, i)) return 0;
  if (stops_passed(s->stops, i, x) || m->at.pressed[i]) *doubt += ROUND_OFF * s->stops->stiffness[i] * fabs(x);
  return stops_push(s->stops, i, x);
}

static void add(double term, double *sum, double *most) {
  *sum += term;
  *most = fmax(*most, fabs(term));
}

static void add_row(const EventRows *matrix, int i, const double *by, double *sum, double *most) {
  ROWS_EACH(matrix, i, k, j) {
    double term = matrix->entries.value[k] * by[j], size = fabs(term);
    *sum += term;
    *most = size > *most ? size : *most;
  }
}

/* Returns the effect of the rounding error of t on the force on dof i, in N. For a force in pieces this is computed
 * from the largest slope in its piece. */
static double doubt_of_time(const EventSystem *s, const EventMotion *m, double t, int i) {
  const EventSegment *g = &m->segment;
  const SimProblem *p = s->problem;
  const double *c = piece_coefficients(p, m->at.piece);
  double here = 0, piece = 0;
  for (int k = 1; k <= g->force_order; k++) here += k * fabs(g->force[k * s->d + i]);
  for (int k = 1; k <= piece_order(p, m->at.piece); k++) piece += k * fabs(c[k * s->d + i]);
  double lasts = piece_start(p, m->at.piece + 1) - piece_start(p, m->at.piece);
  return ROUND_OFF * t * fmax(here / g->width, piece / lasts);
}

/* Returns the rounding error of the force on dof i, in N: from its pieces, from t, and from the effect of the rounding
 * of v on gamma. */
static double doubt_of(const EventSystem *s, const EventMotion *m, const Instant *at, int i) {
  const EventSegment *g = &m->segment;
  int d = s->d, way = m->at.slip[i];
  double size = 0, step = 0;
  for (int k = 0; k <= g->order; k++) size += fabs(g->v[k * d + i]);
  double sum = FORCE_ROUND_OFF * (m->residual->most_force[i] + s->friction[i]) + doubt_of_time(s, m, at->t, i);
  if (way != 0 && s->friction[i] > 0 && s->series) step = ROUND_OFF * size;
  if (step > 0)
    sum += (at->c[i] + fabs(at->bias[i])) * fabs(friction_gamma_of(s->problem, i, at->v[i] + way * step) -
                                                 friction_gamma_of(s->problem, i, at->v[i] - way * step));
  return sum;
}

void instant_take(const EventSystem *s, const EventMotion *m, double part, Instant *at) {
  const SimProblem *p = s->problem;
  const SimOriginals *from = m->residual->originals;
  int d = s->d;
  const Acting *acts = &at->acts;
  at->part = part;
  at->t = m->at.t + part * m->segment.width;
  take_series(s, m, at);
  take_thresholds(s, from, at);
  instant_force(s, m, from, at->t, acts->force);
  bool moved = p->surface_pieces && from->force;
  take_surface(s, at, moved, acts);
  add_rise(p, from, acts->on_ground, at->c);
  memset(at->doubt, 0, (size_t)d * sizeof *at->doubt);
  take_springs(s, from, acts, at->doubt);
  for (int i = 0; i < d; i++) {
    double sum = 0, most = acts->spring_most[i];
    if (moved)
      add_row(&s->mass, i, at->a, &sum, &most); /* the errors of the segment's series are relative to this
                                                          * term's size */
    sum = acts->spring[i];
    add_row(&s->mass, i, acts->a, &sum, &most);
    add_row(&s->stiffness, i, acts->x, &sum, &most);
    if (s->damped) add_row(&s->damping, i, acts->v, &sum, &most);
    add(-viscous_force(p, i, acts->speed[i]), &sum, &most);
    add(friction_of(s, m, at, i), &sum, &most);
    add(-end_push(s, m, i, acts->x[i], &at->doubt[i]), &sum, &most);
    add(-acts->force[i], &sum, &most);
    at->left[i] = sum;
    at->most[i] = most;
    if (fabs(sum) > SMALL * most) at->doubt[i] += doubt_of(s, m, at, i);
  }
}
