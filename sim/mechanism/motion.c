/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/motion.h"
#include "sim/graph/lower.h"
#include "sim/mechanism/batch.h"
#include "sim/mechanism/equations.h"
#include "sim/mechanism/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Creates, for each of the first n nodes, the node of the sum of the magnitudes of its terms: size [n]. Returns false
 * without memory. */
static bool make_sizes(Graph *graph, int n, int *size) {
  for (int i = 0; i < n; i++) {
    const GraphNode node = graph->nodes[i];
    switch (node.kind) {
    case GRAPH_NUMBER: size[i] = graph_number(graph, fabs(node.offset)); break;
    case GRAPH_AFFINE: size[i] = graph_affine(graph, fabs(node.factor), size[node.a], fabs(node.offset)); break;
    case GRAPH_NEGATE: size[i] = size[node.a]; break;
    case GRAPH_ADD:
    case GRAPH_SUBTRACT: size[i] = graph_add(graph, size[node.a], size[node.b]); break;
    case GRAPH_MULTIPLY: size[i] = graph_multiply(graph, size[node.a], size[node.b]); break;
    default: size[i] = graph_of(graph, GRAPH_ABS, i);
    }
    if (size[i] < 0) return false;
  }
  return true;
}

/* Compiles the formulas of the energy and of the sums of magnitudes of terms. Returns false if there is no memory. */
static bool make_measures(Graph *graph, const SimProblem *p, const int *outputs, int variables, MechanismMotion *own) {
  int d = p->d, n = graph->n, energy = outputs[EQUATIONS_VECTORS * d];
  int *size = malloc(((size_t)n + (size_t)d) * sizeof *size), *of = size ? size + n : NULL;
  bool good = size && make_sizes(graph, n, size);
  for (int i = 0; i < d && good; i++) {
    int applied = size[outputs[EQUATIONS_APPLIED * d + i]];
    of[i] = graph_add(graph, size[outputs[EQUATIONS_RESIDUAL * d + i]], applied);
    good = of[i] >= 0;
  }
  if (good) {
    own->energies = graph_formula_create(graph, variables, ENERGIES, (const int[]){energy, size[energy]});
    own->sizes = graph_formula_create(graph, variables, d, of);
  }
  free(size);
  return own->energies && own->sizes;
}

/* Creates the nodes `alone` [d], r - Q, and `loads` [d], r - Q - f. The forces f are the variables after the
 * parameters. Returns false if there is no memory. */
static bool make_loads(Graph *graph, const SimProblem *p, const int *outputs, int *alone, int *loads) {
  int d = p->d, first = equations_states(p) + p->equations.parameters;
  for (int i = 0; i < d; i++) {
    alone[i] = graph_subtract(graph, outputs[EQUATIONS_RESIDUAL * d + i], outputs[EQUATIONS_APPLIED * d + i]);
    loads[i] = graph_subtract(graph, alone[i], graph_variable(graph, first + i));
    if (loads[i] < 0) return false;
  }
  return true;
}

/* Creates the expansion of the equations. loads: [d] nodes of r - Q - f; sides: [2][d] thresholds at rest. vary:
 * [parameters] whether derivatives by each parameter are computed. */
static Expansion *make_expansion(const Graph *graph, const SimProblem *p, const int *outputs, const int *loads,
                                 const int *sides, const bool *vary, const char **why) {
  int d = p->d, *others = malloc(((size_t)d + 1) * sizeof *others);
  if (!others) return NULL;
  memcpy(others, outputs + EQUATIONS_APPLIED * d, (size_t)d * sizeof *others);
  others[d] = outputs[EQUATIONS_VECTORS * d + 1];
  const MechanismEquations equations = {.d = d,
                                        .n_constants = p->equations.parameters,
                                        .n_forces = d,
                                        .differentiated = vary,
                                        .residuals = loads,
                                        .thresholds = outputs + EQUATIONS_THRESHOLD * d,
                                        .n_others = d + 1,
                                        .others = others,
                                        .sides = sides};
  Expansion *expansion = expansion_create(graph, &equations, why);
  free(others);
  return expansion;
}

/* Counts the kinks, by their switching functions, on which the outputs depend. Returns -1 without memory. */
static int count_kinks(Graph *graph, int n_outputs, const int *outputs) {
  int n = graph->n, count = 0;
  bool *marked = calloc(3 * (size_t)n + 1, sizeof *marked), *seen = marked ? marked + n : NULL;
  if (marked) graph_mark(graph, n_outputs, outputs, marked);
  for (int i = 0; i < n && marked; i++) {
    int at = marked[i] ? graph_switch(graph, i) : -1;
    if (at < 0 || graph_is_number(graph, at) || seen[at]) continue;
    seen[at] = true;
    count++;
  }
  free(marked);
  return marked ? count : -1;
}

