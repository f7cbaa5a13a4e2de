/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/jump.h"

#include "sim/event/impact.h"
#include "sim/mechanism/motion.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus mechanism_jump_create(const SimProblem *p, const Expansion *motion, bool parameters, MechanismJump **out) {
  MechanismJump *jump = *out = calloc(1, sizeof *jump);
  if (!jump) return SIM_NO_MEMORY;
  SimStatus status = mechanism_motion_vary(p, parameters, &jump->expansion);
  if (status != SIM_OK) return status;
  size_t d = (size_t)p->d, n = 2 * d + (size_t)p->equations.parameters + 1;
  jump->d = p->d;
  jump->n = (int)n;
  jump->same_kinks = graph_tape_same_kinks(motion->tape, jump->expansion->tape);
  jump->columns = expansion_columns_create(jump->expansion);
  jump->state = calloc(5 * d * n + 2 * n + 2 * d, sizeof *jump->state);
  if (!jump->columns || !jump->state) return SIM_NO_MEMORY;
  jump->later = jump->state + 2 * d * n;
  jump->own = jump->later + n;
  jump->load = jump->own + n;
  jump->threshold = jump->load + d * n;
  jump->rate = jump->threshold + d * n;
  jump->change = jump->rate + d * n;
  jump->none = jump->change + d;
  return SIM_OK;
}

void mechanism_jump_destroy(MechanismJump *jump) {
  if (!jump) return;
  expansion_columns_destroy(jump->columns);
  expansion_destroy(jump->expansion);
  free(jump->state);
  free(jump);
}

/* Computes the equations (order 0 of the series) at the event's state. */
static void look_at(MechanismJump *jump, const EventSystem *s, const EventMotion *m) {
  GraphSeries *series = jump->expansion->series;
  for (int k = 0; k < series->tape->n_kinks; k++) series->signs[k] = 0;
  expansion_order_0(jump->expansion, m->at.t, m->at.x, m->at.v, s->problem->equations.values, true);
}

/* Whether a kink has changed its sign at the event, and forces may jump there. */
static bool jumps_at(const MechanismMotion *own, int kink) {
  return own->turned[kink] && own->expansion->tape->may_jump[kink];
}

static bool may_jump(const MechanismMotion *own) {
  bool any = false;
  for (int k = 0; k < own->expansion->tape->n_moving; k++) any = any || jumps_at(own, k);
  return any;
}

/* Whether two derivatives of the event's time are equal up to rounding. size: magnitude of the largest derivative. */
static bool equals(double a, double b, double size) {
  static const double ROUND_OFF = 1e-9;
  return fabs(a - b) <= ROUND_OFF * (fabs(a) + fabs(b)) + 64 * DBL_EPSILON * size;
}

/* Computes later [n], the derivatives of the time at which a kink's switching function crosses 0. Call it after look_at
 * and after expansion_along with the accelerations before the event. Returns false if the function only touches 0. */
static bool later_of_kink(MechanismJump *jump, int kink, double *later) {
  double rate = graph_series_kink(jump->expansion->series, kink, 1);
  expansion_columns_kink(jump->columns, kink, later);
  for (int c = 0; c < jump->n; c++) later[c] /= -rate;
  return rate != 0;
}

/* Computes jump->later, the derivatives of the event's time, from the kinks at the event where forces may jump. Returns
 * false if they do not exist: a switching function only touches 0, this copy of the equations has other kinks than the
 * motion's, or the times of two kinks have different derivatives. */
static bool find_kinks(MechanismJump *jump, const EventSystem *s, const EventMotion *m, const double *before) {
  const MechanismMotion *own = m->mechanism;
  bool any = false, exists = jump->same_kinks;
  double size = 0;
  look_at(jump, s, m);
  expansion_along(jump->expansion, m->at.v, before, jump->none, 1);
  for (int k = 0; k < own->expansion->tape->n_moving && exists; k++) {
    if (!jumps_at(own, k)) continue;
    exists = later_of_kink(jump, k, any ? jump->own : jump->later);
    for (int c = 0; c < jump->n && !any; c++) size = fmax(size, fabs(jump->later[c]));
    for (int c = 0; c < jump->n && any; c++) exists = exists && equals(jump->own[c], jump->later[c], size);
    any = true;
  }
  return exists;
}

/* Computes jump->rate, the derivatives of M (v+ - v-) at fixed v+ - v- by all columns; v- and v+ are the velocities
 * before and after the impact. */
static void find_pull(MechanismJump *jump, const EventSystem *s, const EventMotion *m) {
  look_at(jump, s, m);
  for (int i = 0; i < jump->d; i++) jump->change[i] = m->at.v[i] - m->impact.before[i];
  expansion_along(jump->expansion, jump->none, jump->none, jump->change, 0);
  expansion_columns_along(jump->columns, NULL, jump->load, jump->threshold, jump->rate);
}

/* Maps jump->change, the derivatives of the velocities in column c before the impact, to those after it. */
static void strike(MechanismJump *jump, const EventSystem *s, EventMotion *m, int c) {
  int d = jump->d, n = jump->n;
  double *pull = jump->load + c * d; /* this array is no longer needed, and has [d] entries for each column */
  for (int i = 0; i < d; i++) {
    const double *by = jump->rate + i * n;
    double moved = by[n - 1];
    for (int j = 0; j < d; j++) moved += by[j] * m->impact.before[j];
    pull[i] = (c < d || c >= 2 * d ? by[c] : 0) + moved * jump->later[c];
  }
  impact_map(s, m, jump->change);
  impact_yield(s, m, pull, jump->change);
}

/* Computes jump->state, the derivatives of q+ and v+, from jump->later (formula in jump.h). */
static void find_state(MechanismJump *jump, const EventSystem *s, EventMotion *m, const double *before, bool strikes) {
  int d = jump->d, n = jump->n;
  const double *slow = strikes ? m->impact.before : m->at.v;
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < d; i++) jump->change[i] = (c == d + i) + before[i] * jump->later[c];
    if (strikes) strike(jump, s, m, c);
    for (int i = 0; i < d; i++) {
      jump->state[i * n + c] = (c == i) + (slow[i] - m->at.v[i]) * jump->later[c];
      jump->state[(d + i) * n + c] = event_slides(s, m, i) ? jump->change[i] - m->segment.a[i] * jump->later[c] : 0;
    }
  }
}

bool mechanism_jump_find(MechanismJump *jump, const EventSystem *s, EventMotion *m, const double *before, bool stops,
                         bool *smooth) {
  int first = m->impact.first;
  bool strikes = first >= 0, jumps = may_jump(m->mechanism);
  if (strikes) {
    *smooth = *smooth && !jumps; /* an impact and a jump of forces at the same time: a parameter may change which comes
                                  * first */
    memset(jump->later, 0, (size_t)jump->n * sizeof *jump->later);
    jump->later[first] = -1 / m->impact.before[first];
    find_pull(jump, s, m);
  } else if (stops || m->impact.many > 0 || !jumps) {
    return false;
  } else if (!find_kinks(jump, s, m, before)) {
    *smooth = false;
    return false;
  }
  find_state(jump, s, m, before, strikes);
  return true;
}
