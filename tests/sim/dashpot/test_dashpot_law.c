/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the laws of a dash-pot. A time step gives a line in the plane of force and speed. Tested are all intersections
 * of the law with such a line, the folds at which intersections appear or disappear, and which intersection is
 * selected. */
#include "sim/dashpot/law.h"
#include "tests/fixture.h"
#include "tests/sim/dashpot/reference_dashpot.h"

#include <float.h>

static const SimDashpotLaw laws[] = {SIM_VISCOUS, SIM_BINGHAM, SIM_BINGHAM_CUBIC, SIM_BINGHAM_NONMONOTONE, SIM_COULOMB};
enum { N_LAWS = sizeof laws / sizeof *laws };

/* Returns v by the law as written in the thesis, for a force above the threshold. */
static double thesis_speed(SimDashpotLaw law, double g, double f_crit, double f) {
  double s = f * f;
  switch (law) {
  case SIM_VISCOUS: return g * f;
  case SIM_BINGHAM: return g * (f - f_crit);
  case SIM_BINGHAM_CUBIC: return g * s * (f - f_crit);
  case SIM_BINGHAM_NONMONOTONE: return g * (1 + 0.1 * (s - 4) * (s - 9)) * (f - f_crit);
  case SIM_COULOMB: break;
  }
  return NAN;
}

/* Counts the intersections of the law with the line between u = f_crit and u = top on a fine grid. */
static int count_crossings(const SimDashpot *d, double f_crit, double c, double e, double top) {
  enum { TEETH = 20000 };
  int count = 0;
  double before = -1;
  for (int i = 1; i <= TEETH; i++) {
    double w = (top - f_crit) * i / TEETH;
    double h = thesis_speed(d->law, d->g, f_crit, f_crit + w) + c * w - e;
    if ((h < 0) != (before < 0)) count++;
    before = h;
  }
  return count;
}

static void meetings_are_all_and_true(void **state) {
  (void)state;
  uint64_t seed = 7;
  int counts[4] = {0};
  for (int k = 0; k < 2000; k++) {
    SimDashpot dashpot = {.law = laws[k % N_LAWS], .g = pow(10, fixture_random(&seed))};
    bool nonmonotone = dashpot.law == SIM_BINGHAM_NONMONOTONE;
    double f_crit = dashpot.law == SIM_VISCOUS ? 0 : nonmonotone ? 1 : 1 + fixture_random(&seed);
    double c = dashpot.g * pow(10, -1.5 + 2 * fixture_random(&seed));
    double e = dashpot.g * (1.5 + 1.4 * fixture_random(&seed)), w[DASHPOT_DEGREE_MAX];
    DashpotLine line = dashpot_line(&dashpot, f_crit, c);
    StepTally tally = {0};
    int n = dashpot_line_meet(&line, e, w, &tally);
    assert_true(n >= 1 && n <= 3);
    for (int i = 0; i < n; i++) {
      assert_true(w[i] >= 0 && (i == 0 || w[i] > w[i - 1]));
      if (dashpot.law == SIM_COULOMB)
        assert_true(w[i] == 0);
      else {
        double miss = thesis_speed(dashpot.law, dashpot.g, f_crit, f_crit + w[i]) + c * w[i] - e;
        assert_true(fabs(miss) < 1e-14 * (e + dashpot.g));
      }
    }
    if (nonmonotone)
      assert_int_equal(n, count_crossings(&dashpot, f_crit, c, e, 5));
    else
      assert_int_equal(n, 1);
    assert_true(tally.residual < 1e-14 * (e + dashpot.g));
    assert_true(tally.iterations < 60);
    counts[n] += nonmonotone;
  }
  assert_true(counts[1] > 50 && counts[3] > 50); /* both cases must occur */
}

static void folds_of_the_thesis(void **state) {
  (void)state;
  SimDashpot dashpot = {.law = SIM_BINGHAM_NONMONOTONE, .g = 1};
  DashpotLine line = dashpot_line(&dashpot, 1, 0);
  assert_int_equal(line.n_folds, 2);
  assert_true(fabs(1 + line.fold[0] - f_max) < 1e-13);
  assert_true(fabs(1 + line.fold[1] - f_min) < 1e-13);
  assert_true(fabs(dashpot_line_value(&line, line.fold[0]) - v_max) < 1e-14);
  assert_true(fabs(dashpot_line_value(&line, line.fold[1]) - v_min) < 1e-14);
  /* A steep line intersects the law only once, wherever it is. */
  DashpotLine steep = dashpot_line(&dashpot, 1, 2);
  assert_int_equal(steep.n_folds, 0);
}

/* At a fold a pair of intersections appears or disappears, and one always exists. */
static void meetings_at_a_fold(void **state) {
  (void)state;
  SimDashpot dashpot = {.law = SIM_BINGHAM_NONMONOTONE, .g = 1};
  DashpotLine line = dashpot_line(&dashpot, 1, 1e-3);
  for (int fold = 0; fold < 2; fold++) {
    double at = dashpot_line_value(&line, line.fold[fold]), w[DASHPOT_DEGREE_MAX];
    for (int k = -40; k <= 40; k++) {
      StepTally tally = {0};
      double e = at + k * DBL_EPSILON;
      int n = dashpot_line_meet(&line, e, w, &tally);
      assert_true(n == 1 || n == 3);
      if (k < -8) assert_int_equal(n, fold == 0 ? 3 : 1);
      if (k > 8) assert_int_equal(n, fold == 0 ? 1 : 3);
      for (int i = 0; i < n; i++) assert_true(fabs(dashpot_line_value(&line, w[i]) - e) < 1e-14);
    }
  }
}

