/* Each allocation of a mechanism's equations, expansion and columns fails once: it is reported, and nothing is lost. */
#include "tests/fixture.h"

#include "sim/mechanism/columns.h"
#include "sim/mechanism/expansion.h"
#include "tests/no_memory.h"

/* Returns whether all could be made of a point at (sin q, -cos q). */
static bool make(Graph *graph, Expansion **expansion, ExpansionColumns **columns) {
  const char *why = "";
  int nodes[3], at[2], residual;
  MechanismVariables variables;
  if (!mechanism_variables(graph, 1, nodes, &variables)) return false;
  at[0] = graph_of(graph, GRAPH_SIN, nodes[0]);
  at[1] = graph_affine(graph, -1, graph_of(graph, GRAPH_COS, nodes[0]), 0);
  if (at[0] < 0 || at[1] < 0) return false;
  int kinetic = mechanism_point_energy(graph, &variables, graph_number(graph, 2), 2, at);
  int potential = graph_affine(graph, 2 * 9.81, at[1], 0);
  if (kinetic < 0 || potential < 0 || !mechanism_lagrange(graph, &variables, kinetic, potential, &residual))
    return false;
  const MechanismEquations equations = {.d = 1, .residuals = &residual};
  *expansion = expansion_create(graph, &equations, &why);
  assert_null(why);
  return *expansion && (*columns = expansion_columns_create(*expansion));
}

static void attempt(void *context, long k) {
  (void)context;
  (void)k;
  Graph graph;
  Expansion *expansion = NULL;
  ExpansionColumns *columns = NULL;
  graph_init(&graph, GRAPH_TIDY);
  bool made = make(&graph, &expansion, &columns);
  assert_true(made == !no_memory_failed());
  if (made) {
    const double q = 0.5, v = 0, slip = 1;
    assert_true(expansion_make(expansion, 0, &q, &v, NULL, &slip, 10, true));
    assert_true(fabs(2 * expansion_speed(expansion, 0, 1) + 2 * 9.81 * sin(0.5)) < 1e-14);
    assert_true(fabs(expansion->mass[0] - 2) < 1e-15);
  }
  expansion_columns_destroy(columns);
  expansion_destroy(expansion);
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
