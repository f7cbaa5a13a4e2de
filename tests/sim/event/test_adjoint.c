/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares adjoint derivatives along exact motions with forward ones and with central differences. */
#include "tests/sim/adjoint.h"
#include "tests/sim/chain/chain.h"

enum { PROBLEMS = 60, ARM = 2, ARM_SEGMENTS = 512, ARM_VARIABLES = ARM * ARM_SEGMENTS };

/* Tests every law, signal and mass, with all quantities on which a motion depends. */
static void backward_is_forward(void **state) {
  uint64_t seed = 5;
  int stops = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    SimDependence on[SIM_ON_BETA + 1];
    Both b;
    double control[VARIABLES], weights[3 * D];
    tangent_problem(&seed, k, "event", SEGMENTS, &p, control);
    sim_problem_set(&p, "tolerance", 1e-13);
    adjoint_begin(&p, k % 2 ? tangent_decaying : tangent_swinging, control, tangent_numbers(k, on), on, &b);
    adjoint_record(&b, control);
    assert_true(adjoint_worst_error(&b) <= 1e-12);
    for (int i = 0; i < 3 * D; i++) weights[i] = fixture_random(&seed);
    assert_true(adjoint_sweep_error(&b, weights) <= 1e-12);
    for (int i = 0; i < D; i++) stops += !isnan(b.stop_time[i]);
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
  assert_true(stops > PROBLEMS / 2);
}

/* Blocks that do not act on each other turn round at the same time. */
static void blocks_turn_together(void **state) {
  static const double u[SEGMENTS] = {3, 2, -2, -2};
  const SimDependence on = SIM_ON_CONTROL;
  SimProblem p;
  Both b;
  double control[VARIABLES], weights[3 * D];
  (void)state;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, D, D), SIM_OK);
  fixture_scheme(&p, "event");
  fixture_time(&p, 2, SEGMENTS);
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = SEGMENTS;
  for (int i = 0; i < D; i++) p.system.mass[i * (D + 1)] = p.friction[i] = p.control_matrix[i * (D + 1)] = 1;
  for (int k = 0; k < VARIABLES; k++) control[k] = u[k / D];
  for (int i = 0; i < 3 * D; i++) weights[i] = 1 + i;
  adjoint_begin_any(&p, fixture_no_force, control, 1, &on, &b);
  adjoint_record(&b, control);
  assert_true(adjoint_worst_error(&b) <= 1e-12);
  assert_true(adjoint_sweep_error(&b, weights) <= 1e-12);
  adjoint_end(&b);
  sim_problem_clear(&p);
}

/* An adjoint records the last rollout, whatever was recorded before. */
static void records_replace_each_other(void **state) {
  uint64_t seed = 7;
  const SimDependence on = SIM_ON_CONTROL;
  SimProblem p;
  Both b;
  double control[VARIABLES], other[VARIABLES], weights[3 * D], x[D], v[D];
  SimFinal final = {.x = x, .v = v};
  (void)state;
  tangent_problem(&seed, 1, "event", SEGMENTS, &p, control);
  for (int i = 0; i < VARIABLES; i++) other[i] = -control[i];
  for (int i = 0; i < 3 * D; i++) weights[i] = 1 + i;
  adjoint_begin(&p, tangent_decaying, control, 1, &on, &b);
  assert_int_equal(sim_rollout_record(b.model, b.work, b.adjoint, other, &final), SIM_OK);
  assert_true(adjoint_sweep_error(&b, weights) > 0.01);
  adjoint_record(&b, control);
  assert_true(adjoint_sweep_error(&b, weights) <= 1e-12);
  adjoint_end(&b);
  sim_problem_clear(&p);
}

/* An arm has two joints and 2 x 512 variables, each of which acts only in its own segment. */
static void fine_signals(void **state) {
  static const double mass[ARM * ARM] = {3, 1, 1, 2};
  static const SimSignal signals[] = {SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR};
  const SimDependence on = SIM_ON_CONTROL;
  (void)state;
  for (int q = 0; q < 2; q++) {
    SimProblem p;
    Both b;
    double control[ARM_VARIABLES];
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, ARM, ARM), SIM_OK);
    fixture_scheme(&p, "event");
    fixture_time(&p, 2, ARM_SEGMENTS);
    p.signal = signals[q];
    p.segments = ARM_SEGMENTS;
    memcpy(p.system.mass, mass, sizeof mass);
    for (int i = 0; i < ARM; i++) {
      p.friction[i] = 4 - i;
      p.control_matrix[i * (ARM + 1)] = 1;
    }
    for (int i = 0; i < ARM_VARIABLES; i++) {
      double t = 2.0 * (double)(i / ARM) / ARM_SEGMENTS;
      control[i] = 9 * sin((5 - i % ARM) * t + 0.5);
    }
    adjoint_begin(&p, fixture_no_force, control, 1, &on, &b);
    adjoint_record(&b, control);
    assert_true(adjoint_worst_error(&b) <= 1e-12);
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
}

