/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/inverse.h"

#include "sim/graph/formula.h"
#include "sim/mechanism/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Makes the formula of r, Q and c from the equations of a problem. */
static SimStatus make_formula(const SimProblem *p, int variables, GraphFormula **formula) {
  Graph graph;
  int *outputs = calloc((size_t)equations_outputs(p), sizeof *outputs);
  if (!outputs) return SIM_NO_MEMORY;
  SimStatus status = equations_read(p, &graph, outputs);
  if (status == SIM_OK) {
    *formula = graph_formula_create(&graph, variables, EQUATIONS_VECTORS * p->d, outputs);
    status = *formula ? SIM_OK : SIM_NO_MEMORY;
  }
  graph_clear(&graph);
  free(outputs);
  return status;
}

SimStatus sim_inverse_dynamics(const SimProblem *p, int n, const double *states, double *forces) {
  int d = p->d, of_state = equations_states(p), variables = of_state + p->equations.parameters;
  GraphFormula *formula = NULL;
  double *values = calloc((size_t)(variables + EQUATIONS_VECTORS * d), sizeof *values), *results = values + variables;
  SimStatus status = values ? make_formula(p, variables, &formula) : SIM_NO_MEMORY;
  for (int k = 0; k < p->equations.parameters && status == SIM_OK; k++) values[of_state + k] = p->equations.values[k];
  for (int k = 0; k < n && status == SIM_OK; k++) {
    memcpy(values, states + (size_t)k * (size_t)of_state, (size_t)of_state * sizeof *values);
    graph_formula_values(formula, values, results);
    for (int i = 0; i < d; i++) {
      double v = values[d + i], force = results[EQUATIONS_RESIDUAL * d + i] - results[EQUATIONS_APPLIED * d + i];
      force += results[EQUATIONS_THRESHOLD * d + i] * ((v > 0) - (v < 0));
      forces[k * d + i] = force;
      if (!isfinite(force)) status = SIM_NON_FINITE;
    }
  }
  graph_formula_destroy(formula);
  free(values);
  return status;
}
