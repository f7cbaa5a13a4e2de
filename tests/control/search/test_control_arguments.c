/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the public functions of control/ refuse bad arguments, report each one by name, and never abort. */
#include "tests/fixture.h"

#include "control/certify.h"
#include "control/fit.h"
#include "control/pool.h"
#include "control/refine.h"
#include "sim/group.h"

#include <math.h>
#include <string.h>

static SimStatus bowl(void *context, const double *u, double *y) {
  (void)context;
  y[0] = (u[0] - 1) * (u[0] - 1);
  return SIM_OK;
}

static CtlFunction function = {.n = 1, .m = 1, .values = bowl};

/* Makes a quadratic function of one variable, which pds minimises. */
static CtlProblem bowl_problem(void) {
  CtlProblem p;
  assert_int_equal(ctl_problem_init_values(&p, 1, 1), SIM_OK);
  p.method = ctl_method_find("pds");
  p.max_simplexes = 5;
  return p;
}

static void methods(void **state) {
  (void)state;
  assert_int_equal(ctl_method_find(NULL), -1);
  for (int method = -1; method < 1000; method += 1001) {
    assert_null(stiction_method_name(method));
    assert_null(stiction_method_about(method));
    assert_null(ctl_method_round(method, false));
    assert_false(ctl_method_wants_petsc(method) || ctl_method_has_simplexes(method) || ctl_method_of_scenarios(method));
  }
  assert_null(stiction_reason_text((CtlReason)99));
  assert_null(stiction_reason_text((CtlReason)-1));
  assert_int_equal(ctl_quantile_rank(NAN, 4) + ctl_quantile_rank(0.5, 0) + ctl_quantile_rank(-1, 3), 0);
  assert_int_equal(ctl_quantile_rank(7, 4), 3);
}

static void problems(void **state) {
  (void)state;
  CtlProblem p, q;
  CtlSearch *search;
  const double u = 1;
  double errors[2] = {7, 7};
  EXPECT_REFUSED(ctl_problem_init(NULL, 1, 1), "ctl_problem_init_signal: problem is NULL");
  EXPECT_REFUSED(ctl_problem_init(&p, -1, 1), "ctl_problem_init_signal: p, d are below 0");
  EXPECT_REFUSED(ctl_problem_init(&p, 1, -1), "ctl_problem_init_signal: p, d are below 0");
  EXPECT_REFUSED(ctl_problem_init_signal(&p, 1, (SimSignal)9, 1, 1),
                 "ctl_problem_init_signal: signal is not a value of the enum");
  for (int segments = 0; segments < 2; segments++)
    EXPECT_REFUSED(ctl_problem_init_signal(&p, 1 << 30, SIM_CONSTANT, 4 * segments, 1),
                   "ctl_problem_init_signal: segments is below 1, or its product with p overflows");
  EXPECT_REFUSED(ctl_problem_init_values(&p, 0, 1), "ctl_problem_init_values: n is not in 1..CTL_CONTROLS_MAX");
  EXPECT_REFUSED(ctl_problem_init_values(&p, 1, CTL_VALUES_MAX + 1),
                 "ctl_problem_init_values: m is not in 1..CTL_VALUES_MAX");
  EXPECT_REFUSED(stiction_control_check(&p, NULL), "stiction_control_check: problem is NULL, or not initialised");
  EXPECT_REFUSED(stiction_asktell_create(&p, &search), "stiction_asktell_create: problem is NULL, or not initialised");
  EXPECT_REFUSED(ctl_problem_stack(&p, 2, &q), "ctl_problem_stack: one is NULL, not initialised, or has roles");
  ctl_problem_clear(&p);
  ctl_problem_clear(NULL);
  p = bowl_problem();
  EXPECT_REFUSED(stiction_control_set_role(&p, 1, CTL_ROLE_EQUAL, 0, 0),
                 "stiction_control_set_role: i is not the index of a value");
  EXPECT_REFUSED(stiction_control_set_role(&p, 0, (CtlRole)(CTL_ROLE_AT_LEAST + 1), 0, 0),
                 "stiction_control_set_role: role is not a value of the enum");
  EXPECT_REFUSED(ctl_problem_stack(&p, 2, &q), "ctl_problem_stack: one is NULL, not initialised, or has roles");
  assert_true(ctl_cost(&p, &u) == 0 && ctl_cost(NULL, &u) == 0 && ctl_target_error(3, NULL, &u, &u, 0) == 0);
  ctl_errors(&p, NULL, NULL, errors);
  ctl_errors(NULL, &u, &u, errors);
  assert_true(errors[0] == 7 && errors[1] == 7);
  ctl_problem_clear(&p);
  assert_int_equal(ctl_problem_init(&p, 1, 2), SIM_OK);
  EXPECT_REFUSED(stiction_control_set_role(&p, 0, CTL_ROLE_EQUAL, 0, 0),
                 "stiction_control_set_role: problem is NULL, or not one of a function");
  EXPECT_REFUSED(ctl_problem_stack(&p, 0, &q),
                 "ctl_problem_stack: scenarios is below 1, or its product with d overflows");
  EXPECT_REFUSED(ctl_problem_stack(&p, 3, NULL), "ctl_problem_stack: stacked is NULL");
  ctl_problem_clear(&p);
  assert_int_equal(ctl_problem_method(NULL), -1);
  assert_false(ctl_problem_wants_derivatives(NULL) || ctl_problem_needs_derivatives(NULL));
  assert_true(ctl_problem_rho(NULL) == 0 && ctl_problem_scheme_size(NULL) == 0 && ctl_targets_alone(NULL) == 0);
}

