/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/threshold_series.h"

#include "sim/joint/threshold.h"
#include "sim/law/friction_law.h"

#include <string.h>

double threshold_series_begin(const EventSystem *s, EventMotion *m) {
  double end;
  m->segment.course_order = threshold_series(s->problem, m->at.t, m->segment.course, m->segment.bias, &end);
  return end;
}

void threshold_series_complete(const EventSystem *s, EventMotion *m, double end) {
  EventSegment *g = &m->segment;
  int d = s->d, order = g->course_order;
  if (order > 0) {
    double start = threshold_piece(s->problem, m->at.t)[0], length = end - start, from = (m->at.t - start) / length;
    polynomial_part(order, d, g->course, from, g->width / length);
    polynomial_part(order, d, g->bias, from, g->width / length);
  }
  g->threshold_order = s->problem->rise.pieces ? POLYNOMIAL_ORDER : order;
  memcpy(g->threshold, g->course, (size_t)((order + 1) * d) * sizeof *g->threshold);
  memset(g->bias + (order + 1) * d, 0, (size_t)((g->threshold_order - order) * d) * sizeof *g->bias);
  if (!s->problem->by_direction) return;
  for (; g->force_order < order; g->force_order++)
    memset(g->force + (g->force_order + 1) * d, 0, (size_t)d * sizeof *g->force);
  for (int q = 0; q < (order + 1) * d; q++) g->force[q] -= g->bias[q];
}

void threshold_series_divide(const EventSystem *s, const EventMotion *m, double part, double *lambda) {
  double *threshold = event_room(s, m, ROOM_DIVISOR);
  polynomial_at(m->segment.threshold_order, s->d, m->segment.threshold, part, threshold);
  for (int i = 0; i < s->d; i++) lambda[i] = threshold[i] > 0 ? friction_project(lambda[i] / threshold[i]) : 0;
}
