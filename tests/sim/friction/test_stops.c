/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests stops, with the schemes that support rigid ones: closed forms and limits. */
#include "tests/sim/stops.h"

static const double GRAVITY = 9.81;

static double gravity(int i, double t) {
  (void)i;
  (void)t;
  return -GRAVITY;
}

/* Makes d free masses of 1 kg with a scheme. There are stops, but they are never reached. */
static void begin(SimProblem *p, int d, const char *scheme, double end, long steps) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, d), SIM_OK);
  fixture_scheme(p, scheme);
  fixture_time(p, end, steps);
  for (int i = 0; i < d; i++) p->system.mass[i * (d + 1)] = 1;
  stops_none(p);
}

static void assert_near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g to %g", a, b, tolerance);
}

/* Returns the position at t of a ball that has fallen from 1 m, e < 1. *bounces: number so far. */
static double ball(double e, double t, double *speed, int *bounces) {
  double fall = sqrt(2 / GRAVITY), at = fall, v = GRAVITY * fall * e;
  *bounces = 0;
  *speed = -GRAVITY * t;
  if (t < fall) return 1 - GRAVITY * t * t / 2;
  for (;; ++*bounces, at += 2 * v / GRAVITY, v *= e) {
    if (t >= fall * (1 + e) / (1 - e)) return *speed = 0;
    if (t >= at + 2 * v / GRAVITY) continue;
    ++*bounces;
    *speed = v - GRAVITY * (t - at);
    return (t - at) * (v + *speed) / 2;
  }
}

static SimFinal drop(const char *scheme, double e, double end, long steps, double *x, double *v, Seen *seen) {
  SimProblem p;
  SimFinal final;
  begin(&p, 1, scheme, end, steps);
  p.stops.lower[0] = 0;
  p.stops.restitution[0] = e;
  p.x0[0] = 1;
  *seen = stops_run(&p, gravity, NULL, x, v, &final);
  sim_problem_clear(&p);
  return final;
}

static void test_ball(void **state) {
  (void)state;
  static const double parts[] = {0.5, 0.9, 1.3, 2.1};
  Seen seen;
  double x, v, speed;
  int bounces;
  for (double e = 0; e < 1; e += 0.3)
    for (int k = 0; k < 4; k++) {
      double t = parts[k] * sqrt(2 / GRAVITY), place = ball(e, t, &speed, &bounces);
      SimFinal final = drop("event", e, t, 10, &x, &v, &seen);
      assert_near(x, place, 1e-12);
      assert_near(v, speed, 1e-11);
      if (v != 0) assert_int_equal(final.impacts, bounces);
    }
  double limit = sqrt(2 / GRAVITY) * 1.8 / 0.2;
  SimFinal final = drop("event", 0.8, limit * 1.01, 10, &x, &v, &seen);
  assert_true(x == 0 && v == 0);
  assert_int_equal(final.settled, 1);
  assert_in_range(final.impacts, 100, 110); /* the expected number of impacts is ln(1e-10)/ln(0.8) = 103 */
  assert_near(seen.impacts, GRAVITY, 1e-8);
  assert_near(seen.reaction[0], GRAVITY, 1e-12);
  drop("event", 0.8, limit * 0.9999, 10, &x, &v, &seen);
  assert_near(x, ball(0.8, limit * 0.9999, &speed, &bounces), 1e-12);
  assert_true(v != 0);
}

static void test_ball_by_steps(void **state) {
  (void)state;
  Seen seen;
  double x, v, speed, t = 3.1 * sqrt(2 / GRAVITY), last = INFINITY;
  int bounces;
  double place = ball(0.8, t, &speed, &bounces);
  for (long steps = 125; steps <= 2000; steps *= 4) {
    SimFinal final = drop("moreau", 0.8, t, steps, &x, &v, &seen);
    double error = fabs(x - place) + fabs(v - speed);
    assert_true(error < last / 3); /* a scheme of first order would reduce the error to a quarter */
    assert_int_equal(final.impacts, bounces);
    last = error;
  }
  assert_true(last < 1e-3);
  SimFinal final = drop("moreau", 0.8, 5, 5000, &x, &v, &seen);
  assert_true(x == 0 && v == 0);
  assert_int_equal(final.settled, 1);
  assert_near(seen.reaction[0], GRAVITY, 1e-12);
  assert_near(seen.impacts, GRAVITY, 0.02);
}

