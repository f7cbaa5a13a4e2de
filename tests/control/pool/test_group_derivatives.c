/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that derivatives of a string by a group of ranks of any size equal those by one rank. */
#include "control/pool.h"
#include "sim/group.h"
#include "tests/sim/friction/string.h"

#include <mpi.h>

enum { D = 40, SEGMENTS = 4, POINTS = 3 };

static const StringCase string_case = {
    .d = D, .end = 1, .steps = 100, .scheme = "moreau", .friction = 0.4, .pluck = 0.3, .force = 2, .uneven = true};

/* A string on all ranks of a group, and its simulation. */
typedef struct String {
  SimProblem problem;
  StringLoad load;
  SimModel *model;
  SimWorkspace *work;
  CtlSimulation simulation;
} String;

/* Opens a string. Every third position and every other velocity has a target, up to the node `most`. */
static void open_string(String *string, SimGroup *group, int most) {
  bool given[2 * D];
  int first, count;
  sim_share(D, stiction_group_size(group), stiction_group_rank(group), &first, &count);
  string_problem(&string->problem, &string_case, group, first, count, &string->load);
  string->problem.signal = SIM_PIECEWISE_CONSTANT;
  string->problem.segments = SEGMENTS;
  string->model = string_model(&string->problem, &string->work);
  for (int i = 0; i < count; i++) {
    given[i] = (first + i) % 3 == 0 && first + i < most;
    given[count + i] = (first + i) % 2 == 0 && first + i < most;
  }
  assert_int_equal(ctl_simulation_init(&string->simulation, &string->problem, string->model, string->work, given),
                   SIM_OK);
}

static void close_string(String *string) {
  ctl_simulation_clear(&string->simulation);
  stiction_workspace_destroy(string->work);
  stiction_model_destroy(string->model);
  sim_problem_clear(&string->problem);
}

/* Results of some points, with derivatives and without. */
typedef struct Results {
  int m;
  double states[2][POINTS][2 * D], *rows;
} Results;

static void evaluate(const CtlEvaluator *evaluator, Results *results) {
  double controls[POINTS][SEGMENTS];
  uint64_t seed = 5;
  for (int k = 0; k < POINTS; k++)
    for (int j = 0; j < SEGMENTS; j++) controls[k][j] = 4 * fixture_random(&seed);
  assert_int_equal(evaluator->n, SEGMENTS);
  assert_int_equal(evaluator->d, D);
  results->m = evaluator->m;
  results->rows = calloc(POINTS * ctl_evaluator_rows(evaluator, (CtlWant){.derivatives = true}), sizeof *results->rows);
  assert_non_null(results->rows);
  for (int with = 0; with < 2; with++) {
    SimFinal final[POINTS];
    for (int k = 0; k < POINTS; k++)
      final[k] = (SimFinal){.x = results->states[with][k], .v = results->states[with][k] + D};
    evaluator->evaluate(evaluator->context, (CtlWant){.derivatives = with}, POINTS, controls[0], final,
                        with ? results->rows : NULL);
    for (int k = 0; k < POINTS; k++) assert_int_equal(final[k].status, SIM_OK);
  }
}

static void compare(int most, int rows) {
  SimGroup *group;
  String own, together;
  Results one, all;
  assert_int_equal(stiction_group_create(MPI_COMM_WORLD, &group), SIM_OK);
  open_string(&own, NULL, most);
  open_string(&together, group, most);
  CtlGroupEvaluator *evaluators = ctl_group_create(&together.simulation, group);
  assert_non_null(evaluators);
  if (stiction_group_rank(group) > 0)
    ctl_group_follow(evaluators);
  else {
    const CtlEvaluator alone = ctl_simulator(&own.simulation), leader = ctl_group_evaluator(evaluators);
    evaluate(&alone, &one);
    evaluate(&leader, &all);
    ctl_group_dismiss(evaluators);
    assert_int_equal(one.m, rows);
    assert_int_equal(all.m, one.m);
    for (int k = 0; k < POINTS; k++)
      for (int i = 0; i < 2 * D; i++) assert_true(fabs(one.states[1][k][i] - all.states[1][k][i]) < 1e-11);
    assert_memory_equal(all.states[0], all.states[1], sizeof all.states[0]);
    double largest = 0;
    for (int i = 0; i < POINTS * one.m * (SEGMENTS + 2); i++) {
      largest = fmax(largest, fabs(one.rows[i]));
      assert_true(fabs(one.rows[i] - all.rows[i]) < 1e-10);
    }
    assert_true(largest > 1e-3);
    free(one.rows);
    free(all.rows);
  }
  ctl_group_destroy(evaluators);
  close_string(&together);
  close_string(&own);
  stiction_group_destroy(group);
}

static void group_and_single_derivatives_agree(void **state) {
  (void)state;
  compare(D, 14 + 20);
}

static void a_rank_may_have_none_that_is_given(void **state) {
  (void)state;
  compare(5, 2 + 3);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(group_and_single_derivatives_agree),
                                     cmocka_unit_test(a_rank_may_have_none_that_is_given)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  stiction_petsc_stop();
  MPI_Finalize();
  return failed;
}
