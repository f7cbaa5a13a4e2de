/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/record.h"

#include "sim/base/grow.h"
#include "sim/core/model.h"
#include "sim/event/expansion.h"
#include "sim/event/variation.h"
#include "sim/mechanism/map.h"
#include "sim/mechanism/motion.h"
#include "sim/mechanism/transpose.h"
#include "sim/operator/columns.h"

#include <stdlib.h>
#include <string.h>

/* Marks (bits) of a coordinate in a leg, which is a piece of the motion. SLIDES: the coordinate slides. STOPPED: it
 * came to rest at the start of the leg. OWN: it came to rest or reversed at the same time as another one, so its
 * acceleration jumped there. HELD: a stop holds it. */
enum { MARK_SLIDES = 1, MARK_STOPPED = 2, MARK_OWN = 4, MARK_HELD = 8 };

/* Appends n numbers to the record. */
static SimStatus append(MechanismRecord *r, size_t n, const double *numbers) {
  if (!grow_array((void **)&r->numbers, sizeof *r->numbers, r->number_count, n, &r->number_room)) return SIM_NO_MEMORY;
  memcpy(r->numbers + r->number_count, numbers, n * sizeof *numbers);
  r->number_count += n;
  return SIM_OK;
}

/* Appends a leg (a piece of the motion), with the event at its start, which r->next describes. */
static SimStatus add_leg(const EventSystem *s, EventMotion *m, MechanismRecord *r, double from, bool has_map) {
  const SimProblem *p = s->problem;
  size_t d = (size_t)r->d;
  if (!grow_array((void **)&r->legs, sizeof *r->legs, r->leg_count, 1, &r->leg_room) ||
      !grow_array((void **)&r->marks, sizeof *r->marks, r->leg_count * d, d, &r->mark_room))
    return SIM_NO_MEMORY;
  signed char *marks = r->marks + r->leg_count * d;
  for (int i = 0; i < r->d; i++)
    marks[i] =
        (signed char)((event_slides(s, m, i) ? MARK_SLIDES : 0) | (m->at.contact[i] ? MARK_HELD : 0) | r->stopped[i]);
  MechanismLeg *leg = &r->legs[r->leg_count++];
  *leg = (MechanismLeg){.node = (int)m->at.node, .stop = r->next.stop, .has_map = has_map, .numbers = r->number_count};
  if (p->signal == SIM_PIECEWISE_LINEAR) {
    leg->pace = 1 / expansion_signal_length(p, m->at.node);
    leg->place = (m->at.t + from - expansion_signal_start(p, m->at.node)) * leg->pace;
  }
  SimStatus status = leg->stop >= 0 ? append(r, d, r->jump) : SIM_OK;
  if (status == SIM_OK && has_map) status = append(r, 2 * d * (size_t)r->n, m->mechanism->map->state);
  r->next.stop = -1;
  memset(r->stopped, 0, d);
  return status;
}

static SimStatus take_piece(void *context, const EventSystem *s, EventMotion *m, double from, double width) {
  (void)width;
  return add_leg(s, m, context, from, true);
}

void mechanism_record_begin(MechanismRecord *r, const EventMotion *m) {
  const MechanismMap *map = m->mechanism->map;
  r->leg_count = r->number_count = 0;
  r->n = map->n;
  r->n_forces = map->n_forces;
  r->n_parameters = map->n_parameters;
  r->force = map->force;
  r->next.stop = -1;
  memset(r->stopped, 0, (size_t)r->d);
  adjoint_start(r->adjoint);
}

SimStatus mechanism_record_leave(const EventSystem *s, EventMotion *m, MechanismRecord *r) {
  polynomial_at(m->segment.order, r->d, m->segment.a, m->part, r->before);
  if (!(m->part > 0)) return add_leg(s, m, r, 0, false);
  SimStatus status = mechanism_map_pieces(s, m, m->part, take_piece, r);
  r->adjoint->smooth = r->adjoint->smooth && m->mechanism->map->smooth;
  return status;
}

SimStatus mechanism_record_enter(const EventSystem *s, EventMotion *m, MechanismRecord *r, const signed char *slip) {
  if (r->leg_count == 0) return SIM_OK;
  int stop = variation_stop(s, m, r->before, slip, &r->adjoint->smooth);
  for (int i = 0; i < r->d; i++) {
    if (m->at.contact[i] || (slip[i] == 0 && m->at.slip[i] != 0)) adjoint_go(r->adjoint, i);
    if (m->at.contact[i] || slip[i] == 0 || m->at.slip[i] != 0) continue;
    adjoint_stop(r->adjoint, i, m->at.t, r->before[i]);
    r->stopped[i] = MARK_STOPPED;
  }
  if (mechanism_map_jump(s, m, r->before, stop >= 0, &r->adjoint->smooth)) return add_leg(s, m, r, 0, true);
  r->next.stop = stop;
  for (int i = 0; i < r->d && r->next.stop >= 0; i++) {
    int of = variation_stop_of(m, r->before, slip, r->next.stop, i);
    r->jump[i] = (r->before[i] - m->segment.a[i]) / r->before[of];
    if (of != r->next.stop) r->stopped[i] |= MARK_OWN;
  }
  return SIM_OK;
}

