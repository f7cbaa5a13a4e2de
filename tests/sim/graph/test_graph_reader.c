/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the reading of expressions into a graph: their values against the C library, precedence, folding of constants,
 * messages. */
#include "tests/sim/graph/expressions.h"

static const volatile double X = 0.7, Y = 0.3; /* volatile, so that expected values are computed by the C library and
                                                * not by the compiler */
static const double at[NAMES_MAX] = {0.7, 0.3, -2, 5};

static void values_are_those_of_libm(void **state) {
  (void)state;
  const struct {
    const char *text;
    double value;
  } cases[] = {
      {"x", X},
      {"x'", -2},
      {"pi", 3.14159265358979323846},
      {"e", 2.71828182845904523536},
      {".5e1", 5},
      {"1.", 1},
      {"1e-3*x", 1e-3 * X},
      {"x + y - 3", X + Y - 3},
      {"x - y - k", X - Y - 5},
      {"x/y/k", X / Y / 5},
      {"x - (y - k)", X - (Y - 5)},
      {"1 + 2*3", 7},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-1", 0.5},
      {"2^3^2", 512},
      {"2^-3^2", 0.001953125},
      {"-x*y", -X * Y},
      {"x*-y", X * -Y},
      {"+x", X},
      {"-(x + y)", -(X + Y)},
      {"x - -y", X - -Y},
      {"sin(x)", sin(X)},
      {"cos(x)", cos(X)},
      {"tan(x)", tan(X)},
      {"asin(x)", asin(X)},
      {"acos(x)", acos(X)},
      {"atan(x)", atan(X)},
      {"sinh(x)", sinh(X)},
      {"cosh(x)", cosh(X)},
      {"tanh(x)", tanh(X)},
      {"asinh(x)", asinh(X)},
      {"acosh(k)", acosh(5)},
      {"atanh(x)", atanh(X)},
      {"exp(x)", exp(X)},
      {"ln(x)", log(X)},
      {"log(x)", log(X)},
      {"log2(x)", log2(X)},
      {"log10(x)", log10(X)},
      {"sqrt(x)", sqrt(X)},
      {"abs(-x)", X},
      {"sign(x')", -1},
      {"sign(0*x)", 0},
      {"sign(x)", 1},
      {"rint(2.5)", 3},
      {"rint(x)", 1},
      {"rint(x')", -2},
      {"atan2(x', x)", atan2(-2, X)},
      {"min(x, y)", Y},
      {"max(x, y, k)", 5},
      {"min(k, x, y)", Y},
      {"sum(x, y, k)", X + Y + 5},
      {"avg(x, k)", (X + 5) / 2},
      {"x^y", pow(X, Y)},
      {"x^3", X * X * X},
      {"sin(x)^3", pow(sin(X), 3)},
      {"x^0.5", pow(X, 0.5)},
      {"x < y", 0},
      {"y < x", 1},
      {"x > y", 1},
      {"x <= x", 1},
      {"x >= y", 1},
      {"x == y", 0},
      {"x != y", 1},
      {"1 < 2 == 1", 1},
      {"x < y || y < x", 1},
      {"x < y && y < x", 0},
      {"0 && 0 || 1", 1},
      {"1 || 0 && 0", 1},
      {"x < y ? 1 : 2", 2},
      {"x > y ? 1 : 2", 1},
      {"0 ? 1 : 0 ? 2 : 3", 3},
      {"1 ? 0 ? 1 : 2 : 3", 2},
      {"x > y ? x + 1 : 2 + 3", X + 1},
      {"x < y ? 1 : 2 + x", 2 + X},
      {"(x > y)*k", 5},
      {"2 * (3*x + 1) / 4", 1.5 * X + 0.5},
      {"\t x\n+ y ", X + Y},
      {"sin (x)", sin(X)},
      {"x*x", X * X},
      {"exp(-10*x)", exp(-10 * X)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Fixture fixture;
    fixture_start(&fixture, GRAPH_AS_WRITTEN);
    double value = fixture_value(&fixture, fixture_read(&fixture, cases[i].text), at);
    if (value != cases[i].value) fail_msg("%s: %.17g, not %.17g", cases[i].text, value, cases[i].value);
    fixture.graph.folding = GRAPH_TIDY; /* to rounding */
    value = fixture_value(&fixture, fixture_read(&fixture, cases[i].text), at);
    if (!(fabs(value - cases[i].value) <= 4e-16 * fabs(value))) fail_msg("tidy %s: %.17g", cases[i].text, value);
    graph_clear(&fixture.graph);
  }
}

/* Infinite and undefined values are those that the operations give in C. */
static void values_may_be_infinite(void **state) {
  (void)state;
  const double zero[NAMES_MAX] = {0};
  Fixture fixture;
  fixture_start(&fixture, GRAPH_AS_WRITTEN);
  assert_true(fixture_value(&fixture, fixture_read(&fixture, "1/0"), zero) == INFINITY);
  assert_true(fixture_value(&fixture, fixture_read(&fixture, "-1/x"), zero) == -INFINITY);
  assert_true(isnan(fixture_value(&fixture, fixture_read(&fixture, "0*ln(x)"), zero)));
  assert_true(isnan(fixture_value(&fixture, fixture_read(&fixture, "sqrt(-1)"), zero)));
  assert_true(fixture_value(&fixture, fixture_read(&fixture, "x > 0 ? ln(x) : 3"), zero) == 3);
  graph_clear(&fixture.graph);
}

static void messages_name_what_stands_there(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "expected a number, a name or \"(\" at the end"},
      {"x +", "expected a number, a name or \"(\" at the end"},
      {"x + * y", "expected a number, a name or \"(\", found \"*\" at character 5"},
      {"--x", "expected a number, a name or \"(\", found \"-\" at character 2"},
      {"2*(x + z)", "unknown name \"z\" at character 8"},
      {"y'", "unknown name \"y'\" at character 1"},
      {"x''", "expected an operator, found \"'\" at character 3"},
      {"sinus(x)", "unknown function \"sinus\" at character 1"},
      {"sin", "unknown name \"sin\" at character 1"},
      {"x(2)", "unknown function \"x\" at character 1"},
      {"2(3)", "expected an operator, found \"(\" at character 2"},
      {"2 x", "expected an operator, found \"x\" at character 3"},
      {"2e", "expected an operator, found \"e\" at character 2"},
      {"0x10", "expected an operator, found \"x10\" at character 2"},
      {"1.2.3", "expected an operator, found \".\" at character 4"},
      {"1e999", "too large a number \"1e999\" at character 1"},
      {"(x + y", "expected an operator or \")\" at the end"},
      {"x + y)", "expected an operator, found \")\" at character 6"},
      {"sin(x, y)", "sin of 2 values (expected one) at character 1"},
      {"1 + atan2(x)", "atan2 of 1 values (expected two) at character 5"},
      {"min()", "min of 0 values (expected one or more) at character 1"},
      {"sin()", "expected a number, a name or \"(\", found \")\" at character 5"},
      {"x ? y", "expected an operator or \":\" at the end"},
      {"x : y", "expected an operator, found \":\" at character 3"},
      {"x ? y, 2 : 3", "expected an operator or \":\", found \",\" at character 6"},
      {"x, y", "a list of 2 values"},
      {"x = 2", "an assignment; to compare, write ==: \"=\" at character 3"},
      {"x & y", "expected an operator, found \"&\" at character 3"},
      {"x !y", "expected an operator, found \"!\" at character 3"},
      {"\xc3\xa4 + 1", "expected a number, a name or \"(\", found \"\xc3\xa4\" at character 1"},
      {"x + \xc3\xa4\xc3\xa4", "expected a number, a name or \"(\", found \"\xc3\xa4\" at character 5"},
      {"x \xc3\xa4 +", "expected an operator, found \"\xc3\xa4\" at character 3"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char message[GRAPH_MESSAGE_SIZE];
    Fixture fixture;
    fixture_start(&fixture, GRAPH_AS_WRITTEN);
    const GraphNames names = {fixture.n, expression_names, fixture.nodes};
    assert_int_equal(graph_read(&fixture.graph, cases[i].text, &names, message), -1);
    assert_string_equal(message, cases[i].message);
    graph_clear(&fixture.graph);
  }
}

