/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives along steps with central differences of the same steps, if no branch of the law changes between
 * the two. */
#include "tests/sim/friction/step_cases.h"

enum { PROBLEMS = 30, STEPS = 203 };

/* Final state of a motion, its branches, and v and t of the last step before a dof came to rest. */
typedef struct End {
  const SimProblem *problem;
  double state[2 * D], before[D], stop[D], stop_time[D];
  signed char slip[D];
  uint64_t branches; /* hash of the branches of all steps */
} End;

static void see_step(void *context, const SimStep *step) {
  End *end = context;
  const SimProblem *p = end->problem;
  for (int i = 0; i < D; i++) {
    int within = p->system.stribeck == SIM_STRIBECK_RAMP && fabs(step->v[i]) <= p->system.stribeck_epsilon[i];
    end->branches = (end->branches ^ (uint64_t)(step->slip[i] + 2 + 4 * within)) * UINT64_C(1099511628211);
    if (step->slip[i]) end->stop_time[i] = NAN;
    if (step->n > 0 && step->slip[i] == 0 && end->slip[i] * end->before[i] > 0) {
      end->stop[i] = end->before[i];
      end->stop_time[i] = (double)(step->n - 1) * p->step;
    }
    end->before[i] = step->v[i];
    end->slip[i] = step->slip[i];
  }
}

static End end_of(SimProblem *p, FixtureForce *force, const double *control) {
  SimWorkspace *work;
  End end = {.problem = p, .branches = UINT64_C(14695981039346656037), .stop_time = {NAN, NAN, NAN}};
  const SimObserver observer = {.context = &end, .step = see_step};
  SimModel *model = fixture_model(p, force, &work);
  SimFinal final = {.x = end.state, .v = end.state + D};
  assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return end;
}

/* Returns whether the column could be compared. within: branches also change within steps. */
static bool compare_column(SimProblem *p, FixtureForce *force, double *control, double *number, bool within,
                           const SimDerivative *derivative, int column, int columns, uint64_t branches) {
  const double h = within ? 1e-7 : sim_problem_get(p, "solver") == SIM_EXACT ? 1e-6 : 1e-5, middle = *number;
  double error = 0, size = 1;
  *number = middle - h;
  const End low = end_of(p, force, control);
  *number = middle + h;
  const End high = end_of(p, force, control);
  *number = middle;
  if (low.branches != branches || high.branches != branches) return false;
  for (int i = 0; i < 2 * D; i++) {
    double difference = (high.state[i] - low.state[i]) / (2 * h);
    error = fixture_max(error, fabs(difference - derivative->state[i * columns + column]));
    size = fmax(size, fabs(difference));
  }
  for (int i = 0; i < D; i++) {
    double difference = isnan(derivative->stop_time[i]) ? 0 : (high.stop[i] - low.stop[i]) / (2 * h);
    error = fixture_max(error, fabs(difference - derivative->stop[i * columns + column]));
    size = fmax(size, fabs(difference));
  }
  assert_true(error <= (within ? 2e-5 : 1e-6) * size);
  return true;
}

/* Checks that a stop is where the extrapolated v is 0. */
static void check_stops(const SimProblem *p, const SimDerivative *derivative, const End *plain) {
  for (int i = 0; i < D; i++) {
    double t = derivative->stop_time[i], a = derivative->stop_acceleration[i];
    assert_int_equal(isnan(t), isnan(plain->stop_time[i]));
    if (isnan(t)) continue;
    assert_true(t > plain->stop_time[i] && t <= plain->stop_time[i] + p->step * (1 + 1e-9));
    assert_true(fabs(plain->stop[i] + a * (t - plain->stop_time[i])) <= 1e-9 * fabs(plain->stop[i]));
  }
}

/* Compares the columns of one case with differences. Counts the columns tried and the stops. Returns the number of
 * columns compared. */
static int differentiate(SimProblem *p, const Case *c, int k, int n, const SimDependence *on, double *control,
                         int *tried, int *stops) {
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  double state[2 * D * COLUMNS], stop[D * COLUMNS], stop_time[D], stop_acceleration[D], end[2 * D];
  SimDerivative derivative = {
      .state = state, .stop = stop, .stop_time = stop_time, .stop_acceleration = stop_acceleration};
  FixtureForce *force = k % 2 ? tangent_decaying : tangent_swinging;
  SimModel *model = fixture_model(p, force, &work);
  SimFinal final = {.x = end, .v = end + D};
  int columns, column = 0, compared = 0;
  assert_int_equal(stiction_sensitivity_create(model, n, on, &sensitivity), SIM_OK);
  columns = stiction_sensitivity_columns(sensitivity);
  for (int again = 0; again < 2; again++)
    assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, control, &final, &derivative), SIM_OK);
  const End plain = end_of(p, force, control);
  assert_memory_equal(plain.state, end, sizeof end);
  check_stops(p, &derivative, &plain);
  for (int i = 0; i < D; i++) *stops += !isnan(stop_time[i]);
  for (int i = 0; i < n; i++)
    for (int entry = 0; entry < (on[i] == SIM_ON_CONTROL ? p->segments * D : D); entry++, column++) {
      double *number = tangent_number(p, control, on[i], entry);
      if (on[i] == SIM_ON_VELOCITY && *number == 0) continue; /* there is a kink at 0 */
      ++*tried;
      compared += compare_column(p, force, control, number, splits(c), &derivative, column, columns, plain.branches);
    }
  assert_int_equal(column, columns);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return compared;
}

static void columns_are_differences(void **state) {
  (void)state;
  for (const Case *c = cases; c < cases + CASES; c++) {
    uint64_t seed = 5;
    int tried = 0, compared = 0, stops = 0, problems = splits(c) ? PROBLEMS / 3 : PROBLEMS;
    for (int k = 0; k < problems; k++) {
      SimProblem p;
      SimDependence on[7];
      double control[VARIABLES];
      int n = case_problem(&seed, k, c, STEPS, &p, control, on);
      sim_problem_set(&p, "tolerance", 1e-14);
      compared += differentiate(&p, c, k, n, on, control, &tried, &stops);
      sim_problem_clear(&p);
    }
    assert_true(compared > 0.9 * tried && (stops > problems / 8 || c->multiplier == SIM_SMOOTH));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_differences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
