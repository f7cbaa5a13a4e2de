/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a model may be written in the same forms with dense and sparse matrices, which give the same numbers. */
#include "tests/src/problem_text.h"

static const char model[] =
    "model: {kind: Friction, matrices: %s, mass: %s, stiffness: %s, friction: \"1+i/2\",\n"
    "  x0: \"sin(i)\", v0: [0.1, 0.2, 0.3], force: 1, damping: {springs: [1, 2, 0, 0.5]},\n"
    "  stribeck: {law: SQRT, beta: \"i/4\", epsilon: 0.1}}\n"
    "time: {end: 1, step: 1/4}\n"
    "control: {matrix: {shapes: [i, \"i^2\"]}, target: {position: \"i/10\", velocity: {nodes: [2],\n"
    "  values: 1}, scale: {position: [1, null, 3], velocity: {nodes: [2], values: 0.1}}}}\n";

static void read_model_text(const char *matrices, const char *mass, const char *stiffness, Problem *p) {
  char text[1000];
  snprintf(text, sizeof text, model, matrices, mass, stiffness);
  read_good(text, NULL, p);
}

/* Returns entry (i, j) of a sparse matrix. */
static double entry(const SimMatrix *matrix, int i, int j) {
  for (int k = matrix->start[i]; k < matrix->start[i + 1]; k++)
    if (matrix->column[k] == j) return matrix->value[k];
  return 0;
}

static void assert_same_numbers(const Problem *dense, const Problem *sparse) {
  const SimProblem *a = &dense->sim, *b = &sparse->sim;
  assert_int_equal(a->d, 3);
  assert_int_equal(b->d, 3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      assert_true(a->system.mass[3 * i + j] == entry(&b->system.sparse.mass, i, j));
      assert_true(a->system.stiffness[3 * i + j] == entry(&b->system.sparse.stiffness, i, j));
      assert_true(a->system.damping[3 * i + j] == entry(&b->system.sparse.damping, i, j));
    }
  assert_vector(a->friction, 3, b->friction);
  assert_vector(a->x0, 3, b->x0);
  assert_vector(a->v0, 3, b->v0);
  assert_vector(a->system.stribeck_beta, 3, b->system.stribeck_beta);
  assert_vector(a->control_matrix, 6, b->control_matrix);
  assert_vector(dense->control.position, 3, sparse->control.position);
  assert_vector(dense->control.velocity, 3, sparse->control.velocity);
  assert_vector(dense->control.position_scale, 3, sparse->control.position_scale);
  assert_vector(dense->control.velocity_scale, 3, sparse->control.velocity_scale);
  assert_true(a->system.stribeck == b->system.stribeck);
}

static void same_for_all_storages(void **state) {
  static const char *const masses[] = {"2", "[1, 2, 3]", "[[4, 1, 0], [1, 4, 0], [0, 0, 4]]"};
  static const char *const stiffnesses[] = {"{springs: [1, 2, 3, 4]}", "{links: [1, 2], anchors: 0.5}",
                                            "[[2, -1, 0], [-1, 2, 0], [0, 0, 1]]"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    Problem dense, sparse;
    read_model_text("dense", masses[i], stiffnesses[i], &dense);
    read_model_text("Sparse", masses[i], stiffnesses[i], &sparse);
    assert_same_numbers(&dense, &sparse);
    problem_clear(&dense);
    problem_clear(&sparse);
  }
}

/* Reads friction given by direction, in time, and by speed. */
static void forms_of_friction(void **state) {
  static const char frame[] = "model: {kind: friction, mass: [1, 2], damping: 1, viscous: [0.5, 2], friction: %s}\n"
                              "time: {end: 4, step: 1/4}\n";
  char text[300];
  Problem p;
  (void)state;
  snprintf(text, sizeof text, frame, "{forward: \"i\", backward: 4}");
  read_good(text, NULL, &p);
  assert_true(p.sim.by_direction && !p.sim.thresholds);
  ASSERT_VECTOR(p.sim.friction, {2.5, 3});
  ASSERT_VECTOR(p.sim.friction_bias, {-1.5, -1});
  ASSERT_VECTOR(p.sim.system.damping, {1.5, 0, 0, 3});
  problem_clear(&p);
  snprintf(text, sizeof text, frame, "{forward: [2*t, 1], backward: 4}");
  read_good(text, NULL, &p);
  assert_true(p.sim.by_direction && p.sim.thresholds && p.sim.threshold_columns == 2);
  ASSERT_VECTOR(p.sim.friction, {6, 2.5});
  problem_clear(&p);
}

