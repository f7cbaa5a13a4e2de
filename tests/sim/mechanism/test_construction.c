/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests mechanisms that are made of points, energies and trees of bodies: published numbers, the balance of energy, and
 * what a mechanism does at one instant. */
#include "tests/fixture.h"

#include "sim/graph/derivative.h"
#include "sim/graph/formula.h"
#include "sim/graph/reader.h"
#include "sim/mechanism/local.h"

enum { NAMES_MAX = 16, VALUES_MAX = 24 };
static const double down[3] = {0, -9.81, 0};

/* A mechanism of two coordinates a, b with parameters, and the nodes of texts in these. */
typedef struct Made {
  SimMechanism *mechanism;
  const char *names[NAMES_MAX];
  int nodes[NAMES_MAX], n;
} Made;

static Made make(int n, const char *const *parameters, const double *values) {
  static const char *const names[] = {"a", "b"}, *const all[] = {"a", "b", "a'", "b'", "a''", "b''", "t"};
  Made made = {.mechanism = mechanism_create(2, names, n, parameters, values), .n = 7 + n};
  assert_non_null(made.mechanism);
  for (int i = 0; i < made.n; i++) made.names[i] = i < 7 ? all[i] : parameters[i - 7];
  for (int i = 0; i < made.n; i++)
    made.nodes[i] = i < 6    ? made.mechanism->nodes[i]
                    : i == 6 ? made.mechanism->variables.t
                             : made.mechanism->parameters[i - 7];
  return made;
}

static int node(Made *made, const char *text) {
  char message[GRAPH_MESSAGE_SIZE];
  const GraphNames names = {made->n, made->names, made->nodes};
  int read = graph_read(&made->mechanism->graph, text, &names, message);
  if (read < 0) fail_msg("%s: %s", text, message);
  return read;
}

/* Computes the values of nodes [count] for given a, b, a', b', a'', b'', t and the mechanism's parameters. */
static void values_at(Made *made, int count, const int *nodes, const double *at, double *values) {
  double all[VALUES_MAX] = {0};
  memcpy(all, at, 7 * sizeof *all);
  memcpy(all + 7, made->mechanism->values, (size_t)made->mechanism->n_parameters * sizeof *all);
  GraphFormula *formula = graph_formula_create(&made->mechanism->graph, made->n, count, nodes);
  assert_non_null(formula);
  graph_formula_values(formula, all, values);
  graph_formula_destroy(formula);
}

static void expect_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, not %.17g", value, expected);
}

static void add_rods(Made *made) {
  Graph *graph = &made->mechanism->graph;
  int zero = graph_number(graph, 0), one = graph_number(graph, 1), twelfth = graph_number(graph, 1. / 12);
  MechanismBody bodies[2];
  for (int i = 0; i < 2; i++)
    bodies[i] = (MechanismBody){.parent = i - 1,
                                .axis = {0, 0, 1},
                                .turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                .origin = {i ? one : zero, zero, zero},
                                .mass = one,
                                .centre = {graph_number(graph, 0.5), zero, zero},
                                .inertia = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, twelfth}},
                                .armature = zero};
  assert_true(mechanism_add_tree(made->mechanism, bodies, down));
}

/* Compares with Corke's Robotics Toolbox: the torques of two links, twolink.rne([0 pi/2], 0, 0) = [1.5 0] g. */
static void two_links_hold_published_torques(void **state) {
  (void)state;
  Made made = make(0, NULL, NULL);
  double r[2];
  add_rods(&made);
  values_at(&made, 2, made.mechanism->residuals, (const double[7]){0, FIXTURE_PI / 2}, r);
  expect_near(r[0], 1.5 * 9.81, 1e-14 * 20);
  expect_near(r[1], 0, 1e-14);
  mechanism_destroy(made.mechanism);
}

