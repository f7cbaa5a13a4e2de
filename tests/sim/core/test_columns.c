/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares products of several columns at once with those of single columns, bit for bit, for any number of columns. */
#include "tests/fixture.h"

#include "sim/operator/columns.h"

enum { D = 7, WIDTH = 36, SIZE = D * WIDTH };

static void products_are_those_of_each_column(void **state) {
  (void)state;
  uint64_t seed = 3;
  double a[D * D], x[SIZE], before[SIZE], product[SIZE], sum[SIZE];
  for (int i = 0; i < D * D; i++) a[i] = i % 5 == 2 ? 0 : fixture_random(&seed);
  for (int i = 0; i < SIZE; i++) x[i] = fixture_random(&seed);
  for (int n = 0; n <= WIDTH; n += COLUMNS_TOGETHER) {
    for (int i = 0; i < SIZE; i++) before[i] = product[i] = sum[i] = fixture_random(&seed);
    columns_multiply(D, a, n, WIDTH, x, product);
    columns_multiply_add(D, -0.7, a, n, WIDTH, x, sum);
    for (int i = 0; i < SIZE; i++) {
      double of_row = 0, added = before[i];
      for (int j = 0; j < D; j++) {
        double entry = a[i / WIDTH * D + j], column = x[j * WIDTH + i % WIDTH];
        of_row += entry * column;
        added += -0.7 * entry * column;
      }
      bool beyond = i % WIDTH >= n; /* entries beyond the n-th of a row must not change */
      assert_true(product[i] == (beyond ? before[i] : of_row));
      assert_true(sum[i] == (beyond ? before[i] : added));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_those_of_each_column)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
