/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the forces on a mechanism's coordinates, their viscous and dry friction, and their armature (rotor inertia). */
#include "src/file/model/mechanism_making.h"

#include "sim/graph/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Type of functions that add a term to the equation of coordinate i. made: graph node of the expression of the term. */
typedef bool Take(SimMechanism *sim, int i, int made);

static bool take_threshold(SimMechanism *sim, int i, int made) {
  return (sim->thresholds[i] = graph_add(&sim->graph, sim->thresholds[i], made)) >= 0;
}

/* Adds the kinetic energy J q'^2/2 of a motor's rotor with inertia J. */
static bool take_armature(SimMechanism *sim, int i, int made) {
  Graph *graph = &sim->graph;
  int v = sim->variables.v[i];
  int kinetic = graph_affine(graph, 0.5, graph_multiply(graph, made, graph_multiply(graph, v, v)), 0);
  return mechanism_add_energies(sim, kinetic, graph_number(graph, 0));
}

static bool take_force(SimMechanism *sim, int i, int made) { return mechanism_add_force(sim, i, made); }
static bool take_viscous(SimMechanism *sim, int i, int made) { return mechanism_add_viscous(sim, i, made); }

static const struct Each {
  const char *key;
  unsigned may;
  bool positive;
  Take *take;
} each[] = {{"force", MAY_ALL, false, take_force},
            {"viscous", MAY_ALL, true, take_viscous},
            {"armature", 0, true, take_armature},
            {"friction", MAY_ALL, true, take_threshold}};
enum { VISCOUS = 1, FRICTION = 3, EACH = sizeof each / sizeof *each };

static int read_one(Making *making, const struct Each *kind, Node *node) {
  int made = making_expression(making, node, kind->may);
  return kind->positive ? making_not_negative(making, node, made) : made;
}

static void take(Making *making, const struct Each *kind, int i, int made) {
  if (made >= 0 && !kind->take(making->sim, i, made)) making->reader->diagnostics->no_memory = true;
}

/* Returns the number of coordinates on which a definition depends. Sets *coordinate to the last of these, and *slope to
 * the graph node of the derivative of the definition with respect to this coordinate. */
static int count_partial(Making *making, int definition, int *coordinate, int *slope) {
  SimMechanism *sim = making->sim;
  int n = 0, d = sim->d, *slopes = diagnostics_calloc(making->reader->diagnostics, (size_t)d + 1, sizeof *slopes);
  int *variables = sim->nodes;
  if (!slopes || !graph_gradient(&sim->graph, definition, d, variables, slopes)) {
    making->reader->diagnostics->no_memory = true;
    free(slopes);
    return 0;
  }
  for (int i = 0; i < d; i++) {
    const GraphNode *node = &sim->graph.nodes[slopes[i]];
    if (node->kind == GRAPH_NUMBER && node->offset == 0) continue;
    n++;
    *coordinate = i;
    *slope = slopes[i];
  }
  free(slopes);
  return n;
}

/* Adds friction with threshold c on the rate s' of a definition s(q_i). Since s' = ds/dq_i q_i', this is friction
 * with threshold c |ds/dq_i| on q_i'. */
static void rub_on_definition(Making *making, Node *entry, int definition) {
  Graph *graph = &making->sim->graph;
  int i, slope, rate, n = count_partial(making, definition, &i, &slope);
  bool moves = graph_gradient(graph, definition, 1, &making->sim->variables.t, &rate) &&
               !(graph_is_number(graph, rate) && graph->nodes[rate].offset == 0);
  if (n != 1 || moves) {
    value_error(making->reader, entry,
                "%s is made of %d coordinates%s: friction acts on the rate of one (expected a coordinate that is "
                "%s itself, the others by it in let)",
                entry->key, n, moves ? " and t" : "", entry->key);
    return;
  }
  int made = read_one(making, &each[FRICTION], entry);
  if (made >= 0) take(making, &each[FRICTION], i, graph_multiply(graph, made, graph_of(graph, GRAPH_ABS, slope)));
}

/* Reads a mapping {NAME: VALUE, ..}, in which each NAME is a coordinate or, for dry friction, a definition of the
 * section let. Sets given[i] to true for each coordinate i in the mapping. */
static void read_named(Making *making, const struct Each *kind, Node *node, bool *given) {
  Reader *reader = making->reader;
  char list[MAKING_LIST_SIZE];
  node->ignored = true; /* the keys are names, so they are not reported as unknown */
  for (Node *entry = node->first; entry; entry = entry->next) {
    int i = making_coordinate(making, entry->key), k = making->first_defined;
    while (k < making->n_names && strcmp(making->names[k], entry->key) != 0) k++;
    if (i >= 0) {
      take(making, kind, i, read_one(making, kind, entry));
      given[i] = true;
    } else if (kind == &each[FRICTION] && k < making->n_names) {
      rub_on_definition(making, entry, making->nodes[k]);
    } else {
      value_error(reader, entry, "no coordinate %.40s (expected one of %s%s)", entry->key,
                  making_list_coordinates(making, list),
                  kind == &each[FRICTION] ? ", or a definition of let by one of them" : "");
    }
  }
}

/* Reads a value for all coordinates, a list of values, or values by names. Sets given [d] to true for each coordinate
 * with a value. */
static void read_each(Making *making, const struct Each *kind, bool *given) {
  Reader *reader = making->reader;
  Node *node = key_get(reader, making->model, kind->key);
  int i = 0, d = making->sim->d;
  if (!node) return;
  if (node->kind == NODE_MAPPING) {
    read_named(making, kind, node, given);
  } else if (node->kind == NODE_SCALAR) {
    int made = read_one(making, kind, node);
    for (; i < d; i++) {
      take(making, kind, i, made);
      given[i] = true;
    }
  } else if (node->n != (size_t)d) {
    value_error(reader, node, "%zu entries (expected %d)", node->n, d);
  } else {
    for (Node *item = node->first; item; item = item->next, i++) {
      take(making, kind, i, read_one(making, kind, item));
      given[i] = true;
    }
  }
}

void making_read_forces(Making *making) {
  SimMechanism *sim = making->sim;
  const MechanismJoint *joints = making->made->joints;
  for (int k = 0; k < EACH; k++) {
    bool *given = diagnostics_calloc(making->reader->diagnostics, (size_t)sim->d, sizeof *given);
    if (!given) return;
    read_each(making, &each[k], given);
    for (int i = 0; joints && (k == VISCOUS || k == FRICTION) && i < sim->d; i++)
      if (!given[i])
        take(making, &each[k], i, graph_number(&sim->graph, k == VISCOUS ? joints[i].damping : joints[i].friction));
    free(given);
  }
}
