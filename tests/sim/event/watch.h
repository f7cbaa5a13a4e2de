/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks for tests of the scheme `event`: properties that every motion has. */
#ifndef TESTS_EVENT_WATCH_H
#define TESTS_EVENT_WATCH_H

#include "tests/sim/event/event.h"

/* An observer's step that does nothing. */
static inline void see_step(void *context, const SimStep *step) {
  (void)context;
  (void)step;
}

/* Observes a motion. Checks |lambda| <= 1, that dofs that stick do not move, that friction only takes energy, and the
 * energy balance. */
typedef struct Watch {
  int d;
  const double *friction;
  const double *slack; /* [d] rounding error of lambda; NULL: it is below 1e-9 */
  double dissipated, closing, scale;
} Watch;

static inline void check_step(void *context, const SimStep *step) {
  Watch *watch = context;
  const SimEnergy *e = step->energy;
  for (int i = 0; i < watch->d; i++) {
    if (!(watch->friction[i] > 0)) continue;
    assert_true(fabs(step->lambda[i]) <= 1 + 1e-9 + (watch->slack ? watch->slack[i] : 0));
    if (step->slip[i] == 0) assert_true(step->v[i] == 0);
    if (step->slip[i] != 0) assert_true(step->v[i] * step->slip[i] >= 0);
  }
  watch->scale = fmax(watch->scale, fmax(fabs(e->work), fmax(fabs(e->stored), e->dissipated)));
  assert_true(e->dissipated >= watch->dissipated - 1e-9 * fmax(watch->scale, 1));
  watch->dissipated = e->dissipated;
  watch->closing = fabs(e->work - e->stored - e->dissipated - e->numerical);
}

#endif
