/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/originals.h"

#include "src/file/model/model.h"
#include "src/file/text/expression.h"
#include "src/file/values/force.h"

#include <string.h>

static void force(void *context, double t, double *f) {
  const Originals *from = context;
  const Problem *problem = from->problem;
  const SimProblem *sim = &problem->sim;
  double end;
  if (sim->load.at) { /* with sparse storage, sim->load already evaluates the original force, for the requested rows */
    sim->load.at(sim->load.context, t, f);
    return;
  }
  memset(f, 0, (size_t)sim->d * sizeof *f);
  if (!problem->force) return;
  force_at(problem->force, sim, t, 0, sim->d, f);
  if (!problem->end) return;
  force_at(problem->end, sim, t, 0, 1, &end);
  f[sim->d - 1] += end_share(sim) * end;
}

static void thresholds(void *context, double t, double *c) {
  const Originals *from = context;
  const SimProblem *sim = &from->problem->sim;
  int columns = sim->threshold_columns;
  for (int k = 0; k < 2 && from->problem->course[k]; k++)
    force_at(from->problem->course[k], sim, t, 0, columns, c + k * columns);
}

static double spring(void *context, SimSpringPlace place, int k, double e) {
  const Originals *from = context;
  const double values[] = {e, k + 1};
  return expression_evaluate(from->problem->springs[place].law, values);
}

static double rise(void *context, int i, double e) {
  const Originals *from = context;
  return friction_rise(from->problem, i, e);
}

void problem_originals(const Problem *problem, Originals *originals) {
  *originals = (Originals){.problem = problem,
                           .functions = {.context = originals,
                                         .force = force,
                                         .spring = spring,
                                         .rise = problem->rise.law ? rise : NULL,
                                         .thresholds = problem->course[0] ? thresholds : NULL}};
}