/* Only a problem without errors gives a search. Functions called with a NULL search do nothing and return 0 or NULL. */
static void searches(void **state) {
  (void)state;
  CtlProblem p = bowl_problem();
  CtlSearch *search;
  CtlState where = {.rounds = 7};
  long ticket;
  double u, y = 1;
  EXPECT_REFUSED(stiction_asktell_create(&p, NULL), "stiction_asktell_create: search is NULL");
  p.start[0] = NAN;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_BAD_PROBLEM);
  assert_null(search);
  p.start[0] = 3;
  p.upper[0] = 2;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_BAD_PROBLEM);
  p.upper[0] = INFINITY;
  p.method = 1000;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_BAD_PROBLEM);
  p.method = ctl_method_find("hybrid");
  EXPECT_REFUSED(stiction_asktell_create(&p, &search),
                 "stiction_asktell_create: problem->method needs PETSc, which has not been started");
  assert_null(search);
  p.method = ctl_method_find("pds");
  EXPECT_REFUSED(stiction_asktell_load(&p, NULL, 9, NULL, &search), "stiction_asktell_load: bytes is NULL");
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_ptr_equal(ctl_search_problem(search), &p);
  assert_null(ctl_search_problem(NULL));
  assert_int_equal(
      stiction_asktell_ask(search, 1, NULL, &u, NULL) + stiction_asktell_ask(search, -3, &ticket, &u, NULL), 0);
  assert_int_equal(stiction_asktell_ask(NULL, 1, &ticket, &u, NULL) + ctl_search_unasked(NULL, NULL), 0);
  assert_int_equal(stiction_asktell_ask(search, 1, &ticket, &u, NULL), 1);
  assert_false(stiction_asktell_tell(search, ticket, NULL, 0));
  assert_true(stiction_asktell_wants(search, ticket));
  /* without values the outcome counts as failed */
  stiction_asktell_tell(search, ticket, &(CtlOutcome){.status = SIM_OK}, 0);
  assert_false(stiction_asktell_wants(search, ticket));
  while (stiction_asktell_ask(search, 1, &ticket, &u, NULL))
    stiction_asktell_tell(search, ticket, &(CtlOutcome){.x = &y}, NAN);
  stiction_asktell_state(search, &where);
  assert_int_equal(where.non_finite, 1);
  where.rounds = 7;
  stiction_asktell_state(NULL, &where);
  assert_int_equal(where.rounds, 7);
  assert_false(stiction_asktell_wants(NULL, 0) || stiction_asktell_tell(NULL, 0, NULL, 0) ||
               stiction_asktell_advance(NULL));
  assert_false(ctl_search_works(NULL) || ctl_search_work(NULL, 0));
  assert_int_equal(stiction_asktell_saved_size(NULL), 0);
  stiction_asktell_save(NULL, NULL);
  stiction_asktell_destroy(search);
  stiction_asktell_destroy(NULL);
  ctl_problem_clear(&p);
}

