/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/doubt.h"

#include "sim/event/inverse.h"
#include "sim/event/spring_series.h"

#include <math.h>

/* Rounding error of the time t, relative to t, in units of DOUBT_ROUND_OFF. It matters if a load changes much within a
 * short time. */
static const double TIME_ROUND_OFF = 1.0 / 8;

void doubt_raise(const EventSystem *s, const EventMotion *m, int order, double *size) {
  int d = s->d;
  const EventSegment *g = &m->segment;
  /* rounding error of t as a fraction of the segment, in units of DOUBT_ROUND_OFF */
  double late = TIME_ROUND_OFF * m->at.t / g->width;
  const double *x = g->x + order * d, *v = g->v + order * d;
  for (int i = 0; i < d; i++) {
    bool light = event_massless(s, i);
    if (light ? order > 0 : s->mass_is_diagonal && event_slides(s, m, i)) continue;
    double sum = order ? 0 : s->friction[i];
    if (order == 0 && g->force_order > 0) sum += fabs(g->force[d + i]) * late;
    if (order <= g->force_order) sum += fabs(g->force[order * d + i]);
    sum = rows_add_sizes(&s->stiffness, i, x, sum);
    if (s->damped) sum = rows_add_sizes(&s->damping, i, v, sum);
    if (m->springs) sum += fabs(m->springs->force[order * d + i]);
    sum += event_spring(s, m, i) * fabs(x[i]) + fabs(event_push(s, m, i, order));
    size[i] = fmax(size[i], sum);
  }
}

void doubt_find(const EventSystem *s, const EventMotion *m, const double *inverse, const double *size, double *doubt) {
  int d = s->d;
  double *acceleration = event_room(s, m, ROOM_ACCELERATION);
  if (!s->mass_is_diagonal) inverse_bound(s, inverse, size, acceleration);
  for (int i = 0; i < d; i++) {
    double sum = size[i];
    if (!s->mass_is_diagonal) sum = rows_add_sizes(&s->form, i, acceleration, sum);
    doubt[i] = EVENT_DOUBT * s->friction[i] + DOUBT_ROUND_OFF * sum;
  }
}
