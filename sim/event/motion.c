#include "sim/event/crossing.h"
#include "sim/event/decision.h"
#include "sim/event/energy.h"
#include "sim/event/expansion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus event_motion_init(const EventSystem *s, EventMotion *m) {
  size_t d = (size_t)s->d, rows = (POLYNOMIAL_ORDER + 2) * d;
  EventSegment *g = &m->segment;
  *m = (EventMotion){0};
  double **const vectors[] = {&m->x, &m->v,        &m->control_force, &m->mobility, &m->y,
                              &m->b, &m->reaction, &m->doubt,         &m->size,     &g->doubt};
  double **const coefficients[] = {&g->x, &g->v, &g->force, &g->load, &g->a, &g->lambda, &g->square, &g->root};
  enum { VECTORS = sizeof vectors / sizeof *vectors, SERIES = sizeof coefficients / sizeof *coefficients };
  double *next = calloc(VECTORS * d + SERIES * rows + (INVERSES + 1) * d * d, sizeof *next);
  m->slip = calloc(2 * d, sizeof *m->slip);
  m->beyond = calloc(2 * d, sizeof *m->beyond);
  m->x = next;
  if (!next || !m->slip || !m->beyond) return SIM_NO_MEMORY;
  for (int k = 0; k < VECTORS; k++, next += d) *vectors[k] = next;
  for (int k = 0; k < SERIES; k++, next += rows) *coefficients[k] = next;
  m->rest_order = m->slip + d;
  m->rests = m->beyond + d;
  m->inverses.inverse = next;
  m->inverses.part = next + INVERSES * d * d;
  for (size_t i = 0; i < d; i++) {
    m->mobility[i] = 1 / s->mass[i * d + i];
    m->most_friction = fmax(m->most_friction, s->friction[i]);
  }
  return SIM_OK;
}

void event_motion_clear(EventMotion *m) {
  free(m->x);
  free(m->slip);
  free(m->beyond);
}

/* Tells whose slip has changed; before: as it was, NULL: all. */
static void tell(const EventSystem *s, const EventMotion *m, const signed char *before) {
  if (!m->listener) return;
  for (int i = 0; i < s->d; i++)
    if (s->friction[i] > 0 && (!before || m->slip[i] != before[i]))
      m->listener->event(m->listener->context, m->t, i, m->slip[i]);
}

/* At an event what moves no faster than round-off makes it rests, too. */
static void rest_slowest(const EventSystem *s, EventMotion *m) {
  for (int i = 0; i < s->d; i++) m->speed = fmax(m->speed, fabs(m->v[i]));
  for (int i = 0; i < s->d; i++)
    if (s->friction[i] > 0 && m->rest_order[i] == 0 && fabs(m->v[i]) <= EVENT_DOUBT * m->speed) m->rests[i] = true;
}

static SimStatus next_segment(const EventSystem *s, EventMotion *m) {
  signed char before[EVENT_SIZE_MAX];
  expansion_begin(s, m);
  if (m->crossing == CROSSING_REST) {
    rest_slowest(s, m);
    memcpy(before, m->slip, (size_t)s->d);
    SimStatus status = decision_make(s, m);
    if (status != SIM_OK) return status;
    tell(s, m, before);
  }
  expansion_complete(s, m);
  m->crossing = (int)crossing_find(s, m, &m->part);
  if (m->watched) energy_expand(s, m);
  return SIM_OK;
}

SimStatus event_motion_begin(const EventSystem *s, EventMotion *m, const double *x0, const double *v0) {
  m->t = 0;
  m->piece = 0;
  m->events = m->grazes = 0;
  m->work = m->dissipated = 0;
  m->crossing = CROSSING_REST;
  m->speed = 0;
  for (int i = 0; i < s->d; i++) {
    m->x[i] = x0[i];
    m->v[i] = v0[i];
    m->slip[i] = (signed char)(s->friction[i] > 0 ? (v0[i] > 0) - (v0[i] < 0) : 0);
    m->rest_order[i] = 0;
    m->speed = fmax(m->speed, fmax(fabs(v0[i]), s->friction[i] * m->mobility[i] * s->end));
    m->beyond[i] = s->law == SIM_STRIBECK_RAMP && fabs(v0[i]) > s->epsilon[i];
    m->rests[i] = s->friction[i] > 0 && v0[i] == 0;
  }
  tell(s, m, NULL);
  return next_segment(s, m);
}

/* Goes to the end of the segment. */
static void leave_segment(const EventSystem *s, EventMotion *m) {
  const EventSegment *g = &m->segment;
  double next = s->force->start[m->piece + 1], t = m->t + g->width * m->part;
  bool whole = m->crossing == CROSSING_NONE && m->t + g->width >= next;
  if (m->watched) {
    m->work += energy_at(g->order, g->work, m->part);
    m->dissipated += energy_at(g->order, g->dissipated, m->part);
  }
  polynomial_at(g->order, s->d, g->x, m->part, m->x);
  polynomial_at(g->order, s->d, g->v, m->part, m->v);
  t = whole || t >= next ? next : t;
  if (t > m->t) memset(m->rest_order, 0, (size_t)s->d);
  m->t = t;
  if (m->t == next) m->piece++;
}

SimStatus event_motion_reach(const EventSystem *s, EventMotion *m, double t) {
  while (m->piece < s->force->count && m->t + m->segment.width * m->part <= t) {
    leave_segment(s, m);
    if (m->crossing != CROSSING_NONE && ++m->events > s->max_events) return SIM_NOT_CONVERGED;
    if (m->piece == s->force->count) break;
    SimStatus status = next_segment(s, m);
    if (status != SIM_OK) return status;
  }
  return SIM_OK;
}

void event_motion_show(const EventSystem *s, const EventMotion *m, double t, double *x, double *v, double *lambda,
                       double *work, double *dissipated) {
  const EventSegment *g = &m->segment;
  bool ended = m->piece == s->force->count;
  double part = ended ? m->part : (t - m->t) / g->width;
  polynomial_at(g->order, s->d, g->x, part, x);
  polynomial_at(g->order, s->d, g->v, part, v);
  polynomial_at(g->order, s->d, g->lambda, part, lambda);
  for (int i = 0; i < s->d; i++)
    if (event_slides(s, m, i)) lambda[i] = m->slip[i];
  if (!m->watched) return;
  *work = ended ? m->work : m->work + energy_at(g->order, g->work, part);
  *dissipated = ended ? m->dissipated : m->dissipated + energy_at(g->order, g->dissipated, part);
}
