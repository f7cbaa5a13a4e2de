/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/dashpot_motion.h"

#include "sim/core/interrupt.h"
#include "sim/event/dashpot_derivatives.h"
#include "sim/event/dashpot_residual.h"
#include "sim/event/expansion.h"

#include <math.h>

static bool has_ended(const DashpotSystem *s, const DashpotMotion *m) {
  return m->at.piece == dashpot_problem_of(s)->piece_count;
}

static void begin_force(const DashpotSystem *s, DashpotMotion *m) {
  EventMotion *driven = &m->driven;
  driven->at.t = m->at.t;
  driven->at.piece = m->at.piece;
  driven->at.node = m->at.node;
  driven->segment.force = m->force;
  driven->control_force = &m->control_force;
  expansion_begin(&s->event, driven);
}

/* Reports an event of the mass to the observer, if there is one. what: the new slip, SIM_MEETS or SIM_LEAVES. */
static void report_event(const DashpotMotion *m, int what) {
  const SimObserver *observer = m->driven.observer;
  if (observer && observer->event) observer->event(observer->context, m->at.t, 0, what);
}

static void complete(const DashpotSystem *s, DashpotMotion *m) {
  dashpot_expand(s, m);
  dashpot_find_crossing(s, m);
}

static void next_segment(const DashpotSystem *s, DashpotMotion *m) {
  long slip = m->at.slip;
  begin_force(s, m);
  dashpot_decide(s, m);
  if (m->at.slip != slip) report_event(m, (int)m->at.slip);
  complete(s, m);
}

void dashpot_motion_resume(const DashpotSystem *s, DashpotMotion *m) {
  if (has_ended(s, m)) return;
  begin_force(s, m);
  complete(s, m);
}

SimStatus dashpot_motion_begin(const DashpotSystem *s, DashpotMotion *m, double x0, double v0) {
  const SimProblem *p = dashpot_problem_of(s);
  m->at = (DashpotState){.x = x0, .q = fabs(v0), .slip = (v0 > 0) - (v0 < 0), .mode = DASHPOT_SLIDES};
  m->crossing = v0 == 0 ? DASHPOT_RESTS : DASHPOT_JUMPED;
  dashpot_derivatives_begin(m);
  if (p->dashpot.has_support && x0 > p->dashpot.support_position) report_event(m, SIM_MEETS);
  next_segment(s, m);
  if (v0 != 0 || m->at.slip == 0) report_event(m, (int)m->at.slip);
  return isfinite(m->at.w) ? SIM_OK : SIM_NON_FINITE;
}

/* Computes two energies, in J, from the segment's start to z: the work of f + B u, spent[0], and the energy dissipated
 * by the dash-pot's force f_crit + w, spent[1]. */
static void energies_at(const DashpotSystem *s, const DashpotMotion *m, double z, double spent[2]) {
  const DashpotSegment *g = &m->segment;
  double power = z, way[2 * DASHPOT_ROWS] = {0}, sum[2 * DASHPOT_ROWS] = {0};
  for (int i = 1; i <= g->order; i++)
    for (int j = 0; j <= g->order; j++) {
      sum[i + j] += i * g->x[i] * g->force[j] / (i + j);
      way[i + j] += i * g->x[i] * (g->w[j] + (j ? 0 : s->law.f_crit)) / (i + j);
    }
  spent[0] = spent[1] = 0;
  for (int k = 1; k <= 2 * g->order; k++, power *= z) {
    spent[0] += sum[k] * power;
    spent[1] += (double)m->at.slip * way[k] * power;
  }
}

/* When the mass passes the support: sets x to the exact position of the support, and reports the event. */
static void pass_support(const DashpotSystem *s, DashpotMotion *m) {
  m->at.x = dashpot_problem_of(s)->dashpot.support_position;
  report_event(m, m->at.slip > 0 ? SIM_MEETS : SIM_LEAVES);
}

/* Sets position x, speed q and force w of the state to their values at the end of the segment. */
static void take_end(const DashpotSystem *s, DashpotMotion *m) {
  const DashpotSegment *g = &m->segment;
  DashpotState *at = &m->at;
  double half = 0;
  at->x = dashpot_at(g, g->x, m->part);
  if (at->mode == DASHPOT_LEVEL || at->mode == DASHPOT_STICKS) return;
  at->q = dashpot_at(g, g->q, m->part);
  at->w = dashpot_at(g, g->w, m->part);
  if (at->mode == DASHPOT_BETWEEN) {
    half = dashpot_at(g, g->half, m->part);
    at->w = dashpot_at(g, g->mu, m->part) - sqrt(half);
  }
  if (m->crossing == DASHPOT_TURNS) {
    at->q = s->level[m->fold];
  } else if (s->law.degree > 0 && m->crossing != DASHPOT_RESTS) {
    at->q = dashpot_line_value(&s->law, at->w);
  }
}

