/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests unusual but valid uses of the library: no force, a force that it tabulates, one that its scheme does not
 * support, invalid times, a profile of any model, a step that fails, a step at the limit of stability. */
#include "sim/operator/operator.h"
#include "tests/fixture.h"

static const SimReport report = {NULL, fixture_complain};

static void one_mass(SimProblem *p, const char *scheme) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 1), SIM_OK);
  p->system.mass[0] = p->system.stiffness[0] = 1;
  p->friction[0] = 0.25;
  p->x0[0] = 1;
  fixture_time(p, 4, 100);
  fixture_scheme(p, scheme);
  sim_problem_set(p, "multiplier", SIM_UNREGULARIZED);
  sim_problem_set(p, "r", 1);
}

/* Runs a rollout with a profile to its end. */
static void roll(SimProblem *p, double u, SimFinal *final, long *position) {
  SimModel *model;
  SimWorkspace *work;
  SimProfile profile = {0};
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  sim_workspace_profile(work, &profile);
  stiction_rollout(model, work, &u, NULL, final);
  assert_true(profile.steps >= profile.friction && profile.friction >= 0 && profile.solves >= 0);
  *position = sim_rollout_position(work);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

static void no_force_is_a_force_of_zero(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang"};
  for (int k = 0; k < 4; k++) {
    double x[2], v[2];
    SimFinal none = {.x = &x[0], .v = &v[0]}, zero = {.x = &x[1], .v = &v[1]};
    SimProblem p;
    SimBounds bounds;
    long position;
    one_mass(&p, schemes[k]);
    assert_int_equal(sim_problem_check(&p, &report, &bounds), SIM_OK);
    roll(&p, 0, &none, &position);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    roll(&p, 0, &zero, &position);
    assert_int_equal(none.status, SIM_OK);
    assert_int_equal(position, p.steps);
    assert_true(x[0] == x[1] && v[0] == v[1] && x[0] != 1);
    sim_problem_clear(&p);
  }
}

static void a_failed_step_is_not_done(void **state) {
  (void)state;
  double x, v;
  SimFinal final = {.x = &x, .v = &v};
  SimProblem p;
  long position;
  one_mass(&p, "moreau");
  roll(&p, INFINITY, &final, &position);
  assert_int_equal(final.status, SIM_NON_FINITE);
  assert_int_equal(position, 0);
  sim_problem_clear(&p);
}

static int mistakes;
static void count(void *context, const char *key, const char *text) {
  (void)context;
  (void)text;
  assert_string_equal(key, "time.step");
  mistakes++;
}

/* With nu = 4 (largest eigenvalue of M^-1 A) and alpha = 0 the largest stable step is 1 s. This step is refused both
 * with dense and with sparse matrices. */
static void the_limit_itself_is_refused(void **state) {
  (void)state;
  const SimReport counting = {NULL, count};
  for (int sparse = 0; sparse < 2; sparse++) {
    SimProblem p;
    SimBounds bounds;
    if (sparse) {
      assert_int_equal(sim_problem_init_sparse(&p, NULL, 1, 0, 1, 0), SIM_OK);
      SimMatrix *const matrix[] = {&p.system.sparse.mass, &p.system.sparse.stiffness};
      for (int k = 0; k < 2; k++) {
        assert_int_equal(sim_matrix_alloc(matrix[k], 1, 1), SIM_OK);
        matrix[k]->start[1] = 1;
        matrix[k]->value[0] = k ? 4 : 1;
      }
    } else {
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
      p.system.mass[0] = 1;
      p.system.stiffness[0] = 4;
    }
    fixture_time(&p, 4, 4);
    fixture_scheme(&p, "centered");
    sim_problem_set(&p, "alpha", 0);
    mistakes = 0;
    assert_int_equal(sim_problem_check(&p, &counting, &bounds), SIM_BAD_PROBLEM);
    assert_int_equal(mistakes, 1);
    assert_true(bounds.step_limit == 1);
    fixture_time(&p, 4, 5);
    assert_int_equal(sim_problem_check(&p, &report, &bounds), SIM_OK);
    sim_problem_clear(&p);
  }
}

static void no_load(void *context, double t, double *f) {
  (void)context, (void)t;
  f[0] = 0;
}

static void no_force_by_event(void **state) {
  (void)state;
  double x[2], v[2];
  SimFinal none = {.x = &x[0], .v = &v[0]}, zero = {.x = &x[1], .v = &v[1]};
  SimProblem p;
  long position;
  one_mass(&p, "event");
  roll(&p, 0, &none, &position);
  p.load = (SimLoad){.at = no_load};
  roll(&p, 0, &zero, &position);
  assert_int_equal(none.status, SIM_OK);
  assert_true(x[0] == x[1] && v[0] == v[1] && x[0] != 1);
  sim_problem_clear(&p);
}

static void load_at(void *context, double t, double *f) {
  (void)context;
  f[0] = sin(3 * t);
}

/* A model converts a load to the form that its scheme needs, with the same result as if the caller does. */
static void a_load_is_taken_as_the_scheme_wants(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "event"};
  const SimLoad load = {.at = load_at};
  for (int k = 0; k < 4; k++) {
    double x[2], v[2], where;
    SimFinal mine = {.x = &x[0], .v = &v[0]}, its = {.x = &x[1], .v = &v[1]};
    SimProblem p;
    long position;
    one_mass(&p, schemes[k]);
    p.load = load;
    roll(&p, 0, &its, &position);
    p.load = (SimLoad){0};
    if (sim_force_in_pieces(&p)) {
      assert_int_equal(stiction_problem_set_pieces(&p, &load, 0, NULL, &where), SIM_OK);
    } else {
      assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
      for (long i = 0; i < sim_force_count(&p); i++) load_at(NULL, sim_force_time(&p, i), p.force + i);
    }
    roll(&p, 0, &mine, &position);
    assert_int_equal(mine.status, SIM_OK);
    assert_int_equal(its.status, SIM_OK);
    assert_true(x[0] == x[1] && v[0] == v[1] && x[0] != 1);
    sim_problem_clear(&p);
  }
}

