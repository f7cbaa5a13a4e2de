#include "sim/event/crossing.h"

#include <math.h>

/* A multiplier that starts a segment further beyond its threshold has been brought there by a jump of the force. */
static const double JUMP = 1000; /* doubts */

/* What can happen to a dof in a segment. */
typedef struct Candidate {
  Crossing what;
  double at;
} Candidate;

/* Whether p = added + factor c, c: [order + 1] with a stride, becomes negative no later than *at, which is then when; the first
 * `zeros` coefficients of p are 0. */
static bool falls(int order, int stride, const double *c, int zeros, double factor, double added, double *at) {
  double p[POLYNOMIAL_ORDER + 1];
  c += zeros * stride;
  order -= zeros;
  if (order < 0 || polynomial_least(order, stride, c, factor, added, *at) > 0) return false;
  for (int k = 0; k <= order; k++) p[k] = factor * c[k * stride];
  p[0] += added;
  if (p[0] > 0) return polynomial_first_root(order, p, *at, at);
  *at = 0;
  return true;
}

static Candidate of_sliding(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  const double *v = g->v + i;
  double slip = m->at.slip[i];
  Candidate found = {.at = until};
  if (falls(g->order, s->d, v, m->at.rest_order[i], slip, 0, &found.at)) found.what = CROSSING_REST;
  if (s->law != SIM_STRIBECK_RAMP) return found;
  double epsilon = s->epsilon[i];
  bool branch = m->at.beyond[i] ? falls(g->order, s->d, v, 0, slip, epsilon * (EVENT_DOUBT - 1), &found.at)
                                : falls(g->order, s->d, v, 0, -slip, epsilon * (EVENT_DOUBT + 1), &found.at);
  if (branch) found.what = CROSSING_BRANCH;
  return found;
}

/* Where thresholds change: the first time at which c - lambda or c + lambda, N, is below 0. */
static Candidate of_varying(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  int d = s->d, order = g->order > g->threshold_order ? g->order : g->threshold_order;
  Candidate found = {.at = until};
  for (int side = -1; side <= 1; side += 2) {
    double room[POLYNOMIAL_ORDER + 1] = {0}, added = g->doubt[i], at = until;
    for (int k = 0; k <= order; k++)
      room[k] =
          (k <= g->threshold_order ? g->threshold[k * d + i] : 0) - (k <= g->order ? side * g->lambda[k * d + i] : 0);
    if (room[0] < 0 && room[0] > -(1 + JUMP) * added) added -= room[0]; /* it has just been found to stick */
    if (!falls(order, 1, room, 0, 1, added, &at)) continue;
    found.what = CROSSING_REST;
    found.at = fmin(found.at, at);
  }
  return found;
}

static Candidate of_sticking(const EventSystem *s, const EventMotion *m, int i, double until) {
  const EventSegment *g = &m->segment;
  const double *lambda = g->lambda + i, doubt = g->doubt[i];
  Candidate found = {.at = until};
  if (event_varies(s)) return of_varying(s, m, i, until);
  for (int side = -1; side <= 1; side += 2) {
    double room = 1 - side * lambda[0], added = 1 + doubt;
    if (room < 0 && room > -(1 + JUMP) * doubt) added -= room; /* it has just been found to stick */
    double at = until; /* of either side alone, so that mirror images have the same bits */
    if (!falls(g->order, s->d, lambda, 0, -side, added, &at)) continue;
    found.what = CROSSING_REST;
    found.at = fmin(found.at, at);
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
    m->changes_branch[i] = happens && candidates[i].what == CROSSING_BRANCH;
    bool stuck = m->at.slip[i] == 0 && i >= s->massless;
    m->rests[i] = s->friction[i] > 0 && (stuck || (happens && candidates[i].what == CROSSING_REST));
  }
  *at = first;
  return what;
}
