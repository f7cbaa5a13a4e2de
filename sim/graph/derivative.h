/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives of nodes of an expression graph, as new nodes of the same graph. At a kink of abs, min, max or ?: the
 * derivative is that of the operand which gives the value. Step functions (sign, rint, comparisons) have derivative
 * 0. */
#ifndef SIM_GRAPH_DERIVATIVE_H
#define SIM_GRAPH_DERIVATIVE_H

#include "sim/graph/graph.h"

/* Computes directional derivatives (tangents). results [count]: for each node f of `of` [count], the node of sum_k
 * rates[k] df/d variables[k]. variables: [n] nodes of kind GRAPH_VARIABLE; rates: [n] nodes. If the rates are the
 * variables' time derivatives, the result is df/dt. Returns false if there is no memory. */
bool graph_tangent(Graph *graph, int count, const int *of, int n, const int *variables, const int *rates, int *results);

/* Computes all partial derivatives of one node, results [n], by one backward pass over the graph. Returns false if
 * there is no memory. */
bool graph_gradient(Graph *graph, int of, int n, const int *variables, int *results);

#endif