/* A text with 4000 nested parentheses, signs or conditions is read or refused, even with a small stack. */
static void depth_is_bounded(void **state) {
  (void)state;
  static const char *const parts[] = {"(", "-(", "2^", "sin(", "1?", "1?2:", "(1?(", "1<(2+"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char text[4001] = "", message[GRAPH_MESSAGE_SIZE];
    size_t length = strlen(parts[i]);
    for (size_t at_end = 0; at_end + length < sizeof text; at_end += length) strcpy(text + at_end, parts[i]);
    Fixture fixture;
    fixture_start(&fixture, GRAPH_AS_WRITTEN);
    const GraphNames names = {fixture.n, expression_names, fixture.nodes};
    assert_int_equal(graph_read(&fixture.graph, text, &names, message), -1);
    assert_memory_equal(message, "more than 200 parts within each other", 37);
    graph_clear(&fixture.graph);
  }
}

/* Returns the number of nodes that a text needs in addition to the variables. */
static int count(const char *text, GraphFolding folding) {
  bool marked[100];
  Fixture fixture;
  fixture_start(&fixture, folding);
  int node = fixture_read(&fixture, text), n = 0;
  assert_true(fixture.graph.n < 100);
  graph_mark(&fixture.graph, 1, &node, marked);
  for (int i = 0; i < fixture.graph.n; i++) n += marked[i] && fixture.graph.nodes[i].kind != GRAPH_VARIABLE;
  graph_clear(&fixture.graph);
  return n;
}

