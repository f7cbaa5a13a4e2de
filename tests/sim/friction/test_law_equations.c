/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the equations of joint laws agree with each other: slopes with differences, means with stored energies,
 * series with values. */
#include "tests/fixture.h"

#include "sim/base/curve_series.h"
#include "sim/joint/stops.h"
#include "sim/joint/surface.h"
#include "sim/law/friction_force.h"
#include "sim/law/friction_series.h"

enum { ORDER = 20 };

static double value_of(const double *c, double s) { return polynomial_value(ORDER, 1, c, s); }

/* A speed as a polynomial of s, which stays above 0. */
static const double SPEED[ORDER + 1] = {0.8, 0.1, -0.06, 0.02};

static void drops_have_their_series(void **state) {
  (void)state;
  static const struct {
    SimStribeck law;
    double exponent;
  } laws[] = {
      {SIM_STRIBECK_SQRT, 0}, {SIM_STRIBECK_RAMP, 0}, {SIM_STRIBECK_EXPONENTIAL, 1}, {SIM_STRIBECK_EXPONENTIAL, 2}};
  const double beta = 0.6, epsilon = 0.5, h = 1e-6;
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
    for (int way = -1; way <= 1; way += 2) {
      const FrictionSeries *series = friction_series(laws[k].law, laws[k].exponent);
      double v[ORDER + 1], square[ORDER + 1], root[ORDER + 1], gamma[ORDER + 1], slope[ORDER + 1] = {0};
      const signed char slip = (signed char)way;
      const long branch = 1; /* branch of the ramp law: speeds beyond epsilon */
      const FrictionPath path = {1, v, square, root, &slip, &branch, &epsilon, NULL};
      for (int q = 0; q <= ORDER; q++) v[q] = way * SPEED[q];
      for (int q = 0; q <= ORDER; q++) gamma[q] = series->term(&path, 0, q, beta);
      series->slope(&path, 0, ORDER, beta, slope);
      for (double s = 0; s <= 1; s += 0.125) {
        const double at = value_of(v, s), exponent = laws[k].exponent;
        double exact = friction_gamma(laws[k].law, beta, epsilon, exponent, at);
        double rise = friction_gamma(laws[k].law, beta, epsilon, exponent, at + h) -
                      friction_gamma(laws[k].law, beta, epsilon, exponent, at - h);
        assert_true(fabs(value_of(gamma, s) - exact) < 1e-9);
        assert_true(fabs(value_of(slope, s) - rise / (2 * h)) < 1e-8);
        assert_true(fabs(friction_gamma_slope(laws[k].law, beta, epsilon, exponent, at) - rise / (2 * h)) < 1e-8);
      }
    }
}

static void stops_store_what_they_take(void **state) {
  (void)state;
  double lower[] = {-0.3}, upper[] = {0.5}, stiffness[] = {7}, restitution[] = {0};
  const SimStops stops = {
      .present = true, .lower = lower, .upper = upper, .stiffness = stiffness, .restitution = restitution};
  for (double x = -1; x <= 1; x += 0.171)
    for (double next = -1; next <= 1; next += 0.2) {
      double work = stops_mean_push(&stops, 0, x, next) * (next - x);
      assert_true(fabs(work - (stops_stored(&stops, 0, x) - stops_stored(&stops, 0, next))) < 1e-14);
    }
  for (int side = -1; side <= 1; side++) {
    double rise = stops_push_of(&stops, 0, side, 0.9) - stops_push_of(&stops, 0, side, 0.6);
    assert_true(fabs(rise + 0.3 * stops_slope(&stops, 0, side)) < 1e-14);
    double series = stops_push_term(&stops, 0, side, 0, 0.6) + stops_push_term(&stops, 0, side, 1, 0.3);
    assert_true(fabs(series - stops_push_of(&stops, 0, side, 0.9)) < 1e-14);
  }
}

/* An impact with the impulse M (v+ - v) loses the kinetic energy M (v^2 - v+^2)/2. A stop that holds a dof pushes, and
 * never pulls. */
static void impacts_lose_kinetic_energy(void **state) {
  (void)state;
  const double mass = 3, before = -1.7, after = stops_rebound(0.4, before);
  assert_true(after == 0.4 * 1.7);
  double loss = stops_loss(mass * (after - before), before, after);
  assert_true(fabs(loss - mass * (before * before - after * after) / 2) < 1e-14);
  assert_true(stops_reaction(-1, 2) == 2 && stops_reaction(-1, -2) == 0 && stops_reaction(1, -2) == -2);
  assert_true(stops_wrong(true, 2, 1, 0, 0.5) && !stops_wrong(true, 1.2, 1, 0, 0.5));
  assert_true(stops_wrong(false, 0, 0, 1, 0.5) && !stops_wrong(false, 0, 0, 0.2, 0.5));
}

static void speed_at(void *context, double t, double *w) {
  (void)context;
  w[0] = sin(3 * t);
}

static void surfaces_have_their_series(void **state) {
  (void)state;
  SimProblem p;
  double where, w[ORDER + 1] = {0}, path[ORDER + 2] = {0}, x, v;
  fixture_throw(&p, "moreau", 1, 10, 1, 1, 1);
  assert_int_equal(stiction_problem_set_surface(&p, 1, &(SimLoad){.at = speed_at}, 0, NULL, &where), SIM_OK);
  const double *row = surface_piece(&p, 0.2), t = row[0] + row[1] / 4, width = row[1] / 2;
  assert_true(surface_series(&p, t, width, w, path) <= ORDER);
  for (double s = 0; s <= 1; s += 0.25) {
    surface_at(&p, t + s * width, &x, &v);
    assert_true(fabs(value_of(w, s) - v) < 1e-13 && fabs(value_of(path, s) - x) < 1e-13);
    assert_true(fabs(v - sin(3 * (t + s * width))) < 1e-11);
  }
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drops_have_their_series), cmocka_unit_test(stops_store_what_they_take),
      cmocka_unit_test(impacts_lose_kinetic_energy), cmocka_unit_test(surfaces_have_their_series)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