/* Compares with the mass matrix in Cazzolato and Prime, On the dynamics of the Furuta pendulum, 2011. */
static void furuta_has_the_published_mass(void **state) {
  (void)state;
  static const char *const parameters[] = {"L", "l", "m", "J1", "J2"};
  static const double values[] = {0.278, 0.148, 0.075, 0.0316, 0.0039};
  static const char *const at[] = {"L*cos(a) - l*sin(b)*sin(a)", "L*sin(a) + l*sin(b)*cos(a)", "-l*cos(b)"};
  Made made = make(5, parameters, values);
  SimMechanism *m = made.mechanism;
  MechanismLocal local;
  const double q[] = {0.3, 1.1}, v[] = {0.5, -2}, L = values[0], l = values[1], mass = values[2], J1 = values[3],
               J2 = values[4], sine = sin(q[1]);
  const char *why;
  int places[3], where;
  for (int i = 0; i < 3; i++) places[i] = node(&made, at[i]);
  int kinetic = mechanism_point_energy(&m->graph, &m->variables, node(&made, "m"), 3, places);
  assert_true(mechanism_add_energies(m, kinetic, node(&made, "-9.81*m*l*cos(b)")));
  assert_true(mechanism_add_energies(m, node(&made, "J1*a'^2/2 + J2*(b'^2 + sin(b)^2*a'^2)/2"), node(&made, "0")));
  assert_int_equal(mechanism_local(m, 0, q, v, &local, &where, &why), MECHANISM_GOOD);
  expect_near(local.mass[0], J1 + mass * L * L + (J2 + mass * l * l) * sine * sine, 1e-16);
  expect_near(local.mass[1], mass * L * l * cos(q[1]), 1e-16);
  expect_near(local.mass[2], local.mass[1], 1e-17);
  expect_near(local.mass[3], J2 + mass * l * l, 1e-16);
  mechanism_local_clear(&local);
  mechanism_destroy(m);
}

/* The rate of the energy equals q'.r + power, for energies that depend on time and for trees with energies. */
static void the_energy_changes_by_loads_and_time(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int with_tree = 0; with_tree < 2; with_tree++) {
    Made made = make(0, NULL, NULL);
    SimMechanism *m = made.mechanism;
    Graph *graph = &m->graph;
    int kinetic = node(&made, "(1 + t^2)*a'^2/2 + a'*b'*cos(a - b + t) + (3 + sin(t))*b'^2 + 0.1*t*a'");
    assert_true(mechanism_add_energies(m, kinetic, node(&made, "cos(a*b) + t*a + exp(b - t)")));
    if (with_tree) add_rods(&made);
    int rates[5], rate;
    memcpy(rates, m->nodes + 2, 4 * sizeof *rates);
    rates[4] = graph_number(graph, 1);
    const int variables[] = {m->nodes[0], m->nodes[1], m->nodes[2], m->nodes[3], m->variables.t};
    assert_true(graph_tangent(graph, 1, &m->energy, 5, variables, rates, &rate));
    for (int n = 0; n < 50; n++) {
      double at[7], values[4];
      for (int i = 0; i < 7; i++) at[i] = 2 * fixture_random(&seed);
      const int nodes[] = {rate, m->power, m->residuals[0], m->residuals[1]};
      values_at(&made, 4, nodes, at, values);
      expect_near(values[0], values[1] + at[2] * values[2] + at[3] * values[3], 1e-12 * (1 + fabs(values[0])));
    }
    mechanism_destroy(m);
  }
}

/* Tests a pendulum beside a mass on a damped slide at one instant: the loads, which coordinate sticks, the fastest
 * rate. */
