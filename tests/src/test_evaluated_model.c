/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests models that simulate the points of a search: the problem's motion and other motions, with derivatives, in
 * memory and from bytes. */
#include "src/run/evaluated_model.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 2 * 3, ROWS_MOST = 6, ROW = 5 };

/* The problem tp1, with targets for all velocities. */
typedef struct Arm {
  Problem problem;
  EvaluatedModel evaluated;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator;
} Arm;

static void open_arm(Arm *arm, const char *scheme) {
  char *settings[] = {"search={method: sqp}", "control.target={position: [null, 2, 3], velocity: [0, 0, 0]}",
                      (char *)scheme};
  Diagnostics diagnostics = {0};
  *arm = (Arm){.evaluator = {0}};
  assert_int_equal(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, scheme ? 3 : 2, true,
                                     &diagnostics, &arm->problem),
                   0);
  assert_int_equal(
      evaluated_model_prepare(&arm->problem, ctl_problem_wants_derivatives(&arm->problem.control), &arm->evaluated), 0);
}

static void equip_arm(Arm *arm);

/* Opens another file of jobs/problems, with a setting. */
static void open_file(Arm *arm, const char *file, const char *setting) {
  char path[512], *settings[] = {(char *)setting}; /* the cast is safe, as the text is only read */
  snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", file);
  *arm = (Arm){.evaluator = {0}};
  assert_int_equal(problem_file_read(path, settings, 1, true, &(Diagnostics){0}, &arm->problem), 0);
  assert_int_equal(evaluated_model_prepare(&arm->problem, true, &arm->evaluated), 0);
  equip_arm(arm);
}

static void equip_arm(Arm *arm) {
  assert_int_equal(rollout_context_prepare(&arm->rollout, arm->evaluated.problem, NULL), 0);
  assert_int_equal(evaluated_model_simulation(&arm->evaluated, &arm->rollout, &arm->simulation), SIM_OK);
  arm->evaluator = ctl_simulator(&arm->simulation);
}

static void close_arm(Arm *arm) {
  ctl_simulation_clear(&arm->simulation);
  rollout_context_release(&arm->rollout);
  evaluated_model_clear(&arm->evaluated);
  problem_clear(&arm->problem);
}

/* Evaluates one point of d dofs; rows may be NULL. */
static SimStatus evaluate_of(Arm *arm, int d, CtlWant want, const double *u, double *state, double *rows) {
  SimFinal final = {.x = state, .v = state + d};
  arm->evaluator.evaluate(arm->evaluator.context, want, 1, u, &final, rows);
  return final.status;
}

static SimStatus evaluate(Arm *arm, CtlWant want, const double *u, double *state, double *rows) {
  return evaluate_of(arm, 3, want, u, state, rows);
}

static const double control[3] = {12.0201629, -6.9998929, -9.5371791}; /* joint 2 is at rest at T */

/* The motion with a third of the thresholds equals that of a problem with these thresholds. */
static void less_friction_is_another_problem(void **state) {
  Arm arm, eased;
  double a[STATES], b[STATES];
  (void)state;
  open_arm(&arm, NULL);
  equip_arm(&arm);
  open_arm(&eased, NULL);
  for (int i = 0; i < 3; i++) eased.problem.sim.friction[i] *= 1.0 / 3;
  assert_int_equal(stiction_problem_finalize(&eased.problem.sim, NULL), SIM_OK);
  equip_arm(&eased);
  assert_int_equal(evaluate(&arm, (CtlWant){.motion = CTL_MOTION_THIRD}, control, a, NULL), SIM_OK);
  assert_int_equal(evaluate(&eased, (CtlWant){0}, control, b, NULL), SIM_OK);
  assert_memory_equal(a, b, sizeof a);
  assert_int_equal(evaluate(&arm, (CtlWant){0}, control, b, NULL), SIM_OK);
  assert_memory_not_equal(a, b, sizeof a);
  close_arm(&arm);
  close_arm(&eased);
}

/* A signal with fewer segments gives the motion of a problem with that number of segments, which is also the motion
 * with its values repeated or, for linear pieces, interpolated. */