/* The splitting schemes are of first order here, but not regularly. */
static void test_ball_by_splitting(void **state) {
  (void)state;
  static const char *const schemes[] = {"lie", "strang"};
  Seen seen;
  double x, v, speed, t = 3.1 * sqrt(2 / GRAVITY);
  int bounces;
  double place = ball(0.8, t, &speed, &bounces);
  for (int q = 0; q < 2; q++) {
    for (long steps = 1000; steps <= 64000; steps *= 8) {
      SimFinal final = drop(schemes[q], 0.8, t, steps, &x, &v, &seen);
      assert_near(x, place, 10 * t / (double)steps);
      assert_near(v, speed, 30 * t / (double)steps);
      assert_int_equal(final.impacts, bounces);
    }
    SimFinal final = drop(schemes[q], 0.8, 5, 5000, &x, &v, &seen);
    assert_true(x == 0 && v == 0);
    assert_int_equal(final.settled, 1);
    assert_in_range(final.impacts, 10, 40);
    assert_near(seen.reaction[0], GRAVITY, 1e-9);
    assert_near(seen.impacts, GRAVITY, 0.1);
  }
}

/* Computes d(x, v)/dx0 of the ball after some bounces by a scheme. The adjoint must be the same. */
static void ball_derivative(const char *scheme, double t, long steps, double *rows) {
  const SimDependence on = SIM_ON_POSITION;
  SimProblem p;
  Both b;
  begin(&p, 1, scheme, t, steps);
  p.stops.lower[0] = 0;
  p.stops.restitution[0] = 0.8;
  p.x0[0] = 1;
  adjoint_begin(&p, gravity, NULL, 1, &on, &b);
  memcpy(rows, b.rows, 2 * sizeof *rows);
  adjoint_record(&b, NULL);
  assert_true(adjoint_worst_error(&b) < 1e-9);
  adjoint_end(&b);
  sim_problem_clear(&p);
}

/* Derivatives of motions by steps converge to those of the exact motion. */
static void test_derivative_by_steps(void **state) {
  (void)state;
  const double t = 3.1 * sqrt(2 / GRAVITY);
  double exact[2], rows[2];
  ball_derivative("event", t, 10, exact);
  for (long steps = 125; steps <= 32000; steps *= 4) {
    ball_derivative("moreau", t, steps, rows); /* first order, which depends on where impacts lie within steps */
    assert_true(fabs(rows[0] - exact[0]) + fabs(rows[1] - exact[1]) < 20 * t / (double)steps);
  }
}

/* A block of 2 kg slides at 2 m/s with 3 N of friction into a wall at 0.5 m, and is pressed against it with 5 N. */
static double press(int i, double t) {
  (void)i;
  return t < 0.5 ? 0 : 5;
}

static void test_block(void **state) {
  (void)state;
  static const char *const schemes[] = {"event", "moreau"};
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimFinal final;
    double x, v;
    begin(&p, 1, schemes[k], 1, 1000);
    p.system.mass[0] = 2;
    p.friction[0] = 3;
    p.v0[0] = 2;
    p.stops.upper[0] = 0.5;
    Seen seen = stops_run(&p, press, NULL, &x, &v, &final);
    assert_true(x == 0.5 && v == 0);
    assert_near(seen.reaction[0], -2, 1e-12); /* friction balances 3 N of the 5 N */
    assert_near(seen.impacts, 4 - 3 * 0.5, k ? 0.02 : 1e-12);
    sim_problem_clear(&p);
  }
}

/* Two masses joined by a spring move at 1 m/s. The first hits a wall at 0.2 m with e = 1. Then their centre moves with
 * (m2 - m1)/(m1 + m2), and their distance oscillates, until the first returns. */
static void test_two_masses(void **state) {
  (void)state;
  static const char *const schemes[] = {"event", "moreau"};
  const double m[] = {1, 3}, k = 50, centre = (m[1] - m[0]) / (m[0] + m[1]), reduced = 0.75, omega = sqrt(k / reduced);
  for (int q = 0; q < 2; q++) {
    SimProblem p;
    SimFinal final;
    double x[2], v[2], t = 0.1, end = 0.2 + t;
    begin(&p, 2, schemes[q], end, 3000);
    for (int i = 0; i < 2; i++) {
      p.system.mass[3 * i] = m[i];
      p.v0[i] = 1;
      for (int j = 0; j < 2; j++) p.system.stiffness[2 * i + j] = i == j ? k : -k;
    }
    p.stops.upper[0] = 0.2;
    p.stops.restitution[0] = 1;
    Seen seen = stops_run(&p, fixture_no_force, NULL, x, v, &final);
    double apart = 2 / omega * sin(omega * t), middle = 0.2 + centre * t;
    assert_near(x[0], middle - m[1] / 4 * apart, q ? 1e-5 : 1e-13);
    assert_near(x[1], middle + m[0] / 4 * apart, q ? 1e-5 : 1e-13);
    assert_near((m[0] * v[0] + m[1] * v[1]) / 4, centre, q ? 1e-6 : 1e-12);
    assert_near(seen.impacts, 0, 1e-12);
    assert_int_equal(final.impacts, 1);
    sim_problem_clear(&p);
  }
}

