/* SPDX-License-Identifier: BSD-2-Clause */
/* Problems with stops, and properties of all their motions. */
#ifndef TESTS_STOPS_H
#define TESTS_STOPS_H

#include "tests/sim/adjoint.h"

/* Adds stops that no dof ever reaches. */
static inline void stops_none(SimProblem *p) {
  p->stops.present = true;
  for (int i = 0; i < p->d; i++) p->stops.lower[i] = p->stops.upper[i] = p->stops.stiffness[i] = NAN;
}

/* What is observed of a motion. */
typedef struct Seen {
  const SimProblem *problem;
  double closure, scale;    /* error and size of the energy balance, J */
  double beyond;            /* largest distance by which a dof passes a stop, m */
  double wrong;             /* largest reaction that pulls, N */
  double law;               /* largest excess of |lambda| over 1 */
  double impacts;           /* energy taken by impacts, J */
  double reaction[D], x[D]; /* values at the last instant */
  uint64_t branches;        /* hash of the branches of friction and stops in all steps */
} Seen;

static inline void stops_see(void *context, const SimStep *step) {
  Seen *s = context;
  const SimProblem *p = s->problem;
  const SimEnergy *e = step->energy;
  s->scale = fmax(s->scale, fabs(e->work) + fabs(e->stored) + fabs(e->dissipated) + fabs(e->impacts) + 1);
  s->closure =
      fixture_max(s->closure, fabs(e->work - e->stored - e->dissipated - e->impacts - e->numerical) / s->scale);
  s->impacts = e->impacts;
  for (int i = 0; i < p->d; i++) {
    double low = p->stops.lower[i], high = p->stops.upper[i];
    int ends = (step->reaction[i] > 0) + 2 * (step->reaction[i] < 0) + 4 * (step->x[i] == low || step->x[i] == high);
    int law = step->slip[i] + 1 + 3 * (fabs(step->v[i]) <= p->system.stribeck_epsilon[i]);
    s->branches = (s->branches ^ (uint64_t)(1 + ends + 8 * law)) * UINT64_C(1099511628211);
    if (isnan(p->stops.stiffness[i]))
      s->beyond = fixture_max(s->beyond, fmax(isnan(low) ? 0 : low - step->x[i], isnan(high) ? 0 : step->x[i] - high));
    s->wrong = fixture_max(s->wrong, isnan(low) ? step->reaction[i] : 0);
    s->wrong = fixture_max(s->wrong, isnan(high) ? -step->reaction[i] : 0);
    s->law = fixture_max(s->law, fabs(step->lambda[i]) - 1);
    s->reaction[i] = step->reaction[i];
    s->x[i] = step->x[i];
  }
}

static inline Seen stops_run(SimProblem *p, FixtureForce *force, const double *control, double *x, double *v,
                             SimFinal *final) {
  Seen s = {.problem = p};
  SimWorkspace *work;
  SimModel *model = fixture_model(p, force, &work);
  const SimObserver observer = {.context = &s, .step = stops_see};
  *final = (SimFinal){.x = x, .v = v};
  assert_int_equal(stiction_rollout(model, work, control, &observer, final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  assert_true(s.beyond <= 0);
  assert_true(s.wrong <= 0);
  assert_true(s.law <= 1e-9);
  assert_true(s.closure < 1e-10);
  return s;
}

#endif