static void numbers_of_formulas(void **state) {
  Problem p;
  (void)state;
  read_model_text("dense", "2", "{links: [1, 2], anchors: 0.5}", &p);
  ASSERT_VECTOR(p.sim.friction, {1.5, 2, 2.5});
  ASSERT_VECTOR(p.sim.system.stribeck_beta, {0.25, 0.5, 0.75});
  ASSERT_VECTOR(p.sim.system.stiffness, {1.5, -1, 0, -1, 3.5, -2, 0, -2, 2.5});
  ASSERT_VECTOR(p.sim.system.damping, {3, -2, 0, -2, 2, 0, 0, 0, 0.5});
  ASSERT_VECTOR(p.sim.control_matrix, {1, 1, 2, 4, 3, 9});
  ASSERT_VECTOR(p.control.position, {1. / 10, 2. / 10, 3. / 10});
  ASSERT_VECTOR(p.control.velocity, {NAN, 1, NAN});
  problem_clear(&p);
}

static void refusals(void **state) {
  static char *const settings[][2] = {
      {"model.friction=1-i", "model.friction: -1 at i = 2 (expected >= 0)"},
      {"model.stiffness={links: [1, 2, 3], anchors: [1, 1]}", "model.stiffness.links: 3 entries (expected 1)"},
      {"model.stiffness={anchors: 1}", "model.stiffness: a mapping (expected"},
      {"model.matrices=thin", "model.matrices: unknown matrices \"thin\""},
      {"model.mass={file: nowhere.mtx}", "nowhere.mtx\" cannot be opened"}};
  (void)state;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    char *all[] = {"control.target.position=0", "model.matrices=sparse", "model.v0=[0, 0]",
                   "control.matrix=[[1], [0]]", settings[i][0],          NULL};
    read_bad(smallest, all, settings[i][1]);
  }
}

static void matrix_files(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double expected[4];
  } files[] = {
      {"%%MatrixMarket matrix coordinate real symmetric\n% a comment\n2 2 3\n1 1 4\n2 1 1\n2 2 5\n", {4, 1, 1, 5}},
      {"%%matrixmarket MATRIX array integer general\n2 2\n4\n1\n\n1\n5\n% end\n", {4, 1, 1, 5}},
      {"%%MatrixMarket matrix array real symmetric\r\n2 2\r\n4\r\n-1e0\r\n5.5\r\n", {4, -1, -1, 5.5}},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 2\n2 2 5\n1 1 4", {4, 0, 0, 5}},
  };
  char path[FIXTURE_PATH_SIZE], *settings[] = {"model.mass={file: M.mtx}", NULL};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    Problem p;
    write_file("M.mtx", files[i].text, strlen(files[i].text), path);
    read_good(smallest, settings, &p);
    assert_int_equal(p.sim.d, 2);
    assert_vector(p.sim.system.mass, 4, files[i].expected);
    problem_clear(&p);
  }
  static const struct {
    const char *text, *words;
  } bad[] = {
      {"", ":1:1: model.mass: the file is empty"},
      {"4 5\n", ":1:1: model.mass: not a Matrix Market file"},
      {"%%MatrixMarket matrix coordinate complex general\n",
       ":1:1: model.mass: a kind of matrix that is not supported"},
      {"%%MatrixMarket matrix array real general\n9999 9999\n", ":2:1: model.mass: not the sizes"},
      {"%%MatrixMarket matrix array real symmetric\n2 1\n", ":2:1: model.mass: a symmetric matrix that is not square"},
      {"%%MatrixMarket matrix array real general\n1 1\n0x4\n", ":3:1: model.mass: not an entry"},
      {"%%MatrixMarket matrix array integer general\n1 1\n4.5\n", ":3:1: model.mass: not an entry"},
      {"%%MatrixMarket matrix array real general\n1 1\n4\n5\n", ":4:1: model.mass: more entries than announced"},
      {"%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 4\n1 1 4\n", ":2:1: model.mass: not the sizes"},
      {"%%MatrixMarket matrix coordinate real general\n2 1 2\n1 1 4\n1 1 4\n", ":4:1: model.mass: this entry has"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 4\n",
       ":3:1: model.mass: an entry above the diagonal"},
  };
  char *wanted[] = {"model.mass={file: M.mtx}", "control.target.position=0", NULL};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    write_file("M.mtx", bad[i].text, strlen(bad[i].text), path);
    read_bad(smallest, wanted, bad[i].words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matrix_files), cmocka_unit_test(same_for_all_storages),
                                     cmocka_unit_test(forms_of_friction), cmocka_unit_test(numbers_of_formulas),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
