#include "sim/event/instant.h"

#include "sim/joint/stops.h"
#include "sim/law/friction_table.h"
#include "sim/operator/dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What lies so near to the end of a segment, in parts of it or in steps, may be of the force's piece beside. */
static const double ASIDE = 1e-9, ASIDE_STEPS = 4e-9;
/* From one place on the way to rest to the next the speed falls to this part, down to that part of the law's own speed. */
static const double FALL = 0.1, SLOW = 0.01;
/* A speed below this part of the largest one is rest: as in rest_slowest. */
static const double AT_REST = 4 * EVENT_DOUBT;
static const double ROUND_OFF = 64 * DBL_EPSILON, FORCE_ROUND_OFF = 256 * DBL_EPSILON;
/* Series are made to the tolerance as a part of the largest load of all rows. So a row of smaller terms counts as one of this part of the
 * largest, a hundredth as the residual may be a hundred tolerances. */
static const double LIGHT = 0.01;
/* Forces, lengths and speeds below this have lost digits to underflow. */
static const double LEAST = DBL_MIN / DBL_EPSILON;
enum { HALVINGS = 30, SECANTS = 4 };

/* What is the worst of each dof in a segment. */
typedef struct Worst {
  double size[EVENT_SIZE_MAX], when[EVENT_SIZE_MAX];
} Worst;

