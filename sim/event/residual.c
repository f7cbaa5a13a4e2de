/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/residual.h"

#include "sim/law/friction_table.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Test points keep a distance from the ends of a segment, since rounding of t might select the neighbouring piece of
 * the force there: ASIDE as a fraction of the segment, ASIDE_STEPS as a fraction of the problem's time step. */
static const double ASIDE = 1e-9, ASIDE_STEPS = 4e-9;
/* For a dof that comes to rest. FALL: ratio of its speeds at successive test points. SLOW: its speed at the last test
 * point, relative to epsilon of the friction law. */
static const double FALL = 0.1, SLOW = 0.01;
/* A speed below this fraction of the largest one counts as rest (rest_slowest in motion.c). */
static const double AT_REST = 4 * EVENT_DOUBT;
/* Rounding errors that residuals may contain. ROUND_OFF: of loads and positions, relative to their size.
 * FORCE_ROUND_OFF: of the external force, relative to its largest value in the whole motion. */
static const double ROUND_OFF = 64 * DBL_EPSILON, FORCE_ROUND_OFF = 256 * DBL_EPSILON;
/* The errors of series are relative to the largest load of all rows. So a row is measured by its largest term, but at
 * least by this fraction of the largest load: 1/100, as the residual may be 100 tolerances. */
static const double LIGHT = 0.01;
/* A scale below this has lost digits to underflow. */
static const double LEAST = DBL_MIN / DBL_EPSILON;
enum { HALVINGS = 30, SECANTS = 4 };

typedef struct Examination {
  const EventSystem *system;
  const EventMotion *motion;
  EventResidual *own; /* [d] largest residuals of the motion so far, by kind */
  double most_v;      /* largest speed, or change of a speed, in m/s */
  double most_x;      /* largest |x| in m */
} Examination;

void residual_raise(SimResidual *largest, double residual, double t, int dof, SimResidualOf of) {
  if (residual <= largest->largest || isnan(largest->largest)) return;
  *largest = (SimResidual){residual, t, dof, of};
}

void residual_find_forces(const SimProblem *p, double *most) {
  for (long piece = 0; piece < p->piece_count; piece++)
    for (int i = 0; i < p->d; i++) {
      double sum = 0;
      for (int k = 0; k <= piece_order(p, piece); k++) sum += fabs(piece_coefficients(p, piece)[k * p->d + i]);
      most[i] = fmax(most[i], sum);
    }
}

void residual_drop(EventMotion *m) {
  if (m->residual) free(m->residual->most_force);
  free(m->residual);
  m->residual = NULL;
}

SimStatus residual_equip(const EventSystem *s, const SimOriginals *originals, EventMotion *m) {
  residual_drop(m);
  if (!originals) return SIM_OK;
  EventResidual *r = m->residual = calloc(1, sizeof *m->residual);
  if (!r) return SIM_NO_MEMORY;
  Instant *at = &r->at;
  Acting *acts = &at->acts;
  double **const vectors[] = {&r->most_force,
                              &r->x,
                              &r->v,
                              &r->jump,
                              &r->terms, /* `terms` and the largest residuals are adjacent in memory, so that one call
                                          * clears both */
                              &r->worst[0].size,
                              &r->worst[0].when,
                              &r->worst[1].size,
                              &r->worst[1].when,
                              &r->worst[2].size,
                              &r->worst[2].when,
                              &r->worst[3].size,
                              &r->worst[3].when,
                              &r->worst[4].size,
                              &r->worst[4].when,
                              &at->x,
                              &at->rate,
                              &at->v,
                              &at->a,
                              &at->hold,
                              &at->c,
                              &at->bias,
                              &at->left,
                              &at->most,
                              &at->doubt,
                              &acts->force,
                              &acts->spring,
                              &acts->spring_most,
                              &acts->x,
                              &acts->v,
                              &acts->a,
                              &acts->speed,
                              &acts->on_ground,
                              &at->course /* length [2d] */};
  enum { VECTORS = sizeof vectors / sizeof *vectors };
  static_assert(EVENT_WORST == 5, "all have their vectors");
  double *next = calloc((VECTORS + 1) * (size_t)s->d, sizeof *next);
  if (!next) return SIM_NO_MEMORY;
  for (int k = 0; k < VECTORS; k++, next += s->d) *vectors[k] = next;
  r->originals = originals;
  residual_find_forces(s->problem, r->most_force);
  return SIM_OK;
}

