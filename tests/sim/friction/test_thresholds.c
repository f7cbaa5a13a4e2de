/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests thresholds that depend on time, in every scheme: a closed form, and properties of any motion. */
#include "tests/sim/friction/string.h"
#include "tests/sim/tangent.h"

static const char *const all[] = {"moreau", "centered", "lie", "strang", "event"};
enum { ALL = sizeof all / sizeof *all, STEPPING = ALL - 1 };

static void set_thresholds(SimProblem *p, int columns, FixtureForce *course) {
  FixtureSource source = {course, p->by_direction ? 2 * columns : columns};
  const SimLoad load = {.context = &source, .at = fixture_force_at};
  double where;
  assert_int_equal(stiction_problem_set_thresholds(p, columns, &load, 0, NULL, &where), SIM_OK);
}

/* A closed form: a block of 1 kg is pushed by PUSH against the threshold 2 + sin t. It slides at once with v = t/2 +
 * cos t - 1, rests when that is 0, and slides again from t = 5 pi/6 on, where the threshold equals PUSH again.
 * ------------------------------------------- */

static const double PUSH = 2.5, END = 4;

static double push(int i, double t) {
  (void)i;
  (void)t;
  return PUSH;
}
static double pressed(int i, double t) {
  (void)i;
  return 2 + sin(t);
}

/* Returns the threshold of node i of a string at time t, N. */
static double gentle(int i, double t) { return 0.1 + 0.05 * sin(7 * t + i); }

static double first_stop(void) {
  double low = 0.5, high = 2;
  for (int k = 0; k < 100; k++) {
    double t = (low + high) / 2;
    *(t / 2 + cos(t) - 1 > 0 ? &low : &high) = t;
  }
  return low;
}
static double end_place(void) {
  double stop = first_stop(), t2 = 5 * FIXTURE_PI / 6, s = END - t2;
  return stop * stop / 4 + sin(stop) - stop + s * s / 4 + sin(END) - sin(t2) - s * cos(t2);
}

static void make_pressed(SimProblem *p, const char *scheme, long steps, bool ways) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(p, END, steps);
  fixture_scheme(p, scheme);
  p->system.mass[0] = 1;
  p->by_direction = ways;
  set_thresholds(p, 1, pressed);
}

typedef struct Seen {
  double stop, start, off, closure;
} Seen;

static void note_event(void *context, double t, int i, int slip) {
  Seen *seen = context;
  (void)i;
  if (slip == 0) seen->stop = t;
  if (slip != 0 && t > 0) seen->start = t;
}

