/* SPDX-License-Identifier: BSD-2-Clause */
/* Lets each allocation of a graph, its formula, derivatives, tape and series fail once. The failure is reported, and
 * all memory is freed. */
#include "tests/sim/graph/series.h"

#include "tests/no_memory.h"

static const char *const text =
    "abs(x - y)*exp(-x*y) + max(x, k*y)/sqrt(1 + x^2) + (x < y ? tan(x) : ln(y))^y + x'*sin(y)";

/* Makes all of these objects. Returns whether memory sufficed. */
static bool make(Graph *graph, GraphFormula **formula, GraphTape **tape, GraphSeries **series, GraphColumns **columns) {
  const GraphRole roles[NAMES_MAX] = {GRAPH_VARIES, GRAPH_VARIES, GRAPH_LATE, GRAPH_CONSTANT};
  const char *why = "";
  char message[GRAPH_MESSAGE_SIZE];
  int nodes[NAMES_MAX], gradient[NAMES_MAX], tangent;
  for (int i = 0; i < NAMES_MAX; i++) nodes[i] = graph_variable(graph, i);
  const GraphNames names = {NAMES_MAX, expression_names, nodes};
  int node = graph_read(graph, text, &names, message);
  if (node < 0) assert_string_equal(message, "");
  if (node < 0 || !graph_gradient(graph, node, 2, nodes, gradient)) return false;
  if (!graph_tangent(graph, 1, &node, 2, nodes, nodes, &tangent)) return false;
  if (!(*formula = graph_formula_create(graph, NAMES_MAX, 2, gradient))) return false;
  *tape = graph_tape_create(graph, NAMES_MAX, roles, 1, &node, &why);
  assert_null(why);
  return *tape && (*series = graph_series_create(*tape)) && (*columns = graph_columns_create(*series));
}

static void attempt(void *context, long k) {
  (void)context;
  (void)k;
  Graph graph;
  GraphFormula *formula = NULL;
  GraphTape *tape = NULL;
  GraphSeries *series = NULL;
  GraphColumns *columns = NULL;
  graph_init(&graph, GRAPH_TIDY);
  bool made = make(&graph, &formula, &tape, &series, &columns);
  assert_true(made == !no_memory_failed());
  graph_columns_destroy(columns);
  graph_series_destroy(series);
  graph_tape_destroy(tape);
  graph_formula_destroy(formula);
  graph_clear(&graph);
}

static void no_memory_is_reported(void **state) {
  (void)state;
  assert_true(no_memory_each(attempt, NULL) > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_memory_is_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