#define EXPECT_NOT_DRIVEN(call, expected)                                                                              \
  do {                                                                                                                 \
    assert_int_equal(call, CTL_DRIVE_BAD_ARGUMENT);                                                                    \
    assert_string_equal(stiction_status_text(SIM_BAD_ARGUMENT), expected);                                             \
  } while (0)

/* Accepts the results of all tasks but the last. */
static int accept_but_last(void *context, long task, const CtlOutcome *outcome) {
  const CtlTasks *tasks = context;
  (void)outcome;
  return task < tasks->count - 1;
}

/* A drive with a task that stays undone, here the last one, does not end as if it were complete. */
static void undone_tasks(void **state) {
  (void)state;
  bool done[3] = {true, false, false};
  const CtlEvaluator good = ctl_function_evaluator(&function);
  CtlTasks tasks = {.count = 3, .done = done, .context = &tasks, .tell = accept_but_last};
  ctl_tasks_init(&tasks);
  assert_int_equal(ctl_drive_tasks(&tasks, &good, NULL, NULL), CTL_DRIVE_STOPPED);
  assert_int_equal(tasks.undone, 1);
  assert_true(done[1] && !done[2]);
}

static void drives(void **state) {
  (void)state;
  CtlProblem p = bowl_problem();
  CtlSearch *search;
  CtlStack stack;
  CtlSimulation simulation;
  CtlState where;
  CtlEvaluator good = ctl_function_evaluator(&function), other = good, none = ctl_function_evaluator(NULL);
  CtlTasks tasks = {.count = 1};
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  EXPECT_NOT_DRIVEN(ctl_drive_serial(NULL, &good, NULL, NULL), "ctl_drive_serial: search is NULL");
  EXPECT_NOT_DRIVEN(ctl_drive_serial(search, NULL, NULL, NULL),
                    "ctl_drive_serial: evaluator is NULL, has no function, or sizes out of their ranges");
  EXPECT_NOT_DRIVEN(ctl_drive_serial(search, &none, NULL, NULL),
                    "ctl_drive_serial: evaluator is NULL, has no function, or sizes out of their ranges");
  other.n = 2;
  EXPECT_NOT_DRIVEN(ctl_drive_serial(search, &other, NULL, NULL),
                    "ctl_drive_serial: evaluator does not have the n and d of the search's problem");
  EXPECT_NOT_DRIVEN(ctl_drive_tasks(&tasks, &good, NULL, NULL),
                    "ctl_drive_tasks: tasks have a negative count, no array `done`, or no function");
  EXPECT_NOT_DRIVEN(ctl_drive_tasks(NULL, &good, NULL, NULL), "ctl_drive_tasks: search is NULL");
  ctl_tasks_init(NULL);
  ctl_tasks_init(&tasks);
  assert_int_equal(ctl_drive_resume(NULL, NULL), 0);
  EXPECT_REFUSED(ctl_stack_init(&stack, 0, &good, 0), "ctl_stack_init: scenarios is below 1");
  EXPECT_REFUSED(ctl_stack_init(&stack, 2, &good, 1), "ctl_stack_init: positions is not in 0..m");
  assert_null(ctl_stacked(&stack).evaluate);
  EXPECT_REFUSED(ctl_simulation_init(&simulation, NULL, NULL, NULL, NULL), "ctl_simulation_init: model is NULL");
  assert_null(ctl_simulator(&simulation).evaluate);
  assert_null(ctl_simulator(NULL).evaluate);
  ctl_simulation_clear(&simulation);
  const CtlListener deaf = {0};
  assert_int_equal(ctl_drive_serial(search, &good, &deaf, NULL), 0); /* the listener is optional */
  assert_int_equal(ctl_drive_serial(search, &good, NULL, NULL), 0);
  stiction_asktell_state(search, &where);
  assert_int_equal(where.rounds, 5);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
}

