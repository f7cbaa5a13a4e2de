/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/interrupt.h"
#include "sim/event/crossing.h"
#include "sim/event/decision.h"
#include "sim/event/drop.h"
#include "sim/event/expansion.h"
#include "sim/event/field.h"
#include "sim/event/impact.h"
#include "sim/event/inverse.h"
#include "sim/event/local.h"
#include "sim/event/readings.h"
#include "sim/event/record.h"
#include "sim/event/residual.h"
#include "sim/event/spring_series.h"
#include "sim/event/tangent.h"
#include "sim/event/threshold_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus event_motion_init(const EventSystem *s, EventMotion *m) {
  size_t d = (size_t)s->d, rows = (POLYNOMIAL_ORDER + 2) * d;
  EventSegment *g = &m->segment;
  *m = (EventMotion){0};
  double **const vectors[] = {
      &m->at.x,     &m->at.v,  &m->at.fastest, &m->control_force, &m->mobility,      &m->mobility_sliding, &m->y, &m->b,
      &m->reaction, &m->doubt, &m->size,       &g->doubt,         &m->impact.before, &m->impact.rebound};
  double **const coefficients[] = {
      &g->x,    &g->v,     &g->force,     &g->load, &g->a,      &g->lambda,           &g->square,
      &g->root, &g->gamma, &g->threshold, &g->bias, &g->course, &m->force_part.series};
  signed char **const marks[] = {&m->at.slip,     &m->at.rest_order,  &m->at.contact, &m->at.pressed,
                                 &m->meets,       &m->changes_branch, &m->reported,   &m->impact.touched,
                                 &m->impact.held, &m->impact.side};
  enum { MARKS = sizeof marks / sizeof *marks };
  enum { VECTORS = sizeof vectors / sizeof *vectors, SERIES = sizeof coefficients / sizeof *coefficients };
  size_t drive = s->problem->surface_pieces ? 3 * ENERGY_ROWS * d : 0;
  double *next = calloc((VECTORS + EVENT_ROOMS) * d + SERIES * rows + drive, sizeof *next);
  m->at.slip = calloc((MARKS + EVENT_MARKS) * d, sizeof *m->at.slip);
  m->rests = calloc(d, sizeof *m->rests);
  m->at.x = next;
  m->at.spring = calloc((SERIES_PLACES + 1) * d, sizeof *m->at.spring);
  m->springs = spring_series_wanted(s) ? spring_series_create(s->d) : NULL;
  m->candidates = calloc(d, sizeof *m->candidates);
  bool inverses = inverses_init(s, &m->inverses) == SIM_OK, springs = !spring_series_wanted(s) || m->springs;
  if (!next || !m->at.slip || !m->rests || !m->at.spring || !m->candidates || !inverses || !springs)
    return SIM_NO_MEMORY;
  for (int k = 0; k < VECTORS; k++, next += d) *vectors[k] = next;
  for (int k = 0; k < SERIES; k++, next += rows) *coefficients[k] = next;
  for (size_t k = 0; k < MARKS; k++) *marks[k] = m->at.slip + k * d;
  m->marks = m->at.slip + MARKS * d;
  m->at.branch = m->at.spring + SERIES_PLACES * d;
  m->force_part.piece = -1;
  m->rooms = next;
  m->drive = drive ? next + EVENT_ROOMS * d : NULL;
  for (size_t i = 0; i < d; i++) {
    m->mobility[i] = event_massless(s, (int)i) ? 0 : 1 / s->mass.diagonal[i];
    m->most_friction = fmax(m->most_friction, s->friction[i]);
    g->threshold[i] = s->friction[i];
  }
  drop_bind(s, m);
  return local_create(s, &m->local);
}

void event_motion_clear(EventMotion *m) {
  free(m->at.x);
  free(m->at.slip);
  free(m->rests);
  free(m->at.spring);
  free(m->candidates);
  inverses_clear(&m->inverses);
  spring_series_destroy(m->springs);
  residual_drop(m);
  local_destroy(m->local);
}

/* Reports to the observer the dofs that have changed their direction of slip. before: [d] directions before the event;
 * NULL: reports all dofs. */
static void report_slips(const EventSystem *s, const EventMotion *m, const signed char *before) {
  if (!m->observer || !m->observer->event) return;
  for (int i = 0; i < s->d; i++)
    if (s->friction[i] > 0 && (!before || m->at.slip[i] != before[i]))
      m->observer->event(m->observer->context, m->at.t, i, m->at.slip[i]);
}

/* Returns the stop that holds or pushes dof i now: -1 lower, 1 upper; 0: none. */
static signed char end_of(const EventMotion *m, int i) {
  return m->at.contact[i] ? m->at.contact[i] : m->at.pressed[i];
}