static void note_step(void *context, const SimStep *step) {
  Seen *seen = context;
  const SimEnergy *e = step->energy;
  double lambda = step->slip[0] ? 1 : PUSH / pressed(0, step->t);
  if (step->n > 0) seen->off = fmax(seen->off, fabs(step->lambda[0] - lambda));
  seen->closure = fmax(seen->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
}

static void pressed_block(void **state) {
  (void)state;
  for (int ways = 0; ways < 2; ways++) { /* the thresholds have one function of time for both directions, or the same
                                          * function for each */
    SimProblem p;
    double x, v;
    Seen seen = {0};
    const SimObserver observer = {.context = &seen, .step = note_step, .event = note_event};
    make_pressed(&p, "event", 37, ways);
    assert_true(fabs(p.friction[0] - 3) < 1e-3);
    fixture_run(&p, push, NULL, &observer, &x, &v);
    assert_true(fabs(seen.stop - first_stop()) < 1e-9 && fabs(seen.start - 5 * FIXTURE_PI / 6) < 1e-9);
    assert_true(fabs(x - end_place()) < 1e-9 && seen.off < 1e-9 && seen.closure < 1e-9);
    for (int k = 0; k < STEPPING; k++) {
      double error[2];
      for (int fine = 0; fine < 2; fine++) {
        make_pressed(&p, all[k], fine ? 4000 : 500, ways);
        seen = (Seen){0};
        fixture_run(&p, push, NULL, &observer, &x, &v);
        assert_true(seen.closure < 1e-10);
        error[fine] = fabs(x - end_place());
      }
      assert_true(error[1] < 2e-3 && error[1] < 0.3 * error[0]);
    }
  }
}

/* Any motion ------------------------------------------------------------------------------------------------------ */

static const SimProblem *scaled;

/* Returns a threshold at time t, N. i: of the 2 D thresholds, the first D are forward, the next D backward. */
static double waving(int i, double t) {
  return scaled->friction[i % D] * (1 + 0.5 * sin(2 * t + i) * (i < D ? 1 : -0.7));
}
static double steady(int i, double t) {
  (void)t;
  return scaled->friction[i];
}

static void make_any(SimProblem *p, int k, const char *scheme, long steps, double *control, FixtureForce *course) {
  uint64_t seed = (uint64_t)k + 11;
  double friction[D];
  tangent_problem(&seed, k, scheme, steps, p, control);
  p->signal = SIM_CONSTANT;
  p->segments = 1;
  p->by_direction = course == waving && k % 2;
  memcpy(friction, p->friction, sizeof friction);
  const SimProblem as_it_was = {.friction = friction};
  scaled = &as_it_was;
  set_thresholds(p, D, course);
}

/* Variants of each case: all schemes, the regularized law, and a gear box. */
enum { REGULARIZED = ALL, GEARED, VARIANTS };
static const char *scheme_of(int variant) {
  return variant < ALL ? all[variant] : variant == GEARED ? "lie" : "centered";
}

static void take_variant(SimProblem *p, int variant) {
  if (variant == REGULARIZED) assert_int_equal(sim_problem_set(p, "multiplier", SIM_REGULARIZED), SIM_OK);
  if (variant != GEARED) return;
  SimGearbox *g = &p->system.gearbox;
  g->present = true;
  g->law = SIM_STRIBECK_SQRT;
  for (int i = 0; i < D; i++) {
    g->delta[i] = g->k[i] = i - 1;
    g->a[i] = g->beta[i] = g->epsilon[i] = 0.5;
    g->b[i] = 1.5;
  }
}

/* Thresholds that are declared as functions of time but are constant give the motion of constant thresholds. */
static void steady_is_constant(void **state) {
  (void)state;
  for (int k = 0; k < 4 * VARIANTS; k++) {
    SimProblem p[2];
    double control[VARIABLES], x[2][D], v[2][D];
    uint64_t seed = (uint64_t)(k / VARIANTS) + 11;
    const char *scheme = scheme_of(k % VARIANTS);
    tangent_problem(&seed, k / VARIANTS, scheme, 150, &p[0], control);
    p[0].signal = SIM_CONSTANT;
    p[0].segments = 1;
    p[0].by_direction = false;
    make_any(&p[1], k / VARIANTS, scheme, 150, control, steady);
    for (int q = 0; q < 2; q++) take_variant(&p[q], k % VARIANTS);
    for (int q = 0; q < 2; q++) fixture_run(&p[q], tangent_swinging, control, NULL, x[q], v[q]);
    for (int i = 0; i < D; i++) assert_true(fabs(x[0][i] - x[1][i]) < 1e-9 && fabs(v[0][i] - v[1][i]) < 1e-7);
  }
}

/* Every scheme converges to the motion by `event`, for any law. */
static void steps_come_nearer(void **state) {
  (void)state;
  double far[STEPPING][2] = {{0}};
  for (int k = 0; k < 6; k++) {
    double exact[D], x[D], v[D], control[VARIABLES];
    SimProblem p;
    make_any(&p, k, "event", 10, control, waving);
    fixture_run(&p, tangent_swinging, control, NULL, exact, v);
    for (int q = 0; q < 2 * STEPPING; q++) {
      make_any(&p, k, all[q / 2], q % 2 ? 2400 : 400, control, waving);
      fixture_run(&p, tangent_swinging, control, NULL, x, v);
      for (int i = 0; i < D; i++) far[q / 2][q % 2] += fabs(x[i] - exact[i]);
    }
  }
  for (int q = 0; q < STEPPING; q++) assert_true(far[q][1] < 0.3 * far[q][0] && far[q][1] < 0.1);
}

/* Compares derivatives of all schemes with central differences. Adjoint ones equal forward ones. */
static void derivatives_agree(void **state) {
  (void)state;
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_VELOCITY};
  const double h = 1e-5;
  static const int variants[] = {0, ALL - 1, 1, REGULARIZED, 2, 3};
  for (int k = 0; k < 36; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    SimAdjoint *adjoint;
    double control[VARIABLES], rows[3 * D * 2 * D], rest[4 * D], x[2][D], v[2][D], gradient[2 * D],
        weights[3 * D] = {1};
    int variant = variants[k % 6];
    SimDerivative out = {rows, rows + 2 * D * 2 * D, rest, rest + D, false};
    SimFinal final = {.x = rest + 2 * D, .v = rest + 3 * D};
    make_any(&p, k / 6, scheme_of(variant), 300, control, waving);
    take_variant(&p, variant);
    SimModel *model = fixture_model(&p, tangent_swinging, &work);
    assert_int_equal(stiction_sensitivity_create(model, 2, on, &sensitivity), SIM_OK);
    assert_int_equal(sim_adjoint_create(model, 2, on, &adjoint), SIM_OK);
    assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, control, &final, &out), SIM_OK);
    assert_int_equal(sim_rollout_record(model, work, adjoint, control, &final), SIM_OK);
    assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, gradient), SIM_OK);
    for (int c = 0; c < 2 * D; c++) assert_true(fabs(gradient[c] - rows[c]) <= 1e-9 * (1 + fabs(rows[c])));
    for (int side = 0; side < 2; side++) {
      SimFinal end = {.x = x[side], .v = v[side]};
      control[0] += side ? 2 * h : -h;
      assert_int_equal(stiction_rollout(model, work, control, NULL, &end), SIM_OK);
    }
    for (int i = 0; i < D && variant >= ALL - 1; i++) /* derivatives by other schemes jump where a dof sticks a step
                                                       * earlier */
      assert_true(fabs((x[1][i] - x[0][i]) / (2 * h) - rows[i * 2 * D]) < 1e-4);
    const SimDependence friction = SIM_ON_FRICTION;
    SimSensitivity *none;
    assert_int_equal(stiction_sensitivity_create(model, 1, &friction, &none), SIM_BAD_PROBLEM);
    sim_adjoint_destroy(adjoint);
    stiction_sensitivity_destroy(sensitivity);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

