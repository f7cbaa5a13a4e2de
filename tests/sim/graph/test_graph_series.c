/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests Taylor series of expressions: against closed forms and against derivatives made on the graph. Also tests kinks,
 * several columns at once, and all kernels. */
#include "tests/sim/graph/series.h"

enum { ORDERS = 20 };

/* Computes the Taylor coefficients of `text` in t, with x = x0 + t, y = 0.35 and k = 2. */
static void expand(const char *text, double x0, int orders, double *coefficients) {
  Fixture fixture;
  fixture_start(&fixture, GRAPH_AS_WRITTEN);
  int node = fixture_read(&fixture, text);
  GraphTape *tape = tape_of(&fixture, time_roles, 1, &node);
  GraphSeries *series = graph_series_create(tape);
  assert_non_null(series);
  series_in_time(series, (const double[NAMES_MAX]){x0, 0.35, 0, 2}, orders);
  for (int k = 0; k <= orders; k++) coefficients[k] = graph_series_get(series, 0, k);
  graph_series_destroy(series);
  graph_tape_destroy(tape);
  graph_clear(&fixture.graph);
}

static double factorial(int k) { return tgamma(k + 1.0); }
static double exponential(int k) { return 1 / factorial(k); }
static double sine(int k) { return k % 2 ? (k % 4 == 1 ? 1 : -1) / factorial(k) : 0; }
static double cosine(int k) { return k % 2 ? 0 : (k % 4 ? -1 : 1) / factorial(k); }
static double geometric(int k) { return k >= 0; }
static double logarithm(int k) { return k ? (k % 2 ? 1.0 : -1.0) / k : 0; }
static double arc_tangent(int k) { return k % 2 ? (k % 4 == 1 ? 1.0 : -1.0) / k : 0; }
static double hyperbolic_arc_tangent(int k) { return k % 2 ? 1.0 / k : 0; }
static double fifth(int k) { return k == 5; }
static double binomial(double r, int k) {
  double made = 1;
  for (int i = 0; i < k; i++) made *= (r - i) / (i + 1);
  return made;
}
static double root(int k) { return binomial(0.5, k); }
static double power(int k) { return binomial(-1.7, k); }
static double arc_sine(int k) { return k % 2 ? tgamma(k) / pow(2, k - 1) / pow(tgamma((k + 1) / 2.0), 2) / k : 0; }

static void coefficients_are_closed_forms(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double at;
    double (*coefficient)(int k);
  } cases[] = {
      {"exp(x)", 0, exponential},
      {"sin(x)", 0, sine},
      {"cos(x)", 0, cosine},
      {"1/(1 - x)", 0, geometric},
      {"ln(x)", 1, logarithm},
      {"log2(x)*ln(2)", 1, logarithm},
      {"log10(x)*ln(10)", 1, logarithm},
      {"atan(x)", 0, arc_tangent},
      {"atanh(x)", 0, hyperbolic_arc_tangent},
      {"x^5", 0, fifth},
      {"sqrt(x)", 1, root},
      {"x^0.5", 1, root},
      {"x^-1.7", 1, power},
      {"asin(x)", 0, arc_sine},
      {"pi/2 - acos(x)", 0, arc_sine},
      {"(1 - x)^-1", 0, geometric},
      {"x < 1 ? exp(x) : 7", 0, exponential},
      {"min(exp(x), 7)", 0, exponential},
      {"max(exp(x), x)", 0, exponential},
      {"abs(exp(x))", 0, exponential},
      {"(x < 1 && y < 1)*exp(x)", 0, exponential},
      {"sign(y)*exp(x) + (x > k)", 0, exponential},
      {"y == 0.35 || x > k ? exp(x) : k", 0, exponential},
      {"(k*exp(x) + exp(x)*k)/k/2", 0, exponential},
      {"exp(y*x/y)", 0, exponential},
      {"k/2*exp(x)", 0, exponential},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double made[ORDERS + 1];
    expand(cases[i].text, cases[i].at, ORDERS, made);
    for (int k = 0; k <= ORDERS; k++) {
      double expected = cases[i].coefficient(k);
      if (!(fabs(made[k] - expected) <= 1e-13 * fabs(expected) + 1e-18))
        fail_msg("%s: order %d: %.17g, not %.17g", cases[i].text, k, made[k], expected);
    }
  }
}

