#include "sim/mechanism/motion.h"
#include "sim/mechanism/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For every node up to the last given, the sum of the magnitudes of its terms, as a node; false without memory. */
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

/* The formula of the energy and of the magnitudes of terms. */
static GraphFormula *make_measures(Graph *graph, const SimProblem *p, const int *outputs, int variables) {
  int d = p->d, n = graph->n, energy = outputs[EQUATIONS_VECTORS * d];
  int *size = malloc(((size_t)n + (size_t)d + MEASURE_LOAD_SIZES) * sizeof *size);
  GraphFormula *formula = NULL;
  if (size && make_sizes(graph, n, size)) {
    int *of = size + n;
    of[MEASURE_ENERGY] = energy;
    of[MEASURE_ENERGY_SIZE] = size[energy];
    bool good = true;
    for (int i = 0; i < d; i++) {
      of[MEASURE_LOAD_SIZES + i] =
          graph_add(graph, size[outputs[EQUATIONS_RESIDUAL * d + i]], size[outputs[EQUATIONS_APPLIED * d + i]]);
      good = good && of[MEASURE_LOAD_SIZES + i] >= 0;
    }
    if (good) formula = graph_formula_create(graph, variables, d + MEASURE_LOAD_SIZES, of);
  }
  free(size);
  return formula;
}

/* r - Q - f, with f the variables after the parameters. */
static bool make_loads(Graph *graph, const SimProblem *p, const int *outputs, int *loads) {
  int d = p->d, first = equations_states(p) + p->equations.parameters;
  for (int i = 0; i < d; i++) {
    int applied = graph_add(graph, outputs[EQUATIONS_APPLIED * d + i], graph_variable(graph, first + i));
    loads[i] = graph_subtract(graph, outputs[EQUATIONS_RESIDUAL * d + i], applied);
    if (loads[i] < 0) return false;
  }
  return true;
}

static Expansion *make_expansion(Graph *graph, const SimProblem *p, const int *outputs, const char **why) {
  int d = p->d;
  int *loads = malloc((2 * (size_t)d + 1) * sizeof *loads);
  Expansion *expansion = NULL;
  if (loads && make_loads(graph, p, outputs, loads)) {
    int *others = loads + d;
    memcpy(others, outputs + EQUATIONS_APPLIED * d, (size_t)d * sizeof *others);
    others[d] = outputs[EQUATIONS_VECTORS * d + 1];
    const MechanismEquations equations = {.d = d,
                                          .n_constants = p->equations.parameters,
                                          .n_forces = d,
                                          .residuals = loads,
                                          .thresholds = outputs + EQUATIONS_THRESHOLD * d,
                                          .n_others = d + 1,
                                          .others = others};
    expansion = expansion_create(graph, &equations, why);
  }
  free(loads);
  return expansion;
}

/* The parts of a motion that need the graph. */
static SimStatus compile(const SimProblem *p, MechanismMotion *own, const char **why) {
  Graph graph;
  int variables = equations_states(p) + p->equations.parameters;
  int *outputs = malloc((size_t)equations_outputs(p) * sizeof *outputs);
  SimStatus status = outputs ? SIM_OK : SIM_NO_MEMORY;
  graph_init(&graph, GRAPH_TIDY);
  if (status == SIM_OK) status = equations_read(p, &graph, outputs);
  if (status == SIM_OK) {
    own->measures = make_measures(&graph, p, outputs, variables);
    own->expansion = own->measures ? make_expansion(&graph, p, outputs, why) : NULL;
    if (!own->expansion) status = *why ? SIM_BAD_PROBLEM : SIM_NO_MEMORY;
  }
  graph_clear(&graph);
  free(outputs);
  return status;
}

SimStatus mechanism_motion_create(const SimProblem *p, MechanismMotion **motion, const char **why) {
  MechanismMotion *own = *motion = calloc(1, sizeof *own);
  *why = NULL;
  if (!own) return SIM_NO_MEMORY;
  SimStatus status = compile(p, own, why);
  if (status == SIM_OK) {
    size_t d = (size_t)p->d, parameters = (size_t)p->equations.parameters,
           kinks = (size_t)own->expansion->tape->n_kinks;
    size_t variables = (size_t)equations_states(p) + parameters;
    own->n_kinks = (int)kinks;
    own->given = calloc(variables + d + MEASURE_LOAD_SIZES + 2 * d + kinks, sizeof *own->given);
    own->turned = calloc(kinks + 1, sizeof *own->turned);
    if (own->given && own->turned) {
      memcpy(own->given + equations_states(p), p->equations.values, parameters * sizeof *own->given);
      own->measured = own->given + variables;
      own->friction = own->measured + d + MEASURE_LOAD_SIZES;
      own->slips = own->friction + d;
      own->turn = own->slips + d;
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
  expansion_destroy(own->expansion);
  graph_formula_destroy(own->measures);
  free(own->given);
  free(own->turned);
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

void mechanism_motion_measure(const SimProblem *p, MechanismMotion *own, double t, const double *q, const double *v) {
  size_t size = (size_t)p->d * sizeof *q;
  memcpy(own->given, q, size);
  memcpy(own->given + p->d, v, size);
  own->given[3 * p->d] = t;
  graph_formula_values(own->measures, own->given, own->measured);
}
