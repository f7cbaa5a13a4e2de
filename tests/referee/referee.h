/* SPDX-License-Identifier: BSD-2-Clause */
/* The referee: an integrator of motions that shares no code with the library. Computes a whole motion. */
#ifndef TESTS_REFEREE_REFEREE_H
#define TESTS_REFEREE_REFEREE_H

#include "tests/referee/step.h"
#include "tests/referee/stiff.h"

typedef enum Means { EXPLICIT, IMPLICIT } Means;

static inline void keep_instant(Walk *k, int row) {
  const Draw *w = k->w;
  WalkInstant *at = &k->instant[row];
  double a[D_MAX], hold[D_MAX];
  accelerate(w, k->mode, k->inside, k->t, k->y, a, hold);
  for (int i = 0; i < w->d; i++) {
    double c = threshold(w, i, hold[i] > 0 ? 1 : -1, k->inside, k->t), lambda = k->mode[i];
    if (rubs(w, i) && lambda * (k->y[w->d + i] - surface_speed(k, i, k->t)) < -1e-9 * k->fast)
      k->doubts++; /* the referee missed the stop of this dof */
    if (!k->mode[i]) lambda = c > 0 ? fmin(fmax(hold[i] / c, -1), 1) : 0;
    at->x[i] = k->y[i];
    at->v[i] = k->y[w->d + i];
    at->mode[i] = k->mode[i];
    at->lambda[i] = rubs(w, i) ? lambda : 0;
  }
}

static inline void begin(Walk *k) {
  const Draw *w = k->w;
  int side[D_MAX] = {0};
  bool hits = false;
  k->inside = fmin(w->breaks ? w->at_break[0] : w->end, w->end / INSTANTS) / 2;
  k->h = w->end / 1000;
  k->far = w->length * 1e-6;
  k->fast = w->speed * 1e-6;
  for (int i = 0; i < w->d; i++) {
    k->y[i] = w->x0[i];
    k->y[w->d + i] = w->v0[i];
    k->far = fmax(k->far, fabs(w->x0[i]));
    k->fast = fmax(k->fast, fabs(w->v0[i]));
  }
  for (int i = 0; i < w->d; i++) {
    if (!isnan(w->stop_stiffness[i])) continue;
    side[i] = w->x0[i] == w->upper[i] ? 1 : w->x0[i] == w->lower[i] ? -1 : 0;
    hits = hits || side[i] * w->v0[i] > 0;
    if (w->v0[i] == 0) k->contact[i] = side[i];
  }
  if (hits) impact(k, side);
  decide(k);
  make_guards(k);
}

/* Integrates until w->end, or gives up. */
static inline void referee_run(const Draw *w, Means means, double tolerance, long most, Walk *k) {
  *k = (Walk){.w = w, .tolerance = tolerance, .most = most};
  int next = 0;
  begin(k);
  keep_instant(k, 0);
  for (int row = 1; row <= INSTANTS; row++) {
    double stop = row == INSTANTS ? w->end : row * (w->end / INSTANTS);
    while (k->t < stop && !k->given_up) {
      double until = next < w->breaks && w->at_break[next] < stop ? w->at_break[next] : stop;
      k->inside = k->t + (until - k->t) / 2;
      int met = means == EXPLICIT ? step_to(k, until) : stiff_to(k, until);
      if (k->given_up) return;
      bool at_break = met < 0 && next < w->breaks && k->t >= w->at_break[next];
      if (met >= 0) pass(k, met);
      if (at_break) {
        double beyond = ++next < w->breaks ? w->at_break[next] : w->end;
        k->inside = k->t + (fmin(beyond, w->end) - k->t) / 2;
        decide(k);
      }
      make_guards(k);
    }
    if (k->given_up) return;
    keep_instant(k, row);
  }
}

#endif