/* Points of time at which residuals are examined ------------------------------------------------------------------- */

static void raise(const Examination *e, int what, int i, double size, double t) {
  struct EventWorst *worst = &e->own->worst[what];
  if (size <= worst->size[i] || isnan(worst->size[i])) return; /* a NAN counts as the largest residual */
  worst->size[i] = size;
  worst->when[i] = t;
}

/* Returns the distance by which x_i is beyond a rigid stop, in excess of rounding error, in m. */
static double past_stop(const Examination *e, int i) {
  const SimStops *stops = e->system->stops;
  int side = stops && stops_rigid(stops, i) ? stops_passed(stops, i, e->own->at.x[i]) : 0;
  return side ? side * (e->own->at.x[i] - stops_end(stops, i, side)) - AT_REST * e->most_x : 0;
}

static void look(Examination *e, double part) {
  const EventSystem *s = e->system;
  const EventMotion *m = e->motion;
  Instant *at = &e->own->at;
  instant_take(s, m, part, at);
  for (int i = 0; i < s->d; i++) e->most_x = fmax(e->most_x, fabs(at->x[i]));
  for (int i = 0; i < s->d; i++) {
    bool slides = event_slides(s, m, i);
    e->most_v = fmax(e->most_v, fmax(fabs(at->v[i]), fabs(at->a[i]) * m->segment.width * m->part));
    e->own->terms[i] = fmax(e->own->terms[i], at->most[i]);
    raise(e, WORST_EQUATION, i, fabs(at->left[i]) - at->doubt[i], at->t);
    raise(e, WORST_PATH, i, fabs(at->rate[i] - at->v[i]), at->t);
    raise(e, WORST_BEYOND, i, past_stop(e, i), at->t);
    if (slides && s->friction[i] > 0)
      raise(e, WORST_BACKWARD, i, -m->at.slip[i] * at->v[i] - AT_REST * m->at.speed, at->t);
    if (slides) continue;
    raise(e, WORST_BACKWARD, i, fabs(at->v[i]), at->t);
    int end = m->at.contact[i]; /* the force of a stop is unlimited, but must point away from it */
    double beyond = end ? -end * at->hold[i] : fabs(at->hold[i]);
    raise(e, WORST_THRESHOLD, i, beyond - at->c[i] - at->doubt[i], at->t);
  }
}

/* Returns the speed slip_i v_i at the fraction `part` of the segment; *slope: its derivative by this fraction. */
static double speed_at(const Examination *e, int i, double part, double *slope) {
  const EventSegment *g = &e->motion->segment;
  double sum = 0, rise = 0;
  for (int k = g->order; k >= 0; k--) {
    rise = rise * part + sum;
    sum = sum * part + g->v[k * e->system->d + i];
  }
  *slope = e->motion->at.slip[i] * rise;
  return e->motion->at.slip[i] * sum;
}

/* Returns the fraction of the segment, between `from` and `to`, at which the speed of dof i has fallen to a given
 * value. The error is a few per cent. */
static double where_speed_is(const Examination *e, int i, double speed, double from, double to) {
  double slope, high = speed_at(e, i, from, &slope) - speed, low = speed_at(e, i, to, &slope) - speed;
  for (int k = 0; k < SECANTS; k++) {
    double part = from + (to - from) * high / (high - low), here = speed_at(e, i, part, &slope) - speed;
    if (fabs(here) < FALL * speed) return part;
    *(here > 0 ? &from : &to) = part;
    *(here > 0 ? &high : &low) = here;
  }
  return from + (to - from) * high / (high - low);
}

