/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All values are in one array: those of the variables, then of the constant numbers, then of the operations. */
struct GraphFormula {
  int n_variables, n_operations, count;
  int first;             /* index of the value of the first operation */
  GraphNode *operations; /* [n_operations]; their operands are indices of values */
  int *results;          /* [count] indices of the results in values */
  bool *used;            /* [n_variables] */
  double *values;        /* [first + n_operations] values of the last evaluation */
};

/* Assigns an index in the array of values to each node, and copies numbers and operations. */
static void place_nodes(GraphFormula *formula, const Graph *graph, const bool *marked, int *place) {
  int numbers = formula->n_variables;
  for (int i = 0; i < graph->n; i++) {
    GraphNode node = graph->nodes[i];
    if (!marked[i]) continue;
    if (node.kind == GRAPH_NUMBER) {
      place[i] = numbers++;
      formula->values[place[i]] = node.offset;
    } else if (node.kind == GRAPH_VARIABLE) {
      place[i] = node.a;
      formula->used[node.a] = true;
    } else {
      place[i] = formula->first + formula->n_operations;
      node.a = place[node.a];
      node.b = place[node.b];
      node.c = place[node.c];
      formula->operations[formula->n_operations++] = node;
    }
  }
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
  formula->operations = malloc((size_t)(operations + 1) * sizeof *formula->operations);
  formula->results = malloc((size_t)(count + 1) * sizeof *formula->results);
  formula->used = calloc((size_t)n_variables + 1, sizeof *formula->used);
  formula->values = malloc((size_t)(formula->first + operations) * sizeof *formula->values);
  if (!formula->operations || !formula->results || !formula->used || !formula->values) goto end;
  place_nodes(formula, graph, marked, place);
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
  free(formula->results);
  free(formula->used);
  free(formula->values);
  free(formula);
}

void graph_formula_values(GraphFormula *formula, const double *variables, double *values) {
  double *all = formula->values, *made = all + formula->first;
  const GraphNode *node = formula->operations;
  for (int i = 0; i < formula->n_variables; i++) all[i] = variables[i];
  for (int i = 0; i < formula->n_operations; i++, node++)
    made[i] = graph_apply(node, all[node->a], all[node->b], all[node->c]);
  for (int i = 0; i < formula->count; i++) values[i] = all[formula->results[i]];
}

bool graph_formula_uses(const GraphFormula *formula, int variable) { return formula->used[variable]; }
int graph_formula_operations(const GraphFormula *formula) { return formula->n_operations; }
