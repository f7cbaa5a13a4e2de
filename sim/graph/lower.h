/* SPDX-License-Identifier: BSD-2-Clause */
/* Rewrites a graph with the kinds of nodes that a tape (tape.h) can expand in Taylor series; these are fewer kinds. */
#ifndef SIM_GRAPH_LOWER_H
#define SIM_GRAPH_LOWER_H

#include "sim/graph/graph.h"

/* Writes the nodes that the outputs depend on to a new graph, with these replacements:
 *
 * - integer powers become products, and a^b becomes exp(b ln a) if b varies in time;
 * - logarithms are expressed by ln, and acos by asin;
 * - the nodes u of graph_rate are added.
 *
 * varies: [n_variables] whether a variable depends on time. outputs: [count] nodes, replaced by nodes of `into`. The
 * function initialises `into`; the caller clears it. Returns false with the reason in `why` if a function has no
 * series, and false with `why` NULL if there is no memory. */
bool graph_lower(const Graph *graph, const bool *varies, int count, int *outputs, Graph *into, const char **why);

/* For a node z = f(a): returns the node u with z' = u a', where ' is d/dt. If *over is set to true, z' = a'/u
 * instead. If *sign is set to -1, the right side is multiplied by -1. Returns -1 if z has no such form. */
int graph_rate(Graph *graph, int z, bool *over, double *sign);

/* For a node with a kink or jump (abs, min, max, sign, comparison): returns the node of its switching function,
 * which is a or a - b and changes sign at the kink. Returns -1 for all other nodes. */
int graph_switch(Graph *graph, int z);

#endif
