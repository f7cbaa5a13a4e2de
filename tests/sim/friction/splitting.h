/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers for tests of the splitting schemes: the papers' problems from their files with settings, their exact
 * solutions, and errors measured as in the papers. */
#ifndef TESTS_SPLITTING_H
#define TESTS_SPLITTING_H

#include "bench/accuracy/exact.h"
#include "src/file/sections/file.h"
#include "tests/fixture.h"

#include <stdio.h>

/* Reads jobs/problems/NAME.yaml with settings (NULL-terminated, or NULL). */
static inline void splitting_read(const char *name, char *const *settings, Problem *problem) {
  char path[512];
  int n = 0;
  while (settings && settings[n]) n++;
  snprintf(path, sizeof path, "%s/jobs/problems/%s.yaml", STICTION_ROOT, name);
  assert_int_equal(
      problem_file_read(path, settings, n, false, &(Diagnostics){.report = diagnostic_print, .to = stderr}, problem),
      0);
}

/* Runs a rollout of a problem that was read, which must succeed. x, v: [d] final state. */
static inline SimFinal splitting_roll(const Problem *problem, const SimObserver *observer, double *x, double *v) {
  SimModel *model;
  SimWorkspace *work;
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_model_create(&problem->sim, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  assert_int_equal(stiction_rollout(model, work, NULL, observer, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return final;
}

/* Errors: sqrt(dt sum |q^n - q(t_n)|^2) for x and v, dt sum |lambda^n - lambda(t_n)|_1. */
typedef struct Errors {
  ExactSolution *exact;
  int d;
  double step, x, v, lambda;
} Errors;

static inline void splitting_compare(void *context, const SimStep *step) {
  Errors *errors = context;
  if (step->n == 0) return;
  Exact e = errors->exact(step->t);
  for (int i = 0; i < errors->d; i++) {
    errors->x += errors->step * pow(step->x[i] - e.x[i], 2);
    errors->v += errors->step * pow(step->v[i] - e.v[i], 2);
    errors->lambda += errors->step * fabs(step->lambda[i] - e.lambda[i]);
  }
}

static inline Errors splitting_errors(const Problem *problem, ExactSolution *exact) {
  double x[3], v[3];
  Errors errors = {.exact = exact, .d = problem->sim.d, .step = problem->sim.step};
  splitting_roll(problem, &(SimObserver){.context = &errors, .step = splitting_compare}, x, v);
  errors.x = sqrt(errors.x);
  errors.v = sqrt(errors.v);
  return errors;
}

#endif
