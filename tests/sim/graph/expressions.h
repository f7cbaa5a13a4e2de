/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes expressions of x and y, or of t, for the tests of expression graphs (sim/graph). */
#ifndef TESTS_SIM_GRAPH_EXPRESSIONS_H
#define TESTS_SIM_GRAPH_EXPRESSIONS_H

#include "tests/fixture.h"

#include "sim/graph/derivative.h"
#include "sim/graph/formula.h"
#include "sim/graph/reader.h"

enum { NAMES_MAX = 4 };
static const char *const expression_names[NAMES_MAX] = {"x", "y", "x'", "k"};

/* A graph that has variables with these names. */
typedef struct Fixture {
  Graph graph;
  int n, nodes[NAMES_MAX];
} Fixture;

static inline void fixture_start(Fixture *fixture, GraphFolding folding) {
  graph_init(&fixture->graph, folding);
  fixture->n = NAMES_MAX;
  for (int i = 0; i < NAMES_MAX; i++) assert_true((fixture->nodes[i] = graph_variable(&fixture->graph, i)) >= 0);
}

/* Reads a text into the graph, which must succeed. Returns its node. */
static inline int fixture_read(Fixture *fixture, const char *text) {
  char message[GRAPH_MESSAGE_SIZE];
  const GraphNames names = {fixture->n, expression_names, fixture->nodes};
  int node = graph_read(&fixture->graph, text, &names, message);
  if (node < 0) fail_msg("%s: %s", text, message);
  return node;
}

static inline double fixture_value(const Fixture *fixture, int node, const double *values) {
  double value;
  GraphFormula *formula = graph_formula_create(&fixture->graph, NAMES_MAX, 1, &node);
  assert_non_null(formula);
  graph_formula_values(formula, values, &value);
  graph_formula_destroy(formula);
  return value;
}

/* Makes a random smooth expression of x and y. Its values and its series stay moderate for x and y in (0, 1). */
static inline void random_expression(uint64_t *seed, int depth, char *text, size_t size) {
  static const char *const functions[] = {"sin", "cos", "tanh", "atan", "asinh", "exp", "sinh", "cosh"};
  char a[1000], b[1000];
  int way = (int)((fixture_random(seed) + 1) * 4.5);
  double number = fixture_random(seed);
  if (depth == 0) {
    snprintf(text, size, way < 4 ? "x" : way < 7 ? "y" : "%.3f", fabs(number));
    return;
  }
  random_expression(seed, depth - 1, a, sizeof a);
  random_expression(seed, depth - 1, b, sizeof b);
  switch (way) {
  case 0: snprintf(text, size, "(%.400s)*(%.400s)", a, b); break;
  case 1: snprintf(text, size, "(%.400s)/(2 + (%.400s)^2)", a, b); break;
  case 2: snprintf(text, size, "(%.400s) - %.3f*(%.400s)", a, number, b); break;
  case 3: snprintf(text, size, "sqrt(1 + (%.400s)^2)", a); break;
  case 4: snprintf(text, size, "(1 + (%.400s)^2)^%.3f", a, number); break;
  case 5: snprintf(text, size, "ln(2 + sin(%.400s))", a); break;
  default: snprintf(text, size, "%s(%.3f*(%.400s))", functions[(int)((fixture_random(seed) + 1) * 3.999)], number, a);
  }
}

#endif
