/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/record.h"

#include "sim/base/grow.h"
#include "sim/event/expansion.h"
#include "sim/event/impact.h"
#include "sim/event/inverse.h"
#include "sim/event/spring_series.h"
#include "sim/operator/columns.h"

#include <stdlib.h>
#include <string.h>

SimStatus record_init(const EventSystem *s, SimAdjoint *adjoint, EventRecord *r) {
  size_t d = (size_t)s->d, polynomial = (POLYNOMIAL_ORDER + 1) * d, block = d * (size_t)adjoint->together;
  size_t series = (VARIATION_ORDER + 2) * d * COLUMNS_TOGETHER;
  *r = (EventRecord){.system = s, .adjoint = adjoint};
  for (int on = SIM_ON_FRICTION; on <= SIM_ON_BETA; on++)
    if (adjoint->sum[on]) r->on[r->wanted++] = (SimDependence)on;
  size_t columns = d * COLUMNS_TOGETHER, moments = adjoint->sum[SIM_ON_TABLE] ? VARIATION_POWERS * block : 0,
         powers = moments ? VARIATION_POWERS * polynomial : 0;
  double *next = r->slope =
      calloc((2 + SERIES_PLACES) * polynomial + series + 2 * block + d + 3 * columns + moments + powers, sizeof *next);
  r->set = calloc(2 * d, sizeof *r->set);
  if (!next || !r->set || inverses_init(s, &r->inverses) != SIM_OK) return SIM_NO_MEMORY;
  r->open = r->set + d;
  r->stiffening = next += polynomial;
  r->forcing = next += SERIES_PLACES * polynomial;
  r->series = next += polynomial;
  r->here = next += series;
  r->next = next += block;
  r->before = next += block;
  r->stiff = next += d;
  r->p = next += columns;
  r->q = next += columns;
  if (moments) r->moments = next += columns;
  r->powers = next + moments;
  return SIM_OK;
}

void record_clear(EventRecord *r) {
  inverses_clear(&r->inverses);
  free(r->marks);
  free(r->set);
  free(r->legs);
  free(r->numbers);
  free(r->slope);
}

void record_begin(EventRecord *r) {
  r->leg_count = r->number_count = 0;
  adjoint_start(r->adjoint);
}

/* Returns storage for n more values of the current leg, a segment of the record; NULL: no memory. */
static double *take(EventRecord *r, int n) {
  if (!grow_array((void **)&r->numbers, sizeof *r->numbers, r->number_count, (size_t)n, &r->number_room)) return NULL;
  r->number_count += (size_t)n;
  return r->numbers + r->number_count - n;
}

/* Records the dofs that have just come to rest, or begun to slide again. slip: [d] before the event. */
static void note_stops(const EventSystem *s, const EventMotion *m, const EventRecord *r, const signed char *slip,
                       signed char *marks) {
  for (int i = 0; i < s->d; i++) {
    if ((slip[i] == 0 && m->at.slip[i] != 0) || m->at.contact[i]) adjoint_go(r->adjoint, i);
    if (m->at.contact[i] || slip[i] == 0 || m->at.slip[i] != 0) continue;
    adjoint_stop(r->adjoint, i, m->at.t, r->before[i]);
    marks[i] |= LEG_STOPPED;
  }
}

/* Records the data of an impact (tangent.h) in the leg that begins with it. */
static SimStatus record_impact(const EventSystem *s, EventMotion *m, EventRecord *r, EventLeg *leg) {
  const EventImpact *impact = &m->impact;
  int d = s->d;
  leg->struck = impact->first;
  leg->jump = 2 * d + 2 * d * d;
  double *jump = take(r, leg->jump), *mapped = r->stiff, *column = r->stiff, *change = r->stiff + d;
  if (!jump) return SIM_NO_MEMORY;
  double *map = jump + 2 * d, *mass = map + d * d;
  memcpy(mapped, r->before, (size_t)d * sizeof *mapped);
  impact_map(s, m, mapped);
  for (int i = 0; i < d; i++) {
    jump[i] = (impact->before[i] - m->at.v[i]) / impact->before[leg->struck];
    jump[d + i] = (mapped[i] - m->segment.a[i]) / impact->before[leg->struck];
  }
  for (int j = 0; j < d; j++) {
    memset(column, 0, 2 * (size_t)d * sizeof *column);
    column[j] = 1;
    impact_map(s, m, column);
    impact_add_mass(s, m, j, change);
    for (int i = 0; i < d; i++) {
      map[i * d + j] = column[i];
      mass[i * d + j] = change[i];
    }
  }
  return SIM_OK;
}