/* Examines times between one at which dof i is fast and one at which it is slow. They are equidistant in the logarithm
 * of the dof's speed, because gamma changes most at low speeds, within a small part of the segment. */
static void look_along(Examination *e, int i, double slow, double from, double to) {
  double slope, speed = speed_at(e, i, from, &slope), least = fmax(speed_at(e, i, to, &slope), slow);
  for (speed *= FALL; speed > least; speed *= FALL) {
    from = where_speed_is(e, i, speed, from, to);
    look(e, from);
  }
}

/* Returns the fraction of the segment, between `from` and `to`, at which the speed is smallest. The speed first falls
 * and then rises. */
static double slowest(const Examination *e, int i, double from, double to) {
  for (int k = 0; k < HALVINGS; k++) {
    double slope, middle = (from + to) / 2;
    speed_at(e, i, middle, &slope);
    *(slope < 0 ? &from : &to) = middle;
  }
  return (from + to) / 2;
}

static void look_at_slow(Examination *e, int i, double from, double to) {
  const EventSystem *s = e->system;
  double first, last, start = speed_at(e, i, from, &first), end = speed_at(e, i, to, &last);
  if (!s->series || s->problem->system.stribeck == SIM_STRIBECK_RAMP || !(s->friction[i] > 0) ||
      e->motion->at.slip[i] == 0)
    return; /* the branches of the law ramp are straight, so gamma needs no further test points */
  double slow = SLOW * (s->problem->system.stribeck == SIM_STRIBECK_TABLE
                            ? friction_curve(s->table, i).rows[SIM_TABLE_ROW + SIM_TABLE_SPEED]
                            : s->epsilon[i]);
  if (first < 0 && last > 0) {
    double middle = slowest(e, i, from, to);
    look(e, middle);
    look_along(e, i, slow, from, middle);
    look_along(e, i, slow, to, middle);
  } else if (start > end)
    look_along(e, i, slow, from, to);
  else
    look_along(e, i, slow, to, from);
}