static void fewer_segments_are_another_problem(void **state) {
  enum { COARSE = 4, FINE = 12, P = 2, N = P * FINE, M = 4 };
  static const char *const kinds[] = {"control.signal={kind: piecewise_constant, segments: 12}",
                                      "control.signal={kind: piecewise_constant, segments: 4}",
                                      "control.signal={kind: piecewise_linear, segments: 12}",
                                      "control.signal={kind: piecewise_linear, segments: 4}"};
  (void)state;
  for (int k = 0; k < 4; k += 2) {
    Arm fine, coarse;
    double u[N] = {0}, repeated[N], states[3][4], rows[2][M * (P * COARSE + 2)], all[M * (N + 2)];
    open_file(&fine, "signal-2x8", kinds[k]);
    open_file(&coarse, "signal-2x8", kinds[k + 1]);
    for (int i = 0; i < P * COARSE; i++) u[i] = 7 * sin(1 + 5 * i);
    sim_signal_refine(fine.problem.sim.signal, P, COARSE, FINE / COARSE, u, repeated);
    for (int motion = 0; motion < CTL_MOTIONS; motion++) {
      const CtlWant want = {.motion = motion, .derivatives = true, .segments = COARSE},
                    own = {.motion = motion, .derivatives = true};
      assert_int_equal(ctl_evaluator_rows(&fine.evaluator, want), M * (P * COARSE + 2));
      assert_int_equal(evaluate_of(&fine, 2, want, u, states[0], rows[0]), SIM_OK);
      assert_int_equal(evaluate_of(&coarse, 2, own, u, states[1], rows[1]), SIM_OK);
      assert_int_equal(evaluate_of(&fine, 2, own, repeated, states[2], all), SIM_OK);
      assert_memory_equal(states[0], states[1], sizeof states[0]);
      assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
      for (int i = 0; i < 4; i++) assert_true(fabs(states[0][i] - states[2][i]) < 1e-11);
    }
    const CtlWant plain = {.segments = COARSE};
    assert_int_equal(evaluate_of(&fine, 2, plain, u, states[0], NULL), SIM_OK);
    assert_int_equal(evaluate_of(&coarse, 2, (CtlWant){0}, u, states[1], NULL), SIM_OK);
    assert_memory_equal(states[0], states[1], sizeof states[0]);
    close_arm(&fine);
    close_arm(&coarse);
  }
}

static void bytes_make_the_same_motions(void **state) {
  Arm arm, other = {.evaluator = {0}};
  double a[STATES], b[STATES], rows[2][ROWS_MOST * ROW];
  (void)state;
  open_arm(&arm, NULL);
  equip_arm(&arm);
  size_t size = evaluated_model_packed_size(&arm.evaluated);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  evaluated_model_pack(&arm.evaluated, bytes);
  for (size_t cut = 0; cut < size; cut += 1 + size / 7)
    assert_int_equal(evaluated_model_unpack(bytes, cut, &other.evaluated), SIM_BAD_PROBLEM);
  assert_int_equal(evaluated_model_unpack(bytes, size, &other.evaluated), SIM_OK);
  free(bytes);
  equip_arm(&other);
  assert_int_equal(arm.evaluator.m, 5);
  assert_int_equal(other.evaluator.m, 5);
  for (int k = 0; k < CTL_MOTIONS; k++) {
    CtlWant want = {.motion = k, .derivatives = true};
    memset(rows, 0, sizeof rows);
    SimStatus status = evaluate(&arm, want, control, a, rows[0]);
    assert_int_equal(evaluate(&other, want, control, b, rows[1]), status);
    if (status == SIM_OK) assert_memory_equal(a, b, sizeof a);
    assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
  }
  close_arm(&arm);
  close_arm(&other);
}

/* The rows of derivatives are those of the given entries of the target, positions first: x_2, x_3, v_1, v_2, v_3. They
 * are compared with central differences. Joint 2 has come to rest. So its row is that of its velocity before the stop,
 * and its value is the velocity that it would have without the stop. */
static void rows_are_derivatives_of_given_entries(void **state) {
  static const double h = 1e-6;
  static const int entries[] = {1, 2, 3, 4, 5};
  const CtlWant want = {.derivatives = true}, plain = {0};
  Arm arm;
  double at[STATES], more[STATES], less[STATES], rows[ROWS_MOST * ROW];
  (void)state;
  open_arm(&arm, "scheme={name: event}");
  equip_arm(&arm);
  assert_int_equal(evaluate(&arm, want, control, at, rows), SIM_OK);
  assert_true(at[4] == 0);
  for (int j = 0; j < 3; j++) {
    double u[3] = {control[0], control[1], control[2]};
    u[j] = control[j] + h;
    assert_int_equal(evaluate(&arm, plain, u, more, NULL), SIM_OK);
    u[j] = control[j] - h;
    assert_int_equal(evaluate(&arm, plain, u, less, NULL), SIM_OK);
    for (int k = 0; k < 5; k++) {
      int i = entries[k];
      if (i == 4) continue;
      assert_true(fabs(rows[k * ROW + j] - (more[i] - less[i]) / (2 * h)) < 1e-5);
      assert_true(rows[k * ROW + 3] == 0 && rows[k * ROW + 4] == 0);
    }
  }
  const double *stopped = rows + 3 * ROW;
  const SimDerivative *derivative = &arm.simulation.derivative;
  assert_true(derivative->stop_time[1] > 0 && derivative->stop_time[1] < arm.problem.sim.end);
  assert_memory_equal(stopped, derivative->stop + 3, 3 * sizeof *stopped);
  assert_true(stopped[3] == derivative->stop_acceleration[1] * (arm.problem.sim.end - derivative->stop_time[1]));
  assert_true(stopped[3] != 0 && (stopped[0] != 0 || stopped[1] != 0));
  close_arm(&arm);
}

