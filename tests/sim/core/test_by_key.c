/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests problems that are set by the keys of problem files. They have the same motions as problems set in the struct,
 * and each mistake has a text. */
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

enum { D = 3 };

static const double links[D * D] = {2, -1, 0, -1, 2, -1, 0, -1, 2}, heavy[D] = {1, 2, 3}, start[D] = {1, 0, -1};

static SimProblem *three_masses(void) {
  SimProblem *p;
  assert_int_equal(stiction_problem_create(SIM_FRICTION, D, 1, &p), SIM_OK);
  assert_int_equal(stiction_problem_set_values(p, "model.mass", D, heavy), SIM_OK);
  assert_int_equal(stiction_problem_set_values(p, "model.stiffness", D * D, links), SIM_OK);
  assert_int_equal(stiction_problem_set_value(p, "model.damping", 0.1), SIM_OK);
  assert_int_equal(stiction_problem_set_value(p, "model.friction", 0.3), SIM_OK);
  assert_int_equal(stiction_problem_set_values(p, "model.x0", D, start), SIM_OK);
  assert_int_equal(stiction_problem_set_value(p, "time.step", 0.01), SIM_OK);
  assert_int_equal(stiction_problem_set_value(p, "time.end", 2), SIM_OK);
  return p;
}

static SimFinal simulate(const SimProblem *p, double *state) {
  SimFinal final = {.x = state, .v = state + D};
  assert_int_equal(stiction_simulate(p, (const double[]){0.5}, NULL, &final), SIM_OK);
  return final;
}

static void keys_make_the_motion_of_the_struct(void **state) {
  (void)state;
  SimProblem *p = three_masses(), own;
  double by_key[2 * D], by_struct[2 * D];
  simulate(p, by_key);
  assert_int_equal(sim_problem_init(&own, SIM_FRICTION, D, 1), SIM_OK);
  memcpy(own.system.stiffness, links, sizeof links);
  for (int i = 0; i < D; i++) {
    own.system.mass[i * (D + 1)] = heavy[i];
    own.system.damping[i * (D + 1)] = 0.1;
    own.friction[i] = 0.3;
    own.x0[i] = start[i];
  }
  own.end = 2;
  own.steps = 200;
  own.step = 0.01;
  simulate(&own, by_struct);
  assert_memory_equal(by_key, by_struct, sizeof by_key);
  assert_int_equal(own.finalized, 0); /* stiction_simulate does not change the problem */
  assert_int_equal(stiction_problem_finalize(p, NULL), SIM_OK);
  simulate(p, by_struct);
  assert_memory_equal(by_key, by_struct, sizeof by_key);
  sim_problem_clear(&own);
  stiction_problem_destroy(p);
}

static void sparse_matrices_make_the_motion_of_dense_ones(void **state) {
  (void)state;
  static const int diagonal[] = {0, 1, 2, 3}, own[] = {0, 1, 2}, rows[] = {0, 2, 5, 7},
                   columns[] = {0, 1, 0, 1, 2, 1, 2};
  static const double values[] = {2, -1, -1, 2, -1, -1, 2}, tenth[] = {0.1, 0.1, 0.1};
  SimProblem *dense = three_masses(), *sparse;
  double a[2 * D], b[2 * D];
  assert_int_equal(stiction_problem_create_sparse(NULL, D, 0, D, 1, &sparse), SIM_OK);
  assert_int_equal(stiction_problem_set_matrix(sparse, "model.mass", diagonal, own, heavy), SIM_OK);
  assert_int_equal(stiction_problem_set_matrix(sparse, "model.stiffness", rows, columns, values), SIM_OK);
  assert_int_equal(stiction_problem_set_matrix(sparse, "model.damping", diagonal, own, tenth), SIM_OK);
  EXPECT_REFUSED(stiction_problem_set_matrix(sparse, "model.mass", rows, (const int[]){0, 1, 0, 0, 2, 1, 2}, values),
                 "stiction_problem_set_matrix: start, column, value are no rows with ascending columns");
  EXPECT_REFUSED(stiction_problem_set_value(sparse, "model.mass", 1),
                 "stiction_problem_set_values: model.mass: is sparse (expected stiction_problem_set_matrix)");
  stiction_problem_set_value(sparse, "model.friction", 0.3);
  stiction_problem_set_values(sparse, "model.x0", D, start);
  stiction_problem_set_value(sparse, "time.end", 2);
  stiction_problem_set_value(sparse, "time.steps", 200);
  simulate(dense, a);
  simulate(sparse, b);
  for (int i = 0; i < 2 * D; i++) assert_true(fabs(a[i] - b[i]) < 1e-12);
  stiction_problem_destroy(dense);
  stiction_problem_destroy(sparse);
}