static double pushing(int i, double t) { return 2 * sin(1.3 * t + i) + 1.5 - i; }

/* Returns weights'(x, v)(T) of a chain. */
static double weighed_end(SimProblem *p, const double *control, const double *weights) {
  SimWorkspace *work;
  double end_state[2 * D], sum = 0;
  SimFinal final = {.x = end_state, .v = end_state + D};
  SimModel *model = fixture_model(p, pushing, &work);
  assert_int_equal(stiction_rollout(model, work, control, NULL, &final), SIM_OK);
  for (int i = 0; i < 2 * D; i++) sum += weights[i] * end_state[i];
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return sum;
}

/* Compares both ways, and central differences, for a chain with masses. */
static void chains(void **state) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_FRICTION};
  enum { KINDS = sizeof on / sizeof *on };
  const double h = 1e-6, weights[3 * D] = {1, -2, 0.5, 0.7, 1, -1};
  double control[D] = {0.5, -0.3, 0.2}, gradient[KINDS * D];
  SimProblem p;
  Both b;
  (void)state;
  chain_init(&p, D, SIM_CHAIN_DYNAMICAL, SIM_END_CLAMPED, "event");
  fixture_time(&p, 4, 10);
  for (int i = 0; i < D; i++) p.v0[i] = 1 - 0.4 * i;
  adjoint_begin(&p, pushing, control, KINDS, on, &b);
  adjoint_record(&b, control);
  assert_true(b.final.iterations > 2 && adjoint_worst_error(&b) <= 1e-12);
  assert_int_equal(sim_adjoint_sweep(b.adjoint, 1, weights, gradient), SIM_OK);
  for (int k = 0; k < KINDS * D; k++) {
    double *number = tangent_number(&p, control, on[k / D], k % D), middle = *number, ends[2];
    for (int side = 0; side < 2; side++) {
      *number = middle + (side ? h : -h);
      ends[side] = weighed_end(&p, control, weights);
    }
    *number = middle;
    assert_true(fabs(gradient[k] - (ends[1] - ends[0]) / (2 * h)) <= 1e-7 * fmax(1, fabs(gradient[k])));
  }
  adjoint_end(&b);
  sim_problem_clear(&p);
}

/* A chain with massless nodes reports that it has no derivatives. */
static void massless_have_none(void **state) {
  static const SimChainCase cases[] = {SIM_CHAIN_SEMI_DYNAMICAL, SIM_CHAIN_QUASISTATIC};
  const SimDependence on = SIM_ON_CONTROL;
  (void)state;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimAdjoint *adjoint;
    SimSensitivity *sensitivity;
    chain_init(&p, D, cases[k], SIM_END_CLAMPED, "event");
    fixture_time(&p, 4, 10);
    SimModel *model = fixture_model(&p, fixture_no_force, &work);
    assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_BAD_PROBLEM);
    assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_BAD_PROBLEM);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Motions without a record, or without derivatives, have no gradient. */
static void failures_are_reported(void **state) {
  const SimDependence on = SIM_ON_CONTROL;
  const double weights[3 * D] = {1};
  double control[3] = {0}, gradient[3], x[3], v[3];
  SimFinal final = {.x = x, .v = v};
  SimProblem p;
  SimWorkspace *work;
  SimAdjoint *adjoint;
  (void)state;
  fixture_paper(&p, 1, "event", SIM_UNREGULARIZED, 1);
  sim_problem_set(&p, "max_events", 2);
  SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
  assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_OK);
  assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, gradient), SIM_BAD_PROBLEM);
  assert_int_equal(sim_rollout_record(model, work, adjoint, control, &final), SIM_EVENTS_ACCUMULATE);
  assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, gradient), SIM_EVENTS_ACCUMULATE);
  for (int i = 0; i < 3; i++) assert_true(isnan(gradient[i]));
  sim_adjoint_destroy(adjoint);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(backward_is_forward),
                                     cmocka_unit_test(records_replace_each_other),
                                     cmocka_unit_test(blocks_turn_together),
                                     cmocka_unit_test(fine_signals),
                                     cmocka_unit_test(chains),
                                     cmocka_unit_test(massless_have_none),
                                     cmocka_unit_test(failures_are_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