typedef struct Reported {
  const char *key; /* key that every report must have */
  int count;
} Reported;

static void record_report(void *context, const char *key, const char *text) {
  Reported *reported = context;
  (void)text;
  assert_string_equal(key, reported->key);
  reported->count++;
}

static void a_force_at_times_is_none_in_pieces(void **state) {
  (void)state;
  Reported reported = {"model.force", 0};
  const SimReport listener = {&reported, record_report};
  SimProblem p;
  SimModel *model;
  one_mass(&p, "moreau");
  assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
  assert_int_equal(sim_problem_set_scheme(&p, "event"), SIM_OK);
  assert_int_equal(stiction_problem_finalize(&p, &listener), SIM_OK);
  assert_int_equal(stiction_model_create(&p, &listener, &model), SIM_BAD_PROBLEM);
  assert_null(model);
  assert_int_equal(reported.count, 1);
  sim_problem_clear(&p);
}

/* Keeps the first key. */
static void report_first(void *context, const char *key, const char *text) {
  Reported *reported = context;
  (void)text;
  if (!reported->count++) reported->key = key;
}

static void wrong_times_are_reported(void **state) {
  (void)state;
  const struct {
    const char *key;
    double end, step;
    long steps;
  } cases[] = {{"time.end", -4, -0.04, 100}, {"time.end", 0, 0, 100},
               {"time.end", NAN, 0.04, 100}, {"time.end", INFINITY, INFINITY, 100},
               {"time.step", 4, 0, 100},     {"time.step", 4, INFINITY, 100},
               {"time.steps", 4, 0.04, 0},   {"time.step", 4, 0.04, 101}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Reported reported = {NULL, 0};
    const SimReport listener = {&reported, report_first};
    SimProblem p;
    SimBounds bounds;
    one_mass(&p, "moreau");
    p.end = cases[k].end;
    p.step = cases[k].step;
    p.steps = cases[k].steps;
    assert_int_equal(sim_problem_check(&p, &listener, &bounds), SIM_BAD_PROBLEM);
    assert_non_null(reported.key);
    assert_string_equal(reported.key, cases[k].key);
    sim_problem_clear(&p);
  }
}

