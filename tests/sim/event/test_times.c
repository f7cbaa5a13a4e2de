/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives by T and by the lengths of a control's segments with central differences of motions with stick,
 * slip and stops. */
#include "tests/sim/tangent.h"

#include <math.h>
#include <string.h>

enum { PROBLEMS = 48, TIMES = SEGMENTS + 1 };

static double constant(int i, double t) {
  (void)t;
  return 1.5 - i;
}

static double none(int i, double t) {
  (void)i;
  (void)t;
  return 0;
}

/* State at T. Also, for dofs that have slid and stick at T, the time since they stopped. */
typedef struct End {
  double state[2 * D], rest[D];
} End;

static void see_step(void *context, const SimStep *step) {
  (void)context;
  (void)step;
}

static void see_event(void *context, double t, int dof, int slip) {
  End *end = context;
  if (slip >= -1 && slip <= 1) end->rest[dof] = slip == 0 && t > 0 ? t : NAN;
}

/* Makes T, or one of unequal segments, longer by `longer`. */
static void move_time(SimProblem *p, const double *lengths, int segment, double longer) {
  double moved[SEGMENTS], end = 0;
  for (int k = 0; k < SEGMENTS; k++) end += lengths[k];
  for (int k = 0; k < SEGMENTS; k++)
    moved[k] = segment < 0 ? lengths[k] * (1 + longer / end) : lengths[k] + (k == segment ? longer : 0);
  if (p->start_count)
    assert_int_equal(sim_problem_set_lengths(p, moved), SIM_OK);
  else
    fixture_time(p, end + longer, SEGMENTS);
}

static void end_of(SimProblem *p, FixtureForce *force, const double *control, End *end) {
  SimWorkspace *work;
  const SimObserver observer = {.context = end, .step = see_step, .event = see_event};
  SimModel *model = fixture_model(p, force, &work);
  SimFinal final = {.x = end->state, .v = end->state + D};
  assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
  for (int i = 0; i < D; i++) end->rest[i] = p->end - end->rest[i];
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

static void compare(SimProblem *p, FixtureForce *force, const double *control, const double *lengths, int segment,
                    const SimDerivative *derivative, int column, int columns) {
  const double h = 1e-6;
  End ends[2];
  double error = 0, size = 1;
  for (int side = 0; side < 2; side++) {
    move_time(p, lengths, segment, side ? h : -h);
    end_of(p, force, control, &ends[side]);
  }
  move_time(p, lengths, 0, 0);
  for (int i = 0; i < 3 * D; i++) {
    bool state = i < 2 * D;
    double difference = 0,
           exact = state ? derivative->state[i * columns + column] : derivative->stop[(i - 2 * D) * columns + column];
    if (state)
      difference = (ends[1].state[i] - ends[0].state[i]) / (2 * h);
    else if (!isnan(derivative->stop_time[i - 2 * D]))
      difference =
          derivative->stop_acceleration[i - 2 * D] * (ends[1].rest[i - 2 * D] - ends[0].rest[i - 2 * D]) / (2 * h);
    error = fixture_max(error, fabs(difference - exact));
    size = fmax(size, fabs(difference));
  }
  assert_true(error <= 1e-7 * size);
}

/* Compares columns with differences for all signals, laws and matrices, with stops and with segments of equal and
 * unequal lengths. */
static void columns_are_differences(void **unused) {
  static const SimDependence on[] = {SIM_ON_END, SIM_ON_CONTROL, SIM_ON_LENGTH};
  uint64_t seed = 7;
  int stops = 0, impacts = 0;
  (void)unused;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    double control[VARIABLES], lengths[SEGMENTS] = {1.25, 1.25, 1.25, 1.25}, end[2 * D];
    double state[2 * D * (VARIABLES + TIMES)], stop[D * (VARIABLES + TIMES)], stop_time[D], stop_acceleration[D];
    SimDerivative derivative = {
        .state = state, .stop = stop, .stop_time = stop_time, .stop_acceleration = stop_acceleration};
    tangent_problem(&seed, k, "event", SEGMENTS, &p, control);
    sim_problem_set(&p, "tolerance", 1e-13);
    if (k % 5 == 3 && p.system.stribeck == SIM_STRIBECK_NONE) {
      p.stops.present = true;
      for (int i = 0; i < D; i++) {
        p.stops.upper[i] = 1.2;
        p.stops.lower[i] = -1.2;
        p.stops.stiffness[i] = NAN;
        p.stops.restitution[i] = 0.4;
      }
    }
    FixtureForce *const forces[] = {constant, tangent_swinging, tangent_decaying}, *force = forces[k / 4 % 3];
    bool segmented = p.signal != SIM_CONSTANT, own = segmented && k % 3;
    for (int q = 0; q < SEGMENTS && own; q++) lengths[q] = 1.2 + 0.5 * fixture_random(&seed);
    if (own) assert_int_equal(sim_problem_set_lengths(&p, lengths), SIM_OK);
    SimModel *model = fixture_model(&p, force, &work);
    SimFinal final = {.x = end, .v = end + D};
    assert_int_equal(stiction_sensitivity_create(model, segmented ? 3 : 2, on, &sensitivity), SIM_OK);
    assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, control, &final, &derivative), SIM_OK);
    assert_true(derivative.smooth);
    impacts += final.impacts > 0;
    int columns = stiction_sensitivity_columns(sensitivity);
    for (int i = 0; i < D; i++) stops += !isnan(stop_time[i]);
    compare(&p, force, control, lengths, -1, &derivative, 0, columns);
    for (int q = 0; q < SEGMENTS && own; q++)
      compare(&p, force, control, lengths, q, &derivative, columns - SEGMENTS + q, columns);
    for (int i = 0; i < 2 * D && segmented; i++) { /* T is the sum of all lengths */
      double sum = 0, total = 0;
      for (int q = 0; q < SEGMENTS; q++) sum += lengths[q] * state[i * columns + columns - SEGMENTS + q];
      for (int q = 0; q < SEGMENTS; q++) total += lengths[q];
      assert_true(fabs(sum - total * state[i * columns]) <= 1e-9 * (1 + fabs(sum)));
    }
    stiction_sensitivity_destroy(sensitivity);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_true(stops > PROBLEMS / 2 && impacts > 0);
}