/* A point with several scenarios has the same result in two cases: alone, where its scenarios run in parallel, and
 * among many points, where the points do. */
static void scenarios_of_few_points_and_many(void **state) {
  enum { S = 5, POINTS = 70 };
  static double states[2][POINTS][2][3 * S], controls[POINTS][3], friction[S][3];
  SimProblem problems[S];
  SimFinal final[2][POINTS];
  ModelEvaluator evaluator;
  Arm arm;
  (void)state;
  open_arm(&arm, NULL);
  equip_arm(&arm);
  for (int s = 0; s < S; s++) {
    problems[s] = arm.problem.sim;
    problems[s].friction = friction[s];
    for (int i = 0; i < 3; i++) friction[s][i] = arm.problem.sim.friction[i] * (0.8 + 0.1 * s);
    assert_int_equal(stiction_problem_finalize(&problems[s], NULL), SIM_OK);
  }
  arm.evaluated.scenarios = problems;
  arm.evaluated.n_scenarios = S;
  assert_int_equal(model_evaluator_open(&arm.evaluated, &arm.rollout, -1, &evaluator), SIM_OK);
  const CtlEvaluator all = model_evaluator(&evaluator);
  for (int k = 0; k < POINTS; k++) {
    for (int i = 0; i < 3; i++) controls[k][i] = control[i] * (1 + 0.01 * k);
    for (int way = 0; way < 2; way++) final[way][k] = (SimFinal){.x = states[way][k][0], .v = states[way][k][1]};
    all.evaluate(all.context, (CtlWant){0}, 1, controls[k], &final[0][k], NULL);
  }
  all.evaluate(all.context, (CtlWant){0}, POINTS, controls[0], final[1], NULL);
  assert_memory_equal(states[0], states[1], sizeof states[0]);
  for (int k = 0; k < POINTS; k++) {
    assert_int_equal(final[0][k].iterations, final[1][k].iterations);
    assert_true(final[0][k].residual == final[1][k].residual && final[0][k].status == SIM_OK);
  }
  assert_true(states[0][0][0][0] != states[0][0][0][3]); /* another friction gives another final state */
  /* Compares with the numbers in the file for each scenario: their motion and derivatives. */
  enum { M = 5 };
  static double rows[S * M * ROW], own[M * ROW], own_state[STATES];
  const CtlWant nominal = {.motion = CTL_MOTION_NOMINAL, .derivatives = true}, file = {.derivatives = true};
  assert_int_equal(all.m, S * M);
  assert_int_equal(evaluate(&arm, file, control, own_state, own), SIM_OK);
  all.evaluate(all.context, nominal, 1, control, &final[0][0], rows);
  assert_int_equal(final[0][0].status, SIM_OK);
  for (int s = 0; s < S; s++) {
    assert_memory_equal(final[0][0].x + 3 * s, own_state, 3 * sizeof *own_state);
    assert_memory_equal(final[0][0].v + 3 * s, own_state + 3, 3 * sizeof *own_state);
    assert_memory_equal(rows + s * 2 * ROW, own, 2 * ROW * sizeof *own);
    assert_memory_equal(rows + (S * 2 + s * 3) * ROW, own + 2 * ROW, 3 * ROW * sizeof *own);
  }
  arm.evaluated.scenarios = NULL;
  model_evaluator_close(&evaluator);
  close_arm(&arm);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(less_friction_is_another_problem), cmocka_unit_test(fewer_segments_are_another_problem),
      cmocka_unit_test(bytes_make_the_same_motions), cmocka_unit_test(rows_are_derivatives_of_given_entries),
      cmocka_unit_test(scenarios_of_few_points_and_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
