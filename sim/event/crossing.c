#include "sim/event/crossing.h"

/* A multiplier that starts a segment further beyond its threshold has been brought there by a jump of the force. */
static const double JUMP = 1000; /* doubts */

/* What can happen to a dof in a segment. */
typedef struct Candidate {
  Crossing what;
  double at;
} Candidate;

/* Whether p, [order + 1], whose first `zeros` coefficients are 0, becomes negative no later than *at, which is then when. */
static bool falls(int order, const double *p, int zeros, double *at) {
  if (zeros > order) return false;
  if (p[zeros] > 0) return polynomial_first_root(order - zeros, p + zeros, *at, at);
  *at = 0;
  return true;
}

static Candidate of_sliding(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  double p[POLYNOMIAL_ORDER + 1];
  Candidate found = {.at = until};
  for (int k = 0; k <= g->order; k++) p[k] = m->at.slip[i] * g->v[k * s->d + i];
  if (falls(g->order, p, m->at.rest_order[i], &found.at)) found.what = CROSSING_REST;
  if (s->law != SIM_STRIBECK_RAMP) return found;
  for (int k = 0; k <= g->order && !m->at.beyond[i]; k++) p[k] = -p[k];
  p[0] += s->epsilon[i] * (m->at.beyond[i] ? EVENT_DOUBT - 1 : EVENT_DOUBT + 1);
  if (falls(g->order, p, 0, &found.at)) found.what = CROSSING_BRANCH;
  return found;
}

static Candidate of_sticking(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  double p[POLYNOMIAL_ORDER + 1];
  Candidate found = {.at = until};
  for (int side = -1; side <= 1; side += 2) {
    for (int k = 0; k <= g->order; k++) p[k] = -side * g->lambda[k * s->d + i];
    p[0] += 1 + g->doubt[i];
    if (p[0] < g->doubt[i] && p[0] > -JUMP * g->doubt[i]) p[0] = g->doubt[i]; /* it has just been found to stick */
    if (falls(g->order, p, 0, &found.at)) found.what = CROSSING_REST;
  }
  return found;
}

Crossing crossing_find(const EventSystem *s, EventMotion *m, double *at) {
  Candidate candidates[EVENT_SIZE_MAX];
  double first = 1;
  Crossing what = CROSSING_NONE;
  for (int i = 0; i < s->d; i++) {
    candidates[i] = (Candidate){.what = CROSSING_NONE};
    if (!(s->friction[i] > 0)) continue;
    candidates[i] = m->at.slip[i] ? of_sliding(s, m, i, first) : of_sticking(s, m, i, first);
    if (candidates[i].what != CROSSING_NONE) first = candidates[i].at;
  }
  for (int i = 0; i < s->d; i++) {
    bool happens = candidates[i].what != CROSSING_NONE && candidates[i].at <= first;
    if (happens && candidates[i].what > what) what = candidates[i].what;
    if (happens && candidates[i].what == CROSSING_BRANCH) m->at.beyond[i] = !m->at.beyond[i];
    m->rests[i] = s->friction[i] > 0 && (m->at.slip[i] == 0 || (happens && candidates[i].what == CROSSING_REST));
  }
  *at = first;
  return what;
}