/* Reports the dofs that have just rebounded from a stop, and those that a stop begins or ceases to hold or push. */
static void report_ends(const EventSystem *s, EventMotion *m) {
  for (int i = 0; i < s->d && s->stops; i++) {
    int side = end_of(m, i);
    bool struck = impact_strikes(m, i);
    int what = side ? side * (struck && s->stops->restitution[i] > 0 ? SIM_SETTLES : SIM_TOUCHES) : SIM_PARTS;
    if (m->observer && m->observer->event && side != m->reported[i])
      m->observer->event(m->observer->context, m->at.t, i, what);
    if (m->observer && m->observer->event && struck && !side)
      m->observer->event(m->observer->context, m->at.t, i, m->impact.before[i] > 0 ? SIM_BOUNCES : -SIM_BOUNCES);
    m->reported[i] = (signed char)side;
  }
}

double event_motion_fastest(const EventSystem *s, const EventMotion *m, int i) {
  const EventSegment *g = &m->segment;
  double most = m->at.fastest[i], power = 1, part = local_since(m, i);
  for (int k = 0; k <= g->order; k++, power *= part) most = fmax(most, power * fabs(g->v[k * s->d + i]));
  return most;
}

/* Sets a dof to rest, at an event, if its speed is below the rounding error of its earlier speeds. Dofs that have just
 * begun to slide are exempt: their speed is small, and later speeds depend on it. */
static void rest_slowest(const EventSystem *s, EventMotion *m) {
  for (int i = 0; i < s->d; i++)
    if (!event_massless(s, i)) m->at.speed = fmax(m->at.speed, fabs(m->at.v[i]));
  for (int i = 0; i < s->d; i++) {
    if (event_massless(s, i)) continue;
    double speed = fabs(m->at.v[i]);
    bool slow = s->friction[i] > 0 && m->at.rest_order[i] == 0 && speed <= EVENT_DOUBT * m->at.speed;
    if (slow && (speed == 0 || speed <= EVENT_DOUBT * event_motion_fastest(s, m, i))) m->rests[i] = true;
    if (m->rests[i]) m->at.fastest[i] = 0;
  }
}

SimStatus event_motion_decide(const EventSystem *s, EventMotion *m) {
  rest_slowest(s, m);
  return decision_make(s, m);
}

static SimStatus complete(const EventSystem *s, EventMotion *m) {
  SimStatus status = s->field->complete(s, m);
  if (status != SIM_OK) return status;
  if (event_local(m)) {
    local_begin(s, m);
    return SIM_OK;
  }
  m->crossing = (int)crossing_find(s, m, false, &m->part);
  if (m->watched) s->field->spend(s, m);
  return SIM_OK;
}

/* Computes the impact at the start of a segment. Returns the status of impact_make or of EventField.place. */
static SimStatus strike(const EventSystem *s, EventMotion *m) {
  SimStatus status = s->field->place ? s->field->place(s, m) : SIM_OK;
  return status == SIM_OK ? impact_make(s, m) : status;
}

/* Finds the state of the next segment: impacts, what slides and what sticks. */
static SimStatus begin_segment(const EventSystem *s, EventMotion *m) {
  signed char *before = event_marks(s, m, MARKS_BEFORE);
  memcpy(before, m->at.slip, (size_t)s->d);
  expansion_begin(s, m);
  m->impact.first = -1;
  m->impact.many = 0;
  if (m->crossing == CROSSING_STOP) {
    SimStatus status = strike(s, m);
    if (status != SIM_OK) return status;
  }
  if (m->crossing >= CROSSING_REST || s->field->always_decides) {
    SimStatus status = event_motion_decide(s, m);
    if (status != SIM_OK) return status;
    report_slips(s, m, before);
  }
  report_ends(s, m);
  return SIM_OK;
}

/* Computes the series of the segment and its event. */
static SimStatus complete_segment(const EventSystem *s, EventMotion *m) {
  const signed char *before = event_marks(s, m, MARKS_BEFORE);
  SimStatus status = complete(s, m);
  if (status != SIM_OK) return status;
  if (m->tangent) tangent_enter(s, m, m->tangent, before);
  if (m->readings) readings_enter(m->readings);
  if (s->field->enter) return s->field->enter(s, m, before);
  return m->record ? record_enter(m, m->record, before) : SIM_OK;
}

static SimStatus next_segment(const EventSystem *s, EventMotion *m) {
  SimStatus status = begin_segment(s, m);
  m->waits = status == SIM_OK && m->pauses;
  return status == SIM_OK && !m->waits ? complete_segment(s, m) : status;
}