/* Intersections of lines with the law, from tiny to huge values. */
static void meetings_far_out(void **state) {
  (void)state;
  for (int k = 0; k < N_LAWS; k++)
    for (int power = -300; power <= 250; power += 10) {
      SimDashpot dashpot = {.law = laws[k], .g = 1};
      double e = pow(10, power), w[DASHPOT_DEGREE_MAX];
      for (int flat = 0; flat < 2; flat++) {
        DashpotLine line = dashpot_line(&dashpot, laws[k] == SIM_VISCOUS ? 0 : 1, flat ? 0 : 1e-3);
        StepTally tally = {0};
        int n = dashpot_line_meet(&line, e, w, &tally);
        /* at v_min < 1 < v_max there are three */
        assert_int_equal(n, laws[k] == SIM_BINGHAM_NONMONOTONE && power == 0 ? 3 : 1);
        for (int i = 0; i < n && laws[k] != SIM_COULOMB; i++)
          assert_true(fabs(dashpot_line_value(&line, w[i]) - e) <= 1e-14 * e);
        assert_true(tally.iterations < 60);
      }
    }
}

/* In other units, by powers of two, the intersections have the same bits. */
static void meetings_in_other_units(void **state) {
  (void)state;
  static const double forces[] = {0x1p-24, 0x1p-13, 0x1p24, 0x1p41}, speeds[] = {0x1p30, 0x1p-7};
  uint64_t seed = 11;
  for (int k = 0; k < 4000; k++) {
    bool nonmonotone = k % 4 == 3;
    SimDashpot dashpot = {.law = laws[k % 4], .g = pow(10, fixture_random(&seed))};
    double f_crit = dashpot.law == SIM_VISCOUS ? 0 : nonmonotone ? 1 : pow(10, 4 * fixture_random(&seed));
    double c = pow(10, 2 * fixture_random(&seed)), e = pow(10, 6 * fixture_random(&seed));
    /* the other law has constants in N */
    double force = nonmonotone ? 1 : forces[k / 8 % 4], speed = speeds[k / 4 % 2];
    double w[DASHPOT_DEGREE_MAX], scaled[DASHPOT_DEGREE_MAX];
    DashpotLine line = dashpot_line(&dashpot, f_crit, c);
    dashpot.g *= speed / (dashpot.law == SIM_BINGHAM_CUBIC ? force * force * force : force);
    DashpotLine other = dashpot_line(&dashpot, f_crit * force, c * speed / force);
    StepTally tally = {0}, tally_scaled = {0};
    int n = dashpot_line_meet(&line, e, w, &tally);
    assert_int_equal(dashpot_line_meet(&other, e * speed, scaled, &tally_scaled), n);
    for (int i = 0; i < n; i++) assert_true(scaled[i] == w[i] * force);
    assert_int_equal(tally_scaled.iterations, tally.iterations);
  }
}

/* If there are three intersections, the nearest speed may be any of them. Dissipation is largest where f_d v is
 * largest. */
static void selections(void **state) {
  (void)state;
  SimDashpot dashpot = {.law = SIM_BINGHAM_NONMONOTONE, .g = 1};
  StepTally tally = {0};
  double c = 1e-2, e = 0.8, w[DASHPOT_DEGREE_MAX];
  DashpotLine line = dashpot_line(&dashpot, 1, c);
  assert_int_equal(dashpot_line_meet(&line, e, w, &tally), 3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i != j) assert_true(dashpot_prefers(&line, e, e - c * w[i], w[i], w[j]));
  line.selection = SIM_MAX_DISSIPATION;
  assert_true(dashpot_prefers(&line, e, 0, w[2], w[0]) && dashpot_prefers(&line, e, 0, w[2], w[1]));
  assert_false(dashpot_prefers(&line, e, 0, w[0], w[2]));
}

static void names_and_keys(void **state) {
  (void)state;
  assert_true(sim_dashpot_law_takes(SIM_BINGHAM, "gamma") && !sim_dashpot_law_takes(SIM_COULOMB, "gamma"));
  assert_true(sim_dashpot_law_takes(SIM_COULOMB, "f_crit") && !sim_dashpot_law_takes(SIM_VISCOUS, "f_crit"));
  assert_false(sim_dashpot_law_takes(SIM_COULOMB, "f_cri"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meetings_are_all_and_true),
      cmocka_unit_test(folds_of_the_thesis),
      cmocka_unit_test(meetings_at_a_fold),
      cmocka_unit_test(meetings_far_out),
      cmocka_unit_test(meetings_in_other_units),
      cmocka_unit_test(selections),
      cmocka_unit_test(names_and_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
