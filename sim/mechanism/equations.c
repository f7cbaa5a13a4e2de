/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/equations.h"
#include "sim/base/argument.h"

#include <math.h>
#include <stdlib.h>

enum { KIND, A, B, C, FACTOR, OFFSET, NODE_SIZE };

/* Lists the nodes of the outputs in the order of SimEquations.outputs. */
static void list_outputs(const SimMechanism *mechanism, int *outputs) {
  int d = mechanism->d;
  const int *const vectors[] = {mechanism->residuals, mechanism->applied, mechanism->thresholds};
  for (int k = 0; k < EQUATIONS_VECTORS; k++)
    for (int i = 0; i < d; i++) outputs[k * d + i] = vectors[k][i];
  outputs[EQUATIONS_VECTORS * d] = mechanism->energy;
  outputs[EQUATIONS_VECTORS * d + 1] = mechanism->power;
}

/* Writes the marked nodes of the graph, on which the outputs depend, as rows of numbers. number: [n] set to each marked
 * node's index among the written ones. */
static void write_nodes(const Graph *graph, const bool *marked, int *number, double *rows) {
  int n = 0;
  for (int i = 0; i < graph->n; i++) {
    const GraphNode *node = &graph->nodes[i];
    if (!marked[i]) continue;
    double *row = rows + (size_t)(number[i] = n++) * NODE_SIZE;
    int operands = graph_operands(node->kind);
    row[KIND] = node->kind;
    row[A] = node->kind == GRAPH_VARIABLE ? node->a : operands > 0 ? number[node->a] : 0;
    row[B] = operands > 1 ? number[node->b] : 0;
    row[C] = operands > 2 ? number[node->c] : 0;
    row[FACTOR] = node->factor;
    row[OFFSET] = node->offset;
  }
}

static SimStatus write(const SimMechanism *mechanism, int n_outputs, SimEquations *equations) {
  const Graph *graph = &mechanism->graph;
  size_t n = (size_t)graph->n, outputs = (size_t)n_outputs, parameters = (size_t)mechanism->n_parameters;
  int *of = malloc(outputs * sizeof *of), *number = calloc(n + 1, sizeof *number);
  bool *marked = calloc(n + 1, sizeof *marked);
  *equations = (SimEquations){.parameters = mechanism->n_parameters};
  if (of && number && marked) {
    list_outputs(mechanism, of);
    graph_mark(graph, n_outputs, of, marked);
    for (size_t i = 0; i < n; i++) equations->nodes += marked[i];
    equations->graph = calloc((size_t)equations->nodes * NODE_SIZE, sizeof(double));
    equations->outputs = calloc(outputs, sizeof(double));
    equations->values = parameters ? calloc(parameters, sizeof(double)) : NULL;
  }
  bool room = equations->graph && equations->outputs && (equations->values || !parameters);
  if (room) write_nodes(graph, marked, number, equations->graph);
  for (size_t i = 0; i < outputs && room; i++) equations->outputs[i] = number[of[i]];
  for (size_t i = 0; i < parameters && room; i++) equations->values[i] = mechanism->values[i];
  free(of);
  free(number);
  free(marked);
  return room ? SIM_OK : SIM_NO_MEMORY;
}

static void clear(SimEquations *equations) {
  free(equations->graph);
  free(equations->outputs);
  free(equations->values);
}

SimStatus sim_problem_set_mechanism(SimProblem *p, const SimMechanism *mechanism) {
  ARGUMENT(p && p->kind == SIM_MECHANISM, "problem", "is NULL, or of another kind");
  ARGUMENT(mechanism && mechanism->d == p->d, "mechanism", "is NULL, or has another number of coordinates");
  SimEquations own;
  SimStatus status = write(mechanism, equations_outputs(p), &own);
  if (status != SIM_OK) {
    clear(&own);
    return status;
  }
  clear(&p->equations);
  p->equations = own;
  for (int i = 0; i < p->d; i++) {
    const GraphNode *node = &mechanism->graph.nodes[mechanism->thresholds[i]];
    p->friction[i] = node->kind != GRAPH_NUMBER || node->offset != 0;
  }
  return SIM_OK;
}

/* Whether a stored number is an integer from 0 to n - 1. */
static bool is_below(double number, int n) { return number >= 0 && number < n && number == (int)number; }

