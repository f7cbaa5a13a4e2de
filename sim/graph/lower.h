/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces the nodes of a graph by the fewer kinds of nodes that a tape (tape.h) can expand. */
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

/* For a node z = f(a): returns the node u with z' = u a'. If it sets `over`, z' = a'/u; if it sets sign to -1, z' = -u
 * a'. Returns -1 if z has no such rate. */
int graph_rate(Graph *graph, int z, bool *over, double *sign);

/* For a kink (abs, min, max, sign, comparison): returns the node of its switching function, a or a - b. Returns -1 if
 * the node is no kink. */
int graph_switch(Graph *graph, int z);

#endif
