/* A graph as a tape takes it: fewer kinds of nodes. */
#ifndef SIM_GRAPH_LOWER_H
#define SIM_GRAPH_LOWER_H

#include "sim/graph/graph.h"

/* The nodes that the outputs depend on, in a tidy graph: integer powers as products, a^b as exp(b ln a) where b varies, logarithms
 * by ln, acos by asin; with the rows of graph_rate. varies: [n_variables]. outputs: [count], replaced by nodes of `into`, which is
 * initialised and to be cleared. Returns false where a function has no series, and `why` says so; or without memory, with `why` NULL. */
bool graph_lower(const Graph *graph, const bool *varies, int count, int *outputs, Graph *into, const char **why);

/* Of a node z = f(a) the node u with z' = u a', or with z' = a'/u where `over` is set; sign -1: z' = -u a'. -1 where z is not such a
 * function. */
int graph_rate(Graph *graph, int z, bool *over, double *sign);

/* Of a kink the node of its switching function, a or a - b; -1: no kink. */
int graph_switch(Graph *graph, int z);

#endif
