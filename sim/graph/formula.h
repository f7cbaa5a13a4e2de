/* SPDX-License-Identifier: BSD-2-Clause */
/* A formula: a list of operations, compiled from nodes of an expression graph, that evaluates these nodes fast, any
 * number of times. */
#ifndef SIM_GRAPH_FORMULA_H
#define SIM_GRAPH_FORMULA_H

#include "sim/graph/graph.h"

typedef struct GraphFormula GraphFormula;

/* Compiles the formula of the nodes `nodes` [count]. n_variables: number of variables in the graph. The graph may be
 * destroyed afterwards. Returns NULL if there is no memory. */
GraphFormula *graph_formula_create(const Graph *graph, int n_variables, int count, const int *nodes);
void graph_formula_destroy(GraphFormula *formula); /* may be NULL */

/* Evaluates all results, values [count], for the variables [n_variables]. Values may be infinite or NaN. Both
 * alternatives of a ?: are evaluated. A formula must not be used by two threads at once. */
void graph_formula_values(GraphFormula *formula, const double *variables, double *values);

/* Whether any result depends on variable number `variable`. */
bool graph_formula_uses(const GraphFormula *formula, int variable);
/* Returns the number of operations in one evaluation. */
int graph_formula_operations(const GraphFormula *formula);

#endif