/* Uses evaluators with other sizes than those of the problem, in this process and on a pool, which starts MPI. */
static void functions_of_other_sizes(void **state) {
  (void)state;
  CtlProblem p;
  CtlSearch *search;
  CtlState where;
  assert_int_equal(ctl_problem_init_values(&p, 2, 3), SIM_OK);
  p.method = ctl_method_find("pds");
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_int_equal(stiction_petsc_start(NULL), SIM_OK);
  for (int n = 1; n <= 3; n++)
    for (int m = 2; m <= 4; m++) {
      CtlFunction other = {.n = n, .m = m, .values = bowl};
      CtlEvaluator evaluator = ctl_function_evaluator(&other);
      if (n == 2 && m == 3) continue;
      EXPECT_NOT_DRIVEN(ctl_drive_serial(search, &evaluator, &(CtlListener){0}, NULL),
                        "ctl_drive_serial: evaluator does not have the n and d of the search's problem");
      EXPECT_NOT_DRIVEN(ctl_pool_run(MPI_COMM_WORLD, search, &evaluator, NULL, NULL),
                        "ctl_pool_add: evaluator does not have the n and d of the search's problem");
    }
  stiction_asktell_state(search, &where);
  assert_true(where.ivps == 0 && where.reason == CTL_RUNNING);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
}

static bool no_motion(void *context, const double *p, double *r, double *jacobian) {
  (void)context, (void)p, (void)r, (void)jacobian;
  return false;
}

static void answers(void **state) {
  (void)state;
  CtlProblem p = bowl_problem(), motion;
  CtlEvaluator good = ctl_function_evaluator(&function);
  CtlRefined refined;
  CtlOptimality optimality;
  CtlBound *bound;
  CtlProof *proof;
  CtlProver *prover;
  CtlFitEnd end;
  const double zero = 0, one = 1;
  double at = NAN;
  CtlFit fit = {.n = 1, .m = 1, .lower = &zero, .upper = &one, .evaluate = no_motion};
  SimProblem sim;
  assert_int_equal(ctl_problem_init(&motion, 1, 1), SIM_OK);
  EXPECT_REFUSED(ctl_refine(&p, &good, &zero, NULL, NULL, &refined), "ctl_refine: problem has user-defined values");
  EXPECT_REFUSED(ctl_refine(&motion, &good, NULL, NULL, NULL, &refined), "ctl_refine: start is NULL");
  EXPECT_REFUSED(
      ctl_refine(&motion, NULL, &zero, NULL, NULL, &refined),
      "ctl_refine: evaluator is NULL, has other sizes than the problem, or lacks the derivatives of its targets");
  ctl_refined_clear(&refined);
  EXPECT_REFUSED(ctl_refine_finer(&motion, &good, &refined, NULL, NULL, &refined),
                 "ctl_refine_finer: coarse is NULL, or has no control");
  EXPECT_REFUSED(ctl_optimality_find(NULL, &good, &zero, &optimality),
                 "ctl_optimality_find: problem is NULL, or not initialised");
  assert_int_equal(sim_problem_init(&sim, SIM_FRICTION, 2, 1), SIM_OK);
  EXPECT_REFUSED(ctl_bound_create(&p, &sim, 1, &bound),
                 "ctl_bound_create: sim is NULL, not initialised, or has another d");
  sim_problem_clear(&sim);
  fixture_throw(&sim, "event", 1, 10, 1, 1, 1);
  EXPECT_REFUSED(ctl_bound_create(&p, &sim, INFINITY, &bound), "ctl_bound_create: effort is below 0, or not finite");
  sim_problem_clear(&sim);
  assert_true(ctl_certify_check(&p, NULL, NULL) == 1 && ctl_certify_check(NULL, NULL, NULL) == 1);
  EXPECT_REFUSED(ctl_bound_unpack(NULL, 3, &bound), "ctl_bound_unpack: bytes is NULL");
  assert_null(ctl_bound_errors(NULL));
  EXPECT_REFUSED(ctl_proof_create(NULL, 1, 0.1, &proof), "ctl_proof_create: bound is NULL");
  EXPECT_REFUSED(ctl_proof_load(NULL, 1, 0.1, &zero, 8, NULL, &proof), "ctl_proof_load: bound is NULL");
  EXPECT_REFUSED(ctl_prover_create(NULL, &good, &prover), "ctl_prover_create: bound is NULL");
  assert_null(ctl_proof_tasks(NULL));
  EXPECT_REFUSED(ctl_fit_solve(&fit, &at, &end), "ctl_fit_solve: p is not finite");
  at = 0.5;
  EXPECT_REFUSED(ctl_fit_solve(&fit, &at, &end), "ctl_fit_solve: the process has not started PETSc");
  fit.upper = &zero;
  EXPECT_REFUSED(ctl_fit_solve(&fit, &at, &end), "ctl_fit_solve: fit has a lower bound that is not below the upper");
  fit.m = 0;
  EXPECT_REFUSED(ctl_fit_statistics(&fit, &at, &at, &at, 1, NULL),
                 "ctl_fit_statistics: fit is NULL, or has no parameters, residuals or bounds");
  EXPECT_REFUSED(ctl_fit_shift(&fit, &at, &at, &at, &at, NULL, &at),
                 "ctl_fit_shift: fit is NULL, or has no parameters, residuals or bounds");
  ctl_problem_clear(&motion);
  ctl_problem_clear(&p);
}

