/* Derivatives of nodes, as nodes of the same graph. At a kink (abs, min, max, ?:) they are those of the side that the value
 * takes; steps (sign, rint, comparisons) have the derivative 0. */
#ifndef SIM_GRAPH_DERIVATIVE_H
#define SIM_GRAPH_DERIVATIVE_H

#include "sim/graph/graph.h"

/* Directional derivatives, results [count]: of each node of `of` [count], the sum over k of d of/d variables[k] rates[k].
 * variables: [n] nodes of kind GRAPH_VARIABLE; rates: [n] nodes. With the rates of coordinates this is d/dt.
 * Returns false without memory. */
bool graph_tangent(Graph *graph, int count, const int *of, int n, const int *variables, const int *rates, int *results);

/* All partial derivatives of one node, results [n], by one pass backwards. Returns false without memory. */
bool graph_gradient(Graph *graph, int of, int n, const int *variables, int *results);

#endif
