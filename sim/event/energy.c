#include "sim/event/energy.h"

#include <string.h>

/* into += width times the integral of v . force, of which this is the order `order`. */
static void add_power(int d, const EventSegment *g, int order, const double *force, double *into) {
  for (int j = 0; j <= g->order; j++) {
    double power = 0;
    for (int i = 0; i < d; i++) power += g->v[j * d + i] * force[i];
    into[order + j + 1] += g->width * power / (order + j + 1);
  }
}

void energy_expand(const EventSystem *s, EventMotion *m) {
  EventSegment *g = &m->segment;
  int d = s->d;
  memset(g->work, 0, sizeof g->work);
  memset(g->dissipated, 0, sizeof g->dissipated);
  for (int k = 0; k <= g->order; k++) {
    double lost[EVENT_SIZE_MAX]; /* D v + C (lambda - gamma) where it moves: f + B u - A x - load */
    for (int i = 0; i < d; i++) {
      lost[i] = (k <= g->force_order ? g->force[k * d + i] : 0) - g->load[k * d + i];
      for (int j = 0; j < d; j++) lost[i] -= s->stiffness[i * d + j] * g->x[k * d + j];
    }
    if (k <= g->force_order) add_power(d, g, k, g->force + k * d, g->work);
    add_power(d, g, k, lost, g->dissipated);
  }
}