/* Compares the coefficient of order k with the k-th derivative, made on the graph, divided by k!. */
static void compare_with_derivatives(const char *text, double x0, double tolerance) {
  enum { HIGHEST = 6 };
  double made[HIGHEST + 1], of_one = 1;
  Fixture fixture;
  expand(text, x0, HIGHEST, made);
  fixture_start(&fixture, GRAPH_TIDY);
  int node = fixture_read(&fixture, text), one = graph_number(&fixture.graph, 1);
  for (int k = 0; k <= HIGHEST; k++) {
    double expected = fixture_value(&fixture, node, (const double[NAMES_MAX]){x0, 0.35, 0, 2}) / of_one;
    if (!(fabs(made[k] - expected) <= tolerance * (1 + fabs(expected))))
      fail_msg("%s: order %d: %.17g, by derivatives %.17g", text, k, made[k], expected);
    of_one *= k + 1;
    assert_true(graph_tangent(&fixture.graph, 1, &node, 1, fixture.nodes, &one, &node));
  }
  graph_clear(&fixture.graph);
}

static void coefficients_are_derivatives_of_derivatives(void **state) {
  (void)state;
  static const char *const texts[] = {
      "tan(x)",
      "sin(x)/cos(x*y)",
      "asin(x*y)",
      "acos(x)",
      "atan(1/x)",
      "sinh(x)*cosh(2*x)",
      "tanh(k*x)",
      "asinh(x)",
      "acosh(1 + x)",
      "atanh(x^2)",
      "exp(-x^2)",
      "ln(x)*x",
      "sqrt(1 + x)*sqrt(x)",
      "x^2.5",
      "x^y",
      "y^x",
      "x^x",
      "x^(1 + x)",
      "(1 + x)^7",
      "x^-3",
      "abs(x - 1)*x",
      "min(x, y)*max(x, k)",
      "x < y ? x^2 : x^3",
      "-x*sin(-x)",
      "x/(1 + x/(1 + x))",
      "(x - 2)*(x - 2)/(3 - x)",
      "k*x + y*x - x",
      "sqrt(x)^3",
      "sum(x, x^2, x^3)/avg(1, x)",
      "x - 2*(y - 3*(x - 4*x*x))",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) compare_with_derivatives(texts[i], 0.6, 1e-11);
  uint64_t seed = 11;
  for (int i = 0; i < 300; i++) {
    char text[1000];
    random_expression(&seed, 1 + i % 4, text, sizeof text);
    compare_with_derivatives(text, 0.6, 1e-11);
  }
}

/* A function that has no Taylor series is refused. */
static void what_has_no_series_is_refused(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"rint(x)", "rint has no series"},
      {"atan2(x, y)", "atan2 has no series (take atan)"},
      {"x'*x'", "not linear in the accelerations"},
      {"sin(x')", "not linear in the accelerations"},
      {"x/x'", "not linear in the accelerations"},
      {"max(x, x')", "a kink that depends on accelerations"},
      {"(x' < 1)*x", "a kink that depends on accelerations"},
      {"(x' ? 1 : x)", "not linear in the accelerations"},
  };
  const GraphRole roles[NAMES_MAX] = {GRAPH_VARIES, GRAPH_CONSTANT, GRAPH_LATE, GRAPH_CONSTANT};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *why;
    Fixture fixture;
    fixture_start(&fixture, GRAPH_AS_WRITTEN);
    int node = fixture_read(&fixture, cases[i][0]);
    assert_null(graph_tape_create(&fixture.graph, NAMES_MAX, roles, 1, &node, &why));
    assert_non_null(why);
    assert_string_equal(why, cases[i][1]);
    graph_clear(&fixture.graph);
  }
  Fixture fixture; /* with constant arguments such functions are numbers, and are allowed */
  fixture_start(&fixture, GRAPH_AS_WRITTEN);
  int node = fixture_read(&fixture, "rint(y)*atan2(y, k)*x");
  graph_tape_destroy(tape_of(&fixture, time_roles, 1, &node));
  graph_clear(&fixture.graph);
}

