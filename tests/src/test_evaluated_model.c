/* What a search's points are simulated by: the problem's motion and others, with derivatives, here and from bytes. */
#include "src/run/motions.h"
#include "tests/control/search/derivative_method.h"
#include "tests/fixture.h"

enum { STATES = 2 * 3, ROWS_MOST = 6 };

/* tp1, with all velocities given. */
typedef struct Arm {
  Problem problem;
  Motions motions;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator;
} Arm;

static void open_arm(Arm *arm, const char *scheme) {
  char *settings[] = {"search={method: probe}", "control.target={position: [null, 2, 3], velocity: [0, 0, 0]}",
                      (char *)scheme};
  Diagnostics diagnostics = {0};
  *arm = (Arm){.evaluator = {0}};
  assert_int_equal(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, scheme ? 3 : 2, true,
                                     &diagnostics, &arm->problem),
                   0);
  assert_int_equal(motions_prepare(&arm->problem, NULL, &arm->motions), 0);
}

static void equip_arm(Arm *arm) {
  assert_int_equal(rollout_context_prepare(&arm->rollout, arm->motions.problems[CTL_MOTION_FILE], NULL), 0);
  assert_int_equal(motions_simulation(&arm->motions, &arm->rollout, &arm->simulation), SIM_OK);
  arm->evaluator = ctl_simulator(&arm->simulation);
}

static void close_arm(Arm *arm) {
  ctl_simulation_clear(&arm->simulation);
  rollout_context_release(&arm->rollout);
  motions_clear(&arm->motions);
  problem_clear(&arm->problem);
}

/* One point; rows may be NULL. */
static SimStatus evaluate(Arm *arm, CtlWant want, const double *u, double *state, double *rows) {
  SimFinal final = {.x = state, .v = state + 3};
  arm->evaluator.evaluate(arm->evaluator.context, want, 1, u, &final, rows);
  return final.status;
}

static const double control[3] = {12.0201629, -6.9998929, -9.5371791}; /* at T joint 2 has come to rest */

static void other_motions_are_those_of_their_schemes(void **state) {
  Arm arm, exact;
  double a[STATES], b[STATES];
  (void)state;
  open_arm(&arm, NULL);
  equip_arm(&arm);
  open_arm(&exact, "scheme={name: event}");
  equip_arm(&exact);
  for (int k = 0; k < CTL_MOTIONS; k++) {
    bool served = ctl_motion_serves(&arm.problem.sim, (CtlMotion)k);
    assert_int_equal(served, (arm.problem.control.motions >> k) & 1);
    if (k != CTL_MOTION_FILE) assert_int_equal(served, arm.motions.problems[k] != NULL);
    if (!served && k != CTL_MOTION_FILE)
      assert_int_equal(evaluate(&arm, (CtlWant){k, false}, control, a, NULL), SIM_BAD_PROBLEM);
  }
  assert_int_equal(evaluate(&arm, (CtlWant){CTL_MOTION_EXACT, false}, control, a, NULL), SIM_OK);
  assert_int_equal(evaluate(&exact, (CtlWant){0}, control, b, NULL), SIM_OK);
  assert_memory_equal(a, b, sizeof a);
  assert_int_equal(evaluate(&arm, (CtlWant){0}, control, b, NULL), SIM_OK);
  assert_memory_not_equal(a, b, sizeof a);
  close_arm(&arm);
  close_arm(&exact);
}

static void bytes_make_the_same_motions(void **state) {
  Arm arm, other = {.evaluator = {0}};
  double a[STATES], b[STATES], rows[2][ROWS_MOST * 4];
  (void)state;
  open_arm(&arm, NULL);
  equip_arm(&arm);
  size_t size = motions_packed_size(&arm.motions);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  motions_pack(&arm.motions, bytes);
  for (size_t cut = 0; cut < size; cut += 1 + size / 7)
    assert_int_equal(motions_unpack(bytes, cut, &other.motions), SIM_BAD_PROBLEM);
  assert_int_equal(motions_unpack(bytes, size, &other.motions), SIM_OK);
  free(bytes);
  equip_arm(&other);
  assert_int_equal(arm.evaluator.m, 5);
  assert_int_equal(other.evaluator.m, 5);
  for (int k = 0; k < CTL_MOTIONS; k++) {
    CtlWant want = {.motion = k, .derivatives = (arm.problem.control.motions >> k) & 1};
    memset(rows, 0, sizeof rows);
    SimStatus status = evaluate(&arm, want, control, a, rows[0]);
    assert_int_equal(evaluate(&other, want, control, b, rows[1]), status);
    if (status == SIM_OK) assert_memory_equal(a, b, sizeof a);
    assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
  }
  close_arm(&arm);
  close_arm(&other);
}

/* Rows are those of the given entries, positions first: x_2, x_3, v_1, v_2, v_3; against central differences. Joint 2 has come to
 * rest: its row is that before, and its number what its velocity would be. */
static void rows_are_derivatives_of_given_entries(void **state) {
  static const double h = 1e-6;
  static const int entries[] = {1, 2, 3, 4, 5};
  const CtlWant want = {CTL_MOTION_EXACT, true}, plain = {CTL_MOTION_EXACT, false};
  Arm arm;
  double at[STATES], more[STATES], less[STATES], rows[ROWS_MOST * 4];
  (void)state;
  open_arm(&arm, NULL);
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
      assert_true(fabs(rows[k * 4 + j] - (more[i] - less[i]) / (2 * h)) < 1e-5);
      assert_true(rows[k * 4 + 3] == 0);
    }
  }
  const double *stopped = rows + 3 * 4;
  const SimDerivative *told = &arm.simulation.derivative;
  assert_true(told->stop_time[1] > 0 && told->stop_time[1] < arm.problem.sim.end);
  assert_memory_equal(stopped, told->stop + 3, 3 * sizeof *stopped);
  assert_true(stopped[3] == told->stop_acceleration[1] * (arm.problem.sim.end - told->stop_time[1]));
  assert_true(stopped[3] != 0 && (stopped[0] != 0 || stopped[1] != 0));
  close_arm(&arm);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(other_motions_are_those_of_their_schemes),
                                     cmocka_unit_test(bytes_make_the_same_motions),
                                     cmocka_unit_test(rows_are_derivatives_of_given_entries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
