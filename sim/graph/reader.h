/* Text of an expression as a node: "-100*exp(-10*t)", "x < 0 ? a : b". From the loosest to the tightest:
 *
 *     c ? a : b      ||      &&      < <= > >= == !=      + -      * /      a sign      ^ (from the right)
 *
 * The table of functions is in reader.c; the constants are pi and e. */
#ifndef SIM_GRAPH_READER_H
#define SIM_GRAPH_READER_H

#include "sim/graph/graph.h"

/* Parentheses, conditions and exponents within each other. */
enum { GRAPH_DEPTH_MAX = 200, GRAPH_MESSAGE_SIZE = 160 };

/* What names stand for, besides the constants: variables, parameters, definitions. A name has letters, digits and _, does
 * not begin with a digit, and may end with ', for a rate. */
typedef struct GraphNames {
  int n;
  const char *const *names; /* [n] */
  const int *nodes;         /* [n] */
} GraphNames;

/* Returns the node; -1 where the text is no expression: message then says why and at which character, counted from 1; or
 * it is empty, without memory. */
int graph_read(Graph *graph, const char *text, const GraphNames *names, char message[GRAPH_MESSAGE_SIZE]);

#endif
