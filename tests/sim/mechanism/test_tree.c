/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests trees of rigid bodies: against energies as text, published numbers of the Puma 560, and the energy of random
 * trees. */
#include "tests/fixture.h"

#include "sim/graph/formula.h"
#include "sim/graph/reader.h"
#include "sim/mechanism/expansion.h"
#include "sim/mechanism/tree.h"
#include "tests/sim/mechanism/puma.h"

enum { D_MAX = 6 };
static const double down[3] = {0, 0, -9.81};

typedef struct Tree {
  Graph graph;
  MechanismVariables variables;
  int nodes[3 * D_MAX], residuals[D_MAX], energy;
  GraphFormula *formula; /* formula of the residuals r */
} Tree;

static void make_tree(Tree *tree, int d, void (*make)(Graph *graph, MechanismBody *bodies)) {
  MechanismBody bodies[D_MAX];
  graph_init(&tree->graph, GRAPH_TIDY);
  assert_true(mechanism_variables(&tree->graph, d, tree->nodes, &tree->variables));
  make(&tree->graph, bodies);
  assert_true(mechanism_tree(&tree->graph, &tree->variables, bodies, down, tree->residuals, &tree->energy));
  tree->formula = graph_formula_create(&tree->graph, 3 * d + 1, d, tree->residuals);
  assert_non_null(tree->formula);
}

static void clear(Tree *tree) {
  graph_formula_destroy(tree->formula);
  graph_clear(&tree->graph);
}

static void residual(Tree *tree, const double *q, const double *v, const double *a, double *r) {
  int d = tree->variables.d;
  double values[3 * D_MAX + 1] = {0};
  memcpy(values, q, (size_t)d * sizeof *q);
  if (v) memcpy(values + d, v, (size_t)d * sizeof *v);
  if (a) memcpy(values + 2 * d, a, (size_t)d * sizeof *a);
  graph_formula_values(tree->formula, values, r);
}

static void expect(const double *made, const double *expected, int n) {
  for (int i = 0; i < n; i++)
    if (!(fabs(made[i] - expected[i]) < 1e-4)) fail_msg("%d: %.6f, not %.4f", i, made[i], expected[i]);
}