/* Multiplies the sums dJ/dq, dJ/dv by the transposed map of a piece, and adds the derivatives of J by the forces in it
 * to those by the control. */
static void cross_piece(MechanismRecord *r, const MechanismLeg *leg, const double *state) {
  SimAdjoint *a = r->adjoint;
  double *value = r->forces, *slope = value + adjoint_size(a);
  const LinearMap map = {.d = r->d,
                         .n = r->n,
                         .n_forces = r->n_forces,
                         .n_slopes = leg->pace > 0 ? r->n_forces : 0,
                         .n_parameters = r->n_parameters,
                         .force = r->force,
                         .state = state};
  linear_map_back(&map, a, value, slope, r->state);
  adjoint_push(a, (SignalMix){.node = leg->node, .weight = {1 - leg->place, leg->place}}, 1, value);
  if (leg->pace > 0) adjoint_push(a, (SignalMix){.node = leg->node, .weight = {-leg->pace, leg->pace}}, 1, slope);
}

/* Applies the jump of dJ/dv at the event at the start of a leg. */
static void cross_event(MechanismRecord *r, const MechanismLeg *leg, const signed char *marks) {
  SimAdjoint *a = r->adjoint;
  const double *jump = r->numbers + leg->numbers;
  double *sum = r->forces;
  memset(sum, 0, (size_t)a->width * sizeof *sum);
  for (int i = 0; i < r->d && leg->stop >= 0; i++) {
    double *row = adjoint_row(a, a->v, i);
    for (int c = 0; c < a->width && marks[i] & MARK_OWN; c++) row[c] -= jump[i] * row[c];
    if (!(marks[i] & MARK_OWN)) columns_add(a->width, jump[i], row, sum);
  }
  if (leg->stop >= 0) columns_add(a->width, -1, sum, adjoint_row(a, a->v, leg->stop));
  for (int i = 0; i < r->d; i++) {
    if (!(marks[i] & MARK_STOPPED)) continue;
    if (r->open[i]) columns_add(a->width, 1, adjoint_row(a, a->stop_weights, i), adjoint_row(a, a->v, i));
    r->open[i] = 0;
  }
}

static SimStatus sweep(SimAdjoint *a) {
  MechanismRecord *r = a->own;
  const signed char *last = r->marks + (r->leg_count - 1) * (size_t)r->d;
  for (int i = 0; i < r->d; i++) r->open[i] = !(last[i] & (MARK_SLIDES | MARK_HELD));
  for (size_t k = r->leg_count; k-- > 0;) {
    const MechanismLeg *leg = &r->legs[k];
    const signed char *marks = r->marks + k * (size_t)r->d;
    SimStatus status = adjoint_look(a);
    if (status != SIM_OK) return status;
    for (int i = 0; i < r->d; i++)
      if (!(marks[i] & MARK_SLIDES)) memset(adjoint_row(a, a->v, i), 0, (size_t)a->width * sizeof *a->v);
    if (leg->has_map) cross_piece(r, leg, r->numbers + leg->numbers + (leg->stop >= 0 ? r->d : 0));
    cross_event(r, leg, marks);
  }
  return SIM_OK;
}

static void free_record(void *own) {
  MechanismRecord *r = own;
  free(r->legs);
  free(r->marks);
  free(r->numbers);
  free(r->before);
  free(r->stopped);
  free(r);
}

SimStatus mechanism_record_equip(const SimModel *model, SimAdjoint *adjoint) {
  size_t d = (size_t)model->problem.d, block = d * (size_t)adjoint->together;
  MechanismRecord *r = adjoint->own = calloc(1, sizeof *r);
  adjoint->free_own = free_record;
  adjoint->sweep = sweep;
  if (!r) return SIM_NO_MEMORY;
  *r = (MechanismRecord){.adjoint = adjoint, .d = model->problem.d};
  r->before = calloc(2 * d + 4 * block, sizeof *r->before);
  r->stopped = calloc(2 * d, sizeof *r->stopped);
  if (!r->before || !r->stopped) return SIM_NO_MEMORY;
  r->jump = r->before + d;
  r->state = r->jump + d;
  r->forces = r->state + 2 * block;
  r->open = r->stopped + d;
  return SIM_OK;
}
