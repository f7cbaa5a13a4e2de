/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that derivatives at an intermediate time of a rollout equal those of the same motion if it ends there. */
#include "tests/sim/tangent.h"

enum { PROBLEMS = 24, STEPS = 40, STOPS = 3 };

static const SimDependence all[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_FRICTION, SIM_ON_MASS};
enum { N_ALL = sizeof all / sizeof *all, N_COLUMNS = N_ALL * D };

/* Makes problem number k with a constant control, which ends after this number of steps. */
static SimModel *model_until(int k, const char *scheme, long until, double *control, SimWorkspace **work,
                             SimSensitivity **columns) {
  uint64_t seed = 11 + (uint64_t)k;
  SimProblem p;
  tangent_problem(&seed, 4 * k, scheme, STEPS, &p, control); /* the control is constant */
  fixture_time(&p, p.step * (double)until, until);
  if (strcmp(scheme, "event") == 0) sim_problem_set(&p, "tolerance", 1e-13);
  SimModel *model = fixture_model(&p, tangent_swinging, work);
  assert_int_equal(stiction_sensitivity_create(model, N_ALL, all, columns), SIM_OK);
  sim_problem_clear(&p);
  return model;
}

static void compare(const double *a, const double *b) {
  double size = 1;
  for (int i = 0; i < 2 * D * N_COLUMNS; i++) size = fmax(size, fabs(b[i]));
  for (int i = 0; i < 2 * D * N_COLUMNS; i++) assert_true(fabs(a[i] - b[i]) <= 1e-9 * size);
}

static void compare_stops(int k, const char *scheme, double *largest) {
  static const long stops[STOPS] = {7, 19, STEPS};
  double control[VARIABLES], x[D], v[D], state[2 * D * N_COLUMNS], ended[2 * D * N_COLUMNS], stop[D * N_COLUMNS], t[D],
      a[D];
  SimFinal final = {.x = x, .v = v};
  SimWorkspace *work;
  SimSensitivity *columns;
  SimModel *model = model_until(k, scheme, STEPS, control, &work, &columns);
  sim_workspace_differentiate(work, columns);
  assert_int_equal(sim_rollout_begin(model, work, control, NULL), SIM_OK);
  for (int i = 0; i < STOPS; i++) {
    SimDerivative derivative = {.state = ended, .stop = stop, .stop_time = t, .stop_acceleration = a};
    SimWorkspace *other_work;
    SimSensitivity *other_columns;
    SimModel *other = model_until(k, scheme, stops[i], control, &other_work, &other_columns);
    assert_int_equal(sim_rollout_run_to(model, work, NULL, stops[i]), SIM_OK);
    sim_workspace_derivatives(model, work, state);
    assert_int_equal(stiction_rollout_sensitivity(other, other_work, other_columns, control, &final, &derivative),
                     SIM_OK);
    compare(state, ended);
    for (int j = 0; j < 2 * D * N_COLUMNS; j++) *largest = fmax(*largest, fabs(state[j]));
    stiction_sensitivity_destroy(other_columns);
    stiction_workspace_destroy(other_work);
    stiction_model_destroy(other);
  }
  sim_workspace_differentiate(work, NULL);
  stiction_sensitivity_destroy(columns);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

static void are_those_of_the_end_there(void **unused) {
  static const char *const schemes[] = {"event", "moreau", "centered"};
  (void)unused;
  for (int s = 0; s < 3; s++) {
    double largest = 0;
    for (int k = 0; k < PROBLEMS / 3; k++) compare_stops(k, schemes[s], &largest);
    assert_true(largest > 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(are_those_of_the_end_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