static void equal_parts_are_one_node(void **state) {
  (void)state;
  assert_int_equal(count("2*(3*x + 1)/4 - x", GRAPH_AS_WRITTEN), 1);
  assert_int_equal(count("sin(2*pi*x)", GRAPH_AS_WRITTEN), 2);
  assert_int_equal(count("sin(x + y) + cos(y + x)*sin(x + y)", GRAPH_AS_WRITTEN), 5);
  assert_int_equal(count("sin(x*y)*sin(y*x)", GRAPH_AS_WRITTEN), 3);
  assert_int_equal(count("1*sin(x)/1", GRAPH_AS_WRITTEN), 1);
  /* the product is not reordered, so that it rounds as written */
  assert_int_equal(count("2*sin(x)*3", GRAPH_AS_WRITTEN), 5);
  assert_int_equal(count("2*sin(x)*3", GRAPH_TIDY), 2);
  assert_int_equal(count("(2*sin(x))*(3*cos(x))/4", GRAPH_TIDY), 4);
  assert_int_equal(count("0*sin(x) + 1*y", GRAPH_TIDY), 0);
  assert_int_equal(count("-(-sin(x))", GRAPH_TIDY), 1);
  assert_int_equal(count("sin(x) - sin(x) + y", GRAPH_TIDY), 0);
  assert_int_equal(count("sin(x)^2 - sin(x)*sin(x)", GRAPH_TIDY), 1);
}

static void a_formula_knows_its_variables(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, GRAPH_AS_WRITTEN);
  int nodes[2] = {fixture_read(&fixture, "x' + 2"), fixture_read(&fixture, "k*sin(x' + 2)")};
  GraphFormula *formula = graph_formula_create(&fixture.graph, NAMES_MAX, 2, nodes);
  double values[2];
  assert_non_null(formula);
  graph_formula_values(formula, at, values);
  assert_true(values[0] == 0 && values[1] == 0);
  assert_false(graph_formula_uses(formula, 0));
  assert_true(graph_formula_uses(formula, 2) && graph_formula_uses(formula, 3));
  assert_int_equal(graph_formula_operations(formula), 3);
  graph_formula_destroy(formula);
  graph_clear(&fixture.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_libm),        cmocka_unit_test(values_may_be_infinite),
      cmocka_unit_test(messages_name_what_stands_there), cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(equal_parts_are_one_node),        cmocka_unit_test(a_formula_knows_its_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