static void what_is_set_is_read_again(void **state) {
  (void)state;
  SimProblem *p = three_masses(), *copy;
  int n;
  const double *x0 = stiction_problem_get_values(p, "model.x0", &n);
  assert_int_equal(n, D);
  assert_memory_equal(x0, start, sizeof start);
  assert_non_null(stiction_problem_get_values(p, "model.mass", &n));
  assert_int_equal(n, D * D);
  assert_true(stiction_problem_get_value(p, "time.steps") == 200 && stiction_problem_get_value(p, "time.end") == 2);
  assert_int_equal(stiction_problem_set_value(p, "time.end", 4), SIM_OK); /* the number of steps does not change */
  assert_true(stiction_problem_get_value(p, "time.step") == 0.02);
  assert_int_equal(stiction_problem_set_value(p, "scheme.theta", 0.6), SIM_OK);
  assert_true(stiction_problem_get_value(p, "scheme.theta") == 0.6);
  assert_int_equal(stiction_problem_set_word(p, "scheme.name", "event"), SIM_OK);
  assert_string_equal(stiction_problem_get_word(p, "scheme.name"), "event");
  assert_true(isnan(stiction_problem_get_value(p, "scheme.theta")));
  assert_int_equal(stiction_problem_set_word(p, "control.signal.kind", "piecewise_constant"), SIM_OK);
  assert_int_equal(stiction_problem_set_values(p, "control.signal.lengths", 2, (const double[]){1, 2}), SIM_OK);
  assert_true(stiction_problem_get_value(p, "time.end") == 3 && stiction_problem_variables(p) == 2);
  assert_int_equal(stiction_problem_clone(p, &copy), SIM_OK);
  assert_string_equal(stiction_problem_get_word(copy, "control.signal.kind"), "piecewise_constant");
  assert_int_equal(stiction_problem_size(copy), D);
  assert_int_equal(stiction_problem_controls(copy), 1);
  assert_null(stiction_problem_get_word(copy, "model.x0"));
  assert_null(stiction_problem_get_values(copy, "model.stops.lowest", &n));
  stiction_problem_destroy(copy);
  stiction_problem_destroy(p);
}

static void sections_begin_with_their_defaults(void **state) {
  (void)state;
  SimProblem *p = three_masses();
  double at_end[2 * D];
  assert_int_equal(stiction_problem_set_value(p, "model.stops.upper", 1.1), SIM_OK);
  assert_true(isnan(p->stops.lower[0]) && isnan(p->stops.stiffness[2]) && p->stops.restitution[1] == 0);
  simulate(p, at_end);
  assert_int_equal(stiction_problem_set_value(p, "model.friction.forward", 0.5), SIM_OK);
  assert_true(p->by_direction && p->friction[0] == 0.4 && fabs(p->friction_bias[0] - 0.1) < 1e-15);
  assert_int_equal(stiction_problem_set_value(p, "model.viscous", 0.2), SIM_OK);
  assert_true(p->drags && fabs(p->system.damping[4] - 0.3) < 1e-15);
  simulate(p, at_end);
  EXPECT_REFUSED(stiction_problem_set_value(p, "model.viscous", 0.2),
                 "stiction_problem_set_values: model.viscous: is set already (expected once)");
  EXPECT_REFUSED(stiction_problem_set_value(p, "model.damping", 0.2),
                 "stiction_problem_set_values: model.damping: after model.viscous (expected before it)");
  stiction_problem_destroy(p);
}

