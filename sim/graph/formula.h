/* Nodes of a graph as a list of operations for their values: what an expression is evaluated by, again and again. */
#ifndef SIM_GRAPH_FORMULA_H
#define SIM_GRAPH_FORMULA_H

#include "sim/graph/graph.h"

typedef struct GraphFormula GraphFormula;

/* n_variables: of the graph, at least one more than the largest that the nodes use. It no longer needs the graph. NULL without memory. */
GraphFormula *graph_formula_create(const Graph *graph, int n_variables, int count, const int *nodes);
void graph_formula_destroy(GraphFormula *formula); /* NULL: nothing */

/* values: [count], of variables [n_variables]. They may be infinite or NaN. Both sides of a ?: are computed. Not by two
 * threads at once. */
void graph_formula_values(GraphFormula *formula, const double *variables, double *values);

/* Whether a value depends on a variable. */
bool graph_formula_uses(const GraphFormula *formula, int variable);
/* Operations of one evaluation. */
int graph_formula_operations(const GraphFormula *formula);

#endif