/* The equations of a problem as graphs. */
typedef struct Sources {
  Graph graph[2];  /* with parameters as numbers, and as variables; empty if it is not needed */
  int *outputs[2]; /* [equations_outputs] nodes in each graph; one block of memory */
  bool whole;      /* whether the series need parameters as variables */
} Sources;

static void sources_clear(Sources *sources) {
  for (int k = 0; k < 2; k++) graph_clear(&sources->graph[k]);
  free(sources->outputs[0]);
}

/* Reads the equations; clear the result in each case. parameters: whether the series differentiate by these. If not,
 * the parameters are numbers, unless the graph loses kinks by this, at which derivatives by parameters jump: an
 * example is a factor 0. */
static SimStatus sources_read(const SimProblem *p, bool parameters, Sources *sources) {
  int n = equations_outputs(p), counts[2] = {0};
  *sources = (Sources){.outputs = {malloc(2 * (size_t)n * sizeof(int))}, .whole = parameters};
  SimStatus status = sources->outputs[0] ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) sources->outputs[1] = sources->outputs[0] + n;
  for (int k = 0; k < 2; k++) graph_init(&sources->graph[k], GRAPH_TIDY);
  for (int k = parameters; k < 2 && status == SIM_OK; k++) {
    if (k == 1 && !parameters && p->equations.parameters == 0) break;
    status = equations_read(p, k, &sources->graph[k], sources->outputs[k]);
    if (status == SIM_OK && !parameters) counts[k] = count_kinks(&sources->graph[k], n, sources->outputs[k]);
    if (counts[k] < 0) status = SIM_NO_MEMORY;
    sources->whole = parameters || (k == 1 && counts[0] != counts[1]);
  }
  return status;
}

/* Creates the expansion for a motion or for derivatives. parameters: whether it differentiates by parameters. */
static SimStatus make_series(const SimProblem *p, Sources *sources, bool parameters, Expansion **expansion,
                             const char **why) {
  size_t d = (size_t)p->d, constants = (size_t)p->equations.parameters;
  Graph *graph = &sources->graph[sources->whole];
  const int *outputs = sources->outputs[sources->whole];
  int *alone = malloc(4 * d * sizeof *alone), *sides = alone ? alone + 2 * d : NULL;
  bool *vary = malloc(constants + 1);
  for (size_t k = 0; vary && k < constants; k++) vary[k] = parameters;
  if (alone && vary && make_loads(graph, p, outputs, alone, alone + d) &&
      mechanism_sides(graph, p->d, outputs + EQUATIONS_THRESHOLD * d, sides))
    *expansion = make_expansion(graph, p, outputs, alone + d, sides, vary, why);
  free(alone);
  free(vary);
  return *expansion ? SIM_OK : *why ? SIM_BAD_PROBLEM : SIM_NO_MEMORY;
}

SimStatus mechanism_motion_vary(const SimProblem *p, bool parameters, Expansion **expansion) {
  const char *why = NULL;
  Sources sources;
  *expansion = NULL;
  SimStatus status = sources_read(p, parameters, &sources);
  if (status == SIM_OK) status = make_series(p, &sources, parameters, expansion, &why);
  sources_clear(&sources);
  return status;
}

/* Compiles the formulas of energies, sizes and loads (motion.h). Returns false if there is no memory. */
static bool make_formulas(Graph *graph, const SimProblem *p, const int *outputs, MechanismMotion *own) {
  int d = p->d, variables = equations_states(p);
  int *alone = malloc(5 * (size_t)d * sizeof *alone), *sides = alone ? alone + 2 * d : NULL;
  const int *thresholds = outputs + EQUATIONS_THRESHOLD * d;
  bool good =
      alone && make_loads(graph, p, outputs, alone, alone + 4 * d) && mechanism_sides(graph, d, thresholds, sides);
  if (good) {
    memcpy(alone + d, thresholds, (size_t)d * sizeof *alone);
    own->loads = graph_formula_create(graph, variables, 4 * d, alone);
    good = own->loads && make_measures(graph, p, outputs, variables, own);
  }
  free(alone);
  return good;
}

/* Compiles those members of a motion that are made from the graph. */
static SimStatus compile(const SimProblem *p, MechanismMotion *own, const char **why) {
  Sources sources;
  SimStatus status = sources_read(p, false, &sources);
  if (status == SIM_OK) status = make_series(p, &sources, false, &own->expansion, why);
  if (status == SIM_OK && !make_formulas(&sources.graph[0], p, sources.outputs[0], own)) status = SIM_NO_MEMORY;
  sources_clear(&sources);
  return status;
}