/* Whether a stored row is a valid node: its operands are among the `before` rows before it. */
static bool is_node(const double *row, int before, int variables) {
  if (!is_below(row[KIND], GRAPH_CHOOSE + 1)) return false;
  GraphKind kind = (GraphKind)row[KIND];
  for (int k = 0; k < graph_operands(kind); k++)
    if (!is_below(row[A + k], before)) return false;
  return kind != GRAPH_VARIABLE || is_below(row[A], variables);
}

/* Returns the node of a^b, where b is a parameter with the value n:
 *
 *     a^n + (b - n) a^n ln(a^2 + SMALL^2)/2
 *
 * Unlike exp(b ln a) it has series where a is 0 or negative, as a^n has. Its derivative by b differs from
 * a^n ln|a| by at most |a|^(n-1) SMALL/2; it is 0 at a = 0. The series change in a time of SMALL/|a'|. SMALL is so large
 * that this time can be added to the time of a motion unless a changes very fast. */
static int read_power(Graph *graph, int a, int b, double n) {
  static const double SMALL = 1e-9;
  int power = graph_make(graph, GRAPH_POWER, a, graph_number(graph, n), 0);
  int square = graph_affine(graph, 1, graph_multiply(graph, a, a), SMALL * SMALL);
  int slope = graph_multiply(graph, power, graph_affine(graph, 0.5, graph_of(graph, GRAPH_LN, square), 0));
  return graph_add(graph, power, graph_multiply(graph, graph_affine(graph, 1, b, -n), slope));
}

/* Creates the node that a stored row describes. number: nodes of the rows before. vary: whether parameters, the
 * variables from number `states` on, stay variables; otherwise they are replaced by their values. Returns the node, or
 * -1 without memory. */
static int read_node(Graph *graph, const double *row, const int *number, int states, bool vary, const double *values) {
  enum { POWER_MAX = 64 };
  GraphKind kind = (GraphKind)row[KIND];
  int of[3] = {0};
  for (int k = 0; k < graph_operands(kind); k++) of[k] = number[(int)row[A + k]];
  if (kind == GRAPH_NUMBER) return graph_number(graph, row[OFFSET]);
  if (kind == GRAPH_VARIABLE && !vary && row[A] >= states) return graph_number(graph, values[(int)row[A] - states]);
  if (kind == GRAPH_VARIABLE) return graph_variable(graph, (int)row[A]);
  if (kind == GRAPH_AFFINE) return graph_affine(graph, row[FACTOR], of[0], row[OFFSET]);
  if (kind == GRAPH_POWER && of[1] >= 0 && graph->nodes[of[1]].kind == GRAPH_VARIABLE) {
    int parameter = graph->nodes[of[1]].a - states;
    double n = parameter >= 0 ? values[parameter] : NAN;
    if (n >= 1 && n <= POWER_MAX && n == floor(n)) return read_power(graph, of[0], of[1], n);
  }
  return graph_make(graph, kind, of[0], of[1], of[2]);
}

/* Whether the stored equations have the form that sim_problem_set_mechanism writes. */
static bool are_equations(const SimProblem *p) {
  const SimEquations *equations = &p->equations;
  int variables = equations_states(p) + equations->parameters;
  if (!equations->graph) return false;
  for (int i = 0; i < equations->nodes; i++)
    if (!is_node(equations->graph + (size_t)i * NODE_SIZE, i, variables)) return false;
  for (int i = 0; i < equations_outputs(p); i++)
    if (!is_below(equations->outputs[i], equations->nodes)) return false;
  return true;
}

SimStatus equations_read(const SimProblem *p, bool vary, Graph *graph, int *outputs) {
  const SimEquations *equations = &p->equations;
  graph_init(graph, GRAPH_TIDY);
  if (!are_equations(p)) return SIM_BAD_PROBLEM;
  int *number = malloc((size_t)equations->nodes * sizeof *number);
  bool good = number;
  for (int i = 0; i < equations->nodes && good; i++) {
    number[i] = read_node(graph, equations->graph + (size_t)i * NODE_SIZE, number, equations_states(p), vary,
                          equations->values);
    good = number[i] >= 0;
  }
  for (int i = 0; i < equations_outputs(p) && good; i++) outputs[i] = number[(int)equations->outputs[i]];
  free(number);
  for (int i = 0; i < p->d && good; i++) {
    int *threshold = &outputs[EQUATIONS_THRESHOLD * p->d + i];
    if (p->friction[i] != 1) *threshold = graph_affine(graph, p->friction[i], *threshold, 0);
    good = *threshold >= 0;
  }
  return good ? SIM_OK : SIM_NO_MEMORY;
}