/* If a switching function is 0 at t0, the series are those of the side just after t0. */
static void kinks_take_the_side_that_follows(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double at, coefficients[4];
  } cases[] = {
      {"abs(x)", 0, {0, 1, 0, 0}},
      {"abs(sin(x) - x)", 0, {0, 0, 0, 1.0 / 6}},
      {"max(x, x^2)", 0, {0, 1, 0, 0}},
      {"min(x, x^2)", 0, {0, 0, 1, 0}},
      {"sign(x)", 0, {1, 0, 0, 0}},
      {"sign(-x)", 0, {-1, 0, 0, 0}},
      {"sign(x - x)", 0, {0, 0, 0, 0}},
      {"x < 0 ? 5 : 7 + x", 0, {7, 1, 0, 0}},
      {"x <= 0 ? 5 : 7 + x", 0, {7, 1, 0, 0}},
      {"-x < 0 ? 5 : 7 + x", 0, {5, 0, 0, 0}},
      {"x == 0 ? 5 : 7 + x", 0, {7, 1, 0, 0}},
      {"abs(sign(x) - 1 + x)", 0, {0, 1, 0, 0}}, /* the outer kink is not 0 before the inner kink has its sign */
      {"abs(x - 1)", 0.25, {0.75, -1, 0, 0}},
      {"abs(x - 1)", 1, {0, 1, 0, 0}},
      {"x < 2 ? x < 1 ? 1 : x : x^2", 1, {1, 1, 0, 0}},
      {"x < 2 ? x < 1 ? 1 : x : x^2", 2, {4, 4, 1, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double made[4];
    expand(cases[i].text, cases[i].at, 3, made);
    for (int k = 0; k < 4; k++)
      if (!(fabs(made[k] - cases[i].coefficients[k]) <= 1e-15))
        fail_msg("%s at %g: order %d: %.17g", cases[i].text, cases[i].at, k, made[k]);
  }
}

/* Signs of switching functions that the caller sets are kept, whatever the values are. The switching function itself is
 * a series. */
static void signs_are_a_part_of_the_state(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, GRAPH_AS_WRITTEN);
  int node = fixture_read(&fixture, "abs(x^2 - y)");
  GraphTape *tape = tape_of(&fixture, time_roles, 1, &node);
  GraphSeries *series = graph_series_create(tape);
  assert_non_null(series);
  assert_int_equal(tape->n_kinks, 1);
  series_in_time(series, (const double[NAMES_MAX]){0.5, 0.35, 0, 2}, 3);
  assert_true(series->signs[0] == -1 && fabs(graph_series_get(series, 0, 0) - 0.1) < 1e-15);
  assert_true(fabs(graph_series_kink(series, 0, 0) + 0.1) < 1e-15 && graph_series_kink(series, 0, 1) == 1);
  series->signs[0] = 1;
  graph_series_begin(series, false);
  assert_true(fabs(graph_series_get(series, 0, 0) + 0.1) < 1e-15);
  graph_series_destroy(series);
  graph_tape_destroy(tape);
  graph_clear(&fixture.graph);
}