/* With a full mass matrix the impulse acts in the row of the dof that hits its stop. The other dofs, also those that
 * stick, change their velocity as well. */
static void test_coupled_impact(void **state) {
  (void)state;
  static const char *const schemes[] = {"event", "moreau", "lie", "strang"};
  for (int q = 0; q < 4; q++) {
    SimProblem p;
    SimFinal final;
    double x[3], v[3];
    begin(&p, 3, schemes[q], 0.5, 500);
    const double mass[] = {2, 0.5, 0.3, 0.5, 1, 0, 0.3, 0, 1};
    memcpy(p.system.mass, mass, sizeof mass);
    p.v0[0] = 1;
    p.v0[1] = 0.2;
    p.stops.upper[0] = 0.3;
    p.stops.restitution[0] = 0.5;
    p.stops.lower[2] = 0; /* the third dof is at its stop and moves away, so p = 0 in its row */
    Seen seen = stops_run(&p, fixture_no_force, NULL, x, v, &final);
    const double after[] = {-0.5, 0.2 + 0.5 * 1.5, 0.3 * 1.5};
    for (int i = 0; i < 3; i++) assert_near(v[i], after[i], 1e-12);
    assert_near(x[0], 0.3 - 0.5 * 0.2, q ? 1e-3 : 1e-12);
    assert_near(x[2], 0.2 * after[2], q ? 1e-3 : 1e-12);
    assert_near(seen.impacts, 0.5 * (2 - 0.25 - 0.09) * (1 - 0.25), q ? 1e-3 : 1e-12);
    sim_problem_clear(&p);
  }
}

/* A mass hits a stop at 0.1 m at 1 m/s and rebounds. The stop has stiffness k or, for NAN, is rigid. The contact lasts
 * pi/sqrt(k) s. */
static double rebound(const char *scheme, double k, double end, long steps, double *v, Seen *seen) {
  SimProblem p;
  SimFinal final;
  double x;
  begin(&p, 1, scheme, end, steps);
  p.v0[0] = 1;
  p.stops.upper[0] = 0.1;
  p.stops.stiffness[0] = k;
  p.stops.restitution[0] = isnan(k);
  *seen = stops_run(&p, fixture_no_force, NULL, &x, v, &final);
  sim_problem_clear(&p);
  return x;
}

static void test_elastic(void **state) {
  (void)state;
  double v, there = FIXTURE_PI / 20, last = INFINITY;
  Seen seen;
  assert_near(rebound("event", 400, 0.15 + there, 40, &v, &seen), 0.05, 1e-12);
  assert_near(v, -1, 1e-12);
  rebound("event", 400, 0.1 + there / 2, 40, &v, &seen); /* at this time the stop has its largest compression */
  assert_near(seen.reaction[0], -20, 1e-10);
  for (long steps = 200; steps <= 3200; steps *= 4) {
    double error = fabs(rebound("moreau", 400, 0.15 + there, steps, &v, &seen) - 0.05) + fabs(v + 1);
    assert_true(error < last / 3);
    last = error;
  }
  /* stiff stops tend to this limit, with order 1/2 in 1/k */
  double rigid = rebound("event", NAN, 0.4, 40, &v, &seen), far[3];
  for (int q = 0; q < 3; q++) far[q] = rebound("event", pow(10, 4 + 2 * q), 0.4, 40, &v, &seen) - rigid;
  for (int q = 0; q < 3; q++) assert_near(far[q], FIXTURE_PI / pow(10, 2 + q), 1e-9);
}

/* Impacts at 1 m/s, one for each place in a step where they may begin. With theta = 1/2 and dt sqrt(k/m) < 2 the mean
 * of log |v| changes little; larger steps are refused. With theta from 0.71 on no impact gains speed. */
static void test_stiff(void **state) {
  enum { PLACES = 200 };
  static const double theta[] = {0.5, 0.5, 0.71, 0.71}, turns[] = {1.4, 1.99, 3, 300};
  (void)state;
  for (int c = 0; c < 4; c++) {
    double most = 0, mean = 0;
    for (int k = 0; k < PLACES; k++) {
      SimProblem p;
      SimFinal final;
      double x, v;
      begin(&p, 1, "moreau", 1, 100);
      sim_problem_set(&p, "theta", theta[c]);
      p.v0[0] = 1;
      p.x0[0] = -p.step * k / PLACES;
      p.stops.upper[0] = 0.1;
      p.stops.stiffness[0] = pow(turns[c] / p.step, 2);
      (void)stops_run(&p, fixture_no_force, NULL, &x, &v, &final);
      sim_problem_clear(&p);
      most = fmax(most, fabs(v));
      mean += log(fabs(v)) / PLACES;
    }
    if (!(most * most < (c < 2 ? 1.5 : 1 + 1e-9) && mean < 0.02)) fail_msg("case %d: %g, mean %g", c, most, mean);
  }
}

