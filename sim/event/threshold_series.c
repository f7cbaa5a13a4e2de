#include "sim/event/threshold_series.h"

#include "sim/joint/threshold.h"
#include "sim/law/friction_law.h"

#include <string.h>

/* Sets thresholds that are constant in time. */
static double begin_constant(const EventSystem *s, EventSegment *g) {
  const SimProblem *p = s->problem;
  g->course_order = 0;
  memcpy(g->course, p->rise_base, (size_t)s->d * sizeof *g->course);
  memcpy(g->bias, p->rise_base + s->d, (size_t)s->d * sizeof *g->bias);
  return p->end;
}

/* Half the sum and half the difference of both directions' courses. */
double threshold_series_begin(const EventSystem *s, EventMotion *m) {
  const SimProblem *p = s->problem;
  EventSegment *g = &m->segment;
  if (!p->thresholds) return begin_constant(s, g);
  int d = s->d, columns = p->threshold_columns, courses = sim_threshold_courses(p);
  const double *row = threshold_piece(p, m->at.t), *c = row + SIM_PIECE_HEAD;
  g->course_order = (int)row[1];
  for (int k = 0; k <= g->course_order; k++, c += courses)
    for (int i = 0; i < d; i++) {
      int column = columns == 1 ? 0 : i;
      double forward = c[column], backward = p->by_direction ? c[columns + column] : forward;
      g->course[k * d + i] = (forward + backward) / 2;
      g->bias[k * d + i] = (forward - backward) / 2;
    }
  return threshold_end(p, row);
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
