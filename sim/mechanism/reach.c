/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/reach.h"
#include "sim/event/expansion.h"
#include "sim/mechanism/motion.h"

#include <math.h>

/* As mechanism_reach, from the series. */
static double find_reach(const EventSystem *s, const EventMotion *m) {
  const MechanismMotion *own = m->mechanism;
  const Expansion *expansion = own->expansion;
  double tolerance = EXPANSION_SHARE * s->tolerance, reach = expansion_reach(expansion, tolerance, m->segment.width);
  const GraphTape *tape = expansion->tape;
  for (int i = 0; i < s->d; i++) {
    if (!(s->friction[i] > 0)) continue;
    bool rests = own->slips[i] == 0;
    const int *sides = tape->output + 3 * s->d + 1 + i;
    reach = expansion_row_reach(expansion, rests ? sides[0] : tape->output[s->d + i], tolerance, reach);
    if (rests) reach = expansion_row_reach(expansion, sides[s->d], tolerance, reach);
    if (rests) reach = expansion_row_reach(expansion, tape->output[i], tolerance, reach);
  }
  for (int k = 0; k < own->n_kinks; k++) reach = expansion_row_reach(expansion, tape->kink_row[k], tolerance, reach);
  return expansion_row_reach(expansion, tape->output[3 * s->d], tolerance, reach); /* the output is the power -dL/dt */
}

double mechanism_reach(const EventSystem *s, const EventMotion *m) {
  MechanismReach *reach = &m->mechanism->reach;
  int order = m->mechanism->expansion->order;
  if (reach->order != order) reach->time = find_reach(s, m);
  reach->order = order;
  return reach->time;
}

/* Whether the event function of coordinate i is negative at the time `after` after t0: its velocity in the direction of
 * slip if it slides, its threshold minus |load| if it sticks. */
static bool passes(const EventSystem *s, const EventMotion *m, int i, double after) {
  const MechanismMotion *own = m->mechanism;
  const Expansion *expansion = own->expansion;
  double slip = own->slips[i], v = 0, load = 0, c = 0;
  if (!(s->friction[i] > 0)) return false;
  for (int k = expansion->order; k >= 0 && slip != 0; k--) v = v * after + expansion_speed(expansion, i, k);
  for (int k = expansion->order; k >= 0 && slip == 0; k--) {
    double load_k, c_k;
    mechanism_motion_rest(own, i, k, &load_k, &c_k);
    load = load * after + load_k;
    c = c * after + c_k;
  }
  return slip != 0 ? slip * v < 0 : fabs(load) > c;
}

/* Whether no coordinate slides, or some sliding coordinate has a nonzero acceleration in an order before the last
 * two. */
static bool begins(const Expansion *expansion) {
  for (int i = 0; i < expansion->n_sliding; i++)
    for (int k = 1; k < expansion->order; k++)
      if (expansion_speed(expansion, expansion->sliding[i], k) != 0) return true;
  return expansion->n_sliding == 0;
}

bool mechanism_reach_suffices(void *context, const Expansion *expansion) {
  MechanismReach *of = context;
  const EventSystem *s = of->system;
  const EventMotion *m = of->motion;
  if (!begins(expansion)) return false;
  of->order = -1; /* a series with other signs of kinks may have had this order before */
  double reach = mechanism_reach(s, m);
  bool done = reach >= m->segment.width;
  for (int i = 0; i < s->d && !done; i++) done = passes(s, m, i, reach);
  for (int k = 0; k < m->mechanism->n_kinks && !done; k++) {
    double value = 0;
    for (int j = expansion->order; j >= 0; j--) value = value * reach + graph_series_kink(expansion->series, k, j);
    done = value * expansion->series->signs[k] < 0;
  }
  return done;
}

/* Computes own->measured: r - Q, c and the thresholds at rest at the state own->given, with q replaced by q (1 +
 * moved). */
static void measure_loads(MechanismMotion *own, int d, double moved) {
  double *q = own->given;
  for (int i = 0; i < d && moved != 0; i++) q[i] *= 1 + moved;
  graph_formula_values(own->loads, own->given, own->measured);
}

