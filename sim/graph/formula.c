/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/formula.h"
#include "sim/graph/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Groups of operations that one branch-free loop evaluates. Operations of the same group are stored consecutively. */
typedef enum Form { ADD, SUBTRACT, MULTIPLY, AFFINE, OTHER, FORMS } Form;

/* A compiled formula. The array `values` contains the variables, then the constants, then the operations' results. */
struct GraphFormula {
  int n_variables, n_operations, count;
  int n_runs;
  GraphRun *runs;        /* [n_runs] ranges of consecutive operations of the same form */
  int first;             /* index of the value of the first operation */
  GraphNode *operations; /* [n_operations]; their operands are indices of values */
  int *results;          /* [count] indices of the results in values */
  bool *used;            /* [n_variables] whether the formula uses each variable */
  double *values;        /* [first + n_operations] values of the last evaluation */
};

static Form form_of(GraphKind kind) {
  switch (kind) {
  case GRAPH_ADD: return ADD;
  case GRAPH_SUBTRACT: return SUBTRACT;
  case GRAPH_MULTIPLY: return MULTIPLY;
  case GRAPH_AFFINE: return AFFINE;
  default: return OTHER;
  }
}

/* Assigns to each node its index in the array `values`, and copies the constants there. place: [nodes] set to these
 * indices; tasks: [n_operations] set to the operations, in the graph's order; nodes: [n_operations] set to their
 * nodes. */
static void place_nodes(GraphFormula *formula, const Graph *graph, const bool *marked, int *place, GraphTask *tasks,
                        int *nodes) {
  int numbers = formula->n_variables, n = 0;
  for (int i = 0; i < graph->n; i++) {
    const GraphNode *node = &graph->nodes[i];
    if (!marked[i]) continue;
    if (node->kind == GRAPH_NUMBER) {
      place[i] = numbers++;
      formula->values[place[i]] = node->offset;
    } else if (node->kind == GRAPH_VARIABLE) {
      place[i] = node->a;
      formula->used[node->a] = true;
    } else {
      const int operands[] = {node->a, node->b, node->c};
      tasks[n] = (GraphTask){0, form_of(node->kind), {-1, -1, -1, -1}};
      for (int k = 0; k < graph_operands(node->kind); k++)
        if (place[operands[k]] >= formula->first) tasks[n].operands[k] = place[operands[k]] - formula->first;
      place[i] = formula->first + n;
      nodes[n++] = i;
    }
  }
}

/* Reorders the operations so that few runs (consecutive operations of one form) result, and copies them. place: the
 * indices that place_nodes has set; they are changed to the new order. Returns false if there is no memory. */
static bool order_operations(GraphFormula *formula, const Graph *graph, const bool *marked, int *place) {
  int n = formula->n_operations;
  GraphTask *tasks = malloc(((size_t)n + 1) * sizeof *tasks);
  int *nodes = malloc(2 * ((size_t)n + 1) * sizeof *nodes), *order = nodes ? nodes + n + 1 : NULL;
  bool good = tasks && nodes;
  if (good) {
    place_nodes(formula, graph, marked, place, tasks, nodes);
    good = graph_schedule(n, tasks, 1, FORMS, order, &formula->n_runs, formula->runs);
  }
  for (int k = 0; k < n && good; k++) place[nodes[order[k]]] = formula->first + k;
  for (int k = 0; k < n && good; k++) {
    GraphNode node = graph->nodes[nodes[order[k]]];
    node.a = place[node.a];
    node.b = place[node.b];
    node.c = place[node.c];
    formula->operations[k] = node;
  }
  free(tasks);
  free(nodes);
  return good;
}

GraphFormula *graph_formula_create(const Graph *graph, int n_variables, int count, const int *nodes) {
  GraphFormula *formula = calloc(1, sizeof *formula);
  bool *marked = malloc((size_t)graph->n * sizeof *marked);
  int *place = calloc((size_t)graph->n, sizeof *place), numbers = 0, operations = 0;
  bool done = false;
  if (!formula || !marked || !place) goto end;
  graph_mark(graph, count, nodes, marked);
  for (int i = 0; i < graph->n; i++) {
    numbers += marked[i] && graph->nodes[i].kind == GRAPH_NUMBER;
    operations += marked[i] && graph->nodes[i].kind >= GRAPH_AFFINE;
  }
  formula->n_variables = n_variables;
  formula->count = count;
  formula->first = n_variables + numbers;
  formula->n_operations = operations;
  formula->operations = malloc((size_t)(operations + 1) * sizeof *formula->operations);
  formula->runs = malloc((size_t)(operations + 1) * sizeof *formula->runs);
  formula->results = malloc((size_t)(count + 1) * sizeof *formula->results);
  formula->used = calloc((size_t)n_variables + 1, sizeof *formula->used);
  formula->values = malloc((size_t)(formula->first + operations) * sizeof *formula->values);
  if (!formula->operations || !formula->runs || !formula->results || !formula->used || !formula->values) goto end;
  if (!order_operations(formula, graph, marked, place)) goto end;
  for (int i = 0; i < count; i++) formula->results[i] = place[nodes[i]];
  done = true;
end:
  free(marked);
  free(place);
  if (done) return formula;
  graph_formula_destroy(formula);
  return NULL;
}

void graph_formula_destroy(GraphFormula *formula) {
  if (!formula) return;
  free(formula->operations);
  free(formula->runs);
  free(formula->results);
  free(formula->used);
  free(formula->values);
  free(formula);
}

void graph_formula_values(GraphFormula *formula, const double *variables, double *values) {
  double *all = formula->values, *made = all + formula->first;
  const GraphNode *nodes = formula->operations;
  for (int i = 0; i < formula->n_variables; i++) all[i] = variables[i];
  for (const GraphRun *run = formula->runs; run < formula->runs + formula->n_runs; run++) {
    int first = run->first, end = run->end;
    switch ((Form)run->form) {
    case ADD:
      for (int i = first; i < end; i++) made[i] = all[nodes[i].a] + all[nodes[i].b];
      break;
    case SUBTRACT:
      for (int i = first; i < end; i++) made[i] = all[nodes[i].a] - all[nodes[i].b];
      break;
    case MULTIPLY:
      for (int i = first; i < end; i++) made[i] = all[nodes[i].a] * all[nodes[i].b];
      break;
    case AFFINE:
      for (int i = first; i < end; i++) made[i] = nodes[i].factor * all[nodes[i].a] + nodes[i].offset;
      break;
    default:
      for (int i = first; i < end; i++)
        made[i] = graph_apply(&nodes[i], all[nodes[i].a], all[nodes[i].b], all[nodes[i].c]);
    }
  }
  for (int i = 0; i < formula->count; i++) values[i] = all[formula->results[i]];
}

bool graph_formula_uses(const GraphFormula *formula, int variable) { return formula->used[variable]; }
int graph_formula_operations(const GraphFormula *formula) { return formula->n_operations; }
