/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how many equations are reduced to few: the sum of their squares stays the same function of z, up to a
 * constant. */
#include "control/sqp/squares.h"
#include "tests/fixture.h"

enum { N = 7, MOST = 1000, POINTS = 20 };

/* Returns |R z + q|^2, the sum of the squares of the reduced equations. */
static double folded(const CtlSquares *squares, const double *z) {
  double sum = 0;
  for (int k = 0; k < N; k++) {
    double r = squares->block[N * squares->room + k];
    for (int i = 0; i < N; i++) r += squares->block[i * squares->room + k] * z[i];
    sum += r * r;
  }
  return sum;
}

static void sums_are_the_same(int m, int rank) {
  static double a[MOST][N], b[MOST];
  CtlSquares squares;
  uint64_t seed = 5;
  double apart = 0;
  assert_true(ctl_squares_init(&squares, N));
  for (int twice = 0; twice < 2; twice++) { /* the second run must not depend on the first */
    ctl_squares_begin(&squares);
    for (int j = 0; j < m; j++) {
      for (int i = 0; i < N; i++) a[j][i] = i < rank ? fixture_random(&seed) : a[j][i - rank];
      b[j] = fixture_random(&seed);
      ctl_squares_add(&squares, a[j], b[j]);
    }
    ctl_squares_fold(&squares);
  }
  for (int point = 0; point < POINTS; point++) {
    double z[N], sum = 0;
    for (int i = 0; i < N; i++) z[i] = 3 * fixture_random(&seed);
    for (int j = 0; j < m; j++) {
      double r = b[j];
      for (int i = 0; i < N; i++) r += a[j][i] * z[i];
      sum += r * r;
    }
    double constant = sum - folded(&squares, z);
    if (point == 0) apart = constant;
    assert_true(constant >= -1e-12 * sum && fabs(constant - apart) <= 1e-12 * sum);
  }
  ctl_squares_clear(&squares);
}

static void any_number_of_equations(void **state) {
  (void)state;
  for (int m = 0; m <= MOST; m = 3 * m + 1) sums_are_the_same(m, N);
  sums_are_the_same(MOST, N);
  sums_are_the_same(MOST, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_number_of_equations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