SimStatus record_enter(EventMotion *m, EventRecord *r, const signed char *slip) {
  const EventSystem *s = r->system;
  const SimProblem *p = s->problem;
  size_t d = (size_t)s->d;
  if (!grow_array((void **)&r->legs, sizeof *r->legs, r->leg_count, 1, &r->leg_room) ||
      !grow_array((void **)&r->marks, sizeof *r->marks, r->leg_count * d, d, &r->mark_room))
    return SIM_NO_MEMORY;
  signed char *marks = r->marks + r->leg_count * d;
  EventLeg *leg = &r->legs[r->leg_count++];
  *leg = (EventLeg){.node = (int)m->at.node, .stop = -1, .struck = -1, .numbers = r->number_count};
  if (p->signal == SIM_PIECEWISE_LINEAR) leg->ramp = variation_ramp(s, m);
  for (int i = 0; i < s->d; i++) {
    int pushed = event_spring(s, m, i) > 0 ? LEG_PUSHED : 0, rests = m->at.contact[i] ? LEG_RESTS : 0;
    marks[i] = (signed char)((event_slides(s, m, i) ? LEG_SLIDES : 0) | pushed | rests);
  }
  if (r->leg_count == 1) return SIM_OK;
  leg->stop = variation_stop(s, m, r->before, slip, &r->adjoint->smooth);
  note_stops(s, m, r, slip, marks);
  if (m->impact.first >= 0) return record_impact(s, m, r, leg);
  if (leg->stop < 0) return SIM_OK;
  leg->jump = s->d;
  double *jump = take(r, s->d);
  if (!jump) return SIM_NO_MEMORY;
  for (int i = 0; i < s->d; i++) {
    int of = variation_stop_of(m, r->before, slip, leg->stop, i);
    jump[i] = (r->before[i] - m->segment.a[i]) / r->before[of];
    if (of != leg->stop) marks[i] |= LEG_OWN;
  }
  return SIM_OK;
}

/* Records the series of powers of the speed (variation_powers) and the current row of each dof in its friction table,
 * for derivatives by the entries of the table. */
static SimStatus record_table(const EventMotion *m, EventRecord *r) {
  const EventSystem *s = r->system;
  int d = s->d, order = m->segment.order, size = (order + 1) * d, whole = (POLYNOMIAL_ORDER + 1) * d;
  double *powers = take(r, VARIATION_POWERS * size + d);
  if (!powers) return SIM_NO_MEMORY;
  variation_powers(s, m, r->powers);
  for (int k = 0; k < VARIATION_POWERS; k++) {
    polynomial_part(order, d, r->powers + k * whole, 0, m->part);
    memcpy(powers + k * size, r->powers + k * whole, (size_t)size * sizeof *powers);
  }
  for (int i = 0; i < d; i++) powers[VARIATION_POWERS * size + i] = (double)m->at.branch[i];
  return SIM_OK;
}

SimStatus record_leave(EventMotion *m, EventRecord *r) {
  const EventSystem *s = r->system;
  const EventSegment *g = &m->segment;
  EventLeg *leg = &r->legs[r->leg_count - 1];
  int d = s->d, size = (g->order + 1) * d;
  leg->width = g->width * m->part;
  leg->order = g->order;
  leg->ramp.rise *= m->part;
  variation_slopes(s, m, 0, m->part, r->slope);
  if (m->springs) spring_series_slopes(s, m, 0, m->part, r->stiffening);
  leg->pieces = variation_pieces(s, m, r->slope, r->stiffening, expansion_inverse(s, m));
  polynomial_at(g->order, d, g->a, m->part, r->before);
  if (s->series) {
    double *slope = take(r, size);
    if (!slope) return SIM_NO_MEMORY;
    memcpy(slope, r->slope, (size_t)size * sizeof *slope);
  }
  if (m->springs) {
    double *stiffening = take(r, SERIES_PLACES * size);
    if (!stiffening) return SIM_NO_MEMORY;
    memcpy(stiffening, r->stiffening, SERIES_PLACES * (size_t)size * sizeof *stiffening);
  }
  for (int k = 0; k < r->wanted; k++) {
    double *forcing = take(r, size);
    if (!forcing) return SIM_NO_MEMORY;
    for (int q = 0; q < size; q++) forcing[q] = variation_forcing(s, m, r->on[k], q % d, q / d);
    polynomial_part(g->order, d, forcing, 0, m->part);
  }
  return r->moments ? record_table(m, r) : SIM_OK;
}
