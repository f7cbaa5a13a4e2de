/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/decision.h"

#include "sim/event/doubt.h"
#include "sim/event/expansion.h"
#include "sim/event/field.h"
#include "sim/event/inverse.h"
#include "sim/law/friction_law.h"

#include <math.h>
#include <string.h>

/* maximum number of Gauss-Seidel sweeps over the dofs, and of bisections of an interval */
enum { SWEEPS = 1000, BISECTIONS = 60 };

/* Whether dof i is a node without mass of a chain. massless.c decides separately whether such nodes slide. */
static bool is_apart(const EventSystem *s, int i) { return s->springs && event_massless(s, i); }

/* Returns that part of the load on dof i, in N, which can move it: for a dof at rest the part beyond the threshold; 0
 * if the dof cannot move in the load's direction. Dof i must not have the role STICKS. */
static double least_force(const EventMotion *m, const Decision *decision, int i, double load) {
  double z = load, c = m->segment.threshold[i];
  if (decision->part[i] == RESTS) z = fabs(z) > c ? z - c * friction_sign(z) : 0;
  bool back = decision->part[i] == ONE_WAY && z * decision->way[i] < 0;
  return back || z * m->at.contact[i] > 0 ? 0 : z;
}

/* Performs one Gauss-Seidel sweep of the minimisation over all accelerations y_i. moving[i]: set to whether y_i != 0 or
 * dof i slides. */
static void sweep(const EventSystem *s, const EventMotion *m, const Decision *decision, signed char *moving) {
  int d = s->d;
  double *y = m->y;
  for (int i = 0; i < d; i++) {
    int part = decision->part[i];
    moving[i] = 0;
    if (part == STICKS || is_apart(s, i)) continue;
    double z = m->b[i];
    ROWS_EACH(&s->form, i, k, j) if (j != i) z -= s->form.entries.value[k] * y[j];
    y[i] = least_force(m, decision, i, z) / s->form.diagonal[i];
    moving[i] = part == SLIDES || y[i] != 0;
  }
}

/* Computes the minimum, exact [d], for the signs of y that the sweeps have found, and sets m->reaction to b - H y
 * (decision.h). Returns whether signs and reactions of the result are consistent with the assumed signs. */
static bool polish(const EventSystem *s, EventMotion *m, const Decision *decision, const signed char *moving,
                   double *exact) {
  int d = s->d;
  const double *inverse = event_inverse(s, &m->inverses, moving);
  bool good = true;
  doubt_find(s, m, inverse, m->size, m->doubt);
  double *right = event_room(s, m, ROOM_PULL);
  for (int i = 0; i < d; i++)
    right[i] = m->b[i] - (decision->part[i] == RESTS ? m->segment.threshold[i] * friction_sign(m->y[i]) : 0);
  inverse_apply(s, inverse, right, exact);
  for (int i = 0; i < d; i++) {
    double sum = exact[i];
    /* the value is within its rounding error, so its sign is not known */
    bool nothing = fabs(sum) * s->form.diagonal[i] <= m->doubt[i];
    if (decision->part[i] != SLIDES && moving[i]) good = good && (nothing || sum * m->y[i] > 0);
  }
  for (int i = 0; i < d; i++) {
    if (is_apart(s, i)) continue;
    double left = rows_add(&s->form, i, -1, exact, m->b[i]), c = m->segment.threshold[i];
    m->reaction[i] = left;
    if (moving[i]) continue;
    double pull = m->at.contact[i] ? -m->at.contact[i] * left : fabs(left); /* a stop can bear any load that is directed
                                                                             * towards it */
    if (decision->part[i] == RESTS) good = good && pull <= c + m->doubt[i];
    if (decision->part[i] == ONE_WAY) good = good && decision->way[i] * left <= m->doubt[i];
  }
  return good;
}

/* Moves y towards the target, to the minimum of the function (decision.h) on the line between both. */
static void search(const EventSystem *s, EventMotion *m, const Decision *decision, const double *target) {
  int d = s->d;
  double low = 0, high = 1, slope = 0, curvature = 0, *way = event_room(s, m, ROOM_WAY);
  for (int i = 0; i < d; i++) {
    way[i] = target[i] - m->y[i];
    bool bounded = decision->part[i] == ONE_WAY && target[i] * decision->way[i] < 0;
    if (bounded || target[i] * m->at.contact[i] > 0) high = fmin(high, m->y[i] / -way[i]);
  }
  for (int i = 0; i < d; i++) ROWS_EACH(&s->form, i, k, j) {
      curvature += way[i] * s->form.entries.value[k] * way[j];
      slope += way[i] * s->form.entries.value[k] * m->y[j];
    }
  for (int i = 0; i < d; i++) slope -= way[i] * m->b[i];
  for (int k = 0; k < BISECTIONS; k++) {
    double part = k ? (low + high) / 2 : high, at = slope + part * curvature;
    for (int i = 0; i < d; i++)
      if (decision->part[i] == RESTS) at += way[i] * m->segment.threshold[i] * friction_sign(m->y[i] + part * way[i]);
    if (at > 0)
      high = part;
    else
      low = part;
    if (low == high) break;
  }
  for (int i = 0; i < d; i++) m->y[i] += low * way[i];
}