/* Advances the state to the end of the segment. */
static void leave_segment(const DashpotSystem *s, DashpotMotion *m) {
  DashpotState *at = &m->at;
  EventMotion *driven = &m->driven;
  double clock = dashpot_at(&m->segment, m->segment.clock, m->part), t = at->t + driven->segment.width * fmax(clock, 0);
  bool whole = m->crossing == DASHPOT_GOES_ON && (m->part < 1 || clock >= 1);
  if (driven->watched) {
    double spent[2];
    energies_at(s, m, m->part, spent);
    at->work += spent[0];
    at->dissipated += spent[1];
  }
  if (m->part > 0) {
    take_end(s, m);
    at->rest_order = at->ties = 0;
  }
  event_state_pass(&s->event, &driven->at, whole || t >= driven->segment.until ? driven->segment.until : t);
  at->t = driven->at.t;
  at->piece = driven->at.piece;
  at->node = driven->at.node;
  if (m->crossing == DASHPOT_CONTACT) pass_support(s, m);
}

SimStatus dashpot_motion_reach(const DashpotSystem *s, DashpotMotion *m, double t) {
  while (!has_ended(s, m)) {
    double clock = dashpot_at(&m->segment, m->segment.clock, m->part), from = m->at.t;
    if (fmin(from + m->driven.segment.width * clock, m->driven.segment.until) > t) break;
    DashpotEnd end = {0};
    DashpotBefore before = {0};
    bool differentiated = m->sensitivity || m->adjoint;
    if (m->examined) end = dashpot_residual_examine(s, m);
    if (differentiated) before = dashpot_before(s, m);
    if (differentiated && dashpot_derivatives_leave(s, m) != SIM_OK) return SIM_NO_MEMORY;
    leave_segment(s, m);
    if (!isfinite(m->at.x) || !isfinite(m->at.w) || !isfinite(m->at.q)) return SIM_NON_FINITE;
    bool counts = m->crossing > DASHPOT_PAUSES || !(m->at.t > from);
    if (counts && ++m->at.events > s->event.max_events) return SIM_EVENTS_ACCUMULATE;
    if (has_ended(s, m)) break;
    SimStatus status = interrupt_segment(m->driven.interrupt);
    if (status != SIM_OK) return status;
    next_segment(s, m);
    if (m->examined) dashpot_residual_enter(s, m, &end);
    if (differentiated && dashpot_derivatives_enter(s, m, &before) != SIM_OK) return SIM_NO_MEMORY;
  }
  return SIM_OK;
}

/* Returns the value of the segment's variable z (0 to 1) that corresponds to the time t. */
static double part_at(const DashpotMotion *m, double t) {
  const DashpotSegment *g = &m->segment;
  double left[DASHPOT_ROWS], part = m->part;
  if (t <= m->at.t) return 0;
  for (int k = 0; k <= g->order; k++) left[k] = -g->clock[k];
  left[0] += (t - m->at.t) / m->driven.segment.width;
  polynomial_first_root(g->order, left, m->part, &part);
  return part;
}

DashpotLink dashpot_motion_link(const DashpotSystem *s, const DashpotMotion *m, double t) {
  static const DashpotLink none = {.map = {{1, 0}, {0, 1}}};
  return has_ended(s, m) ? none : dashpot_link_segment(s, m, part_at(m, t));
}

DashpotInstant dashpot_motion_show(const DashpotSystem *s, const DashpotMotion *m, double t) {
  const DashpotSegment *g = &m->segment;
  bool ended = has_ended(s, m);
  double slip = (double)m->at.slip, z = ended ? m->part : part_at(m, t), spent[2] = {0};
  DashpotInstant now = {.x = ended ? m->at.x : dashpot_at(g, g->x, z), .v = slip * dashpot_at(g, g->q, z)};
  now.f_d = slip == 0 ? dashpot_at(g, g->mu, z) : slip * (s->law.f_crit + dashpot_at(g, g->w, z));
  if (slip == 0) now.v = 0;
  if (m->driven.watched && !ended) energies_at(s, m, z, spent);
  now.work = m->at.work + spent[0];
  now.dissipated = m->at.dissipated + spent[1];
  return now;
}