static void a_missing_key_is_named(void **state) {
  (void)state;
  SimProblem *p = three_masses();
  double at_end[2 * D];
  SimFinal final = {.x = at_end, .v = at_end + D};
  assert_int_equal(stiction_problem_set_word(p, "scheme.name", "lie"), SIM_OK);
  assert_int_equal(stiction_problem_set_value(p, "model.gearbox.delta", 2), SIM_OK);
  assert_int_equal(stiction_simulate(p, NULL, NULL, &final), SIM_BAD_PROBLEM);
  assert_non_null(strstr(stiction_status_text(SIM_BAD_PROBLEM), "the problem is not valid: model.gearbox."));
  stiction_problem_destroy(p);
}

static void mistakes_name_their_key_and_change_nothing(void **state) {
  (void)state;
  SimProblem *p = three_masses();
  unsigned long long before;
  assert_int_equal(stiction_problem_finalize(p, NULL), SIM_OK);
  before = p->finalized;
  EXPECT_REFUSED(stiction_problem_set_value(p, "model.mas", 1),
                 "stiction_problem_set_values: model.mas: unknown key (expected a key of problem files, with its "
                 "sections, as model.mass)");
  EXPECT_REFUSED(
      stiction_problem_set_value(p, "control.start", 1),
      "stiction_problem_set_values: control.start: not a key of a motion (expected stiction_control_set_.. for "
      "keys of a CtlProblem)");
  EXPECT_REFUSED(stiction_problem_set_value(p, "model.friction", -1),
                 "stiction_problem_set_values: model.friction: -1 (expected >= 0)");
  EXPECT_REFUSED(stiction_problem_set_values(p, "model.friction", D, (const double[]){1, 1, NAN}),
                 "stiction_problem_set_values: model.friction: entry 3 is nan (expected >= 0)");
  EXPECT_REFUSED(stiction_problem_set_values(p, "model.x0", 2, start),
                 "stiction_problem_set_values: model.x0: 2 numbers (expected 3, or one for all)");
  EXPECT_REFUSED(stiction_problem_set_values(p, "model.mass", 2, start),
                 "stiction_problem_set_values: model.mass: 2 numbers (expected 9, a diagonal of 3, or one)");
  EXPECT_REFUSED(stiction_problem_set_value(p, "time.steps", 1.5),
                 "stiction_problem_set_values: time.steps: 1.5 (expected an integer from 1 to 1000000000)");
  EXPECT_REFUSED(stiction_problem_set_word(p, "scheme.name", "euler"),
                 "stiction_problem_set_word: scheme.name: euler: no such scheme of this kind of model");
  EXPECT_REFUSED(stiction_problem_set_word(p, "scheme.solver", "none"),
                 "stiction_problem_set_word: scheme.solver: none (expected exact or fixed_point)");
  EXPECT_REFUSED(stiction_problem_set_word(p, "model.x0", "rest"),
                 "stiction_problem_set_word: model.x0: is a number, not a word");
  EXPECT_REFUSED(stiction_problem_set_value(p, "model.stops.restitution", 2),
                 "stiction_problem_set_values: model.stops.restitution: 2 (expected 0 <= restitution <= 1)");
  EXPECT_REFUSED(
      stiction_problem_set_value(p, "model.force", 2),
      "stiction_problem_set_values: model.force: has no numbers here (expected another function of sim/sim.h)");
  EXPECT_REFUSED(stiction_problem_set_values(p, "control.signal.lengths", 1, (const double[]){-1}),
                 "stiction_problem_set_values: control.signal.lengths: has an entry that is not above 0 and finite");
  assert_false(p->stops.present);
  SimModel *model;
  /* the model is still that of the finalized problem */
  assert_int_equal(stiction_model_create(p, NULL, &model), SIM_OK);
  assert_true(p->finalized == before);
  stiction_model_destroy(model);
  stiction_problem_destroy(p);
  stiction_problem_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keys_make_the_motion_of_the_struct),
                                     cmocka_unit_test(sparse_matrices_make_the_motion_of_dense_ones),
                                     cmocka_unit_test(what_is_set_is_read_again),
                                     cmocka_unit_test(sections_begin_with_their_defaults),
                                     cmocka_unit_test(a_missing_key_is_named),
                                     cmocka_unit_test(mistakes_name_their_key_and_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