/* Returns by how much, at the fraction `part` of the segment, the polynomials violate the equations, the thresholds
 * minus loads of sticking coordinates, and the thresholds' own polynomials. The violation is expressed as the error of
 * a velocity that it causes by this time, in m/s. Rounding errors of all terms and of q are subtracted; the rounding of
 * an angle near a zero of the sine may change the load by more than its value. For sticking coordinates the tolerance
 * of their forces is subtracted as well. allowed: an error up to which the exact value does not matter. */
static double violation(const EventSystem *s, EventMotion *m, double part, double allowed) {
  MechanismMotion *own = m->mechanism;
  const EventSegment *g = &m->segment;
  int d = s->d, n = g->order;
  double *q = own->given, *v = q + d, *a = v + d, most = 0, after = part * g->width;
  double *load = event_room(s, m, ROOM_FORCE), *left = event_room(s, m, ROOM_RUB),
         *nothing = event_room(s, m, ROOM_DAMPER);
  polynomial_at(n, d, g->x, part, q);
  polynomial_at(n, d, g->v, part, v);
  polynomial_at(n, d, g->a, part, a);
  own->given[3 * d] = m->at.t + after;
  measure_loads(own, d, 0);
  for (int i = 0; i < d; i++) {
    double force = 0, c = polynomial_value(n, d, g->threshold + i, part);
    for (int k = own->expansion->order; k >= 0; k--) force = force * after + expansion_force(own->expansion, i, k);
    bool rests = own->slips[i] == 0;
    double above = own->measured[2 * d + i], below = own->measured[3 * d + i], bias = rests ? (above - below) / 2 : 0;
    double held = rests ? polynomial_value(n, d, g->lambda + i, part) + bias : c * m->at.slip[i];
    load[i] = own->measured[i];
    left[i] = fabs(load[i] - force + held) + fabs((rests ? (above + below) / 2 : own->measured[d + i]) - c);
    nothing[i] = (own->slips[i] != 0 ? EVENT_DOUBT : s->tolerance) * (fabs(force) + fabs(held) + fabs(c));
    if (left[i] > nothing[i]) most = fmax(most, left[i] * after / own->expansion->mass[i * d + i]);
  }
  if (most <= allowed) return most;
  graph_formula_values(own->sizes, own->given, own->measured);
  for (int i = 0; i < d; i++) nothing[i] += EVENT_DOUBT * own->measured[i];
  measure_loads(own, d, EVENT_DOUBT);
  most = 0;
  for (int i = 0; i < d; i++)
    if (left[i] > nothing[i] + fabs(own->measured[i] - load[i]))
      most = fmax(most, left[i] * after / own->expansion->mass[i * d + i]);
  return most;
}

/* Returns the allowed violation of the equations near the fraction `part` of the segment, as the error of a velocity in
 * m/s: the tolerance times the largest term in the series of the velocities. It is at least SMALL, as numbers near the
 * smallest double have few digits. */
static double allowed_until(const EventSystem *s, const EventMotion *m, double part) {
  static const double SMALL = 1e-150;
  const Expansion *expansion = m->mechanism->expansion;
  double most = 0, power = 1;
  for (int k = 0; k <= expansion->order; k++, power *= part * m->segment.width)
    for (int i = 0; i < expansion->d; i++) most = fmax(most, fabs(expansion_speed(expansion, i, k)) * power);
  return fmax(s->tolerance * most, SMALL);
}

/* Whether the polynomials satisfy the equations at the fraction `part` of the segment. As the polynomial of x does not
 * contain the integral of the last term of v, that term must be small, too. */
static bool holds(const EventSystem *s, EventMotion *m, double part) {
  static const double NEAR_END = 0.999;
  const EventSegment *g = &m->segment;
  double allowed = allowed_until(s, m, part), last = 0;
  for (int i = 0; i < s->d; i++) last = fmax(last, fabs(g->v[g->order * s->d + i]));
  return last * pow(part, g->order) <= allowed && violation(s, m, NEAR_END * part, allowed) <= allowed;
}

double mechanism_reach_holds(const EventSystem *s, EventMotion *m, double part) {
  enum { HALVINGS = 42 };
  for (int k = 0; k < HALVINGS && !holds(s, m, part); k++) part /= 2;
  return part;
}
