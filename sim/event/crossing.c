/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/crossing.h"

#include "sim/base/many.h"
#include "sim/event/drop.h"
#include "sim/event/field.h"
#include "sim/event/spring_series.h"

#include <float.h>
#include <math.h>

/* If a multiplier lambda exceeds its threshold at the start of a segment by at most (1 + JUMP) times the estimated
 * rounding error, the excess counts as rounding error. A larger excess means that a force has jumped there. */
static const double JUMP = 1000;

/* Finds when the polynomial p = added + factor c becomes negative, where c is a polynomial in time. Returns whether
 * this happens at or before *at, a fraction of the segment, and sets *at to this time. c has coefficients [order + 1],
 * `stride` doubles apart. The first `zeros` of them are 0. */
static bool falls(int order, int stride, const double *c, int zeros, double factor, double added, double *at) {
  double p[POLYNOMIAL_ORDER + 1];
  c += zeros * stride;
  order -= zeros;
  if (order < 0 || polynomial_least(order, stride, c, factor, added, *at) > 0) return false;
  for (int k = 0; k <= order; k++) p[k] = factor * c[k * stride];
  p[0] += added;
  if (p[0] > 0) return polynomial_first_root(order, p, *at, at);
  *at = 0;
  return true;
}

static Candidate of_sliding(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  const double *v = g->v + i;
  double slip = m->at.slip[i];
  Candidate found = {.at = until};
  if (falls(g->order, s->d, v, m->at.rest_order[i], slip, 0, &found.at)) found.what = CROSSING_REST;
  /* a dof without mass may jump to another speed, and its friction does not depend on the speed */
  if (event_massless(s, i)) return found;
  long branch = m->at.branch[i];
  if (branch > 0 && falls(g->order, s->d, v, 0, slip, branch_begins(s, i, branch) * (EVENT_DOUBT - 1), &found.at)) {
    found.what = CROSSING_BRANCH;
    found.side = -1;
  }
  if (branch + 1 < branches_of(s) &&
      falls(g->order, s->d, v, 0, -slip, branch_begins(s, i, branch + 1) * (EVENT_DOUBT + 1), &found.at)) {
    found.what = CROSSING_BRANCH;
    found.side = 1;
  }
  if (s->series && s->series->floor) {
    double epsilon = s->epsilon[i], least = epsilon * s->series->floor(slip * v[0] / epsilon);
    if (least > 0 && falls(g->order, s->d, v, 0, slip, -least, &found.at)) {
      found.what = CROSSING_BRANCH;
      found.side = 0;
    }
  }
  return found;
}

/* Finds the first time at which friction exceeds a varying threshold c: c - lambda (side 1) or c + lambda (side -1)
 * becomes negative, where g->lambda is the friction force in N. only: the single side to examine, 1 or -1; 0: both. */
static Candidate of_varying(const EventSystem *s, const EventMotion *m, int i, int only, double until) {
  const EventSegment *g = &m->segment;
  int d = s->d, order = g->order > g->threshold_order ? g->order : g->threshold_order;
  Candidate found = {.at = until};
  for (int side = -1; side <= 1; side += 2) {
    double room[POLYNOMIAL_ORDER + 1] = {0}, added = fmax(g->doubt[i], DBL_MIN), at = until;
    if (only == -side) continue;
    for (int k = 0; k <= order; k++)
      room[k] =
          (k <= g->threshold_order ? g->threshold[k * d + i] : 0) - (k <= g->order ? side * g->lambda[k * d + i] : 0);
    /* the dof has just been found to stick, so friction exceeds its threshold only by rounding error */
    if (room[0] < 0 && room[0] > -(1 + JUMP) * added) added -= room[0];
    if (!falls(order, 1, room, 0, 1, added, &at)) continue;
    found.what = CROSSING_REST;
    found.at = fmin(found.at, at);
  }
  return found;
}

static Candidate of_sticking(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  const double *lambda = g->lambda + i, doubt = g->doubt[i];
  Candidate found = {.at = until};
  if (event_varies(s)) return of_varying(s, m, i, 0, until);
  for (int side = -1; side <= 1; side += 2) {
    double room = 1 - side * lambda[0], added = 1 + doubt;
    /* the dof has just been found to stick, so lambda exceeds 1 only by rounding error */
    if (room < 0 && room > -(1 + JUMP) * doubt) added -= room;
    double at = until; /* each direction is searched separately, so that a mirrored motion has the same bits */
    if (!falls(g->order, s->d, lambda, 0, -side, added, &at)) continue;
    found.what = CROSSING_REST;
    found.at = fmin(found.at, at);
  }
  return found;
}

/* Finds when dof i reaches a rigid stop. If it starts at this stop, its distance from the stop and the first rest_order
 * derivatives of the distance are 0 there; this does not count as reaching the stop. */
static Candidate of_stop(const EventSystem *s, const EventMotion *m, int i, Candidate found) {
  const EventSegment *g = &m->segment;
  for (int side = -1; side <= 1; side += 2) {
    double end = stops_end(s->stops, i, side);
    bool there = m->at.x[i] == end;
    if (isnan(end) ||
        !falls(g->order, s->d, g->x + i, there ? 1 + m->at.rest_order[i] : 0, -side, there ? 0 : side * end, &found.at))
      continue;
    found.what = CROSSING_STOP;
    found.side = side;
  }
  return found;
}

