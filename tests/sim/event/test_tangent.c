/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives along exact motions with central differences of the motions. */
#include "tests/sim/tangent.h"

#include <math.h>
#include <string.h>

enum { PROBLEMS = 60 };

static double none(int i, double t) {
  (void)i;
  (void)t;
  return 0;
}
/* Final state of a motion, and the times since which dofs have stuck. */
typedef struct End {
  double state[2 * D], stop_time[D];
} End;

static void see_step(void *context, const SimStep *step) {
  (void)context;
  (void)step;
}

static void see_event(void *context, double t, int dof, int slip) {
  End *end = context;
  end->stop_time[dof] = slip == 0 && t > 0 ? t : NAN;
}

static void end_of(const SimProblem *p, double (*force)(int, double), const double *control, End *end) {
  SimWorkspace *work;
  const SimObserver observer = {.context = end, .step = see_step, .event = see_event};
  SimModel *model = fixture_model((SimProblem *)p, force, &work);
  SimFinal final = {.x = end->state, .v = end->state + D};
  assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

/* Compares a column of all rows: those of the state with differences, and those of stops with the change of their
 * times. */
static void compare_column(SimProblem *p, double (*force)(int, double), double *control, double *number,
                           const SimDerivative *derivative, int column, int columns) {
  const double h = 1e-6, middle = *number;
  End ends[2];
  double error = 0, size = 1;
  for (int side = 0; side < 2; side++) {
    *number = middle + (side ? h : -h);
    end_of(p, force, control, &ends[side]);
  }
  *number = middle;
  for (int i = 0; i < 3 * D; i++) {
    double difference = 0, exact = i < 2 * D ? derivative->state[i * columns + column]
                                             : derivative->stop[(i - 2 * D) * columns + column];
    if (i < 2 * D)
      difference = (ends[1].state[i] - ends[0].state[i]) / (2 * h);
    else if (!isnan(derivative->stop_time[i - 2 * D]))
      difference = -derivative->stop_acceleration[i - 2 * D] *
                   (ends[1].stop_time[i - 2 * D] - ends[0].stop_time[i - 2 * D]) / (2 * h);
    error = fixture_max(error, fabs(difference - exact));
    size = fmax(size, fabs(difference));
  }
  assert_true(error <= 1e-7 * size);
}

/* Each column agrees within the accuracy of central differences. The motion and its stops have the same bits as without
 * derivatives. */
static void columns_are_differences(void **unused) {
  uint64_t seed = 5;
  int stops = 0;
  (void)unused;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    SimDependence on[7];
    double control[VARIABLES], state[2 * D * COLUMNS], stop[D * COLUMNS], stop_time[D], stop_acceleration[D],
        end[2 * D];
    SimDerivative derivative = {
        .state = state, .stop = stop, .stop_time = stop_time, .stop_acceleration = stop_acceleration};
    End plain;
    double (*force)(int, double) = k % 2 ? tangent_decaying : tangent_swinging;
    int n = tangent_numbers(k, on), column = 0;
    tangent_problem(&seed, k, "event", SEGMENTS, &p, control);
    sim_problem_set(&p, "tolerance", 1e-13);
    SimModel *model = fixture_model(&p, force, &work);
    SimFinal final = {.x = end, .v = end + D};
    assert_int_equal(stiction_sensitivity_create(model, n, on, &sensitivity), SIM_OK);
    assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, control, &final, &derivative), SIM_OK);
    assert_true(derivative.smooth);
    end_of(&p, force, control, &plain);
    assert_memory_equal(plain.state, end, sizeof end);
    for (int i = 0; i < D; i++) {
      assert_true(isnan(plain.stop_time[i]) ? isnan(stop_time[i]) : plain.stop_time[i] == stop_time[i]);
      stops += !isnan(stop_time[i]);
    }
    for (int i = 0; i < n; i++)
      for (int entry = 0; entry < (on[i] == SIM_ON_CONTROL ? p.segments * D : D); entry++, column++)
        compare_column(&p, force, control, tangent_number(&p, control, on[i], entry), &derivative, column,
                       stiction_sensitivity_columns(sensitivity));
    assert_int_equal(column, stiction_sensitivity_columns(sensitivity));
    stiction_sensitivity_destroy(sensitivity);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_true(stops > PROBLEMS / 2);
}

/* Computes derivatives of a problem with at most 2 dofs, without control, and clears it. */
typedef struct Derived {
  double state[2 * 2 * 2], stop[2 * 2], stop_time[2], stop_acceleration[2];
  bool smooth;
} Derived;