SimStatus mechanism_motion_create(const SimProblem *p, MechanismMotion **motion, const char **why) {
  MechanismMotion *own = *motion = calloc(1, sizeof *own);
  *why = NULL;
  if (!own) return SIM_NO_MEMORY;
  SimStatus status = compile(p, own, why);
  if (status == SIM_OK) {
    size_t d = (size_t)p->d, kinks = (size_t)own->expansion->tape->n_kinks, variables = (size_t)equations_states(p);
    own->n_kinks = (int)kinks;
    own->given = calloc(variables + 4 * d + ENERGIES + (POLYNOMIAL_ORDER + 3) * d + kinks, sizeof *own->given);
    own->turned = calloc(kinks + 1, sizeof *own->turned);
    own->rides = calloc((size_t)own->expansion->tape->rows, sizeof *own->rides);
    if (own->given && own->turned && own->rides) {
      mechanism_sides_ride(own->expansion->tape, p->d, own->rides);
      own->measured = own->given + variables;
      own->friction = own->measured + 4 * d + ENERGIES;
      own->slips = own->friction + d;
      own->forces = own->slips + d;
      own->turn = own->forces + (POLYNOMIAL_ORDER + 1) * d;
      return SIM_OK;
    }
    status = SIM_NO_MEMORY;
  }
  mechanism_motion_destroy(own);
  *motion = NULL;
  return status;
}

void mechanism_motion_destroy(MechanismMotion *own) {
  if (!own) return;
  mechanism_map_destroy(own->map);
  mechanism_lanes_destroy(own->lanes);
  expansion_destroy(own->expansion);
  graph_formula_destroy(own->energies);
  graph_formula_destroy(own->sizes);
  graph_formula_destroy(own->loads);
  free(own->given);
  free(own->turned);
  free(own->rides);
  free(own);
}

bool mechanism_motion_at(const SimProblem *p, MechanismMotion *own, double t, const double *q, const double *v,
                         bool look) {
  Expansion *expansion = own->expansion;
  expansion_order_0(expansion, t, q, v, p->equations.values, look);
  double sum = 0;
  for (int i = 0; i < 2 * p->d; i++) sum += fabs(expansion_output(expansion, i, 0));
  return isfinite(sum) && expansion_mass_is_positive(expansion);
}

void mechanism_motion_measure(const SimProblem *p, MechanismMotion *own, GraphFormula *formula, double t,
                              const double *q, const double *v) {
  size_t size = (size_t)p->d * sizeof *q;
  memcpy(own->given, q, size);
  memcpy(own->given + p->d, v, size);
  memset(own->given + 2 * p->d, 0, size);
  own->given[3 * p->d] = t;
  graph_formula_values(formula, own->given, own->measured);
}

/* Returns the error of the motion in the threshold of coordinate i, in N: by so much it may be below 0. */
static double allowance(const EventSystem *s, const EventSegment *g, int i) {
  /* The error relative to the largest coefficient of the threshold's polynomial. TOUCHES: in units of the tolerance.
   * LEAST: its smallest value. */
  static const double TOUCHES = 100, LEAST = 1e-10;
  double most = 0;
  for (int k = 0; k <= g->threshold_order; k++) most = fmax(most, fabs(g->threshold[k * s->d + i]));
  return fmax(TOUCHES * s->tolerance, LEAST) * most;
}

bool mechanism_motion_drives(const EventSystem *s, const EventSegment *g) {
  for (int i = 0; i < s->d; i++)
    if (g->threshold[i] < 0 && g->threshold[i] < -allowance(s, g, i)) return true;
  return false;
}

/* The returned fraction is the first at which a threshold is below 0 by twice the allowed error, so that
 * mechanism_motion_drives is certainly true at the start of the next segment. */
double mechanism_motion_drives_from(const EventSystem *s, const EventSegment *g, double limit) {
  double p[POLYNOMIAL_ORDER + 1], first = limit;
  int order = g->threshold_order;
  for (int i = 0; i < s->d; i++) {
    if (!(s->friction[i] > 0) || polynomial_least(order, s->d, g->threshold + i, 1, 0, first) >= 0) continue;
    for (int k = 0; k <= order; k++) p[k] = g->threshold[k * s->d + i];
    p[0] += 2 * allowance(s, g, i);
    double at;
    if (polynomial_first_root(order, p, first, &at)) first = at;
  }
  return first;
}