SimStatus event_motion_continue(const EventSystem *s, EventMotion *m) {
  m->waits = false;
  return complete_segment(s, m);
}

const EventState *event_motion_saved(const EventSystem *s, const EventMotion *m) {
  return event_local(m) && m->at.piece < s->problem->piece_count ? &m->local->anchor : &m->at;
}

void event_motion_resume(const EventSystem *s, EventMotion *m, double t) {
  const SimObserver *observer = m->observer;
  struct Interrupt *interrupt = m->interrupt;
  for (int i = 0; i < s->d; i++) m->reported[i] = end_of(m, i);
  if (m->at.piece == s->problem->piece_count) return;
  expansion_begin(s, m);
  (void)complete(s, m); /* complete repeats a computation that has succeeded before, so its status is SIM_OK */
  if (!event_local(m) || !(t > 0)) return;
  m->observer = NULL;
  m->interrupt = NULL;
  (void)event_motion_reach(s, m, t); /* event_motion_reach repeats steps that have succeeded before, so its status is
                                      * SIM_OK */
  m->observer = observer;
  m->interrupt = interrupt;
}

SimStatus event_motion_begin(const EventSystem *s, EventMotion *m, const double *x0, const double *v0) {
  m->at.t = 0;
  m->at.piece = m->at.node = 0;
  m->at.events = m->at.grazes = m->at.struck = m->at.settled = 0;
  m->at.impacts = 0;
  memset(m->at.spent, 0, sizeof m->at.spent);
  m->at.lost = 0;
  m->at.residual = (SimResidual){0};
  m->at.whole = m->tangent || m->record || m->readings;
  m->crossing = CROSSING_REST;
  m->segment.order = -1; /* no series yet */
  m->at.speed = 0;
  m->at.pace = s->problem->end;
  for (int i = 0; i < s->d; i++) {
    m->at.x[i] = x0[i];
    m->at.v[i] = v0[i];
    m->at.fastest[i] = fabs(v0[i]);
    m->at.slip[i] = (signed char)(s->friction[i] > 0 && !event_massless(s, i) ? (v0[i] > 0) - (v0[i] < 0) : 0);
    m->at.rest_order[i] = 0;
    m->at.speed = fmax(m->at.speed, fmax(fabs(v0[i]), s->friction[i] * m->mobility[i] * s->problem->end));
    m->at.branch[i] = branch_of(s, i, v0[i]);
    m->at.pressed[i] = 0;
    m->at.contact[i] =
        (signed char)(s->stops && stops_rigid(s->stops, i) && v0[i] == 0 ? stops_touched(s->stops, i, x0[i], 0) : 0);
    m->rests[i] = (s->friction[i] > 0 || m->at.contact[i]) && v0[i] == 0 && !event_massless(s, i);
  }
  memset(m->reported, 0, (size_t)s->d);
  if (m->springs) spring_series_begin(s, m);
  report_slips(s, m, NULL);
  if (m->tangent) sensitivity_start(m->tangent->columns);
  if (m->record) record_begin(m->record);
  return next_segment(s, m);
}

/* Adds the energies from the start of the segment to the fraction `part` of it, in J, to spent [SPENT]. */
static void add_spent(const EventSystem *s, const EventMotion *m, double part, double *spent) {
  const EventSegment *g = &m->segment;
  if (event_local(m)) {
    local_spend(s, m, part, spent);
    return;
  }
  for (int k = 0; k < SPENT; k++) {
    double since;
    polynomial_at(2 * g->energy_order + 1, 1, g->spent[k], part, &since);
    spent[k] += since;
  }
}

/* Evaluates the series of x, v or lambda at the fraction `part` of the segment: values [d]. */
static void values_at(const EventSystem *s, const EventMotion *m, const double *series, double part, double *values) {
  if (event_local(m))
    local_at(s, m, series, part, values);
  else
    polynomial_at(m->segment.order, s->d, series, part, values);
}

void event_state_pass(const EventSystem *s, EventState *at, double t) {
  const SimProblem *p = s->problem;
  at->t = t;
  at->piece += t == piece_start(p, at->piece + 1);
  at->node += t == expansion_signal_start(p, at->node + 1) && at->node + 1 < p->segments;
}

/* Updates the mean time between events, in which recent events have more weight. The current segment ends at t.
 * Simultaneous events count as one. */