static void an_instant_shows_what_sticks(void **state) {
  (void)state;
  static const char *const parameters[] = {"m", "c"};
  Made made = make(2, parameters, (const double[]){2, 9});
  SimMechanism *m = made.mechanism;
  MechanismLocal local;
  const double q[] = {0.4, 0.5}, still[] = {0, 0};
  const char *why;
  int where;
  assert_true(mechanism_add_energies(m, node(&made, "m*a'^2/2 + b'^2/2"), node(&made, "-m*9.81*cos(a)")));
  assert_true(mechanism_add_viscous(m, 1, node(&made, "300")));
  assert_true(mechanism_add_force(m, 1, node(&made, "4")));
  m->thresholds[0] = node(&made, "c");
  m->thresholds[1] = node(&made, "1");
  assert_int_equal(mechanism_local(m, 0, q, still, &local, &where, &why), MECHANISM_GOOD);
  assert_true(local.sticks[0] && !local.sticks[1]); /* the load 2 9.81 sin(0.4) = 7.64 is below the threshold of one
                                                     * coordinate only */
  expect_near(local.acceleration[1], 3, 1e-14);
  expect_near(local.load[0], 2 * 9.81 * sin(0.4), 1e-14);
  expect_near(local.rate, 300, 1e-9);
  mechanism_local_clear(&local);
  m->values[1] = 7;
  assert_int_equal(mechanism_local(m, 0, q, still, &local, &where, &why), MECHANISM_GOOD);
  assert_false(local.sticks[0]);
  expect_near(local.acceleration[0], -(2 * 9.81 * sin(0.4) - 7) / 2, 1e-14);
  mechanism_local_clear(&local);
  m->thresholds[0] = node(&made, "a' > 0 ? 7 : 8"); /* the load pushes it down */
  m->thresholds[1] = node(&made, "1 + 2*sign(b')^2 - sign(b')");
  assert_int_equal(mechanism_local(m, 0, q, still, &local, &where, &why), MECHANISM_GOOD);
  assert_true(local.sticks[0] && !local.sticks[1]);
  expect_near(local.thresholds[0], 7, 0);
  expect_near(local.thresholds[2], 8, 0);
  expect_near(mechanism_local_threshold(&local, 0), 8, 0);
  expect_near(mechanism_local_threshold(&local, 1), 2, 0);
  expect_near(local.acceleration[1], 2, 1e-14);
  mechanism_local_clear(&local);
  mechanism_destroy(m);
}

/* Tests the faults of a mechanism: coordinates without mass, loads that are not finite, negative thresholds, functions
 * without a series. */
static void faults_are_named(void **state) {
  (void)state;
  static const struct {
    const char *kinetic, *potential, *threshold;
    MechanismFault fault;
    int at;
  } cases[] = {{"a'^2 + b'^2", "a*b", "1", MECHANISM_GOOD, 0},
               {"a'^2", "a*b", "1", MECHANISM_SINGULAR, 0},
               {"(a' + b')^2", "a*b", "1", MECHANISM_SINGULAR, 0},
               {"a'^2 + b'^2", "ln(a - 0.5) + b^2", "1", MECHANISM_GOOD, 0},
               {"a'^2 + b'^2", "b^2 + sqrt(b)", "1", MECHANISM_NOT_FINITE, 1},
               {"a'^2 + b'^2", "0", "a - 2", MECHANISM_NEGATIVE, 1},
               {"a'^2 + b'^2", "0", "rint(a)", MECHANISM_NO_SERIES, 0}};
  const double q[] = {1, 0}, v[] = {0, 0};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Made made = make(0, NULL, NULL);
    MechanismLocal local;
    const char *why;
    int at = -1;
    assert_true(mechanism_add_energies(made.mechanism, node(&made, cases[k].kinetic), node(&made, cases[k].potential)));
    made.mechanism->thresholds[1] = node(&made, cases[k].threshold);
    MechanismFault fault = mechanism_local(made.mechanism, 0, q, v, &local, &at, &why);
    if (fault != cases[k].fault) fail_msg("case %zu: %d", k, (int)fault);
    if (fault == MECHANISM_NOT_FINITE || fault == MECHANISM_NEGATIVE) assert_int_equal(at, cases[k].at);
    assert_true((fault == MECHANISM_NO_SERIES) == (why != NULL));
    mechanism_local_clear(&local);
    mechanism_destroy(made.mechanism);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_links_hold_published_torques),
      cmocka_unit_test(furuta_has_the_published_mass),
      cmocka_unit_test(the_energy_changes_by_loads_and_time),
      cmocka_unit_test(an_instant_shows_what_sticks),
      cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