/* Computes the minimum if M is diagonal; then each dof is minimised separately. */
static void minimise_apart(const EventSystem *s, EventMotion *m, const Decision *decision) {
  doubt_find(s, m, NULL, m->size, m->doubt);
  for (int i = 0; i < s->d; i++) {
    int part = decision->part[i];
    m->y[i] = 0;
    if (is_apart(s, i)) continue;
    double z = part == STICKS ? 0 : least_force(m, decision, i, m->b[i]);
    m->y[i] = z / s->form.diagonal[i];
    m->reaction[i] = m->b[i] - z;
  }
}

SimStatus decision_minimise(const EventSystem *s, EventMotion *m, const Decision *decision) {
  signed char *moving = event_marks(s, m, MARKS_MOVING);
  double *exact = event_room(s, m, ROOM_EXACT);
  if (s->mass_is_diagonal) {
    minimise_apart(s, m, decision);
    return SIM_OK;
  }
  memset(moving, 0, (size_t)s->d);
  memset(m->y, 0, (size_t)s->d * sizeof *m->y);
  sweep(s, m, decision, moving);
  for (int k = 0; k < SWEEPS; k++) {
    sweep(s, m, decision, moving);
    if (polish(s, m, decision, moving, exact)) {
      memcpy(m->y, exact, (size_t)s->d * sizeof *m->y);
      return SIM_OK;
    }
    search(s, m, decision, exact);
  }
  return SIM_NOT_CONVERGED;
}

/* Decides those dofs with a role that is still open (RESTS or ONE_WAY) from y_i, which is their acceleration or its
 * derivative of this order; for a dof without mass its velocity or a derivative of it. Returns whether the role of any
 * dof is still open. */
static bool judge(const EventSystem *s, EventMotion *m, Decision *decision, int order) {
  bool open = false;
  for (int i = 0; i < s->d; i++) {
    signed char *part = &decision->part[i];
    if (*part != RESTS && *part != ONE_WAY) continue;
    double own = (is_apart(s, i) ? s->stiffness : s->form).diagonal[i];
    double c = m->segment.threshold[i], doubt = 4 * m->doubt[i], push = m->y[i] * own, left = m->reaction[i];
    if (*part == RESTS)
      decision->way[i] = (signed char)(m->at.contact[i] ? -m->at.contact[i] : friction_sign(left + push));
    int way = decision->way[i];
    double pull = m->at.contact[i] ? way * left : fabs(left);
    bool holds = *part == RESTS ? pull < c - doubt : way * left < -doubt;
    if (way * push > doubt) {
      m->at.slip[i] = (signed char)(s->friction[i] > 0 ? way : 0);
      m->at.contact[i] = 0;
      m->at.rest_order[i] = (signed char)(order + !event_massless(s, i));
      *part = SLIDES;
      continue;
    }
    m->y[i] = 0;
    *part = holds ? STICKS : ONE_WAY;
    open = open || !holds;
  }
  return open;
}

/* Returns the initial role of dof i in a decision. A dof without mass at its threshold may move only in the direction
 * of its slip. */
static Part part_of(const EventSystem *s, const EventMotion *m, int i) {
  if (!event_massless(s, i)) return m->rests[i] ? RESTS : SLIDES;
  if (!(s->friction[i] > 0)) return SLIDES;
  return m->at.slip[i] ? ONE_WAY : STICKS;
}

/* Sets the initial role of each dof, and v_i = 0 for dofs that do not slide. Returns whether the role of any dof is
 * open. */
static bool begin(const EventSystem *s, EventMotion *m, Decision *decision) {
  bool open = false;
  for (int i = 0; i < s->d; i++) {
    Part part = part_of(s, m, i);
    decision->part[i] = (signed char)part;
    decision->way[i] = m->at.slip[i];
    if (part == SLIDES) continue;
    open = open || part != STICKS;
    m->at.slip[i] = m->at.rest_order[i] = 0;
    m->at.branch[i] = 0;
    m->at.v[i] = 0;
  }
  return open;
}

void decision_load(const EventSystem *s, EventMotion *m, const Decision *decision, int order) {
  const EventSegment *g = &m->segment;
  int d = s->d;
  expansion_load(s, m, order);
  doubt_raise(s, m, order, m->size);
  for (int i = 0; i < d; i++) {
    int part = decision->part[i];
    int way = part == SLIDES ? m->at.slip[i] : order > 0 && part == ONE_WAY ? decision->way[i] : 0;
    m->b[i] = g->load[order * d + i];
    if (order <= g->threshold_order) m->b[i] -= g->threshold[order * d + i] * way;
  }
}

SimStatus decision_make(const EventSystem *s, EventMotion *m) {
  int d = s->d;
  EventSegment *g = &m->segment;
  Decision decision = {event_marks(s, m, MARKS_PART), event_marks(s, m, MARKS_WAY)};
  SimStatus status = s->field->begin ? s->field->begin(s, m) : SIM_OK;
  if (status != SIM_OK) return status;
  bool open = begin(s, m, &decision);
  memset(m->size, 0, (size_t)d * sizeof *m->size);
  memcpy(g->x, m->at.x, (size_t)d * sizeof *g->x);
  memcpy(g->v, m->at.v, (size_t)d * sizeof *g->v);
  for (int k = 0; k <= DECISION_DERIVATIVES && open; k++) {
    s->field->load(s, m, &decision, k);
    status = s->field->rates(s, m, &decision);
    if (status != SIM_OK) return status;
    open = judge(s, m, &decision, k);
    s->field->take(s, m, k, m->y);
  }
  m->at.grazes += open;
  return SIM_OK;
}