static void keep_pace(const EventSystem *s, EventMotion *m, double t) {
  /* LAST: number of recent events over which the mean is taken. LEAST: smallest value of the mean time, relative to the
   * end time T. */
  static const double LAST = 7, LEAST = 1e-9;
  double end = s->problem->end, pace = m->at.pace;
  if (event_local(m)) {
    local_pace(s, m, t);
    return;
  }
  if (m->crossing == CROSSING_NONE)
    m->at.pace = fmin(2 * pace, end);
  else if (t > m->at.t)
    m->at.pace = fmax((LAST * pace + t - m->at.t) / (LAST + 1), LEAST * end);
}

/* Advances the state m->at to the end of the current segment. */
static void leave_segment(const EventSystem *s, EventMotion *m) {
  const EventSegment *g = &m->segment;
  double t = event_segment_end(m);
  if (m->watched) add_spent(s, m, m->part, m->at.spent);
  values_at(s, m, g->x, m->part, m->at.x);
  values_at(s, m, g->v, m->part, m->at.v);
  for (int i = 0; i < s->d; i++) {
    m->at.branch[i] += m->changes_branch[i];
    m->at.fastest[i] = fabs(m->at.v[i]) > m->at.fastest[i] ? fabs(m->at.v[i]) : m->at.fastest[i];
  }
  if (m->crossing >= CROSSING_END) impact_turn_springs(s, m);
  keep_pace(s, m, t);
  if (t > m->at.t && !event_local(m)) memset(m->at.rest_order, 0, (size_t)s->d);
  for (int i = 0; i < s->d && t > m->at.t && event_local(m); i++)
    if (local_since(m, i) > 0) m->at.rest_order[i] = 0;
  event_state_pass(s, &m->at, t);
}

SimStatus event_motion_reach(const EventSystem *s, EventMotion *m, double t) {
  const EventSegment *g = &m->segment;
  while (m->at.piece < s->problem->piece_count && fmin(m->at.t + g->width * m->part, g->until) <= t) {
    double from = m->at.t;
    bool done = false;
    SimStatus status = event_local(m) ? local_pass(s, m, &done) : SIM_OK;
    if (status != SIM_OK) return status;
    if (done) continue;
    if (m->tangent)
      tangent_leave(s, m, m->tangent);
    else if (m->readings)
      readings_leave(s, m);
    if (m->record) status = record_leave(m, m->record);
    if (s->field->leave) status = s->field->leave(s, m);
    if (status != SIM_OK) return status;
    if (m->residual && event_local(m)) local_examine(s, m);
    if (m->residual && !event_local(m)) residual_examine(s, m);
    leave_segment(s, m);
    if (m->springs && !spring_series_pass(s, m)) return SIM_OUT_OF_RANGE;
    /* An elongation that passes from piece to piece of its law counts as an event only if t does not advance. For a
     * mechanism it always counts, since there may be infinitely many such events. */
    Crossing least = s->field->cross ? CROSSING_LAW : CROSSING_LAW + 1;
    bool counts = m->crossing >= (int)least || !(m->at.t > from);
    if (counts && ++m->at.events > s->max_events) return SIM_EVENTS_ACCUMULATE;
    if (m->at.piece == s->problem->piece_count) break;
    if (m->interrupt) status = interrupt_segment(m->interrupt);
    if (status == SIM_OK) status = next_segment(s, m);
    if (status != SIM_OK || m->waits) return status;
    if (m->residual) residual_enter(s, m);
  }
  return SIM_OK;
}

void event_motion_show(const EventSystem *s, const EventMotion *m, double t, double *x, double *v, double *lambda,
                       double *reaction, double *spent) {
  const EventSegment *g = &m->segment;
  bool ended = m->at.piece == s->problem->piece_count;
  double part = ended ? m->part : (t - m->at.t) / g->width;
  values_at(s, m, g->x, part, x);
  values_at(s, m, g->v, part, v);
  values_at(s, m, g->lambda, part, lambda);
  double *threshold = event_room(s, m, ROOM_THRESHOLD),
         *load = event_room(s, m, ROOM_LOAD); /* load on dofs that rest at a stop, in N */
  for (int i = 0; i < s->d && s->stops; i++) {
    threshold[i] = s->friction[i];
    load[i] = event_varies(s) || !(threshold[i] > 0) ? lambda[i] : threshold[i] * lambda[i];
  }
  if (event_varies(s)) polynomial_at(g->threshold_order, s->d, g->threshold, part, threshold);
  if (event_varies(s)) threshold_series_divide(s, m, part, lambda);
  for (int i = 0; i < s->d; i++)
    if (event_slides(s, m, i)) lambda[i] = m->at.slip[i];
  if (s->stops) impact_show(s, m, x, threshold, load, lambda, reaction);
  if (!m->watched) return;
  memcpy(spent, m->at.spent, sizeof m->at.spent);
  if (!ended) add_spent(s, m, part, spent);
}
