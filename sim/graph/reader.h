/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the text of an expression, for example "-100*exp(-10*t)" or "x < 0 ? a : b", as a node of a graph. Operators
 * from the lowest precedence to the highest:
 *
 *     c ? a : b      ||      &&      < <= > >= == !=      + -      * /      a sign      ^ (from the right)
 *
 * The table of functions is in reader.c; the constants are pi and e. */
#ifndef SIM_GRAPH_READER_H
#define SIM_GRAPH_READER_H

#include "sim/graph/graph.h"

/* GRAPH_DEPTH_MAX: maximum depth of nested parentheses, conditions and exponents. */
enum { GRAPH_DEPTH_MAX = 200, GRAPH_MESSAGE_SIZE = 160 };

/* Names that an expression may use, besides the constants pi and e: variables, parameters, definitions. A name has
 * letters, digits and _, does not begin with a digit, and may end with ' for a time derivative. */
typedef struct GraphNames {
  int n;
  const char *const *names; /* [n] the names */
  const int *nodes;         /* [n] node of the graph for which each name stands */
} GraphNames;

/* Returns the node of an expression. If the text is not an expression it returns -1, and `message` has the reason
 * and the number of the character, counted from 1. If there is no memory it returns -1 with an empty message. */
int graph_read(Graph *graph, const char *text, const GraphNames *names, char message[GRAPH_MESSAGE_SIZE]);

#endif
