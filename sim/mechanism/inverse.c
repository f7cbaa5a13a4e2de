/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/inverse.h"

#include "sim/graph/formula.h"
#include "sim/mechanism/equations.h"

#include <math.h>
#include <stdlib.h>

/* Compiles the formula of the residuals r, the applied forces Q and the thresholds c from the equations of a
 * problem. */
static SimStatus make_formula(const SimProblem *p, GraphFormula **formula) {
  Graph graph;
  int *outputs = calloc((size_t)equations_outputs(p), sizeof *outputs);
  if (!outputs) return SIM_NO_MEMORY;
  SimStatus status = equations_read(p, false, &graph, outputs);
  if (status == SIM_OK) {
    *formula = graph_formula_create(&graph, equations_states(p), EQUATIONS_VECTORS * p->d, outputs);
    status = *formula ? SIM_OK : SIM_NO_MEMORY;
  }
  graph_clear(&graph);
  free(outputs);
  return status;
}

SimStatus sim_inverse_dynamics(const SimProblem *p, int n, const double *states, double *forces) {
  int d = p->d, of_state = equations_states(p);
  GraphFormula *formula = NULL;
  double *results = calloc((size_t)(EQUATIONS_VECTORS * d), sizeof *results);
  SimStatus status = results ? make_formula(p, &formula) : SIM_NO_MEMORY;
  for (int k = 0; k < n && status == SIM_OK; k++) {
    const double *state = states + (size_t)k * (size_t)of_state;
    graph_formula_values(formula, state, results);
    for (int i = 0; i < d; i++) {
      double v = state[d + i], force = results[EQUATIONS_RESIDUAL * d + i] - results[EQUATIONS_APPLIED * d + i];
      force += results[EQUATIONS_THRESHOLD * d + i] * ((v > 0) - (v < 0));
      forces[k * d + i] = force;
      if (!isfinite(force)) status = SIM_NON_FINITE;
    }
  }
  graph_formula_destroy(formula);
  free(results);
  return status;
}
