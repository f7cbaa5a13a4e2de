/* Random problems with stops: what every motion must keep, the order of the steps, and derivatives through impacts. */
#include "tests/sim/stops.h"

static double swing(int i, double t) { return 9 * sin(2 * t + i) + 2 * i; }

/* The k-th random problem, with stops about x0. */
static void random_problem(int k, const char *scheme, long steps, SimProblem *p, double *control) {
  uint64_t seed = (uint64_t)k + 77;
  tangent_problem(&seed, k, scheme, steps, p, control);
  stops_none(p);
  for (int i = 0; i < D; i++) {
    double e = 0.5 + 0.5 * fixture_random(&seed), room = 0.6 + 0.5 * fixture_random(&seed);
    p->stops.restitution[i] = (k + i) % 3 == 0 ? 0 : 0.9 * e;
    if ((k + i) % 4 != 1) p->stops.lower[i] = p->x0[i] - room;
    if ((k + i) % 4 != 2) p->stops.upper[i] = p->x0[i] + 0.3 * room;
    if ((k + i) % 7 == 4) {
      p->stops.stiffness[i] = 300;
      p->stops.restitution[i] = 0;
    }
    if ((k + i) % 5 == 3 && k % 3 == 0) p->friction[i] = p->friction_bias[i] = p->system.stribeck_beta[i] = 0;
  }
}

static void mirror(SimProblem *p, double *control) {
  for (int i = 0; i < D; i++) {
    double lower = p->stops.lower[i];
    p->x0[i] = -p->x0[i];
    p->v0[i] = -p->v0[i];
    p->friction_bias[i] = -p->friction_bias[i];
    p->stops.lower[i] = -p->stops.upper[i];
    p->stops.upper[i] = -lower;
  }
  for (int i = 0; i < VARIABLES; i++) control[i] = -control[i];
}

static double unswing(int i, double t) { return -swing(i, t); }

/* Energy, ends that are not passed, ends that do not pull; mirror images; and steps that come to the motion itself. */
static void test_random(void **state) {
  (void)state;
  enum { PROBLEMS = 40 };
  double order = 0;
  long impacts = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    SimFinal final;
    double control[VARIABLES], x[D], v[D], other_x[D], other_v[D], error[2];
    random_problem(k, "event", 100, &p, control);
    stops_run(&p, swing, control, x, v, &final);
    sim_problem_clear(&p);
    impacts += final.impacts;
    for (int way = 0; way < 2; way++) {
      random_problem(k, way ? "moreau" : "event", 400, &p, control);
      if (way) stops_run(&p, swing, control, x, v, &final);
      sim_problem_clear(&p);
      random_problem(k, way ? "moreau" : "event", way ? 400 : 100, &p, control);
      mirror(&p, control);
      stops_run(&p, unswing, control, other_x, other_v, &final);
      sim_problem_clear(&p);
      for (int i = 0; i < D; i++) assert_true(x[i] == -other_x[i] && v[i] == -other_v[i]);
    }
    random_problem(k, "event", 100, &p, control);
    stops_run(&p, swing, control, x, v, &final);
    sim_problem_clear(&p);
    for (int q = 0; q < 2; q++) {
      random_problem(k, "moreau", q ? 16000 : 1000, &p, control);
      stops_run(&p, swing, control, other_x, other_v, &final);
      sim_problem_clear(&p);
      error[q] = 0;
      for (int i = 0; i < D; i++) error[q] = fixture_max(error[q], fabs(x[i] - other_x[i]));
    }
    assert_true(error[1] < 1e-2 && error[1] < error[0] / 2);
    order += log(error[0] / error[1]) / log(16) / PROBLEMS;
  }
  assert_true(impacts > 4 * PROBLEMS);
  assert_true(order > 0.8); /* some bounce or turn at an instant that the step decides */
}

static void end_of(SimProblem *p, const double *control, double *state) {
  SimFinal final;
  stops_run(p, swing, control, state, state + D, &final);
}

/* The largest difference of a column from central ones, as a part of its largest entry. */
static double error_of(SimProblem *p, double *control, double *number, const Both *b, int column) {
  const double h = 1e-6, middle = *number;
  double ends[2][2 * D], error = 0, size = 1;
  for (int side = 0; side < 2; side++) {
    *number = middle + (side ? h : -h);
    end_of(p, control, ends[side]);
  }
  *number = middle;
  for (int i = 0; i < 2 * D; i++) {
    double difference = (ends[1][i] - ends[0][i]) / (2 * h);
    error = fixture_max(error, fabs(difference - b->rows[i * b->columns + column]));
    size = fmax(size, fabs(difference));
  }
  return error / size;
}

/* Whether a motion has derivatives: not where two meet ends at one instant, or one only touches an end. */
static bool is_smooth(SimProblem *p, const double *control) {
  const SimDependence on = SIM_ON_CONTROL;
  double end[2 * D], rows[4 * D * VARIABLES], times[2 * D];
  SimFinal final = {.x = end, .v = end + D};
  SimDerivative derivative = {
      .state = rows, .stop = rows + 2 * D * VARIABLES, .stop_time = times, .stop_acceleration = times + D};
  SimSensitivity *sensitivity;
  SimWorkspace *work;
  SimModel *model = fixture_model(p, swing, &work);
  assert_int_equal(sim_sensitivity_create(model, 1, &on, &sensitivity), SIM_OK);
  assert_int_equal(sim_rollout_sensitivity(model, work, sensitivity, control, &final, &derivative), SIM_OK);
  sim_sensitivity_destroy(sensitivity);
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  return derivative.smooth;
}

/* Derivatives through impacts: forward against central differences, backward against forward. */
static void test_derivatives(void **state) {
  (void)state;
  enum { PROBLEMS = 16 };
  int compared = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    SimDependence on[7];
    SimProblem p;
    Both b;
    double control[VARIABLES];
    int n = tangent_numbers(k, on), column = 0;
    random_problem(k, "event", 1, &p, control);
    for (int i = 0; i < D; i++) p.friction[i] = fmax(p.friction[i], 1);
    if (k % 3) /* the law's share is a number, too */
      for (int i = 0; i < D; i++) p.system.stribeck_beta[i] = fmax(p.system.stribeck_beta[i], 0.2);
    fixture_time(&p, 1.5, 4);
    sim_problem_set(&p, "tolerance", 1e-13);
    if (!is_smooth(&p, control)) {
      sim_problem_clear(&p);
      continue;
    }
    compared++;
    adjoint_begin(&p, swing, control, n, on, &b);
    b.least = 1;
    assert_true(b.final.impacts > 0);
    for (int i = 0; i < n; i++)
      for (int entry = 0; entry < (on[i] == SIM_ON_CONTROL ? p.segments * D : D); entry++, column++)
        assert_true(error_of(&p, control, tangent_number(&p, control, on[i], entry), &b, column) < 1e-5);
    assert_int_equal(column, b.columns);
    adjoint_record(&b, control);
    assert_true(adjoint_worst_error(&b) < 1e-9);
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
  assert_true(compared > PROBLEMS / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_derivatives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
