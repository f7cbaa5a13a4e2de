/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the start of a plan by inverse dynamics along a smooth path, against the forces of two weights that are lifted
 * by such a path. */
#include "control/solve/easier_problems.h"
#include "tests/sim/mechanism/mechanism.h"

enum { D = 2, SEGMENTS = 4, VARIABLES = D * SEGMENTS, SAMPLES = 4, MOST_QUANTITIES = 5 };
static const double MASS[D] = {2, 3}, RUB[D] = {1, 0.5}, GRAVITY = 9.81, T = 1.6;

/* Two weights, of which a force lifts each, and conditions on their positions at T. */
typedef struct Lift {
  SimProblem problem;
  CtlQuantity quantity[MOST_QUANTITIES];
  double weights[MOST_QUANTITIES][D];
  int quantities;
  double lower[VARIABLES], upper[VARIABLES];
  CtlPlan *plan;
  double from[VARIABLES], point[VARIABLES];
  Easier easier;
} Lift;

static void begin(Lift *l, SimSignal signal) {
  const MechanismText text = {.d = D,
                              .coordinates = {"a", "b"},
                              .kinetic = "m*a'^2/2 + n*b'^2/2",
                              .potential = "9.81*(m*a + n*b)",
                              .friction = {"1", "0.5"},
                              .parameters = {"m", "n"},
                              .values = {MASS[0], MASS[1]}};
  *l = (Lift){0};
  mechanism_problem(&text, D, T, &l->problem);
  fixture_scheme(&l->problem, "event");
  l->problem.signal = signal;
  l->problem.segments = SEGMENTS;
  for (int i = 0; i < D; i++) l->problem.control_matrix[i * (D + 1)] = 1;
  for (int i = 0; i < VARIABLES; i++) {
    l->lower[i] = -INFINITY;
    l->upper[i] = INFINITY;
  }
  l->quantity[l->quantities++] =
      (CtlQuantity){.read = CTL_READ_EFFORT, .role = CTL_ROLE_OBJECTIVE, .weight = 1, .name = "effort"};
}

/* Adds a condition on a times x_1 + b times x_2 at T. */
static void hold(Lift *l, double a, double b, CtlRole role, double target) {
  int k = l->quantities++;
  l->weights[k][0] = a;
  l->weights[k][1] = b;
  l->quantity[k] = (CtlQuantity){
      .read = CTL_READ_MOTION, .of = {.way = SIM_AT_END, .x = l->weights[k]}, .role = role, .target = target};
  snprintf(l->quantity[k].name, sizeof l->quantity[k].name, "q%d", k);
}

/* Returns the number of starts that easier_path adds; point: set to the start. */
static int find(Lift *l) {
  const SimReport report = {NULL, fixture_complain};
  assert_int_equal(stiction_problem_finalize(&l->problem, &report), SIM_OK);
  const CtlPlanSetting setting = {.problem = &l->problem,
                                  .quantities = l->quantities,
                                  .quantity = l->quantity,
                                  .lower = l->lower,
                                  .upper = l->upper};
  assert_int_equal(ctl_plan_create(&setting, &report, &l->plan), SIM_OK);
  l->easier = (Easier){.plan = l->plan, .points = l->point};
  assert_int_equal(easier_path(&l->easier, l->from), SIM_OK);
  return l->easier.count;
}

static void end(Lift *l) {
  ctl_plan_destroy(l->plan);
  sim_problem_clear(&l->problem);
}

/* Returns the mean force, in a segment, that lifts weight i by `way` along 10 s^3 - 15 s^4 + 6 s^5 with s = t/T. shift:
 * by which part of a segment the mean is later. */
static double mean_force(int i, double way, int segment, double shift) {
  double sum = 0;
  for (int k = 0; k < SAMPLES; k++) {
    double s = fmin((segment + shift + (k + 0.5) / SAMPLES) / SEGMENTS, 1);
    double a = way / (T * T) * s * (60 - 180 * s + 120 * s * s), v = way * s * s * (1 - s) * (1 - s);
    sum += (MASS[i] * (a + GRAVITY) + ((v > 0) - (v < 0)) * RUB[i]) / SAMPLES;
  }
  return sum;
}

static void is_path(const Lift *l, const double *way, double shift) {
  for (int k = 0; k < VARIABLES; k++) {
    double expected = mean_force(k % D, way[k % D], k / D, shift);
    expected = fmin(fmax(expected, l->lower[k]), l->upper[k]);
    if (!(fabs(l->point[k] - expected) < 1e-11)) fail_msg("u_%d = %.15g (expected %.15g)", k, l->point[k], expected);
  }
}

static void forces_are_those_of_the_path(void **state) {
  (void)state;
  static const double way[D] = {0.8, -0.5};
  for (int k = 0; k < 3; k++) {
    static Lift l;
    begin(&l, k == 1 ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT);
    hold(&l, 2, 0, CTL_ROLE_EQUAL, 2 * way[0]);
    hold(&l, 0, 1, CTL_ROLE_EQUAL, way[1]);
    for (int i = 0; i < VARIABLES && k == 2; i++) l.upper[i] = i % D ? 25 : INFINITY; /* which some forces exceed */
    assert_int_equal(find(&l), 1);
    is_path(&l, way, k == 1 ? 0.5 : 0);
    end(&l);
  }
}

/* A weight without a target stays, and is held against gravity; a condition on a sum is met by the nearest state. */
static void other_targets(void **state) {
  (void)state;
  static Lift l;
  static const double one[D] = {0.8, 0}, both[D] = {0.3, 0.6}, violated[D] = {0.8, -0.2};
  begin(&l, SIM_PIECEWISE_CONSTANT);
  hold(&l, 1, 0, CTL_ROLE_EQUAL, 0.8);
  assert_int_equal(find(&l), 1);
  is_path(&l, one, 0);
  end(&l);
  begin(&l, SIM_PIECEWISE_CONSTANT);
  hold(&l, 1, 2, CTL_ROLE_EQUAL, 1.5);
  assert_int_equal(find(&l), 1);
  is_path(&l, both, 0);
  end(&l);
  begin(&l, SIM_PIECEWISE_CONSTANT);
  hold(&l, 1, 0, CTL_ROLE_AT_LEAST, 0.8);
  hold(&l, 0, 1, CTL_ROLE_AT_MOST, -0.2);
  assert_int_equal(find(&l), 1);
  is_path(&l, violated, 0);
  end(&l);
}

/* There is no path where nothing has to move, or where no control acts on a coordinate alone. */
static void without_a_path(void **state) {
  (void)state;
  static Lift l;
  begin(&l, SIM_PIECEWISE_CONSTANT);
  hold(&l, 1, 0, CTL_ROLE_AT_MOST, 0.8);
  assert_int_equal(find(&l), 0);
  end(&l);
  begin(&l, SIM_PIECEWISE_CONSTANT);
  l.problem.control_matrix[1] = 1;
  hold(&l, 1, 0, CTL_ROLE_EQUAL, 0.8);
  assert_int_equal(find(&l), 0);
  end(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_are_those_of_the_path), cmocka_unit_test(other_targets),
                                     cmocka_unit_test(without_a_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