/* Lengths that are all T/S give the same motion as no lengths, and a copy keeps lengths. */
static void equal_lengths_change_nothing(void **unused) {
  uint64_t seed = 3;
  (void)unused;
  for (int k = 1; k < 3; k++) {
    SimProblem p, copy;
    double control[VARIABLES];
    const double equal[SEGMENTS] = {1.25, 1.25, 1.25, 1.25};
    End plain, lengths, copied;
    tangent_problem(&seed, k, "event", SEGMENTS, &p, control);
    end_of(&p, constant, control, &plain);
    assert_int_equal(sim_problem_set_lengths(&p, equal), SIM_OK);
    end_of(&p, constant, control, &lengths);
    assert_memory_equal(&plain, &lengths, sizeof plain);
    assert_int_equal(sim_problem_copy(&p, &copy), SIM_OK);
    end_of(&copy, constant, control, &copied);
    assert_memory_equal(&plain, &copied, sizeof plain);
    sim_problem_clear(&copy);
    sim_problem_clear(&p);
  }
}

/* A force that is 0 until some time, then 0.5. */
static void jump(void *context, double t, double *f) { f[0] = t < *(const double *)context ? 0 : 0.5; }

/* A block of mass 1 and friction 1; the control has segments of 0.4 s and 0.5 s. */
static void block(SimProblem *p) {
  const double h[] = {0.4, 0.5};
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 1), SIM_OK);
  fixture_scheme(p, "event");
  p->system.mass[0] = p->friction[0] = 1;
  p->signal = SIM_PIECEWISE_CONSTANT;
  p->segments = 2;
  p->steps = 2;
  assert_int_equal(sim_problem_set_lengths(p, h), SIM_OK);
}

/* From rest, u = 3 and then 0 give x(T) = (2 h1^2 + 2 h1 h2 2 - h2^2)/2. */
static void a_block_by_its_lengths(void **unused) {
  static const SimDependence on = SIM_ON_LENGTH;
  SimProblem p;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  const double u[] = {3, 0}, h[] = {0.4, 0.5};
  double x, v, state[4], stop[2], stop_time, acceleration;
  SimFinal final = {.x = &x, .v = &v};
  SimDerivative derivative = {
      .state = state, .stop = stop, .stop_time = &stop_time, .stop_acceleration = &acceleration};
  (void)unused;
  block(&p);
  assert_true(p.end == 0.9);
  SimModel *model = fixture_model(&p, none, &work);
  assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_OK);
  assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, u, &final, &derivative), SIM_OK);
  assert_true(fabs(x - (h[0] * h[0] + 2 * h[0] * h[1] - h[1] * h[1] / 2)) < 1e-14);
  assert_true(fabs(state[0] - (2 * h[0] + 2 * h[1])) < 1e-14 && fabs(state[1] - (2 * h[0] - h[1])) < 1e-14);
  assert_true(fabs(state[2] - 2) < 1e-14 && fabs(state[3] + 1) < 1e-14);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* A force jumps at the fixed time 0.6 s, with u = 3 and then 0. */