double residual_anywhere(double t) {
  uint64_t bits;
  memcpy(&bits, &t, sizeof bits);
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
  return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

/* Residuals within a segment --------------------------------------------------------------------------------------- */

/* Raises *largest to the residuals, each divided by its scale: the row's largest term, the largest speed or the largest
 * |x|. If M couples rows, the scale of each row is that of all rows. */
static void conclude(const Examination *e, SimResidual *largest) {
  static const SimResidualOf of[EVENT_WORST] = {SIM_RESIDUAL_EQUATION, SIM_RESIDUAL_FRICTION, SIM_RESIDUAL_PATH,
                                                SIM_RESIDUAL_PATH, SIM_RESIDUAL_FRICTION};
  const EventSystem *s = e->system;
  double most = e->motion->most_friction, speed = fmax(e->most_v, LEAST), far = fmax(e->most_x, LEAST);
  for (int i = 0; i < s->d; i++) most = fmax(most, e->own->terms[i]);
  double coupled = s->mass_is_diagonal ? 0 : ROUND_OFF * most;
  for (int i = 0; i < s->d; i++) {
    double force = fmax(fmax(e->own->terms[i], LIGHT * most), LEAST);
    const double coupling[EVENT_WORST] = {coupled, coupled}, least[EVENT_WORST] = {force, force, speed, far, speed};
    for (int k = 0; k < EVENT_WORST; k++) {
      const struct EventWorst *worst = &e->own->worst[k];
      residual_raise(largest, (worst->size[i] - coupling[k]) / least[k], worst->when[i], i, of[k]);
    }
  }
}

void residual_examine(const EventSystem *s, EventMotion *m) {
  const EventSegment *g = &m->segment;
  Examination e = {.system = s, .motion = m, .own = m->residual};
  double aside = fmax(ASIDE * m->part, ASIDE_STEPS * s->problem->step / g->width), last = m->part - aside;
  polynomial_at(g->order, s->d, g->x, m->part, m->residual->x);
  polynomial_at(g->order, s->d, g->v, m->part, m->residual->v);
  m->residual->most_x = m->residual->most_v = 0;
  /* segments shorter than the resolution of the force's pieces, or than a piece at a jump, are not examined */
  if (!(aside < last) || g->width * m->part <= 2 * piece_resolution(s->problem)) return;
  memset(m->residual->terms, 0, (1 + 2 * EVENT_WORST) * (size_t)s->d * sizeof *m->residual->terms);
  look(&e, aside);
  look(&e, last);
  look(&e, aside + (last - aside) * residual_anywhere(m->at.t));
  for (int i = 0; i < s->d; i++) look_at_slow(&e, i, aside, last);
  conclude(&e, &m->at.residual);
  m->residual->most_x = e.most_x;
  m->residual->most_v = e.most_v;
}

/* Residuals at an event -------------------------------------------------------------------------------------------- */

/* Returns the stop that dof i touches in an impact: -1 lower, 1 upper; 0: none. */
static int touched_end(const EventSystem *s, const EventMotion *m, int i) {
  double room = ROUND_OFF * fabs(m->at.x[i]);
  if (!(m->impact.touched[i]) || !stops_rigid(s->stops, i)) return 0;
  return fabs(m->at.x[i] - s->stops->lower[i]) <= room ? -1 : fabs(m->at.x[i] - s->stops->upper[i]) <= room;
}

/* Returns the residual of row i in an impact, relative to the largest speed. In a row that touches no stop an impact
 * must not change the momentum. A stop must push away from itself, and the dof must rebound at least with the speed
 * given by Newton's law of impact. */
static double wrong_impact(const EventSystem *s, const EventMotion *m, int i, const double *jump, double most_v) {
  double sum = 0, most = 0;
  ROWS_EACH(&s->mass, i, k, j) {
    sum += s->mass.entries.value[k] * jump[j];
    most = fmax(most, fabs(s->mass.entries.value[k]) * most_v);
  }
  int side = touched_end(s, m, i);
  if (!side) return fabs(sum) / most;
  double least = fmax(side * m->residual->v[i], 0) * (m->impact.rebound[i] > 0 ? s->stops->restitution[i] : 0);
  return fmax(side * sum / most, (side * m->segment.v[i] + least) / most_v);
}

void residual_enter(const EventSystem *s, EventMotion *m) {
  const EventSegment *g = &m->segment;
  const EventResidual *before = m->residual;
  double *jump = before->jump, most_x = before->most_x, most_v = before->most_v;
  bool jumps = false;
  for (int i = 0; i < s->d; i++) {
    jump[i] = g->v[i] - before->v[i];
    most_x = fmax(most_x, fmax(fabs(g->x[i]), fabs(before->x[i])));
    most_v = fmax(most_v, fmax(fabs(g->v[i]), fabs(before->v[i])));
    jumps = jumps || jump[i] != 0;
  }
  for (int i = 0; i < s->d; i++) {
    if (event_massless(s, i)) continue;
    /* the change of v_i, in m/s, that the rounding error of f can cause */
    double pushed = FORCE_ROUND_OFF * m->residual->most_force[i] * m->mobility[i] * m->at.t;
    double x = fabs(g->x[i] - before->x[i]) - AT_REST * most_x - pushed * m->at.t;
    double v = fabs(jump[i]) - AT_REST * m->at.speed - pushed;
    if (most_x > 0) residual_raise(&m->at.residual, x / most_x, m->at.t, i, SIM_RESIDUAL_JUMP);
    if (!jumps || !(v > 0)) continue;
    double wrong = m->impact.many > 0 ? wrong_impact(s, m, i, jump, most_v) : v / most_v;
    residual_raise(&m->at.residual, wrong, m->at.t, i, SIM_RESIDUAL_JUMP);
  }
}