static double too_small(int i, double t) {
  (void)i;
  return 1 - t;
}

/* Makes a string with a friction table, with sparse and with dense storage. */
static void make_string(SimProblem *p, SimProblem *dense, const char *scheme, bool ways) {
  enum { NODES = 5 };
  const double ones[NODES + 1] = {1, 1, 1, 1, 1, 1}, speed[] = {0, 0.1, 0.5}, friction[] = {4, 2, 3};
  long where;
  assert_int_equal(sim_problem_init_sparse(p, NULL, NODES, 0, NODES, 1), SIM_OK);
  assert_int_equal(sim_string_fill(p, 1, ones, ones, ones), SIM_OK);
  for (int i = 0; i < NODES; i++) {
    p->x0[i] = 0.3 * sin(FIXTURE_PI * (i + 1) / (NODES + 1));
    p->control_matrix[i] = i == 1;
  }
  fixture_time(p, 2, 400);
  fixture_scheme(p, scheme);
  string_dense(dense, p);
  for (int q = 0; q < 2; q++) {
    SimProblem *one = q ? p : dense;
    one->by_direction = ways;
    assert_int_equal(stiction_problem_set_friction_table(one, 3, 1, speed, friction, &where), SIM_OK);
    set_thresholds(one, 1, gentle);
  }
}

static void sparse_is_dense(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    SimProblem problems[2];
    double x[2][5], v[2][5], u = 0.3, moved = 0;
    make_string(&problems[0], &problems[1], k % 2 ? "centered" : "moreau", k / 2);
    for (int q = 0; q < 2; q++) fixture_run(&problems[q], fixture_no_force, &u, NULL, x[q], v[q]);
    for (int i = 0; i < 5; i++) {
      assert_true(fabs(x[0][i] - x[1][i]) < 1e-11 && fabs(v[0][i] - v[1][i]) < 1e-11);
      moved = fmax(moved, fabs(x[0][i] - 0.3 * sin(FIXTURE_PI * (i + 1) / 6)));
    }
    assert_true(moved > 0.01);
  }
}

static void below_zero_is_refused(void **state) {
  (void)state;
  SimProblem p;
  double where;
  FixtureSource source = {too_small, 1};
  const SimLoad load = {.context = &source, .at = fixture_force_at};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(&p, 2, 10);
  assert_int_equal(stiction_problem_set_thresholds(&p, 1, &load, 0, NULL, &where), SIM_BAD_PROBLEM);
  assert_true(where > 1 && where < 1.2 && !p.thresholds);
  sim_problem_clear(&p);
}

static double grows(int i, double t) { return i + t; }
static double one_newton(int i, double t) { return 1 + 0 * (i + t); }

/* With c = t, v = t - t^2/2 until it is 0 at 2 s. Then the block sticks. */
static void zero_is_no_mistake(void **state) {
  (void)state;
  static const char *const schemes[] = {"event", "moreau"};
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimWorkspace *work;
    double where, x, v;
    FixtureSource source = {grows, 1};
    const SimLoad load = {.context = &source, .at = fixture_force_at};
    SimFinal final = {.x = &x, .v = &v};
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
    p.system.mass[0] = 1;
    fixture_time(&p, 3, 3000);
    fixture_scheme(&p, schemes[k]);
    assert_int_equal(stiction_problem_set_thresholds(&p, 1, &load, 0, NULL, &where), SIM_OK);
    SimModel *model = fixture_model(&p, one_newton, &work);
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
    assert_true(v == 0 && fabs(x - 2.0 / 3) < (k ? 2e-3 : 1e-12));
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pressed_block),      cmocka_unit_test(steady_is_constant),
      cmocka_unit_test(steps_come_nearer),  cmocka_unit_test(derivatives_agree),
      cmocka_unit_test(sparse_is_dense),    cmocka_unit_test(below_zero_is_refused),
      cmocka_unit_test(zero_is_no_mistake),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