/* Makes the series of an expression in x, where y and k are numbers, or variables by which it is differentiated. */
static GraphSeries *kinks_of(const char *text, bool numbers, const double *at, GraphTape **tape) {
  static const GraphRole roles[NAMES_MAX] = {GRAPH_VARIES, GRAPH_DIFFERENTIATED, GRAPH_CONSTANT, GRAPH_DIFFERENTIATED};
  Fixture fixture;
  fixture_start(&fixture, GRAPH_TIDY);
  for (int i = 1; i < NAMES_MAX && numbers; i++) fixture.nodes[i] = graph_number(&fixture.graph, at[i]);
  int node = fixture_read(&fixture, text);
  *tape = tape_of(&fixture, roles, 1, &node);
  GraphSeries *series = graph_series_create(*tape);
  assert_non_null(series);
  series_in_time(series, at, 0);
  graph_clear(&fixture.graph);
  return series;
}

/* Numbers in place of variables leave the kinks' numbers as they are, or change how many kinks or steps there are. */
static void kinks_keep_their_numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double y, k;
    bool same;
  } cases[] = {
      {"(x > y ? 1 : 0) + abs(x + k)*sign(k*x - 1) + (y*k*exp(x*y) < 2 ? 1 : x)", 0.5, 2, true},
      {"sign(y*sin(k*x) - 0.1) + max(x, k) + min(x - y, k*x)", 1, 1, false}, /* min(x - 1, x) has no kink */
      {"sign(y*sin(k*x) - 0.1) + max(x, k) + min(x - y, 3*k*x)", 1, 1, true},
      {"max(y, k)*(x > y ? 1 : 0) + abs(x - y)", 0.3, 0.3, true}, /* y - k does not move */
      {"(x > y ? 1 : 0) + (x > k ? 1 : 0)", 0.3, 0.3, false},
      {"(x > y ? 1 : 0) + (x > k ? 1 : 0)", 0.3, 0.2, true},
      {"y*abs(x) + sign(k*x - 1) + sign(x)", 0, 2, false}, /* two kinks, in another order */
      {"y*abs(x) + sign(k*x - 1) + sign(x)", 1, 2, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double at[NAMES_MAX] = {0.6, cases[i].y, 0, cases[i].k};
    GraphTape *fixed, *varied;
    GraphSeries *one = kinks_of(cases[i].text, true, at, &fixed), *other = kinks_of(cases[i].text, false, at, &varied);
    bool same = graph_tape_same_kinks(fixed, varied);
    if (same != cases[i].same) fail_msg("%s: %d", cases[i].text, same);
    for (int k = 0; k < fixed->n_moving && same; k++) {
      double a = fabs(graph_series_kink(one, k, 0)), b = fabs(graph_series_kink(other, k, 0));
      if (!(fabs(a - b) <= 1e-15) || fixed->may_jump[k] != varied->may_jump[k])
        fail_msg("%s: kink %d: %.17g, %.17g", cases[i].text, k, a, b);
    }
    graph_series_destroy(one);
    graph_series_destroy(other);
    graph_tape_destroy(fixed);
    graph_tape_destroy(varied);
  }
}