static void a_jump_at_a_fixed_time(void **unused) {
  static const SimDependence on = SIM_ON_LENGTH;
  SimProblem p;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  const double u[] = {3, 0}, at = 0.6;
  double x, v, where, state[4], stop[2], stop_time, acceleration;
  SimFinal final = {.x = &x, .v = &v};
  SimDerivative derivative = {
      .state = state, .stop = stop, .stop_time = &stop_time, .stop_acceleration = &acceleration};
  const SimLoad load = {.context = (void *)&at, .at = jump};
  (void)unused;
  block(&p);
  SimReport report = {NULL, fixture_complain};
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_OK);
  assert_int_equal(stiction_problem_set_pieces(&p, &load, 1, &at, &where), SIM_OK);
  SimModel *model;
  assert_int_equal(stiction_model_create(&p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_OK);
  assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, u, &final, &derivative), SIM_OK);
  /* The acceleration v' is 2 until h1, -1 until 0.6 s, and -0.5 until T = h1 + h2. */
  assert_true(fabs(v - (0.8 - 0.2 - 0.15)) < 1e-14);
  assert_true(fabs(state[2] - 2.5) < 1e-13 && fabs(state[3] + 0.5) < 1e-13);
  /* x(T) = h1^2 + 2 h1 s - s^2/2 + (2 h1 - s) r - r^2/4, with s = 0.6 - h1, r = T - 0.6. */
  double h1 = 0.4, s = 0.2, r = 0.3, of_s = 2 * h1 - s - r, of_r = 2 * h1 - s - r / 2;
  assert_true(fabs(state[0] - (2 * h1 + 2 * s + 2 * r - of_s + of_r)) < 1e-13 && fabs(state[1] - of_r) < 1e-13);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

static void keep(void *context, const char *key, const char *text) {
  (void)key;
  (void)snprintf(context, 200, "%s", text);
}

static void refused(SimProblem *p, FixtureForce *force, SimDependence on, const char *part) {
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  SimModel *model = fixture_model(p, force, &work);
  assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_BAD_PROBLEM);
  assert_non_null(sim_dependence_refused(model, on));
  assert_non_null(strstr(sim_dependence_refused(model, on), part));
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

static void others_are_refused(void **unused) {
  const double lengths[SEGMENTS] = {1, 2, 1, 1};
  double control[VARIABLES];
  char text[200] = "";
  const SimReport report = {text, keep};
  uint64_t seed = 3;
  SimProblem p;
  SimAdjoint *adjoint;
  SimWorkspace *work;
  const SimDependence on = SIM_ON_END;
  (void)unused;
  tangent_problem(&seed, 1, "moreau", 100, &p, control);
  refused(&p, tangent_decaying, SIM_ON_END, "expected event");
  tangent_problem(&seed, 0, "event", 100, &p, control);
  refused(&p, constant, SIM_ON_LENGTH, "the control is constant");
  tangent_problem(&seed, 1, "moreau", 100, &p, control);
  assert_int_equal(sim_problem_set_lengths(&p, lengths), SIM_OK);
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_BAD_PROBLEM);
  assert_non_null(strstr(text, "expected event"));
  sim_problem_clear(&p);
  tangent_problem(&seed, 1, "event", 100, &p, control);
  assert_int_equal(sim_problem_set_lengths(&p, lengths), SIM_OK);
  p.end *= 2;
  p.step *= 2;
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_BAD_PROBLEM);
  assert_int_equal(sim_problem_set_lengths(&p, NULL), SIM_OK);
  assert_int_equal(sim_problem_set_lengths(&p, (double[]){1, 0, 1, 1}), SIM_BAD_ARGUMENT);
  SimModel *model = fixture_model(&p, constant, &work);
  assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_BAD_PROBLEM);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_differences),
                                     cmocka_unit_test(equal_lengths_change_nothing),
                                     cmocka_unit_test(a_block_by_its_lengths), cmocka_unit_test(a_jump_at_a_fixed_time),
                                     cmocka_unit_test(others_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
