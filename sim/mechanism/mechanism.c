/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/mechanism.h"
#include "sim/graph/derivative.h"

#include <stdlib.h>
#include <string.h>

/* Returns copies of texts [n]; NULL without memory. */
static char **copy_texts(int n, const char *const *texts) {
  char **copies = calloc((size_t)n + 1, sizeof *copies);
  bool good = copies;
  for (int i = 0; good && i < n; i++) good = (copies[i] = strdup(texts[i])) != NULL;
  for (int i = 0; copies && !good && i < n; i++) free(copies[i]);
  if (!good) free(copies);
  return good ? copies : NULL;
}

static void free_texts(int n, char **texts) {
  for (int i = 0; texts && i < n; i++) free(texts[i]);
  free(texts);
}

SimMechanism *mechanism_create(int d, const char *const *names, int n_parameters, const char *const *parameter_names,
                               const double *values) {
  SimMechanism *mechanism = calloc(1, sizeof *mechanism);
  if (!mechanism) return NULL;
  size_t n = (size_t)d, m = (size_t)n_parameters;
  graph_init(&mechanism->graph, GRAPH_TIDY);
  mechanism->d = d;
  mechanism->n_parameters = n_parameters;
  mechanism->nodes = calloc(3 * n + 1, sizeof *mechanism->nodes);
  mechanism->parameters = calloc(m + 1, sizeof *mechanism->parameters);
  mechanism->values = calloc(m + 1, sizeof *mechanism->values);
  mechanism->names = copy_texts(d, names);
  mechanism->parameter_names = copy_texts(n_parameters, parameter_names);
  mechanism->residuals = calloc(n + 1, sizeof *mechanism->residuals);
  mechanism->applied = calloc(n + 1, sizeof *mechanism->applied);
  mechanism->thresholds = calloc(n + 1, sizeof *mechanism->thresholds);
  bool good = mechanism->nodes && mechanism->parameters && mechanism->values && mechanism->names &&
              mechanism->parameter_names && mechanism->residuals && mechanism->applied && mechanism->thresholds &&
              mechanism_variables(&mechanism->graph, d, mechanism->nodes, &mechanism->variables);
  for (int k = 0; good && k < n_parameters; k++) {
    mechanism->values[k] = values[k];
    good = (mechanism->parameters[k] = graph_variable(&mechanism->graph, 3 * d + 1 + k)) >= 0;
  }
  int zero = mechanism->energy = mechanism->power = good ? graph_number(&mechanism->graph, 0) : -1;
  for (int i = 0; zero >= 0 && i < d; i++)
    mechanism->residuals[i] = mechanism->applied[i] = mechanism->thresholds[i] = zero;
  if (zero >= 0) return mechanism;
  mechanism_destroy(mechanism);
  return NULL;
}

void mechanism_destroy(SimMechanism *mechanism) {
  if (!mechanism) return;
  graph_clear(&mechanism->graph);
  free_texts(mechanism->d, mechanism->names);
  free_texts(mechanism->n_parameters, mechanism->parameter_names);
  free(mechanism->nodes);
  free(mechanism->parameters);
  free(mechanism->values);
  free(mechanism->residuals);
  free(mechanism->applied);
  free(mechanism->thresholds);
  free(mechanism);
}

static bool add(SimMechanism *mechanism, int *to, int node) {
  return (*to = graph_add(&mechanism->graph, *to, node)) >= 0;
}

/* Adds the energy q'.dT/dq' - T + V to the mechanism's energy, and d(V - T)/dt at constant q and q' to its power. T:
 * kinetic energy, V: potential energy. Returns false if there is no memory. */
static bool add_energy(SimMechanism *mechanism, int kinetic, int potential) {
  Graph *graph = &mechanism->graph;
  int d = mechanism->d, *momenta = malloc(((size_t)d + 1) * sizeof *momenta);
  int negative = graph_subtract(graph, potential, kinetic), power;
  bool good = momenta && negative >= 0 && graph_gradient(graph, kinetic, d, mechanism->variables.v, momenta) &&
              graph_gradient(graph, negative, 1, &mechanism->variables.t, &power) &&
              add(mechanism, &mechanism->power, power) && add(mechanism, &mechanism->energy, negative);
  for (int i = 0; good && i < d; i++)
    good = add(mechanism, &mechanism->energy, graph_multiply(graph, mechanism->variables.v[i], momenta[i]));
  free(momenta);
  return good;
}

bool mechanism_add_energies(SimMechanism *mechanism, int kinetic, int potential) {
  int d = mechanism->d, *residuals = malloc(((size_t)d + 1) * sizeof *residuals);
  bool good = residuals && kinetic >= 0 && potential >= 0 &&
              mechanism_lagrange(&mechanism->graph, &mechanism->variables, kinetic, potential, residuals) &&
              add_energy(mechanism, kinetic, potential);
  for (int i = 0; good && i < d; i++) good = add(mechanism, &mechanism->residuals[i], residuals[i]);
  free(residuals);
  return good;
}

bool mechanism_add_tree(SimMechanism *mechanism, const MechanismBody *bodies, const double *gravity) {
  int d = mechanism->d, *residuals = malloc(((size_t)d + 1) * sizeof *residuals), energy;
  bool good = residuals &&
              mechanism_tree(&mechanism->graph, &mechanism->variables, bodies, gravity, residuals, &energy) &&
              add(mechanism, &mechanism->energy, energy);
  for (int i = 0; good && i < d; i++) good = add(mechanism, &mechanism->residuals[i], residuals[i]);
  free(residuals);
  return good;
}

bool mechanism_add_force(SimMechanism *mechanism, int i, int force) {
  return add(mechanism, &mechanism->applied[i], force);
}

bool mechanism_add_viscous(SimMechanism *mechanism, int i, int b) {
  Graph *graph = &mechanism->graph;
  return add(mechanism, &mechanism->applied[i],
             graph_affine(graph, -1, graph_multiply(graph, b, mechanism->variables.v[i]), 0));
}