/* The columns are the series of the tangents that the graph makes. */
static void columns_are_series_of_tangents(void **state) {
  (void)state;
  enum { K = 12 };
  uint64_t seed = 3;
  const GraphRole roles[NAMES_MAX] = {GRAPH_VARIES, GRAPH_VARIES, GRAPH_CONSTANT, GRAPH_CONSTANT};
  const double at[NAMES_MAX] = {0.6, 0.35, 0, 2};
  for (int i = 0; i < 100; i++) {
    char text[1000];
    Fixture fixture;
    snprintf(text, sizeof text, i % 2 ? "abs(x - y)*k^x + min(x, 3*y)" : "x^k/(1 + sqrt(x + y))");
    if (i > 1) random_expression(&seed, 1 + i % 4, text, sizeof text);
    fixture_start(&fixture, GRAPH_AS_WRITTEN);
    int nodes[2] = {fixture_read(&fixture, text), 0}, one = graph_number(&fixture.graph, 1);
    assert_true(graph_tangent(&fixture.graph, 1, nodes, 1, &fixture.nodes[1], &one, &nodes[1]));
    GraphTape *tape = tape_of(&fixture, roles, 2, nodes);
    GraphSeries *series = graph_series_create(tape);
    GraphColumns *columns = graph_columns_create(series);
    assert_non_null(columns);
    series_in_time(series, at, K);
    *graph_columns_variable(columns, 1, 0) = (GraphColumn){1, 0, -2, 0, 0, 0, 0, 0.5}; /* of y */
    for (int k = 0; k <= K; k++) {
      graph_columns_advance(columns, k);
      graph_columns_take(columns, k);
      double expected = graph_series_get(series, 1, k);
      const GraphColumn *made = graph_columns_output(columns, 0, k);
      if (!(fabs((*made)[0] - expected) <= 1e-11 * (1 + fabs(expected))))
        fail_msg("%s: order %d: %.17g, by the graph %.17g", text, k, (*made)[0], expected);
      assert_true((*made)[1] == 0 && (*made)[2] == -2 * (*made)[0] && (*made)[7] == 0.5 * (*made)[0]);
    }
    graph_columns_destroy(columns);
    graph_series_destroy(series);
    graph_tape_destroy(tape);
    graph_clear(&fixture.graph);
  }
}

/* The kernels of every instruction set give the same bits. */
static void kernels_agree_in_every_bit(void **state) {
  (void)state;
  uint64_t seed = 7;
  const GraphRole roles[NAMES_MAX] = {GRAPH_VARIES, GRAPH_VARIES, GRAPH_CONSTANT, GRAPH_CONSTANT};
  const double at[NAMES_MAX] = {0.6, 0.35, 0, 2};
  for (int i = 0; i < 30; i++) {
    char text[1000];
    Fixture fixture;
    random_expression(&seed, 4, text, sizeof text);
    fixture_start(&fixture, GRAPH_TIDY);
    int node = fixture_read(&fixture, text);
    GraphTape *tape = tape_of(&fixture, roles, 1, &node);
    GraphSeries *series[2] = {graph_series_create(tape), graph_series_create(tape)};
    GraphColumns *columns[2] = {graph_columns_create(series[0]), graph_columns_create(series[1])};
    assert_true(columns[0] && columns[1]);
    for (int kernel = 0; graph_kernel_number(kernel); kernel++) {
      int of = kernel > 0;
      tape->kernel = graph_kernel_number(kernel);
      series_in_time(series[of], at, GRAPH_ORDER_MAX);
      *graph_columns_variable(columns[of], 1, 0) = (GraphColumn){1, 0.3, -2, 0, 0.1, 7, 0, 0.5};
      for (int k = 0; k <= GRAPH_ORDER_MAX; k++) {
        graph_columns_advance(columns[of], k);
        graph_columns_take(columns[of], k);
      }
      size_t size = (size_t)tape->rows * (GRAPH_ORDER_MAX + 1);
      assert_memory_equal(series[of]->c, series[0]->c, size * sizeof *series[0]->c);
      assert_memory_equal(columns[of]->c, columns[0]->c, size * sizeof *columns[0]->c);
    }
    for (int of = 0; of < 2; of++) {
      graph_columns_destroy(columns[of]);
      graph_series_destroy(series[of]);
    }
    graph_tape_destroy(tape);
    graph_clear(&fixture.graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coefficients_are_closed_forms),  cmocka_unit_test(coefficients_are_derivatives_of_derivatives),
      cmocka_unit_test(what_has_no_series_is_refused),  cmocka_unit_test(kinks_take_the_side_that_follows),
      cmocka_unit_test(signs_are_a_part_of_the_state),  cmocka_unit_test(kinks_keep_their_numbers),
      cmocka_unit_test(columns_are_series_of_tangents), cmocka_unit_test(kernels_agree_in_every_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
