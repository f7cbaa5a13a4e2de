/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/nlp/solvers.h"

#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double CONSTRAINT_TOLERANCE = 1e-8,
                    COST_TOLERANCE = 1e-10; /* tolerance of c, and relative decrease of the cost at which the method
                                             * ends */

typedef struct Slsqp {
  NlpRun *run;
  nlopt_opt opt;
} Slsqp;

static double cost(unsigned n, const double *y, double *gradient, void *context) {
  (void)n;
  return nlp_run_cost(((const Slsqp *)context)->run, y, gradient);
}

static void constraints(unsigned m, double *c, unsigned n, const double *y, double *jacobian, void *context) {
  const Slsqp *s = context;
  /* After a failure the values would be those of the previous point, so the method is stopped. */
  if (!nlp_run_evaluate(s->run, y)) nlopt_force_stop(s->opt);
  memcpy(c, s->run->c, m * sizeof *c);
  if (jacobian) memcpy(jacobian, s->run->jacobian, (size_t)m * n * sizeof *jacobian);
}

bool nlp_solve_slsqp(const NlpSolver *solver, NlpRun *run) {
  (void)solver;
  Slsqp s = {run, nlopt_create(NLOPT_LD_SLSQP, (unsigned)run->n)};
  double *y = malloc((size_t)(run->n + run->m) * sizeof *y), least;
  bool good = s.opt && y;
  if (good) {
    double *tolerance = y + run->n;
    nlp_run_first(run, y);
    for (int j = 0; j < run->m; j++) tolerance[j] = CONSTRAINT_TOLERANCE;
    nlopt_set_min_objective(s.opt, cost, &s);
    nlopt_set_lower_bounds(s.opt, run->lower);
    nlopt_set_upper_bounds(s.opt, run->upper);
    nlopt_set_ftol_rel(s.opt, COST_TOLERANCE);
    /* NLopt refuses more equations than variables. The run then has no answer. */
    nlopt_result result = nlopt_add_equality_mconstraint(s.opt, (unsigned)run->m, constraints, &s, tolerance);
    if (result == NLOPT_SUCCESS) result = nlopt_optimize(s.opt, y, &least);
    good = result != NLOPT_OUT_OF_MEMORY;
  }
  nlopt_destroy(s.opt);
  free(y);
  return good;
}

void nlp_slsqp_version(char *text, size_t size) {
  int major, minor, patch;
  nlopt_version(&major, &minor, &patch);
  snprintf(text, size, "NLopt %d.%d.%d", major, minor, patch);
}
