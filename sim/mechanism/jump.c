/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/jump.h"

#include "sim/event/impact.h"
#include "sim/mechanism/motion.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus mechanism_jump_create(const SimProblem *p, bool parameters, MechanismJump **out) {
  MechanismJump *jump = *out = calloc(1, sizeof *jump);
  if (!jump) return SIM_NO_MEMORY;
  SimStatus status = mechanism_motion_vary(p, parameters, &jump->expansion);
  if (status != SIM_OK) return status;
  size_t d = (size_t)p->d, n = 2 * d + (size_t)p->equations.parameters + 1;
  jump->d = p->d;
  jump->n = (int)n;
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

/* Computes order 0 of the equations at the event. */
static void look_at(MechanismJump *jump, const EventSystem *s, const EventMotion *m) {
  GraphSeries *series = jump->expansion->series;
  for (int k = 0; k < series->tape->n_kinks; k++) series->signs[k] = 0;
  expansion_order_0(jump->expansion, m->at.t, m->at.x, m->at.v, s->problem->equations.values, true);
}

/* Returns the rate g' of each kink's function, as order 1 of its row, for accelerations a [d]. */
static void look_on(MechanismJump *jump, const EventMotion *m, const double *a) {
  expansion_along(jump->expansion, m->at.v, a, jump->none, 1);
}

/* Whether two numbers that are computed from the same text by different tapes are equal. */
static bool equals(double a, double b, double size) {
  static const double ROUND_OFF = 1e-9;
  return fabs(a - b) <= ROUND_OFF * (fabs(a) + fabs(b)) + 64 * DBL_EPSILON * size;
}

/* Whether a kink of the series has this value and this rate. */
static bool is_alike(const GraphSeries *series, int kink, double value, double rate, double size) {
  return equals(value, graph_series_kink(series, kink, 0), size) && equals(rate, graph_series_kink(series, kink, 1), 0);
}

/* Returns the number, in the jump's own tape, of kink k of the motion: the one with the same function and the same rate
 * after the event; of several such kinks the one at the same position among them. -1: there is none. look_on must have
 * been called with the accelerations after the event. */
static int kink_of(const MechanismJump *jump, const EventMotion *m, int k) {
  const GraphSeries *series = m->mechanism->expansion->series, *own = jump->expansion->series;
  double value = graph_series_kink(series, k, 0), rate = graph_series_kink(series, k, 1), size = fmax(1, fabs(m->at.t));
  int before = 0, found = -1;
  for (int i = 0; i < jump->d; i++) size = fmax(size, fmax(fabs(m->at.x[i]), fabs(m->at.v[i])));
  for (int j = 0; j < k; j++) before += is_alike(series, j, value, rate, size);
  for (int j = 0; j < own->tape->n_kinks && before >= 0; j++) {
    if (!is_alike(own, j, value, rate, size)) continue;
    found = j;
    before--;
  }
  return found;
}

/* Computes `later` of a kink that has changed its sign. Returns false if its function only touches 0, or is unknown. */
static bool later_of_kink(MechanismJump *jump, const EventMotion *m, int k, const double *before, double *later) {
  look_on(jump, m, m->segment.a);
  int kink = kink_of(jump, m, k);
  if (kink < 0) return false;
  look_on(jump, m, before);
  double rate = graph_series_kink(jump->expansion->series, kink, 1);
  expansion_columns_kink(jump->columns, kink, later);
  for (int c = 0; c < jump->n; c++) later[c] /= -rate;
  return rate != 0;
}

/* Whether accelerations jump at a kink, by more than the error of the motion. */
static bool accelerations_jump(const MechanismJump *jump, const EventMotion *m, const double *before) {
  static const double NOTHING = 1e-6;
  double most = 0, change = 0;
  for (int i = 0; i < jump->d; i++) {
    most = fmax(most, fmax(fabs(before[i]), fabs(m->segment.a[i])));
    change = fmax(change, fabs(before[i] - m->segment.a[i]));
  }
  return change > NOTHING * most;
}

/* Computes `later` of the kinks at the event. Returns whether there are any. *smooth: false if the times of two of them
 * change differently. */
static bool find_kinks(MechanismJump *jump, const EventSystem *s, const EventMotion *m, const double *before,
                       bool *smooth) {
  const MechanismMotion *own = m->mechanism;
  bool any = false;
  for (int k = 0; k < own->n_kinks; k++) {
    if (!own->turned[k]) continue;
    if (!any) look_at(jump, s, m);
    double size = 0;
    bool known = later_of_kink(jump, m, k, before, any ? jump->own : jump->later);
    *smooth = *smooth && known;
    if (!known) continue;
    for (int c = 0; c < jump->n; c++) size = fmax(size, fabs(jump->later[c]));
    for (int c = 0; c < jump->n && any; c++) *smooth = *smooth && equals(jump->own[c], jump->later[c], size);
    any = true;
  }
  return any;
}

/* Computes the derivatives of M (v+ - v-) by all columns: jump->rate. */
static void find_pull(MechanismJump *jump, const EventSystem *s, const EventMotion *m) {
  look_at(jump, s, m);
  for (int i = 0; i < jump->d; i++) jump->change[i] = m->at.v[i] - m->impact.before[i];
  expansion_along(jump->expansion, jump->none, jump->none, jump->change, 0);
  expansion_columns_along(jump->columns, jump->load, jump->threshold, jump->rate);
}

/* Maps the velocities of column c, jump->change, by the impact. */
static void strike(MechanismJump *jump, const EventSystem *s, EventMotion *m, int c) {
  int d = jump->d, n = jump->n;
  double *pull = jump->load + c * d; /* no longer needed, and [d] for each column */
  for (int i = 0; i < d; i++) {
    const double *by = jump->rate + i * n;
    double moved = by[n - 1];
    for (int j = 0; j < d; j++) moved += by[j] * m->impact.before[j];
    pull[i] = (c < d || c >= 2 * d ? by[c] : 0) + moved * jump->later[c];
  }
  impact_map(s, m, jump->change);
  impact_yield(s, m, pull, jump->change);
}

/* Computes jump->state from jump->later. */
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
  bool strikes = first >= 0;
  if (strikes) {
    memset(jump->later, 0, (size_t)jump->n * sizeof *jump->later);
    jump->later[first] = -1 / m->impact.before[first];
    find_pull(jump, s, m);
  } else if (stops || m->impact.many > 0 || !accelerations_jump(jump, m, before) ||
             !find_kinks(jump, s, m, before, smooth)) {
    return false;
  }
  find_state(jump, s, m, before, strikes);
  return true;
}