/* Checks the friction force c (lambda - gamma): it is c at the start of motion, smaller by the fraction beta at speeds
 * beyond epsilon, and odd in (v, lambda). */
static void friction_forces(void **state) {
  (void)state;
  SimProblem p;
  one_mass(&p, "moreau");
  assert_true(stiction_friction_force(&p, 0, 0, NULL, 3, 1) == p.friction[0]);
  p.system.stribeck = SIM_STRIBECK_RAMP;
  p.system.stribeck_beta[0] = 0.5;
  p.system.stribeck_epsilon[0] = 0.1;
  assert_true(stiction_friction_force(&p, 0, 0, NULL, 0, 1) == p.friction[0]);
  assert_true(fabs(stiction_friction_force(&p, 0, 0, NULL, 0.05, 1) - 0.75 * p.friction[0]) < 1e-15);
  assert_true(fabs(stiction_friction_force(&p, 0, 0, NULL, 3, 1) - 0.5 * p.friction[0]) < 1e-15);
  assert_true(stiction_friction_force(&p, 0, 0, NULL, -3, -1) == -stiction_friction_force(&p, 0, 0, NULL, 3, 1));
  sim_problem_clear(&p);
}

static void every_status_has_its_words(void **state) {
  (void)state;
  for (int a = SIM_OK; a <= SIM_CANCELLED; a++)
    for (int b = SIM_OK; b < a; b++)
      assert_string_not_equal(stiction_status_text((SimStatus)a), stiction_status_text((SimStatus)b));
}

/* M = [[1, 1], [1, 1]] is not positive definite, but only by the last bit of its second pivot. */
static void pivot_of_zero_is_reported(void **state) {
  (void)state;
  SimProblem p;
  Operator *matrix = NULL;
  OperatorSolver *solver = NULL;
  const double b[2] = {1, 2};
  double w[2];
  assert_int_equal(sim_problem_init_sparse(&p, NULL, 2, 0, 2, 0), SIM_OK);
  SimMatrix *mass = &p.system.sparse.mass;
  assert_int_equal(sim_matrix_alloc(mass, 2, 4), SIM_OK);
  for (int k = 0; k < 4; k++) {
    mass->start[k / 2 + 1] = 2 * (k / 2 + 1);
    mass->column[k] = k % 2;
    mass->value[k] = 1;
  }
  assert_int_equal(operator_create(&p, operator_alone(OPERATOR_MASS), &matrix), SIM_OK);
  assert_int_equal(matrix->ops->solver_create(matrix, &solver), SIM_OK);
  assert_int_equal(matrix->ops->solve(solver, b, w), SIM_BAD_PROBLEM);
  matrix->ops->solver_destroy(solver);
  operator_destroy(matrix);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pivot_of_zero_is_reported),
                                     cmocka_unit_test(no_force_is_a_force_of_zero),
                                     cmocka_unit_test(a_failed_step_is_not_done),
                                     cmocka_unit_test(the_limit_itself_is_refused),
                                     cmocka_unit_test(no_force_by_event),
                                     cmocka_unit_test(a_load_is_taken_as_the_scheme_wants),
                                     cmocka_unit_test(a_force_at_times_is_none_in_pieces),
                                     cmocka_unit_test(wrong_times_are_reported),
                                     cmocka_unit_test(friction_forces),
                                     cmocka_unit_test(every_status_has_its_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