/* Compares with Corke's Robotics Toolbox: gravload, inertia and coriolis of mdl_puma560. */
static void the_puma_has_published_numbers(void **state) {
  (void)state;
  Tree tree;
  double r[D_MAX], gravity[D_MAX];
  const double at[6] = {0, FIXTURE_PI / 4, -FIXTURE_PI, 1, FIXTURE_PI / 4, 0};
  make_tree(&tree, 6, puma_bodies);
  residual(&tree, at, NULL, NULL, gravity);
  expect(gravity, (const double[]){0, 31.6334, 6.0286, -0.0119, 0.0218, 0}, 6);
  residual(&tree, at, NULL, (const double[]){1, 0, 0, 0, 0, 0}, r);
  for (int i = 0; i < 6; i++) r[i] -= gravity[i];
  expect(r, (const double[]){3.6591, -0.4042, 0.1013, -0.0021, -0.0015, 0}, 6);

  residual(&tree, at, (const double[]){0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, NULL, r);
  for (int i = 0; i < 6; i++) r[i] -= gravity[i];
  expect(r, (const double[]){-0.3476, 0.4442, -0.1882}, 3);
  clear(&tree);
}

static void make_rods(Graph *graph, MechanismBody *bodies) {
  const double no[3] = {0, 0, 0}, end[3] = {1, 0, 0}, middle[3] = {0.5, 0, 0}, rod[3] = {0, 1. / 12, 1. / 12};
  bodies[0] = puma_body(graph, -1, 1, no, 1, middle, rod, 0); /* the axis is -y, so that angles go upwards from x */
  bodies[1] = puma_body(graph, 0, 0, end, 1, middle, rod, 0);
}

/* Compares two rods of 1 m and 1 kg in a vertical plane with the equations from their energies. */
static void two_links_are_those_of_energies(void **state) {
  (void)state;
  static const char *const names[] = {"p", "q", "p'", "q'", "p''", "q''"};
  uint64_t seed = 3;
  Tree tree;
  char message[GRAPH_MESSAGE_SIZE];
  make_tree(&tree, 2, make_rods);
  const GraphNames all = {6, names, tree.nodes};
  int kinetic = graph_read(&tree.graph, "(p'^2/3 + p'^2 + (p' + q')^2/3 + p'*(p' + q')*cos(q))/2", &all, message);
  int potential = graph_read(&tree.graph, "9.81*(1.5*sin(p) + sin(p + q)/2)", &all, message), by_energy[2];
  assert_true(kinetic >= 0 && potential >= 0);
  assert_true(mechanism_lagrange(&tree.graph, &tree.variables, kinetic, potential, by_energy));
  GraphFormula *formula = graph_formula_create(&tree.graph, 7, 2, by_energy);
  assert_non_null(formula);
  for (int i = 0; i < 100; i++) {
    double values[7] = {0}, r[2], expected[2];
    for (int j = 0; j < 6; j++) values[j] = 3 * fixture_random(&seed);
    graph_formula_values(formula, values, expected);
    residual(&tree, values, values + 2, values + 4, r);
    for (int j = 0; j < 2; j++) assert_true(fabs(r[j] - expected[j]) < 1e-13 * (1 + fabs(expected[j])) * 30);
  }
  graph_formula_destroy(formula);
  clear(&tree);
}

static uint64_t tree_seed;

/* Makes a random tree with branches, sliding joints, and frames and axes in any direction. */
static void make_random(Graph *graph, MechanismBody *bodies) {
  for (int i = 0; i < D_MAX; i++) {
    double numbers[10], length = 0;
    for (int j = 0; j < 10; j++) numbers[j] = fixture_random(&tree_seed);
    const double inertia[3] = {0.5 + 0.3 * numbers[6], 0.5 + 0.3 * numbers[7], 0.5 + 0.3 * numbers[8]};
    int parent = i ? (int)((fixture_random(&tree_seed) + 1) / 2 * (i + 1)) - 1 : -1;
    bodies[i] = puma_body(graph, parent, i % 4, numbers, 1.5 + numbers[9], numbers + 3, inertia, 0.1 * i);
    bodies[i].slides = i % 3 == 1;
    for (int j = 0; j < 3; j++) length += numbers[j + 5] * numbers[j + 5];
    for (int j = 0; j < 3; j++) bodies[i].axis[j] = numbers[j + 5] / sqrt(length);
  }
}

/* Without forces T + V is constant, so all orders of its series above 0 vanish. M is symmetric. */
static void energies_of_random_trees_close(void **state) {
  (void)state;
  enum { ORDER = 8 };
  for (int n = 0; n < 20; n++) {
    Tree tree;
    double q[D_MAX], v[D_MAX], slips[D_MAX], size = 0;
    const char *why;
    tree_seed = (uint64_t)(n + 1);
    make_tree(&tree, D_MAX, make_random);
    for (int i = 0; i < D_MAX; i++) {
      q[i] = 2 * fixture_random(&tree_seed);
      v[i] = fixture_random(&tree_seed);
      slips[i] = 1;
    }
    const MechanismEquations equations = {
        .d = D_MAX, .residuals = tree.residuals, .n_others = 1, .others = &tree.energy};
    Expansion *expansion = expansion_create(&tree.graph, &equations, &why);
    assert_non_null(expansion);
    assert_true(expansion_make(expansion, 0, q, v, NULL, slips, ORDER, true));
    for (int i = 0; i < D_MAX * D_MAX; i++)
      assert_true(fabs(expansion->mass[i] - expansion->mass[i % D_MAX * D_MAX + i / D_MAX]) < 1e-13);
    double reach = expansion_reach(expansion, 1e-8, 1), scale = 1;
    for (int k = 1; k <= ORDER; k++) {
      scale *= reach;
      size = fmax(size, fabs(expansion_output(expansion, 2 * D_MAX, k)) * scale);
    }
    if (!(size < 1e-12 * (1 + fabs(expansion_output(expansion, 2 * D_MAX, 0)))))
      fail_msg("tree %d: the energy changes by %g", n, size);
    expansion_destroy(expansion);
    clear(&tree);
  }
}

/* At rest the energy is that of the weights at the places of the centres of mass. */
static void places_carry_the_weights(void **state) {
  Tree tree;
  MechanismBody bodies[D_MAX];
  const double at[6] = {0.3, FIXTURE_PI / 4, -2, 1, -0.7, 0.4};
  double values[3 * D_MAX + 1] = {0}, made[2];
  (void)state;
  make_tree(&tree, 6, puma_bodies);
  puma_bodies(&tree.graph, bodies);
  int sum = graph_number(&tree.graph, 0), place[3];
  for (int i = 0; i < 6; i++) {
    assert_true(mechanism_tree_place(&tree.graph, &tree.variables, bodies, i, bodies[i].centre, place));
    int weight = graph_affine(&tree.graph, -down[2], bodies[i].mass, 0);
    sum = graph_add(&tree.graph, sum, graph_multiply(&tree.graph, weight, place[2]));
  }
  GraphFormula *formula = graph_formula_create(&tree.graph, 3 * 6 + 1, 2, (const int[]){sum, tree.energy});
  memcpy(values, at, sizeof at);
  graph_formula_values(formula, values, made);
  assert_true(fabs(made[0]) > 1);
  assert_true(fabs(made[0] - made[1]) < 1e-12 * fabs(made[0]));
  graph_formula_destroy(formula);
  clear(&tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_puma_has_published_numbers),
      cmocka_unit_test(two_links_are_those_of_energies),
      cmocka_unit_test(energies_of_random_trees_close),
      cmocka_unit_test(places_carry_the_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