typedef struct Examination {
  const EventSystem *system;
  const EventMotion *motion;
  Instant at;
  double most_v;                /* the fastest speed, or change of one, m/s */
  double terms[EVENT_SIZE_MAX]; /* the largest of a row, N */
  Worst equation, threshold;    /* N: what is left of the row, and friction beyond its threshold */
  Worst path, backward;         /* m/s: x' less v, and v against its friction */
  Worst beyond;                 /* m: x past a rigid stop */
  double most_x;                /* the farthest x, m */
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

SimStatus residual_equip(const EventSystem *s, const SimOriginals *originals, EventMotion *m) {
  free(m->residual);
  m->residual = originals ? calloc(1, sizeof *m->residual) : NULL;
  if (!originals) return SIM_OK;
  if (!m->residual) return SIM_NO_MEMORY;
  m->residual->originals = originals;
  residual_find_forces(s->problem, m->residual->most_force);
  return SIM_OK;
}

/* Places -------------------------------------------------------------------------------------------------------------- */

static void raise(Worst *worst, int i, double size, double t) {
  if (size <= worst->size[i] || isnan(worst->size[i])) return; /* a NAN is worse than all */
  worst->size[i] = size;
  worst->when[i] = t;
}

/* How far x_i is past a rigid stop, but for round-off. */
static double past_stop(const Examination *e, int i) {
  const SimStops *stops = e->system->stops;
  int side = stops && stops_rigid(stops, i) ? stops_passed(stops, i, e->at.x[i]) : 0;
  return side ? side * (e->at.x[i] - stops_end(stops, i, side)) - AT_REST * e->most_x : 0;
}

static void look(Examination *e, double part) {
  const EventSystem *s = e->system;
  const EventMotion *m = e->motion;
  Instant *at = &e->at;
  instant_take(s, m, part, at);
  for (int i = 0; i < s->d; i++) e->most_x = fmax(e->most_x, fabs(at->x[i]));
  for (int i = 0; i < s->d; i++) {
    bool slides = event_slides(s, m, i);
    e->most_v = fmax(e->most_v, fmax(fabs(at->v[i]), fabs(at->a[i]) * m->segment.width * m->part));
    e->terms[i] = fmax(e->terms[i], at->most[i]);
    raise(&e->equation, i, fabs(at->left[i]) - at->doubt[i], at->t);
    raise(&e->path, i, fabs(at->rate[i] - at->v[i]), at->t);
    raise(&e->beyond, i, past_stop(e, i), at->t);
    if (slides && s->friction[i] > 0) raise(&e->backward, i, -m->at.slip[i] * at->v[i] - AT_REST * m->at.speed, at->t);
    if (slides) continue;
    raise(&e->backward, i, fabs(at->v[i]), at->t);
    int end = m->at.contact[i]; /* an end pushes as hard as it must, away from itself */
    double beyond = end ? -end * at->hold[i] : fabs(at->hold[i]);
    raise(&e->threshold, i, beyond - at->c[i] - at->doubt[i], at->t);
  }
}

/* v_i and its slope over the segment's part. */
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

/* Where the speed has fallen from that at `from` towards that at `to` to this: to a few parts in a hundred. */
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

/* From where dof i is fast to where it is slow, evenly in the logarithm of its speed: where gamma changes is a small part of the way. */
static void look_along(Examination *e, int i, double slow, double from, double to) {
  double slope, speed = speed_at(e, i, from, &slope), least = fmax(speed_at(e, i, to, &slope), slow);
  for (speed *= FALL; speed > least; speed *= FALL) {
    from = where_speed_is(e, i, speed, from, to);
    look(e, from);
  }
}

/* The slowest place within a part where the speed first falls and then rises. */
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
    return; /* the ramp's branches are straight */
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

/* Segments ------------------------------------------------------------------------------------------------------------ */

/* As parts of the row's largest term, of the fastest speed and of the farthest x. Where M couples rows each has the round-off of all. */
static void conclude(const Examination *e, SimResidual *largest) {
  const EventSystem *s = e->system;
  double most = e->motion->most_friction, speed = fmax(e->most_v, LEAST), far = fmax(e->most_x, LEAST);
  for (int i = 0; i < s->d; i++) most = fmax(most, e->terms[i]);
  double coupled = s->mass_is_diagonal ? 0 : ROUND_OFF * most;
  for (int i = 0; i < s->d; i++) {
    double force = fmax(fmax(e->terms[i], LIGHT * most), LEAST);
    residual_raise(largest, (e->equation.size[i] - coupled) / force, e->equation.when[i], i, SIM_RESIDUAL_EQUATION);
    residual_raise(largest, (e->threshold.size[i] - coupled) / force, e->threshold.when[i], i, SIM_RESIDUAL_FRICTION);
    residual_raise(largest, e->path.size[i] / speed, e->path.when[i], i, SIM_RESIDUAL_PATH);
    residual_raise(largest, e->beyond.size[i] / far, e->beyond.when[i], i, SIM_RESIDUAL_PATH);
    residual_raise(largest, e->backward.size[i] / speed, e->backward.when[i], i, SIM_RESIDUAL_FRICTION);
  }
}

void residual_examine(const EventSystem *s, EventMotion *m) {
  const EventSegment *g = &m->segment;
  Examination e = {.system = s, .motion = m};
  double aside = fmax(ASIDE * m->part, ASIDE_STEPS * s->problem->step / g->width), last = m->part - aside;
  polynomial_at(g->order, s->d, g->x, m->part, m->residual->x);
  polynomial_at(g->order, s->d, g->v, m->part, m->residual->v);
  m->residual->most_x = m->residual->most_v = 0;
  /* no time passes in it that a force's pieces tell apart, or that of a jump */
  if (!(aside < last) || g->width * m->part <= 2 * piece_resolution(s->problem)) return;
  look(&e, aside);
  look(&e, last);
  look(&e, aside + (last - aside) * residual_anywhere(m->at.t));
  for (int i = 0; i < s->d; i++) look_at_slow(&e, i, aside, last);
  conclude(&e, &m->at.residual);
  m->residual->most_x = e.most_x;
  m->residual->most_v = e.most_v;
}

/* Events -------------------------------------------------------------------------------------------------------------- */

/* The end that dof i touches in an impact: -1, 1; 0: none. */
static int touched_end(const EventSystem *s, const EventMotion *m, int i) {
  double room = ROUND_OFF * fabs(m->at.x[i]);
  if (!(m->impact.touched >> i & 1) || !stops_rigid(s->stops, i)) return 0;
  return fabs(m->at.x[i] - s->stops->lower[i]) <= room ? -1 : fabs(m->at.x[i] - s->stops->upper[i]) <= room;
}

/* What an impact may do: nothing to the momentum of a row that touches no end; there it pushes away from the end, and the dof
 * comes back as fast as Newton's law has it at least. Returns what is wrong of row i, as parts of the fastest speed. */
static double wrong_impact(const EventSystem *s, const EventMotion *m, int i, const double *jump, double most_v) {
  double sum = 0, most = 0;
  for (int j = 0; j < s->d; j++) {
    sum += s->mass[i * s->d + j] * jump[j];
    most = fmax(most, fabs(s->mass[i * s->d + j]) * most_v);
  }
  int side = touched_end(s, m, i);
  if (!side) return fabs(sum) / most;
  double least = fmax(side * m->residual->v[i], 0) * (m->impact.rebound[i] > 0 ? s->stops->restitution[i] : 0);
  return fmax(side * sum / most, (side * m->segment.v[i] + least) / most_v);
}

void residual_enter(const EventSystem *s, EventMotion *m) {
  const EventSegment *g = &m->segment;
  const EventResidual *before = m->residual;
  double jump[EVENT_SIZE_MAX], most_x = before->most_x, most_v = before->most_v;
  bool jumps = false;
  for (int i = 0; i < s->d; i++) {
    jump[i] = g->v[i] - before->v[i];
    most_x = fmax(most_x, fmax(fabs(g->x[i]), fabs(before->x[i])));
    most_v = fmax(most_v, fmax(fabs(g->v[i]), fabs(before->v[i])));
    jumps = jumps || jump[i] != 0;
  }
  for (int i = 0; i < s->d; i++) {
    if (event_massless(s, i)) continue;
    double pushed = FORCE_ROUND_OFF * m->residual->most_force[i] * m->mobility[i] * m->at.t; /* by round-off of f */
    double x = fabs(g->x[i] - before->x[i]) - AT_REST * most_x - pushed * m->at.t;
    double v = fabs(jump[i]) - AT_REST * m->at.speed - pushed;
    if (most_x > 0) residual_raise(&m->at.residual, x / most_x, m->at.t, i, SIM_RESIDUAL_JUMP);
    if (!jumps || !(v > 0)) continue;
    double wrong = m->impact.many > 0 ? wrong_impact(s, m, i, jump, most_v) : v / most_v;
    residual_raise(&m->at.residual, wrong, m->at.t, i, SIM_RESIDUAL_JUMP);
  }
}
