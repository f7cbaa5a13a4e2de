/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests random problems with stops: properties of every motion, the order of the steps, and derivatives through
 * impacts. */
#include "tests/sim/friction/springs.h"
#include "tests/sim/stops.h"

static double swing(int i, double t) { return 9 * sin(2 * t + i) + 2 * i; }

/* Makes random problem number k, with stops around x0. */
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

/* Energies close, stops are not passed and do not pull, mirror images have the same bits, and steps converge to the
 * exact motion. */
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
  assert_true(order > 0.8); /* the order is below 1, as some dof bounces or turns at a time that depends on the step */
}

static uint64_t end_of(SimProblem *p, const double *control, double *state) {
  SimFinal final;
  return stops_run(p, swing, control, state, state + D, &final).branches;
}

/* Returns the largest difference of a column from central differences, relative to its largest entry. NAN if one of
 * these motions has other branches than `branches`; NULL: any. */
static double error_of(SimProblem *p, double *control, double *number, const Both *b, int column,
                       const uint64_t *branches) {
  const double h = 1e-6, middle = *number;
  double ends[2][2 * D], error = 0, size = 1;
  bool same = true;
  for (int side = 0; side < 2; side++) {
    *number = middle + (side ? h : -h);
    uint64_t other = end_of(p, control, ends[side]);
    same = same && (!branches || other == *branches);
  }
  *number = middle;
  for (int i = 0; i < 2 * D; i++) {
    double difference = (ends[1][i] - ends[0][i]) / (2 * h);
    error = fixture_max(error, fabs(difference - b->rows[i * b->columns + column]));
    size = fmax(size, fabs(difference));
  }
  return same ? error / size : NAN;
}

/* Returns whether a motion has derivatives. It has none if two dofs reach stops at the same time, or a dof only touches
 * a stop. */
static bool is_smooth(SimProblem *p, const double *control) {
  const SimDependence on = SIM_ON_CONTROL;
  double end[2 * D], rows[4 * D * VARIABLES], times[2 * D];
  SimFinal final = {.x = end, .v = end + D};
  SimDerivative derivative = {
      .state = rows, .stop = rows + 2 * D * VARIABLES, .stop_time = times, .stop_acceleration = times + D};
  SimSensitivity *sensitivity;
  SimWorkspace *work;
  SimModel *model = fixture_model(p, swing, &work);
  assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_OK);
  assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, control, &final, &derivative), SIM_OK);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return derivative.smooth;
}

/* Compares derivatives through impacts: forward ones with central differences, and adjoint with forward ones. */
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
    if (k % 3) /* the energy that the law takes is compared, too */
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
        assert_true(error_of(&p, control, tangent_number(&p, control, on[i], entry), &b, column, NULL) < 1e-5);
    assert_int_equal(column, b.columns);
    adjoint_record(&b, control);
    assert_true(adjoint_worst_error(&b) < 1e-9);
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
  assert_true(compared > PROBLEMS / 2);
}

/* Tests nonlinear springs by `event`. A linear law equals a stiffness. With a nonlinear law, energies, stops and
 * derivatives are checked. */
static double line(int i, double e) {
  (void)i;
  return 4 * e;
}

static void test_beside_laws(void **state) {
  (void)state;
  long impacts = 0;
  for (int k = 0; k < 12; k++) {
    const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION};
    SimProblem p;
    SimFinal final;
    double control[VARIABLES], where, x[2][D], v[2][D];
    for (int way = 0; way < 2; way++) {
      random_problem(k, "event", 100, &p, control);
      for (int i = 0; i < D && !way; i++) p.system.stiffness[i * (D + 1)] += 4;
      if (way) assert_int_equal(springs_set(&p, SIM_ANCHORS, false, line, 9, &where), SIM_OK);
      stops_run(&p, swing, control, x[way], v[way], &final);
      sim_problem_clear(&p);
    }
    for (int i = 0; i < D; i++) assert_true(fabs(x[0][i] - x[1][i]) + fabs(v[0][i] - v[1][i]) < 1e-6);
    random_problem(k, "event", 1, &p, control);
    fixture_time(&p, 1.5, 4);
    sim_problem_set(&p, "tolerance", 1e-13);
    assert_int_equal(springs_set(&p, SIM_ANCHORS, true, springs_wavy, 4, &where), SIM_OK);
    impacts += stops_run(&p, swing, control, x[0], v[0], &final).impacts > 0;
    if (is_smooth(&p, control)) {
      Both b;
      adjoint_begin(&p, swing, control, 2, on, &b);
      b.least = 1;
      for (int c = 0; c < D; c++) assert_true(error_of(&p, control, &control[c], &b, c, NULL) < 1e-5);
      adjoint_record(&b, control);
      assert_true(adjoint_worst_error(&b) < 1e-9);
      adjoint_end(&b);
    }
    sim_problem_clear(&p);
  }
  assert_true(impacts > 6);
}

/* In the first of three long steps the first dof would stick, pushed back by nearly its threshold. But before that it
 * reaches a stop. */
static void push_off(SimProblem *p, double *control) {
  fixture_time(p, 0.3, 3);
  p->signal = SIM_CONSTANT;
  p->segments = 1;
  p->friction[0] = 100;
  p->friction_bias[0] = 0;
  p->v0[0] = 0.5;
  p->stops.upper[0] = p->x0[0] + 0.005;
  p->stops.stiffness[0] = NAN;
  p->stops.restitution[0] = 0.6;
  control[0] = -p->system.mass[0] * p->v0[0] / 0.1 - 80;
}

/* Compares derivatives of moreau's steps with differences, if no branch changes. */
static void test_derivatives_of_steps(void **state) {
  (void)state;
  enum { PROBLEMS = 40, STEPS = 203 };
  static const double thetas[] = {0.5, 0.7, 1};
  int tried = 0, compared = 0;
  long impacts = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    SimDependence on[7];
    SimProblem p;
    Both b;
    double control[VARIABLES], end[2 * D], error, weights[3 * D];
    uint64_t seed = 7;
    int n = tangent_numbers(k, on), column = 0;
    random_problem(k, "moreau", STEPS, &p, control);
    for (int i = 0; i < D; i++) p.friction[i] = fmax(p.friction[i], k % 4 ? 0.1 : 1);
    if (k % 4 == 0) push_off(&p, control);
    for (int i = 0; i < D && k % 3; i++) p.system.stribeck_beta[i] = fmax(p.system.stribeck_beta[i], 0.2);
    assert_int_equal(sim_problem_set(&p, "theta", thetas[k / 4 % 3]), SIM_OK);
    adjoint_begin(&p, swing, control, n, on, &b);
    uint64_t branches = end_of(&p, control, end);
    assert_memory_equal(end, b.final.x, sizeof end / 2);
    for (int i = 0; i < n; i++)
      for (int entry = 0; entry < (on[i] == SIM_ON_CONTROL ? p.segments * D : D); entry++, column++, tried++) {
        error = error_of(&p, control, tangent_number(&p, control, on[i], entry), &b, column, &branches);
        compared += !isnan(error);
        assert_true(isnan(error) || error < 1e-6);
      }
    adjoint_record(&b, control);
    impacts += b.final.impacts;
    assert_true(adjoint_worst_error(&b) < 1e-11);
    for (int i = 0; i < 3 * D; i++) weights[i] = fixture_random(&seed);
    assert_true(adjoint_sweep_error(&b, weights) < 1e-11);
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
  assert_true(compared > 0.9 * tried && impacts > 4 * PROBLEMS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_derivatives),
                                     cmocka_unit_test(test_beside_laws), cmocka_unit_test(test_derivatives_of_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