/* Calls pool functions before MPI is initialised, and with a pool of this rank alone. */
static void pools(void **state) {
  (void)state;
  CtlProblem p = bowl_problem();
  CtlSearch *search;
  CtlPool *pool;
  CtlPoolJob *job;
  CtlEvaluator good = ctl_function_evaluator(&function), none = {0};
  const CtlBuilder builder = ctl_builder_of(&good), unable = ctl_builder_of(NULL);
  int stop = 0;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  EXPECT_REFUSED(ctl_pool_create(MPI_COMM_WORLD, NULL, &pool),
                 "ctl_pool_create: comm is no communicator, or MPI is not running");
  EXPECT_REFUSED(ctl_pool_serve(&builder, MPI_COMM_WORLD),
                 "ctl_pool_serve: comm is no communicator, or MPI is not running");
  EXPECT_REFUSED(ctl_pool_serve_spawned(&builder), "ctl_pool_serve_spawned: the process has not started MPI");
  EXPECT_NOT_DRIVEN(ctl_pool_run(MPI_COMM_WORLD, search, &good, NULL, NULL),
                    "ctl_pool_run: comm is no communicator, or MPI is not running");
  assert_int_equal(stiction_petsc_start(NULL), SIM_OK);
  EXPECT_REFUSED(ctl_pool_create(MPI_COMM_NULL, NULL, &pool),
                 "ctl_pool_create: comm is no communicator, or MPI is not running");
  EXPECT_REFUSED(ctl_pool_serve(NULL, MPI_COMM_WORLD), "ctl_pool_serve: builder is NULL, or lacks a function");
  EXPECT_REFUSED(ctl_pool_serve_spawned(&builder), "ctl_pool_serve_spawned: the process has not been spawned");
  EXPECT_REFUSED(ctl_pool_spawn(&(CtlSpawn){.program = "x"}, NULL, &pool),
                 "ctl_pool_spawn: spawn has no workers, or a negative number of respawns");
  assert_int_equal(unable.build(unable.context, NULL, 0, &none), SIM_BAD_ARGUMENT);
  assert_int_equal(ctl_pool_create(MPI_COMM_WORLD, NULL, &pool), SIM_OK);
  EXPECT_REFUSED(ctl_pool_add(pool, NULL, &job), "ctl_pool_add: job is NULL");
  EXPECT_REFUSED(ctl_pool_add(pool, &(CtlJob){.search = search, .evaluator = &good, .timeout = NAN}, &job),
                 "ctl_pool_add: timeout is below 0");
  EXPECT_REFUSED(ctl_pool_add(pool, &(CtlJob){.search = search, .evaluator = &good, .model_size = 1}, &job),
                 "ctl_pool_add: model is NULL");
  EXPECT_NOT_DRIVEN(ctl_pool_drive(pool, &(CtlJob){.search = search, .evaluator = &none}, NULL),
                    "ctl_pool_add: evaluator is NULL, has no function, or sizes out of their ranges");
  assert_true(ctl_pool_over(NULL, &stop) && stop == CTL_DRIVE_BAD_ARGUMENT);
  ctl_pool_turn(NULL);
  ctl_pool_remove(pool, NULL);
  assert_int_equal(ctl_pool_drive(pool, &(CtlJob){.search = search, .evaluator = &good}, NULL), 0);
  assert_true(ctl_pool_close(pool) && ctl_pool_close(NULL));
  assert_null(ctl_group_create(NULL, NULL));
  assert_null(ctl_group_evaluator(NULL).evaluate);
  ctl_group_dismiss(NULL);
  ctl_group_follow(NULL);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(methods),      cmocka_unit_test(problems),
                                     cmocka_unit_test(searches),     cmocka_unit_test(drives),
                                     cmocka_unit_test(undone_tasks), cmocka_unit_test(answers),
                                     cmocka_unit_test(pools),        cmocka_unit_test(functions_of_other_sizes)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
