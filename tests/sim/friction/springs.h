/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonlinear springs for tests: laws by formulas, and problems with them. */
#ifndef TESTS_SPRINGS_H
#define TESTS_SPRINGS_H

#include "tests/sim/tangent.h"

/* Law of spring i as a formula: the force g(e), N, and its potential, J. */
typedef struct SpringFormula {
  double (*force)(int i, double e);
  double (*potential)(int i, double e);
} SpringFormula;

/* Sets a law for the springs of a place. each: one law for each spring; otherwise one for all. Returns the status of
 * the library. */
static inline SimStatus springs_set(SimProblem *p, SimSpringPlace place, bool each, double (*force)(int, double),
                                    double reach, double *where) {
  FixtureSource source = {force, each ? p->d - (place == SIM_LINKS) : 1};
  const SimLoad law = {.context = &source, .at = fixture_force_at};
  return stiction_problem_set_springs(p, place, source.d, &law, -reach, reach, 0, NULL, where);
}

/* A law for each spring, with a slope that is small in places. */
static inline double springs_wavy(int i, double e) { return (i + 1) * e * e * e + 2 * sin(3 * e); }
static inline double springs_wavy_potential(int i, double e) {
  return (i + 1) * e * e * e * e / 4 + 2.0 / 3 * (1 - cos(3 * e));
}
/* A piecewise linear law, with kinks. */
static inline double springs_kinked(int i, double e) {
  (void)i;
  return fabs(e) < 0.25 ? 4 * e : (e > 0 ? 1 : -1) + 2 * (e - (e > 0 ? 0.25 : -0.25));
}
static inline double springs_kinked_potential(int i, double e) {
  double over = fabs(e) - 0.25;
  (void)i;
  return over < 0 ? 2 * e * e : 0.125 + over + over * over;
}

/* The law k e + k3 e^3, for one mass of 1 kg without friction. */
enum { DUFFING_K = 2, DUFFING_K3 = 30 };
static const double DUFFING_START = 0.8;
static inline double springs_duffing(int i, double e) {
  (void)i;
  return DUFFING_K * e + DUFFING_K3 * e * e * e;
}
/* Returns the period of the oscillator of amplitude a, 4 K(m)/sqrt(k + k3 a^2) with m = k3 a^2/(2 (k + k3 a^2)). K is
 * computed by the arithmetic-geometric mean. */
static inline double springs_duffing_period(void) {
  double cube = DUFFING_K3 * DUFFING_START * DUFFING_START, rate = DUFFING_K + cube, m = cube / (2 * rate);
  double a = 1, b = sqrt(1 - m);
  for (int k = 0; k < 8; k++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 4 * FIXTURE_PI / (2 * a) / sqrt(rate);
}

/* Makes the oscillator, which starts at rest and runs for a number of periods. */
static inline void springs_make_duffing(SimProblem *p, const char *scheme, double periods, long steps) {
  double where;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 0), SIM_OK);
  p->system.mass[0] = 1;
  p->x0[0] = DUFFING_START;
  fixture_time(p, periods * springs_duffing_period(), steps);
  fixture_scheme(p, scheme);
  assert_int_equal(springs_set(p, SIM_ANCHORS, false, springs_duffing, 1, &where), SIM_OK);
}

/* Makes random problem number k with spring laws: anchors, and in every other problem also links
 * (tests/sim/tangent.h). */
static inline void springs_make_any(SimProblem *p, int k, const char *scheme, long steps, double *control) {
  uint64_t seed = (uint64_t)k + 11;
  double where;
  tangent_problem(&seed, k, scheme, steps, p, control);
  assert_int_equal(springs_set(p, SIM_ANCHORS, true, springs_wavy, 8, &where), SIM_OK);
  if (k % 2) assert_int_equal(springs_set(p, SIM_LINKS, false, springs_kinked, 16, &where), SIM_OK);
}

/* Compares the columns of a problem's derivatives with central differences. Counts the columns, and those that differ
 * by more than a relative 1e-5. Checks that forward and adjoint derivatives agree. */
static inline void springs_check_derivatives(SimProblem *p, int k, double *control, int *wrong, int *all) {
  const double h = 1e-6;
  enum { ROWS = 2 * D };
  static double state[ROWS * COLUMNS], stop[D * COLUMNS], gradient[COLUMNS];
  double time[D], acceleration[D], x[D], v[D], weights[3 * D];
  SimDependence on[7];
  SimWorkspace *work;
  SimSensitivity *columns;
  SimAdjoint *adjoint;
  int n = tangent_numbers(k, on), column = 0;
  SimModel *model = fixture_model(p, tangent_swinging, &work);
  SimFinal final = {.x = x, .v = v};
  SimDerivative out = {state, stop, time, acceleration, false};
  assert_int_equal(stiction_sensitivity_create(model, n, on, &columns), SIM_OK);
  assert_int_equal(stiction_rollout_sensitivity(model, work, columns, control, &final, &out), SIM_OK);
  int width = stiction_sensitivity_columns(columns);
  for (int i = 0; i < 3 * D; i++) weights[i] = i < ROWS ? 1 + i : 0;
  assert_int_equal(sim_adjoint_create(model, n, on, &adjoint), SIM_OK);
  assert_int_equal(sim_rollout_record(model, work, adjoint, control, &final), SIM_OK);
  assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, gradient), SIM_OK);
  for (int q = 0; q < width && out.smooth; q++) {
    double sum = 0, size = 1;
    for (int i = 0; i < ROWS; i++) {
      sum += weights[i] * state[i * width + q];
      size += fabs(weights[i] * state[i * width + q]);
    }
    if (!(fabs(sum - gradient[q]) <= 1e-9 * size)) fail_msg("%.17g is not %.17g", gradient[q], sum);
  }
  for (int q = 0; q < n; q++)
    for (int i = 0; i < (on[q] == SIM_ON_CONTROL ? stiction_model_controls(model) : D); i++, column++) {
      double ends[2][ROWS], *number = tangent_number(p, control, on[q], i), middle = *number, worst = 0, size = 1;
      for (int side = 0; side < 2; side++) {
        *number = middle + (side ? h : -h);
        tangent_end(p, control, ends[side]);
      }
      *number = middle;
      for (int row = 0; row < ROWS; row++) {
        size = fmax(size, fabs(state[row * width + column]));
        worst = fixture_max(worst, fabs((ends[1][row] - ends[0][row]) / (2 * h) - state[row * width + column]));
      }
      *wrong += !(worst <= 1e-5 * size) && out.smooth;
      *all += out.smooth;
    }
  sim_adjoint_destroy(adjoint);
  stiction_sensitivity_destroy(columns);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

/* Checks the derivatives of this number of problems. Columns count if no branch changes between the two sides of a
 * difference. */
static inline void springs_check_all_derivatives(const char *scheme, long steps, int problems) {
  int wrong = 0, all = 0;
  for (int k = 0; k < problems; k++) {
    SimProblem p;
    double control[VARIABLES];
    springs_make_any(&p, k, scheme, steps, control);
    springs_check_derivatives(&p, k, control, &wrong, &all);
    sim_problem_clear(&p);
  }
  assert_true(all > 60 && wrong <= all / 50);
}

/* A motion that leaves the range of its law ends there, with the status for this. */
static inline void springs_leave_range(const char *scheme, long steps) {
  SimProblem p;
  SimWorkspace *work;
  double x, v;
  SimFinal final = {.x = &x, .v = &v};
  springs_make_duffing(&p, scheme, 1, steps);
  p.v0[0] = 20;
  SimModel *model = fixture_model(&p, fixture_no_force, &work);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OUT_OF_RANGE);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

#endif
