/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the Sobol points of scenarios: they are uniform in all dimensions, and the first points equal those published
 * by Joe and Kuo. */
#include "src/study/sobol.h"
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

/* Returns the binary digits of a coordinate without its random shift. */
static uint32_t digits(const SobolDimension *dimension, uint32_t k) {
  return (uint32_t)(sobol_coordinate(dimension, k) * 4294967296.0) ^ dimension->shift;
}

/* Each interval of length 2^-m has exactly one of the first 2^m points. */
static void each_interval_has_one(void **state) {
  enum { MOST = 10 };
  bool met[1 << MOST];
  (void)state;
  for (int j = 0; j < SOBOL_DIMENSIONS; j++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      SobolDimension dimension = sobol_dimension(j, seed);
      for (int m = 1; m <= MOST; m++) {
        memset(met, 0, sizeof met);
        for (uint32_t k = 0; k < UINT32_C(1) << m; k++) {
          double at = sobol_coordinate(&dimension, k);
          assert_true(at > 0 && at < 1);
          int interval = (int)ldexp(at, m);
          assert_false(met[interval]);
          met[interval] = true;
        }
      }
    }
}

/* Compares with the first ten points in three dimensions printed by the program of Joe and Kuo, which orders them by
 * Gray's code. */
static void points_of_joe_and_kuo(void **state) {
  static const double points[10][3] = {{0, 0, 0},
                                       {0.5, 0.5, 0.5},
                                       {0.75, 0.25, 0.25},
                                       {0.25, 0.75, 0.75},
                                       {0.375, 0.375, 0.625},
                                       {0.875, 0.875, 0.125},
                                       {0.625, 0.125, 0.875},
                                       {0.125, 0.625, 0.375},
                                       {0.1875, 0.3125, 0.9375},
                                       {0.6875, 0.8125, 0.4375}};
  (void)state;
  for (int j = 0; j < 3; j++) {
    SobolDimension dimension = sobol_dimension(j, 7);
    for (uint32_t k = 0; k < 10; k++)
      assert_true((double)digits(&dimension, k ^ k >> 1) / 4294967296.0 == points[k][j]);
  }
}

/* Sobol's property A: if space is halved in each of d dimensions, each of the 2^d sub-cubes contains one of the first
 * 2^d points. So the first digits of the points 1, 2, 4, .. are d independent rows modulo 2. Joe and Kuo's numbers have
 * the property for any d. */
static void halves_of_all_dimensions(void **state) {
  (void)state;
  for (int d = 1; d <= SOBOL_BITS; d++) {
    uint32_t rows[SOBOL_BITS] = {0};
    for (int j = 0; j < d; j++) {
      SobolDimension dimension = sobol_dimension(j, 1);
      for (int k = 0; k < d; k++) rows[j] |= (digits(&dimension, UINT32_C(1) << k) >> 31) << k;
    }
    for (int j = 0; j < d; j++) {
      assert_true(rows[j] != 0);
      for (int i = j + 1; i < d; i++)
        if (rows[i] & (rows[j] & -rows[j])) rows[i] ^= rows[j];
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_interval_has_one), cmocka_unit_test(points_of_joe_and_kuo),
                                     cmocka_unit_test(halves_of_all_dimensions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
