/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests least squares on problems with known answers and known errors. */
#include "control/fit.h"
#include "sim/group.h"
#include "tests/fixture.h"

enum { M = 40, N_MAX = 3 };

typedef struct Case {
  double t[M], y[M];
  int calls;
} Case;

/* Residuals of a exp(-b t) + c. */
static bool decay(void *context, const double *p, double *r, double *jacobian) {
  Case *c = context;
  c->calls++;
  for (int k = 0; k < M; k++) {
    double e = exp(-p[1] * c->t[k]);
    r[k] = p[0] * e + p[2] - c->y[k];
    if (!jacobian) continue;
    jacobian[3 * k] = e;
    jacobian[3 * k + 1] = -p[0] * c->t[k] * e;
    jacobian[3 * k + 2] = 1;
  }
  return p[1] < 9; /* the function fails if p[1] is above 9 */
}

static Case decay_case(double noise) {
  Case c = {.calls = 0};
  uint64_t seed = 3;
  for (int k = 0; k < M; k++) {
    c.t[k] = 0.1 * k;
    c.y[k] = 2 * exp(-1.5 * c.t[k]) + 0.5 + noise * fixture_random(&seed);
  }
  return c;
}

/* Residuals of a b t and c t^2. They determine only the product a b, and c. */
static bool product(void *context, const double *p, double *r, double *jacobian) {
  const Case *c = context;
  for (int k = 0; k < M; k++) {
    double t = c->t[k];
    r[k] = p[0] * p[1] * t + p[2] * t * t - c->y[k];
    if (!jacobian) continue;
    jacobian[3 * k] = p[1] * t;
    jacobian[3 * k + 1] = p[0] * t;
    jacobian[3 * k + 2] = t * t;
  }
  return true;
}

typedef struct Estimates {
  bool bound[N_MAX];
  double error[N_MAX], correlation[N_MAX * N_MAX], combination[N_MAX * N_MAX];
  CtlFitStatistics statistics;
} Estimates;

static void estimate_statistics(const CtlFit *fit, const double *p, Estimates *estimates) {
  double r[M], jacobian[M * N_MAX];
  estimates->statistics = (CtlFitStatistics){.bound = estimates->bound,
                                             .error = estimates->error,
                                             .correlation = estimates->correlation,
                                             .combination = estimates->combination};
  fit->evaluate(fit->context, p, r, jacobian);
  assert_int_equal(ctl_fit_statistics(fit, p, r, jacobian, M, &estimates->statistics), SIM_OK);
}

static void solve(const CtlFit *fit, double *p, CtlFitEnd *end) {
  assert_int_equal(ctl_fit_solve(fit, p, end), SIM_OK);
}

static const double low[] = {0, 0, -1}, high[] = {10, 10, 1};

static void a_decay_is_found(void **unused) {
  Case c = decay_case(0);
  const CtlFit fit = {3, M, low, high, &c, decay};
  double p[] = {8, 8.5, -0.9};
  CtlFitEnd end;
  Estimates estimates;
  (void)unused;
  solve(&fit, p, &end);
  estimate_statistics(&fit, p, &estimates);
  print_message("%ld evaluations, %ld with derivatives, sum %g, offset %g\n", end.evaluations, end.derivatives, end.sum,
                estimates.statistics.offset);
  assert_true(fabs(p[0] - 2) < 1e-6 && fabs(p[1] - 1.5) < 1e-6 && fabs(p[2] - 0.5) < 1e-6);
  assert_int_equal(c.calls - 1, end.evaluations);
  assert_int_equal(estimates.statistics.undetermined, 0);
}

/* A second fit gives the same bits. The standard errors equal the spread of many fits to noisy data. The offset (the
 * systematic part of the residuals) is small at the answer, and not small beside it. */
static void errors_are_those_of_noise(void **unused) {
  const double noise = 0.05;
  double sum[3] = {0}, squares[3] = {0}, error[3] = {0};
  enum { RUNS = 400 };
  uint64_t seed = 77;
  (void)unused;
  for (int k = 0; k < RUNS; k++) {
    Case c = decay_case(0);
    for (int i = 0; i < M; i++) c.y[i] += noise * sqrt(3) * fixture_random(&seed);
    const CtlFit fit = {3, M, low, high, &c, decay};
    double p[] = {1, 1, 0}, again[] = {1, 1, 0};
    CtlFitEnd end;
    Estimates estimates;
    solve(&fit, p, &end);
    solve(&fit, again, &end);
    assert_memory_equal(p, again, sizeof p);
    estimate_statistics(&fit, p, &estimates);
    assert_true(estimates.statistics.offset < 1e-3);
    for (int i = 0; i < 3; i++) {
      sum[i] += p[i] / RUNS;
      squares[i] += p[i] * p[i] / RUNS;
      error[i] += estimates.error[i] / RUNS;
    }
    p[1] += 0.1;
    estimate_statistics(&fit, p, &estimates);
    assert_true(estimates.statistics.offset > 0.1);
  }
  for (int i = 0; i < 3; i++) {
    double spread = sqrt(squares[i] - sum[i] * sum[i]);
    assert_true(fabs(spread / error[i] - 1) < 0.1);
  }
}

