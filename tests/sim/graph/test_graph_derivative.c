/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests derivatives on the graph: against central differences, and backward (adjoint) ones against forward ones. */
#include "tests/sim/graph/expressions.h"

static const char *const texts[] = {
    "x*y",
    "x/y",
    "x - 3*y",
    "sin(x)*cos(y)",
    "tan(x*y)",
    "asin(x*y) + acos(x/2)",
    "atan(x/y)",
    "sinh(x) - cosh(y)",
    "tanh(x/y)",
    "asinh(x*y)",
    "acosh(1 + x + y)",
    "atanh(x*y)",
    "exp(-x*y)",
    "ln(x + y)",
    "log2(x)*log10(y)",
    "log(x)^2",
    "sqrt(x + y^2)",
    "x^3 + y^4 - x^2*y",
    "x^2.5",
    "x^y",
    "2^x",
    "sin(x)^3",
    "(x + y)^-2",
    "atan2(x, y)",
    "abs(x - y)*x",
    "min(x, y)*max(x, 2*y)",
    "x < y ? x^2 : y^3",
    "sign(y - x)*x*y",
    "x > 0.1 ? sqrt(x) : 1/(x - x)",
    "avg(x, y, x*y)",
    "-x*y + -sin(x)",
    "k*x'^2/2 + k*x*x'",
    "(x < 1 && y > 0)*x",
    "rint(3*x)*y",
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

/* Returns the derivative of a node by a variable, by a central difference. */
static double difference(const Fixture *fixture, int node, int variable, const double *at, double step) {
  double above[NAMES_MAX], below[NAMES_MAX];
  memcpy(above, at, sizeof above);
  memcpy(below, at, sizeof below);
  above[variable] += step;
  below[variable] -= step;
  return (fixture_value(fixture, node, above) - fixture_value(fixture, node, below)) / (2 * step);
}

static void check(Fixture *fixture, const char *text, const double *at) {
  int node = fixture_read(fixture, text), gradient[NAMES_MAX], one = graph_number(&fixture->graph, 1);
  assert_true(graph_gradient(&fixture->graph, node, NAMES_MAX, fixture->nodes, gradient));
  for (int k = 0; k < NAMES_MAX; k++) {
    int tangent;
    assert_true(graph_tangent(&fixture->graph, 1, &node, 1, &fixture->nodes[k], &one, &tangent));
    double forward = fixture_value(fixture, tangent, at), back = fixture_value(fixture, gradient[k], at);
    double expected = difference(fixture, node, k, at, 1e-5);
    if (!(fabs(forward - expected) <= 1e-8 * (1 + fabs(expected))))
      fail_msg("%s by %s: %.15g, by difference %.15g", text, expression_names[k], forward, expected);
    if (!(fabs(forward - back) <= 1e-14 * (1 + fabs(forward))))
      fail_msg("%s by %s: %.17g forwards, %.17g backwards", text, expression_names[k], forward, back);
  }
}

static void derivatives_are_those_of_differences(void **state) {
  (void)state;
  const double points[][NAMES_MAX] = {{0.6, 0.35, -0.8, 3}, {0.3, 0.9, 0.4, -2}};
  for (int folding = 0; folding < 2; folding++)
    for (size_t p = 0; p < 2; p++)
      for (int i = 0; i < N_TEXTS; i++) {
        Fixture fixture;
        fixture_start(&fixture, folding ? GRAPH_TIDY : GRAPH_AS_WRITTEN);
        check(&fixture, texts[i], points[p]);
        graph_clear(&fixture.graph);
      }
}

static void random_ones_as_well(void **state) {
  (void)state;
  uint64_t seed = 5;
  const double at[NAMES_MAX] = {0.6, 0.35, 0, 0};
  for (int i = 0; i < 300; i++) {
    char text[1000];
    Fixture fixture;
    random_expression(&seed, 1 + i % 5, text, sizeof text);
    fixture_start(&fixture, i % 2 ? GRAPH_TIDY : GRAPH_AS_WRITTEN);
    check(&fixture, text, at);
    graph_clear(&fixture.graph);
  }
}

/* The time derivative of an expression along x' = 2, y' = x is made from nodes for these rates. */
static void tangents_go_along_rates(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, GRAPH_TIDY);
  const double at[NAMES_MAX] = {0.6, 0.35, 2, 0};
  int of[2] = {fixture_read(&fixture, "x*y"), fixture_read(&fixture, "sin(x)")}, results[2];
  const int rates[2] = {fixture.nodes[2], fixture.nodes[0]};
  assert_true(graph_tangent(&fixture.graph, 2, of, 2, fixture.nodes, rates, results));
  assert_true(fabs(fixture_value(&fixture, results[0], at) - (2 * 0.35 + 0.6 * 0.6)) < 1e-15);
  assert_true(fabs(fixture_value(&fixture, results[1], at) - 2 * cos(0.6)) < 1e-15);
  graph_clear(&fixture.graph);
}

/* The derivative of an expression by a variable on which it does not depend is the number 0. */
static void zeros_are_numbers(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, GRAPH_AS_WRITTEN);
  int node = fixture_read(&fixture, "sin(x)*exp(x)"), gradient[NAMES_MAX];
  assert_true(graph_gradient(&fixture.graph, node, NAMES_MAX, fixture.nodes, gradient));
  for (int k = 1; k < NAMES_MAX; k++) assert_int_equal(gradient[k], graph_number(&fixture.graph, 0));
  graph_clear(&fixture.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(random_ones_as_well),
      cmocka_unit_test(tangents_go_along_rates),
      cmocka_unit_test(zeros_are_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