/* Finds when dof i touches or leaves an elastic stop. */
static Candidate of_spring(const EventSystem *s, const EventMotion *m, int i, Candidate found) {
  const EventSegment *g = &m->segment;
  int within = m->at.pressed[i];
  for (int side = -1; side <= 1; side += 2) {
    double end = stops_end(s->stops, i, side), way = within ? side : -side;
    bool there = m->at.x[i] == end;
    int zeros = there ? 1 + m->at.rest_order[i] : 0;
    if (isnan(end) || (within && within != side)) continue;
    while (there && zeros <= g->order && g->x[zeros * s->d + i] == 0) zeros++;
    if (zeros > g->order) continue; /* the dof rests at the stop, and no force moves it */
    if (!falls(g->order, s->d, g->x + i, zeros, way, there ? 0 : -way * end, &found.at)) continue;
    found.what = CROSSING_END;
    found.side = side;
  }
  return found;
}

/* Finds when dof i, which rests at a rigid stop, leaves it. */
static Candidate of_resting(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  if (event_varies(s)) return of_varying(s, m, i, -m->at.contact[i], until);
  double limit = s->friction[i] > 0, way = -m->at.contact[i], room = limit - way * g->lambda[i];
  /* The dof leaves the stop only if the load away from the stop exceeds its rounding error. */
  double added = limit + fmax(g->doubt[i], DBL_MIN);
  Candidate found = {.at = until};
  if (room < 0 && room > -(1 + JUMP) * g->doubt[i]) added -= room;
  if (falls(g->order, s->d, g->lambda + i, 0, -way, added, &found.at)) found.what = CROSSING_REST;
  return found;
}

/* For models with many dofs: computes upper bounds of the changes of v and lambda in the segment. They show that most
 * dofs have no event. */
static void find_changes(const EventSystem *s, const EventMotion *m) {
  const EventSegment *g = &m->segment;
  many_sizes(1, g->order, s->d, g->v, event_room(s, m, ROOM_CHANGE_OF_V));
  many_sizes(1, g->order, s->d, g->lambda, event_room(s, m, ROOM_CHANGE_OF_LAMBDA));
}

/* Whether the bounds of find_changes, which exist only for models with many dofs, exclude an event of dof i. */
static bool goes_on(const EventSystem *s, const EventMotion *m, int i) {
  bool plain = s->d > EVENT_FEW_DOFS && s->friction[i] > 0 && !s->stops && !s->series && !event_varies(s);
  if (!plain) return false;
  double slip = m->at.slip[i], v = slip * m->segment.v[i], lambda = fabs(m->segment.lambda[i]);
  return slip != 0 ? v > event_room(s, m, ROOM_CHANGE_OF_V)[i]
                   : lambda + event_room(s, m, ROOM_CHANGE_OF_LAMBDA)[i] < 1;
}

static Candidate candidate_of(const EventSystem *s, const EventMotion *m, int i, double until) {
  Candidate found = {.at = until};
  if (goes_on(s, m, i)) return found;
  if (m->at.contact[i]) return of_resting(s, m, i, until);
  if (s->friction[i] > 0) found = m->at.slip[i] ? of_sliding(s, m, i, until) : of_sticking(s, m, i, until);
  if (!s->stops || !event_slides(s, m, i)) return found;
  return stops_rigid(s->stops, i) ? of_stop(s, m, i, found) : of_spring(s, m, i, found);
}

Crossing crossing_mark(const EventSystem *s, EventMotion *m, double at) {
  const Candidate *candidates = m->candidates;
  Crossing what = CROSSING_NONE;
  for (int i = 0; i < s->d; i++) {
    bool happens = candidates[i].what != CROSSING_NONE && candidates[i].at <= at;
    if (happens && candidates[i].what > what) what = candidates[i].what;
    bool branch = candidates[i].what == CROSSING_BRANCH;
    m->changes_branch[i] = (signed char)(happens && branch ? candidates[i].side : 0);
    m->meets[i] = (signed char)(happens && !branch ? candidates[i].side : 0);
    bool stuck = m->at.slip[i] == 0 && !event_massless(s, i), holds = s->friction[i] > 0 || m->at.contact[i];
    m->rests[i] = holds && (stuck || (happens && candidates[i].what == CROSSING_REST));
  }
  return what;
}

Crossing crossing_find(const EventSystem *s, EventMotion *m, bool each, double *at) {
  Candidate *candidates = m->candidates;
  double first = 1;
  if (s->d > EVENT_FEW_DOFS) find_changes(s, m);
  for (int i = 0; i < s->d; i++) {
    candidates[i] = candidate_of(s, m, i, each ? 1 : first);
    if (candidates[i].what != CROSSING_NONE && candidates[i].at < first) first = candidates[i].at;
  }
  bool law = s->field->cross ? s->field->cross(s, m, &first) : m->springs && spring_series_cross(s, m, &first);
  Crossing what = crossing_mark(s, m, first);
  *at = first;
  return what == CROSSING_NONE && law ? CROSSING_LAW : what;
}
