/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the friction laws of engineering, in every scheme, by a sliding block: closed forms and quadratures. */
#include "tests/fixture.h"

#include <float.h>

static const double MASS = 0.7, STATIC = 3, LOSS = 0.6, EPSILON = 0.4, THROWN = 2;

/* Makes a block of mass MASS that slides on a floor. */
static void make_block(SimProblem *p, const char *scheme, double end, long steps) {
  fixture_throw(p, scheme, end, steps, MASS, STATIC, THROWN);
}

/* Integrates f by Simpson's rule. */
static double integral(double (*f)(double v, double exponent), double exponent, double low, double high) {
  enum { PARTS = 2000 };
  double h = (high - low) / PARTS, sum = f(low, exponent) + f(high, exponent);
  for (int k = 1; k < PARTS; k++) sum += (k % 2 ? 4 : 2) * f(low + k * h, exponent);
  return sum * h / 3;
}

/* The exponential law ---------------------------------------------------------------------------------------------- */

static double resistance(double v, double exponent) {
  return STATIC * (1 - LOSS) + STATIC * LOSS * exp(-pow(v / EPSILON, exponent));
}
static double time_per_speed(double v, double exponent) { return MASS / resistance(v, exponent); }
static double way_per_speed(double v, double exponent) { return MASS * v / resistance(v, exponent); }

static void make_exponential(SimProblem *p, const char *scheme, double exponent, double end, long steps) {
  make_block(p, scheme, end, steps);
  p->system.stribeck = SIM_STRIBECK_EXPONENTIAL;
  p->system.stribeck_beta[0] = LOSS;
  p->system.stribeck_epsilon[0] = EPSILON;
  p->system.stribeck_exponent = exponent;
}

static void note_stop(void *context, double t, int i, int slip) {
  (void)i;
  if (slip == 0) *(double *)context = t;
}
static void no_step(void *context, const SimStep *step) {
  (void)context;
  (void)step;
}

/* With z = exp(v/epsilon) the motion with exponent 1 is linear, z' = -(c_k z + c_s - c_k)/(m epsilon). */
static void exponential_stops_exactly(void **state) {
  (void)state;
  double kinetic = STATIC * (1 - LOSS), ratio = STATIC * LOSS / kinetic;
  double closed = MASS * EPSILON / kinetic * log((exp(THROWN / EPSILON) + ratio) / (1 + ratio));
  assert_true(fabs(closed - integral(time_per_speed, 1, 0, THROWN)) < 1e-10);
  for (double exponent = 1; exponent <= 2; exponent++) {
    SimProblem p;
    double x, v, stop = NAN;
    const SimObserver observer = {.context = &stop, .step = no_step, .event = note_stop};
    make_exponential(&p, "event", exponent, 2, 7);
    fixture_run(&p, fixture_no_force, NULL, &observer, &x, &v);
    assert_true(v == 0);
    assert_true(fabs(stop - integral(time_per_speed, exponent, 0, THROWN)) < 1e-9);
    assert_true(fabs(x - integral(way_per_speed, exponent, 0, THROWN)) < 1e-9);
  }
}

static const char *const stepping[] = {"moreau", "centered", "lie", "strang"};
enum { STEPPING = sizeof stepping / sizeof *stepping };

/* With any exponent, steps converge with first order. */
static void exponential_converges(void **state) {
  (void)state;
  for (int k = 0; k < 3 * STEPPING; k++) {
    double exponent = 1 + k / STEPPING * 0.5, exact = integral(way_per_speed, exponent, 0, THROWN), error[2];
    for (int fine = 0; fine < 2; fine++) {
      SimProblem p;
      double x, v;
      make_exponential(&p, stepping[k % STEPPING], exponent, 2, fine ? 8000 : 2000);
      fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
      error[fine] = fabs(x - exact);
    }
    assert_true(error[1] < 2e-3 && error[1] < 0.35 * error[0]);
  }
}

/* The stopping distance changes with the speed by m v/friction(v), in forward and adjoint derivatives. */
static void exponential_derivative(void **state) {
  (void)state;
  static const SimDependence on[] = {SIM_ON_VELOCITY};
  for (double exponent = 1; exponent <= 2; exponent++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    SimAdjoint *adjoint;
    double x, v, rows[3], stop[2], gradient, exact = way_per_speed(THROWN, exponent);
    const double weights[3] = {1, 0, 0};
    SimDerivative out = {.state = rows, .stop = rows + 2, .stop_time = stop, .stop_acceleration = stop + 1};
    SimFinal final = {.x = &x, .v = &v};
    make_exponential(&p, "event", exponent, 2, 7);
    SimModel *model = fixture_model(&p, fixture_no_force, &work);
    assert_int_equal(stiction_sensitivity_create(model, 1, on, &sensitivity), SIM_OK);
    assert_int_equal(sim_adjoint_create(model, 1, on, &adjoint), SIM_OK);
    assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, NULL, &final, &out), SIM_OK);
    assert_true(out.smooth && fabs(rows[0] - exact) < 1e-9);
    assert_int_equal(sim_rollout_record(model, work, adjoint, NULL, &final), SIM_OK);
    assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, &gradient), SIM_OK);
    assert_true(fabs(gradient - exact) < 1e-9);
    sim_adjoint_destroy(adjoint);
    stiction_sensitivity_destroy(sensitivity);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* By direction ----------------------------------------------------------------------------------------------------- */

