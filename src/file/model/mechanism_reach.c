/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds how far points of a mechanism can be from a fixed place. This shows that some targets cannot be reached. */
#include "src/file/model/mechanism_making.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double length_of(Making *making, const int *vector) {
  double x = making_value(making, vector[0]), y = making_value(making, vector[1]), z = making_value(making, vector[2]);
  return sqrt(x * x + y * y + z * z);
}

void making_bound_link(Making *making, const MechanismBody *bodies, int i, const int *point, MechanismPoint *link) {
  if (i < 0 || bodies[i].slides) return;
  double reach = length_of(making, point);
  for (; bodies[i].parent >= 0; i = bodies[i].parent) {
    if (bodies[bodies[i].parent].slides) return;
    reach += length_of(making, bodies[i].origin);
  }
  for (int k = 0; k < 3; k++) link->centre[k] = making_value(making, bodies[i].origin[k]);
  link->reach = isfinite(reach) ? reach : 0;
}

/* The entries of a point, each as a sum c + (sum over angles of a cos(angle) + b sin(angle)). The members are arrays
 * with an element for each node of the graph of expressions. */
typedef struct Sums {
  double *value;      /* value of the node if it is constant; otherwise NAN */
  double *weight;     /* factor with which the node contributes to the entry that is being read */
  double (*waves)[2]; /* [3] for each node that is an angle: a and b of each entry */
} Sums;

static void set_values(const SimMechanism *sim, double *value) {
  const Graph *graph = &sim->graph;
  for (int i = 0; i < graph->n; i++) {
    const GraphNode *node = &graph->nodes[i];
    int operands = graph_operands(node->kind);
    bool constant = node->kind != GRAPH_VARIABLE && !(operands > 0 && isnan(value[node->a])) &&
                    !(operands > 1 && isnan(value[node->b])) && !(operands > 2 && isnan(value[node->c]));
    value[i] = constant ? graph_apply(node, value[node->a], value[node->b], value[node->c]) : NAN;
    int parameter = node->kind == GRAPH_VARIABLE ? node->a - 3 * sim->d - 1 : -1;
    if (parameter >= 0) value[i] = sim->values[parameter];
  }
}

/* Adds the contribution of node i to an entry: to its sines and cosines (waves), to its constant, or to the weights of
 * the node's operands. Returns false if the node makes the entry no such sum. */
static bool spread(const Graph *graph, Sums *sums, int entry, int i, double *constant) {
  const GraphNode *node = &graph->nodes[i];
  double weight = sums->weight[i], *value = sums->value;
  bool scaled = node->kind == GRAPH_MULTIPLY && !isnan(value[node->a]);
  if (!isnan(value[i])) {
    *constant += weight * value[i];
  } else if (node->kind == GRAPH_COS || node->kind == GRAPH_SIN) {
    sums->waves[3 * node->a + entry][node->kind == GRAPH_SIN] += weight;
  } else if (node->kind == GRAPH_AFFINE) {
    sums->weight[node->a] += weight * node->factor;
    *constant += weight * node->offset;
  } else if (node->kind == GRAPH_ADD || node->kind == GRAPH_SUBTRACT) {
    sums->weight[node->a] += weight;
    sums->weight[node->b] += node->kind == GRAPH_ADD ? weight : -weight;
  } else if (node->kind == GRAPH_NEGATE) {
    sums->weight[node->a] -= weight;
  } else if (scaled) {
    sums->weight[node->b] += weight * value[node->a];
  } else if ((node->kind == GRAPH_MULTIPLY || node->kind == GRAPH_DIVIDE) && !isnan(value[node->b])) {
    sums->weight[node->a] += node->kind == GRAPH_DIVIDE ? weight / value[node->b] : weight * value[node->b];
  } else {
    return false;
  }
  return true;
}

/* Reads an entry, which is the value of a node, as a sum of sines and cosines (waves). Returns its constant; NAN if it
 * is no such sum. */
static double read_entry(const Graph *graph, Sums *sums, int entry, int node) {
  double constant = 0;
  bool good = true;
  for (int i = 0; i < graph->n; i++) sums->weight[i] = i == node;
  for (int i = node; i >= 0 && good; i--)
    if (sums->weight[i] != 0) good = spread(graph, sums, entry, i, &constant);
  if (good && isfinite(constant)) return constant;
  for (int i = 0; i < graph->n; i++) sums->waves[3 * i + entry][0] = sums->waves[3 * i + entry][1] = 0;
  return NAN;
}

/* Returns the largest length of a cos(angle) + b sin(angle) with vectors a and b: the norm of the matrix (a, b). */
static double largest_length(double (*wave)[2]) {
  double aa = 0, ab = 0, bb = 0;
  for (int k = 0; k < 3; k++) {
    aa += wave[k][0] * wave[k][0];
    ab += wave[k][0] * wave[k][1];
    bb += wave[k][1] * wave[k][1];
  }
  return sqrt((aa + bb + hypot(aa - bb, 2 * ab)) / 2);
}

/* Finds a ball that always contains the point, from the graph of its expressions. centre: [point->n], the centre;
 * entries that the ball does not limit are NAN. Returns the radius; NAN if there is no memory. */
static double bound_sums(const Mechanism *mechanism, const MechanismPoint *point, double *centre) {
  const Graph *graph = &mechanism->sim->graph;
  size_t n = (size_t)graph->n;
  double reach = 0;
  Sums sums = {calloc(n, sizeof(double)), calloc(n, sizeof(double)), calloc(3 * n, sizeof *sums.waves)};
  bool memory = sums.value && sums.weight && sums.waves;
  if (memory) set_values(mechanism->sim, sums.value);
  for (int k = 0; k < point->n && memory; k++) centre[k] = read_entry(graph, &sums, k, point->at[k]);
  for (size_t i = 0; i < n && memory; i++) reach += largest_length(sums.waves + 3 * i);
  free(sums.value);
  free(sums.weight);
  free(sums.waves);
  return memory ? reach : NAN;
}

bool mechanism_point_reach(const Mechanism *mechanism, const MechanismPoint *point, const double *lower,
                           const double *upper, char text[MECHANISM_REACH_SIZE]) {
  /* a target that is out of reach by less than ROUNDED max(1 m, reach) counts as reachable; this is far above the
   * accepted distance from a target */
  static const double ROUNDED = 1e-6;
  double centre[3], away = 0, reach = point->reach;
  memcpy(centre, point->centre, sizeof centre);
  if (!(reach > 0)) reach = bound_sums(mechanism, point, centre);
  *text = '\0';
  if (isnan(reach)) return false;
  for (int i = 0; i < point->n; i++)
    if (!isnan(centre[i])) away = hypot(away, fmax(0, fmax(lower[i] - centre[i], centre[i] - upper[i])));
  if (!(away > reach + ROUNDED * fmax(1, reach))) return true;
  int length = snprintf(text, MECHANISM_REACH_SIZE, "%.6g m from (", away);
  for (int i = 0; i < point->n; i++) {
    const char *between = i ? ", " : "";
    if (isnan(centre[i]))
      length += snprintf(text + length, MECHANISM_REACH_SIZE - (size_t)length, "%sany", between);
    else
      length += snprintf(text + length, MECHANISM_REACH_SIZE - (size_t)length, "%s%.6g", between, centre[i]);
  }
  snprintf(text + length, MECHANISM_REACH_SIZE - (size_t)length, "), but the point is never beyond %.6g m from there",
           reach);
  return true;
}
