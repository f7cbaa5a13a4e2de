/* SPDX-License-Identifier: BSD-2-Clause */
/* Energies as an observer sees them, for tests of the energy balance. */
#ifndef TESTS_CLOSURE_H
#define TESTS_CLOSURE_H

#include "tests/fixture.h"

#include <float.h>

/* Results of an observed motion, computed here from SimEnergy alone. */
typedef struct ClosureWatch {
  double most[6], last_dissipated, fell, given_back;
  /* Largest error by which the balance does not close, relative to the largest energies, and the first time at which it
   * exceeds SIM_CLOSURE. */
  double error, time;
  long rows, unknown;
} ClosureWatch;

static inline void closure_see(void *context, const SimStep *step) {
  ClosureWatch *w = context;
  const SimEnergy *e = step->energy;
  const double terms[6] = {e->work, e->surface, e->stored, e->dissipated, e->impacts, e->numerical};
  double sum = 0, taken = e->dissipated + e->negative_dissipation;
  for (int k = 0; k < 6; k++) {
    w->most[k] = fixture_max(w->most[k], fabs(terms[k]));
    sum += w->most[k];
  }
  double open = fabs(terms[0] + terms[1] - terms[2] - terms[3] - terms[4] - terms[5]);
  w->unknown += isnan(e->work) && isnan(e->stored) && isnan(e->dissipated) && isnan(e->numerical);
  w->fell = fmax(w->fell, (w->last_dissipated - taken) / (sum + DBL_MIN));
  w->last_dissipated = taken;
  w->given_back = e->negative_dissipation;
  if (w->time < 0 && open > SIM_CLOSURE * sum && sum > 0) w->time = step->t;
  if (sum > 0) w->error = fixture_max(w->error, open / sum);
  w->rows++;
}

/* Runs a problem with an observer, and clears it. control: [variables]. *made: false if the library refuses the
 * problem. */
static inline ClosureWatch closure_run(SimProblem *p, FixtureForce *force, const double *control, SimFinal *final,
                                       bool *made) {
  ClosureWatch w = {.time = -1};
  double state[2 * 8];
  const SimObserver observer = {.context = &w, .step = closure_see};
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  FixtureSource source = {force, p->count};
  *final = (SimFinal){.x = state, .v = state + 8};
  *made = stiction_problem_finalize(p, NULL) == SIM_OK;
  if (*made && !p->force) stiction_problem_set_force(p, fixture_force_at, &source);
  *made =
      *made && stiction_model_create(p, NULL, &model) == SIM_OK && stiction_workspace_create(model, &work) == SIM_OK;
  if (*made) stiction_rollout(model, work, control, &observer, final);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
  return w;
}

#endif
