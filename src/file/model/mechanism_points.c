/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates the coordinates of the named points of a mechanism, and the derivatives of these coordinates. */
#include "src/file/model/mechanism.h"

#include "sim/graph/derivative.h"
#include "sim/graph/formula.h"

#include <stdlib.h>
#include <string.h>

struct MechanismPlaces {
  GraphFormula *formula;
  int d;
  double *given;   /* variables of the graph: q, then zeros for rates and accelerations, t, parameters */
  double *results; /* values of the formula; in one block with `given` */
};

/* Compiles the formulas of graph nodes [count] of a mechanism. Returns NULL if there is no memory. */
static MechanismPlaces *compile(const Mechanism *mechanism, int count, const int *nodes) {
  const SimMechanism *sim = mechanism->sim;
  int d = sim->d, variables = 3 * d + 1 + sim->n_parameters;
  MechanismPlaces *places = calloc(1, sizeof *places);
  if (!places) return NULL;
  places->d = d;
  places->formula = graph_formula_create(&sim->graph, variables, count, nodes);
  places->given = calloc((size_t)(variables + count), sizeof *places->given);
  if (!places->formula || !places->given) {
    mechanism_places_destroy(places);
    return NULL;
  }
  places->results = places->given + variables;
  for (int k = 0; k < sim->n_parameters; k++) places->given[3 * d + 1 + k] = sim->values[k];
  return places;
}

void mechanism_places_destroy(MechanismPlaces *places) {
  if (!places) return;
  graph_formula_destroy(places->formula);
  free(places->given);
  free(places);
}

const double *mechanism_places(MechanismPlaces *places, double t, const double *x) {
  memcpy(places->given, x, (size_t)places->d * sizeof *x);
  places->given[3 * places->d] = t;
  graph_formula_values(places->formula, places->given, places->results);
  return places->results;
}

int mechanism_find_point(const Mechanism *mechanism, const char *name) {
  for (int k = 0; mechanism && k < mechanism->n_points; k++)
    if (strcmp(mechanism->points[k].name, name) == 0) return k;
  return -1;
}

int mechanism_point_entries(const Mechanism *mechanism) {
  int n = 0;
  for (int k = 0; mechanism && k < mechanism->n_points; k++) n += mechanism->points[k].n;
  return n;
}

static MechanismPlaces *compile_points(const Mechanism *mechanism, int n, const MechanismPoint *points) {
  int *nodes = malloc((3 * (size_t)n + 1) * sizeof *nodes), count = 0;
  for (int k = 0; nodes && k < n; k++)
    for (int i = 0; i < points[k].n; i++) nodes[count++] = points[k].at[i];
  MechanismPlaces *places = nodes ? compile(mechanism, count, nodes) : NULL;
  free(nodes);
  return places;
}

MechanismPlaces *mechanism_places_create(const Mechanism *mechanism) {
  return compile_points(mechanism, mechanism->n_points, mechanism->points);
}

MechanismPlaces *mechanism_spots_create(const Mechanism *mechanism) {
  return compile_points(mechanism, mechanism->n_spots, mechanism->spots);
}

MechanismPlaces *mechanism_place_create(const Mechanism *mechanism, int node) {
  SimMechanism *sim = mechanism->sim;
  int d = sim->d, *nodes = malloc(((size_t)d + 2) * sizeof *nodes), one = graph_number(&sim->graph, 1);
  bool good = nodes && one >= 0 && graph_gradient(&sim->graph, node, d, sim->variables.q, nodes + 1) &&
              graph_tangent(&sim->graph, 1, &node, 1, &sim->variables.t, &one, nodes + 1 + d);
  if (good) nodes[0] = node;
  MechanismPlaces *places = good ? compile(mechanism, d + 2, nodes) : NULL;
  free(nodes);
  return places;
}

double mechanism_place(void *context, double t, const double *x, double *slopes) {
  MechanismPlaces *place = context;
  const double *results = mechanism_places(place, t, x);
  memcpy(slopes, results + 1, ((size_t)place->d + 1) * sizeof *slopes);
  return results[0];
}