static const double AHEAD = 1, BACK = 3; /* N */

static double to_and_fro(int i, double t) {
  (void)i;
  return 2 * sin(t);
}

/* Returns the time t1 at which v = 2 (cos t0 - cos t) - (t - t0), t0 = pi/6, is 0. */
static double ratchet_stop(void) {
  double low = 2, high = 4, t0 = FIXTURE_PI / 6;
  for (int k = 0; k < 100; k++) {
    double t = (low + high) / 2;
    *(2 * (cos(t0) - cos(t)) > t - t0 ? &low : &high) = t;
  }
  return low;
}
static double ratchet_way(double t1) {
  double t0 = FIXTURE_PI / 6, s = t1 - t0;
  return 2 * cos(t0) * s - 2 * (sin(t1) - sin(t0)) - s * s / 2;
}

/* Makes a problem of three periods. sign: -1 for the mirror image. */
static void make_ratchet(SimProblem *p, const char *scheme, long steps, double sign) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(p, 6 * FIXTURE_PI, steps);
  fixture_scheme(p, scheme);
  p->system.mass[0] = 1;
  p->by_direction = true;
  p->friction[0] = (AHEAD + BACK) / 2;
  p->friction_bias[0] = sign * (AHEAD - BACK) / 2;
}

static void to_rest(void *context, const SimStep *step) {
  double f = to_and_fro(0, step->t), *off = context;
  assert_true(step->slip[0] >= 0 && step->v[0] >= 0);
  if (step->slip[0])
    assert_true(step->lambda[0] == 1);
  else
    *off = fmax(*off, fabs(step->lambda[0] - f / (f > 0 ? AHEAD : BACK)));
  const SimEnergy *e = step->energy;
  assert_true(fabs(e->work - e->stored - e->dissipated - e->numerical) < 1e-9);
}

static void ratchet_goes_one_way(void **state) {
  (void)state;
  double x, v, off = 0, stop = ratchet_stop(), last = NAN;
  SimProblem p;
  const SimObserver observer = {.context = &off, .step = to_rest},
                    ends = {.context = &last, .step = no_step, .event = note_stop};
  make_ratchet(&p, "event", 97, 1);
  fixture_run(&p, to_and_fro, NULL, &observer, &x, &v);
  assert_true(fabs(x - 3 * ratchet_way(stop)) < 1e-9 && v == 0 && off < 1e-12);
  make_ratchet(&p, "event", 97, 1);
  fixture_run(&p, to_and_fro, NULL, &ends, &x, &v);
  assert_true(fabs(last - stop - 4 * FIXTURE_PI) < 1e-9);
  for (int k = 0; k < STEPPING; k++) {
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
      make_ratchet(&p, stepping[k], fine ? 16000 : 2000, 1);
      fixture_run(&p, to_and_fro, NULL, NULL, &x, &v);
      error[fine] = fabs(x - 3 * ratchet_way(stop));
    }
    assert_true(error[1] < 1e-2 && error[1] < 0.3 * error[0]);
  }
}

static double fro_and_to(int i, double t) { return -to_and_fro(i, t); }

static void ratchet_mirrored(void **state) {
  (void)state;
  static const char *const all[] = {"moreau", "centered", "lie", "strang", "event"};
  for (int k = 0; k < 5; k++) {
    SimProblem p;
    double x[2], v[2];
    make_ratchet(&p, all[k], 500, 1);
    fixture_run(&p, to_and_fro, NULL, NULL, &x[0], &v[0]);
    make_ratchet(&p, all[k], 500, -1);
    fixture_run(&p, fro_and_to, NULL, NULL, &x[1], &v[1]);
    assert_true(x[0] == -x[1] && v[0] == -v[1] && x[0] > 1);
  }
}

/* The motion of a block that slides in one direction only depends on the threshold and the drop of that direction, and
 * not on those of the other one. */
static void one_way_is_as_usual(void **state) {
  (void)state;
  static const char *const all[] = {"moreau", "centered", "lie", "strang", "event"};
  for (int k = 0; k < 10; k++) {
    SimProblem p;
    double x[2], v[2], sign = k < 5 ? 1 : -1;
    for (int both = 0; both < 2; both++) {
      make_exponential(&p, all[k % 5], 1, 2, 300);
      p.v0[0] *= sign;
      p.by_direction = both;
      if (both) p.friction[0] = 4;
      p.friction_bias[0] = sign * (STATIC - 4);
      fixture_run(&p, fixture_no_force, NULL, NULL, &x[both], &v[both]);
    }
    assert_true(fabs(x[0] - x[1]) < 1e-9 && fabs(v[0] - v[1]) < 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exponential_stops_exactly), cmocka_unit_test(exponential_converges),
      cmocka_unit_test(exponential_derivative),    cmocka_unit_test(ratchet_goes_one_way),
      cmocka_unit_test(ratchet_mirrored),          cmocka_unit_test(one_way_is_as_usual),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