static void bounds_hold_and_are_reported(void **unused) {
  Case c = decay_case(0.01);
  const double upper[] = {10, 1, 1};
  const CtlFit fit = {3, M, low, upper, &c, decay};
  double p[] = {1, 0.2, 0};
  CtlFitEnd end;
  Estimates estimates;
  (void)unused;
  solve(&fit, p, &end);
  estimate_statistics(&fit, p, &estimates);
  assert_true(p[1] <= 1 && p[1] > 1 - 1e-9);
  assert_true(estimates.bound[1] && !estimates.bound[0] && !estimates.bound[2]);
  assert_int_equal(estimates.statistics.free, 2);
  assert_true(estimates.error[1] == 0 && estimates.error[0] > 0 && estimates.statistics.offset < 1e-3);
}

/* The search moves away from a start at which the sum of squares is so steep that the gradient, cut to the box, is a
 * tiny part of it. */
static void a_steep_start_is_left(void **unused) {
  Case c = decay_case(0);
  for (int k = 0; k < M; k++) c.y[k] *= 1e4;
  const double lower[] = {1.5e4, 1.4, 4e3}, upper[] = {3e4, 1.6, 6e3};
  const CtlFit fit = {3, M, lower, upper, &c, decay};
  double p[] = {2.9e4, 1.59, 5.9e3};
  CtlFitEnd end;
  (void)unused;
  solve(&fit, p, &end);
  assert_true(fabs(p[0] - 2e4) < 1 && fabs(p[1] - 1.5) < 1e-4 && fabs(p[2] - 5e3) < 1);
}

/* Residuals that change by a little move the fitted values as ctl_fit_shift expects, but no value at its bound. */
static void a_change_of_the_residuals_shifts_the_values(void **unused) {
  const double upper[2][N_MAX] = {{10, 10, 1}, {10, 1, 1}};
  (void)unused;
  for (int bounded = 0; bounded < 2; bounded++) {
    Case c = decay_case(0.01);
    const CtlFit fit = {3, M, low, upper[bounded], &c, decay};
    double p[] = {1, 0.9, 0}, moved[] = {1, 0.9, 0}, r[M], jacobian[M * N_MAX], change[M], shift[N_MAX];
    CtlFitEnd end;
    Estimates estimates;
    solve(&fit, p, &end);
    estimate_statistics(&fit, p, &estimates);
    fit.evaluate(&c, p, r, jacobian);
    for (int k = 0; k < M; k++) change[k] = 1e-3 * cos(c.t[k]);
    assert_int_equal(ctl_fit_shift(&fit, p, r, jacobian, change, &estimates.statistics, shift), SIM_OK);
    for (int k = 0; k < M; k++) c.y[k] -= change[k];
    solve(&fit, moved, &end);
    for (int i = 0; i < 3; i++)
      assert_true(fabs(moved[i] - p[i] - shift[i]) <= (estimates.bound[i] ? 1e-9 : 0.05 * fabs(shift[i])));
    assert_true(estimates.bound[1] == (bounded == 1) && (shift[1] == 0) == (bounded == 1) && shift[0] != 0);
    change[0] = NAN;
    assert_int_equal(ctl_fit_shift(&fit, p, r, jacobian, change, &estimates.statistics, shift), SIM_NON_FINITE);
  }
}

static void undetermined_combination_is_reported(void **unused) {
  Case c = decay_case(0);
  const double lower[] = {0.1, 0.1, 0.1}, upper[] = {10, 10, 10};
  uint64_t seed = 5;
  for (int k = 0; k < M; k++) c.y[k] = 6 * c.t[k] + 2 * c.t[k] * c.t[k] + 0.01 * fixture_random(&seed);
  const CtlFit fit = {3, M, lower, upper, &c, product};
  double p[] = {1, 1, 1};
  CtlFitEnd end;
  Estimates estimates;
  (void)unused;
  solve(&fit, p, &end);
  estimate_statistics(&fit, p, &estimates);
  assert_true(fabs(p[0] * p[1] - 6) < 0.05 && fabs(p[2] - 2) < 0.05);
  assert_int_equal(estimates.statistics.undetermined, 1);
  assert_true(isinf(estimates.error[0]) && isinf(estimates.error[1]) && estimates.error[2] > 0 &&
              estimates.error[2] < 0.05);
  assert_true(fabs(estimates.combination[0] / p[0] + estimates.combination[1] / p[1]) < 1e-6 &&
              estimates.combination[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_decay_is_found),
                                     cmocka_unit_test(errors_are_those_of_noise),
                                     cmocka_unit_test(bounds_hold_and_are_reported),
                                     cmocka_unit_test(a_steep_start_is_left),
                                     cmocka_unit_test(a_change_of_the_residuals_shifts_the_values),
                                     cmocka_unit_test(undetermined_combination_is_reported)};
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