static Derived derive(SimProblem *p, double (*force)(int, double), SimDependence on) {
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  double x[2], v[2];
  SimFinal final = {.x = x, .v = v};
  Derived d = {0};
  SimDerivative derivative = {
      .state = d.state, .stop = d.stop, .stop_time = d.stop_time, .stop_acceleration = d.stop_acceleration};
  SimModel *model = fixture_model(p, force, &work);
  assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_OK);
  assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, NULL, &final, &derivative), SIM_OK);
  d.smooth = derivative.smooth;
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
  return d;
}

/* Blocks of mass 1 without friction. */
static void init_blocks(SimProblem *p, int d, double end) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  fixture_scheme(p, "event");
  fixture_time(p, end, 1);
  for (int i = 0; i < d; i++) p->system.mass[i * (d + 1)] = 1;
}

/* Two blocks come to rest at the same time. A derivative may not exist, and this is reported. A dof that has stopped
 * has a row of zeros. */
static void kinks_are_reported(void **state) {
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    SimProblem p;
    init_blocks(&p, 2, 2);
    p.friction[0] = p.friction[1] = p.v0[0] = 1;
    p.v0[1] = apart ? 0.5 : 1;
    Derived d = derive(&p, none, SIM_ON_VELOCITY);
    assert_int_equal(d.smooth, apart);
    /* the second block comes to rest, x(T) = x0 + v0^2/2 */
    if (apart) assert_true(fabs(d.state[3] - 0.5) < 1e-14 && d.state[1] == 0);
    for (int i = 4; i < 8; i++) assert_true(d.state[i] == 0);
    if (apart) assert_true(d.stop_time[1] == 0.5 && fabs(d.stop_acceleration[1] + 1) < 1e-15 && d.stop[3] == 1);
  }
}

/* v = (t - 1)^2 touches 0. If the block were slightly slower, it would stop for a while. */
static double reversing(int i, double t) {
  (void)i;
  return 2 * (t - 1) + 1;
}

static void touching_is_reported(void **state) {
  SimProblem p;
  (void)state;
  init_blocks(&p, 1, 2);
  p.friction[0] = p.v0[0] = 1;
  assert_false(derive(&p, reversing, SIM_ON_VELOCITY).smooth);
}

/* A mode of 1000 rad/s is at rest beside a moving one of 1 rad/s: x(T) = v0 sin(1000 T)/1000. */
static void modes_at_rest(void **state) {
  SimProblem p;
  (void)state;
  init_blocks(&p, 2, 3);
  p.system.stiffness[0] = p.x0[0] = 1;
  p.system.stiffness[3] = 1e6;
  Derived d = derive(&p, none, SIM_ON_VELOCITY);
  assert_true(d.smooth && isnan(d.stop_time[0]) && isnan(d.stop_time[1]));
  assert_true(fabs(d.state[3] - sin(3000) / 1000) < 1e-13 && fabs(d.state[7] - cos(3000)) < 1e-10);
}

/* The masses are coupled: x_2 + x_1/2 moves freely, and x_1 = sin(1000 T)/1000 for a velocity 1 of dof 1. */
static void coupled_modes_at_rest(void **state) {
  SimProblem p;
  (void)state;
  init_blocks(&p, 2, 3);
  p.system.mass[0] = p.system.mass[3] = 2;
  p.system.mass[1] = p.system.mass[2] = 1;
  p.system.stiffness[0] = 1.5e6;
  p.v0[1] = 1;
  Derived d = derive(&p, none, SIM_ON_VELOCITY);
  assert_true(fabs(d.state[0] - sin(3000) / 1000) < 1e-13);
  assert_true(fabs(d.state[2] - (3 - sin(3000) / 1000) / 2) < 1e-12);
}

/* The last segment counts wherever it begins, even if its beginning plus its length is not exactly T. A block slides
 * freely beside one that stops, so x(T) = v0 T. */
static void last_segment_counts(void **state) {
  enum { STOPS = 500 };
  (void)state;
  for (int k = 0; k < STOPS; k++) {
    SimProblem p;
    init_blocks(&p, 2, 1.3);
    p.friction[0] = p.v0[1] = 1;
    p.v0[0] = 0.25 + 0.05 * k / STOPS;
    Derived d = derive(&p, none, SIM_ON_VELOCITY);
    assert_true(d.smooth && fabs(d.state[3] - 1.3) < 1e-14);
  }
}

/* A block sticks. With a small initial velocity v0 it would move to x(T) = x0 + v0 |v0|/2, so its derivative is 0. If
 * the other block slips and stops later, this does not change. If the block itself slides again, its stop no longer
 * counts. */
static double pushing(int i, double t) { return i == 1 && t > 2 ? 3 : 0; }

