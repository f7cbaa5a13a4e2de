/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/lagrange.h"
#include "sim/graph/derivative.h"

#include <stdlib.h>

bool mechanism_variables(Graph *graph, int d, int *nodes, MechanismVariables *variables) {
  bool good = true;
  for (int i = 0; i < 3 * d; i++) good = (nodes[i] = graph_variable(graph, i)) >= 0 && good;
  *variables = (MechanismVariables){d, nodes, nodes + d, nodes + 2 * d, graph_variable(graph, 3 * d)};
  return good && variables->t >= 0;
}

/* Creates the nodes of the time derivatives, rates [count], of the nodes `of` [count], which depend on q, q' and t.
 * Returns false without memory. */
static bool mechanism_rates(Graph *graph, const MechanismVariables *variables, int count, const int *of, int *rates) {
  int d = variables->d;
  int *from = malloc(2 * ((size_t)(2 * d) + 1) * sizeof *from);
  if (!from) return false;
  int *along = from + 2 * d + 1;
  for (int i = 0; i < d; i++) {
    from[i] = variables->q[i];
    from[d + i] = along[i] = variables->v[i];
    along[d + i] = variables->a[i];
  }
  from[2 * d] = variables->t;
  along[2 * d] = graph_number(graph, 1);
  bool good = along[2 * d] >= 0 && graph_tangent(graph, count, of, 2 * d + 1, from, along, rates);
  free(from);
  return good;
}

bool mechanism_lagrange(Graph *graph, const MechanismVariables *variables, int kinetic, int potential, int *residuals) {
  int d = variables->d;
  size_t size = (size_t)d * sizeof(int);
  int *momenta = malloc(3 * size + 1);
  if (!momenta) return false;
  int *of_kinetic = momenta + d, *of_potential = momenta + 2 * d;
  bool good = graph_gradient(graph, kinetic, d, variables->v, momenta) &&
              graph_gradient(graph, kinetic, d, variables->q, of_kinetic) &&
              graph_gradient(graph, potential, d, variables->q, of_potential) &&
              mechanism_rates(graph, variables, d, momenta, residuals);
  for (int i = 0; good && i < d; i++) {
    int force = graph_subtract(graph, of_kinetic[i], of_potential[i]);
    residuals[i] = graph_subtract(graph, residuals[i], force);
    good = residuals[i] >= 0;
  }
  free(momenta);
  return good;
}

int mechanism_point_energy(Graph *graph, const MechanismVariables *variables, int mass, int n, const int *at) {
  int *speeds = malloc(((size_t)n + 1) * sizeof *speeds), sum = graph_number(graph, 0);
  bool good = speeds && mechanism_rates(graph, variables, n, at, speeds);
  for (int i = 0; good && i < n; i++) sum = graph_add(graph, sum, graph_multiply(graph, speeds[i], speeds[i]));
  free(speeds);
  return good ? graph_multiply(graph, graph_affine(graph, 0.5, mass, 0), sum) : -1;
}