static double gotika(int i, double t) {
  (void)i;
  return 10 * sin(5 * FIXTURE_PI * t);
}

/* Simulates Gotika's mass, section VI D, until t. Its support of stiffness ks is the support of a dash-pot, or a stop,
 * which may be rigid (NAN). For Bingham's law, f_d = sgn(v) + v, the second term is a damper. */
static double supported(SimKind kind, double ks, double t, double *v) {
  SimProblem p;
  double x;
  assert_int_equal(sim_problem_init(&p, kind, 1, 0), SIM_OK);
  fixture_scheme(&p, "event");
  fixture_time(&p, t, 60);
  p.friction[0] = 1;
  if (kind == SIM_DASHPOT) {
    p.dashpot.mass = 1;
    p.dashpot.stiffness = 100;
    p.dashpot.law = SIM_BINGHAM;
    p.dashpot.g = 1;
    p.dashpot.has_support = true;
    p.dashpot.support_position = 0.05;
    p.dashpot.support_stiffness = ks;
  } else {
    p.system.mass[0] = 1;
    p.system.stiffness[0] = 100;
    p.system.damping[0] = 1;
    stops_none(&p);
    p.stops.upper[0] = 0.05;
    p.stops.stiffness[0] = ks;
    p.stops.restitution[0] = isnan(ks);
  }
  fixture_run(&p, gotika, NULL, NULL, &x, v);
  sim_problem_clear(&p);
  return x;
}

/* The thesis's support is an elastic stop, and the rigid one with e = 1 is its limit. The impact is the same, and then
 * the motions converge as 1/sqrt(ks). */
static void test_support(void **state) {
  (void)state;
  const double impact = 0.15323743898649, until = 0.4;
  double v, w, last = INFINITY, rigid = supported(SIM_FRICTION, NAN, until, &v);
  assert_near(supported(SIM_FRICTION, NAN, impact - 1e-12, &v), 0.05, 1e-11);
  assert_near(v, 0.6923944702191875, 1e-9);
  supported(SIM_FRICTION, NAN, impact + 1e-12, &v);
  assert_near(v, -0.6923944702191875, 1e-9);
  for (double ks = 1e4; ks <= 1e8; ks *= 100) {
    double x = supported(SIM_FRICTION, ks, until, &v);
    assert_near(x, supported(SIM_DASHPOT, ks, until, &w), 1e-8);
    assert_near(v, w, 1e-6);
    assert_true(fabs(x - rigid) < last / 5); /* an error of order 1/sqrt(ks) decreases to a tenth */
    last = fabs(x - rigid);
  }
  assert_true(last < 1e-3);
}

static double shaking(int i, double t) {
  (void)i;
  return 0.3 * sin(7 * t);
}

static void count_moving(void *context, const SimStep *step) {
  long *moving = context;
  *moving += step->t > 0.5 && step->v[0] != 0;
}

/* Pressed against a stop on a shaking surface, the mass rests there with v = 0 exactly, although x is the sum of two
 * rounded numbers. */
static void test_rest_on_surface(void **state) {
  (void)state;
  const FixtureSource source = {shaking, 1};
  const SimLoad speed = {.context = (void *)&source, .at = fixture_force_at};
  SimProblem p;
  SimWorkspace *work;
  double where, x, v;
  long moving = 0;
  begin(&p, 1, "strang", 3, 300);
  p.friction[0] = 1;
  p.stops.lower[0] = -0.1;
  assert_int_equal(stiction_problem_set_surface(&p, 1, &speed, 0, NULL, &where), SIM_OK);
  SimModel *model = fixture_model(&p, gravity, &work);
  const SimObserver observer = {.context = &moving, .step = count_moving};
  SimFinal final = {.x = &x, .v = &v};
  assert_int_equal(stiction_rollout(model, work, NULL, &observer, &final), SIM_OK);
  assert_int_equal(moving, 0);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball),
                                     cmocka_unit_test(test_ball_by_steps),
                                     cmocka_unit_test(test_ball_by_splitting),
                                     cmocka_unit_test(test_derivative_by_steps),
                                     cmocka_unit_test(test_block),
                                     cmocka_unit_test(test_two_masses),
                                     cmocka_unit_test(test_coupled_impact),
                                     cmocka_unit_test(test_elastic),
                                     cmocka_unit_test(test_stiff),
                                     cmocka_unit_test(test_support),
                                     cmocka_unit_test(test_rest_on_surface)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