static void rest_at_first(void **state) {
  (void)state;
  for (int again = 0; again < 2; again++) {
    SimProblem p;
    init_blocks(&p, 2, again ? 4 : 2);
    p.friction[0] = p.friction[1] = p.v0[1] = 1;
    Derived d = derive(&p, again ? pushing : none, SIM_ON_VELOCITY);
    assert_true(d.smooth && d.state[0] == 0 && d.state[4] == 0 && isnan(d.stop_time[0]));
    assert_true(again ? isnan(d.stop_time[1]) && d.stop[3] == 0 : d.stop_time[1] == 1 && d.stop[3] == 1);
  }
}

/* Derivatives of x(T) and v(T) of `d` identical uncoupled blocks by u and T: [2 d][d segments + 1], and of their
 * stops. */
enum { TOGETHER = 2, PIECES = 4, NUMBERS = TOGETHER * PIECES + 1 };
static void derive_together(int d, double end, const double *u, double *state, double *stop) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_END};
  double x[TOGETHER], v[TOGETHER], control[TOGETHER * PIECES], stop_time[TOGETHER], stop_acceleration[TOGETHER];
  SimProblem p;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  SimFinal final = {.x = x, .v = v};
  SimDerivative derivative = {
      .state = state, .stop = stop, .stop_time = stop_time, .stop_acceleration = stop_acceleration};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, d, d), SIM_OK);
  fixture_scheme(&p, "event");
  fixture_time(&p, end, PIECES);
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = PIECES;
  for (int i = 0; i < d; i++) {
    p.system.mass[i * (d + 1)] = p.friction[i] = p.control_matrix[i * (d + 1)] = 1;
    for (int k = 0; k < PIECES; k++) control[k * d + i] = u[k];
  }
  SimModel *model = fixture_model(&p, none, &work);
  assert_int_equal(stiction_sensitivity_create(model, 2, on, &sensitivity), SIM_OK);
  assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, control, &final, &derivative), SIM_OK);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* Blocks that do not act on each other stop at the same time: inside a segment, at its end, at T. Each has the
 * derivatives that it has alone. */
static void blocks_stop_together(void **unused) {
  static const struct {
    double end, u[PIECES];
  } cases[] = {{2, {2, -1, 2, 0}},           {2, {2, 0, 2, 0}},           {2, {2, -1, 2, -1}}, {2, {3, 2, -2, -2}},
               {2.7, {1.9, 1.4, 0.2, -0.3}}, {1.3, {2.3, -0.3, 1.7, 0.3}}};
  (void)unused;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    double both[2 * TOGETHER * NUMBERS], both_stop[TOGETHER * NUMBERS], one[2 * (PIECES + 1)], one_stop[PIECES + 1];
    derive_together(TOGETHER, cases[c].end, cases[c].u, both, both_stop);
    derive_together(1, cases[c].end, cases[c].u, one, one_stop);
    for (int i = 0; i < 3 * TOGETHER; i++)
      for (int k = 0; k < NUMBERS; k++) {
        int block = i % TOGETHER, row = i / TOGETHER, piece = k / TOGETHER;
        bool own = k == NUMBERS - 1 || k % TOGETHER == block;
        double expected = !own ? 0 : row < 2 ? one[row * (PIECES + 1) + piece] : one_stop[piece];
        double found = row < 2 ? both[i * NUMBERS + k] : both_stop[block * NUMBERS + k];
        if (!(fabs(found - expected) <= 1e-12))
          fail_msg("case %zu: row %d of block %d by number %d is %g (expected %g)", c, row, block, k, found, expected);
      }
  }
}

/* A scheme or model without such derivatives reports that it has none. With exact elastic steps there are none by M. */
static void others_say_so(void **state) {
  static const SimDependence none[] = {SIM_ON_BETA, SIM_ON_DAMPING, SIM_ON_MASS};
  SimSensitivity *sensitivity;
  (void)state;
  for (int k = 0; k < 3; k++) {
    SimProblem p;
    SimWorkspace *work;
    fixture_paper(&p, 1, k < 2 ? "event" : "lie", SIM_UNREGULARIZED, 10);
    if (k == 2) assert_int_equal(sim_problem_set(&p, "elastic", 1), SIM_OK);
    SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
    assert_int_equal(stiction_sensitivity_create(model, 1, &none[k], &sensitivity), SIM_BAD_PROBLEM);
    assert_null(sensitivity);
    assert_true(sim_scheme_differentiates(p.scheme, &p));
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_differences), cmocka_unit_test(kinks_are_reported),
                                     cmocka_unit_test(last_segment_counts),     cmocka_unit_test(touching_is_reported),
                                     cmocka_unit_test(modes_at_rest),           cmocka_unit_test(coupled_modes_at_rest),
                                     cmocka_unit_test(others_say_so),           cmocka_unit_test(rest_at_first),
                                     cmocka_unit_test(blocks_stop_together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
