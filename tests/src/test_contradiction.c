/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that linear inequalities that some z meets are never said to contradict each other, and that those that do are
 * found, with multipliers that prove it. */
#include "tests/fixture.h"

#include "src/file/values/contradiction.h"

#include <math.h>

enum { ROUNDS = 3000, N = 8, M = 20 };

typedef struct Rows {
  int n, m;
  double a[M * N], b[M];
} Rows;

static int below(uint64_t *seed, int n) { return (int)(n * (0.5 + 0.4999 * fixture_random(seed))); }

static void scale_last(Rows *rows, double b) {
  double length = 0;
  for (int i = 0; i < rows->n; i++) length = hypot(length, rows->a[rows->m * rows->n + i]);
  if (length == 0) length = 1;
  for (int i = 0; i < rows->n; i++) rows->a[rows->m * rows->n + i] /= length;
  rows->b[rows->m++] = b / length;
}

/* Fills in up to M - 1 rows that a random point meets, half of them with equality; some are nearly parallel. */
static void around_a_point(uint64_t *seed, Rows *rows) {
  double z[N], size = pow(10, 3 * fixture_random(seed));
  int m = 1 + below(seed, M - 1), kind = below(seed, 3);
  *rows = (Rows){.n = 1 + below(seed, N)};
  for (int i = 0; i < rows->n; i++) z[i] = size * fixture_random(seed);
  while (rows->m < m) {
    double *a = rows->a + rows->m * rows->n, sum = 0;
    for (int i = 0; i < rows->n; i++) {
      if (below(seed, 2)) a[i] = kind == 1 ? below(seed, 3) - 1 : fixture_random(seed);
      if (kind == 2 && rows->m > 0 && below(seed, 2)) a[i] = 1e-5 * fixture_random(seed) - a[i - rows->n];
      sum += a[i] * z[i];
    }
    scale_last(rows, sum + (below(seed, 2) ? size * fabs(fixture_random(seed)) : 0) + 1e-6 * fmax(1, fabs(sum)));
  }
}

static bool contradict(const Rows *rows, double *y) {
  bool any = false;
  assert_true(contradiction_find(rows->n, rows->m, rows->a, rows->b, y));
  for (int j = 0; j < rows->m; j++) any = any || y[j] > 0;
  return any;
}

/* Multipliers prove the contradiction: y >= 0, the sum of y_j a_j is 0, that of y_j b_j is less. */
static void assert_proof(const Rows *rows, const double *y) {
  double sum = 0, most = 0, size = 0;
  for (int j = 0; j < rows->m; j++) {
    assert_true(y[j] >= 0);
    sum += y[j] * rows->b[j];
    most += y[j];
    size = fmax(size, fabs(rows->b[j]));
  }
  assert_true(sum < 0);
  for (int i = 0; i < rows->n; i++) {
    double left = 0;
    for (int j = 0; j < rows->m; j++) left += y[j] * rows->a[j * rows->n + i];
    assert_true(fabs(left) * size < 1e-7 * fabs(sum) + 1e-14 * most * size);
  }
}

static void planted_contradictions_are_found(void **state) {
  (void)state;
  uint64_t seed = 7;
  int found = 0, planted = 0;
  for (int round = 0; round < ROUNDS; round++) {
    Rows rows;
    double y[M];
    around_a_point(&seed, &rows);
    assert_false(contradict(&rows, y));
    int one = below(&seed, rows.m), other = below(&seed, rows.m);
    double p = fabs(fixture_random(&seed)), q = fabs(fixture_random(&seed)), length = 0, largest = 0;
    for (int i = 0; i < rows.n; i++) {
      double *a = rows.a + rows.m * rows.n + i;
      *a = -p * rows.a[one * rows.n + i] - q * rows.a[other * rows.n + i];
      length = hypot(length, *a);
    }
    for (int j = 0; j < rows.m; j++) largest = fmax(largest, fabs(rows.b[j]));
    if (length == 0) continue;
    scale_last(&rows, -p * rows.b[one] - q * rows.b[other] - 0.001 * largest * length);
    planted++;
    if (!contradict(&rows, y)) continue;
    found++;
    assert_proof(&rows, y);
  }
  print_message("%d of %d planted contradictions found\n", found, planted);
  assert_true(found > 0.99 * planted);
}

static void rows_without_entries(void **state) {
  (void)state;
  double y[2];
  assert_true(contradiction_find(1, 2, (const double[]){0, 1}, (const double[]){-1, 3}, y));
  assert_true(y[0] > 0 && y[1] == 0);
  assert_true(contradiction_find(1, 2, (const double[]){0, 1}, (const double[]){0, -3}, y));
  assert_true(y[0] == 0 && y[1] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_contradictions_are_found),
      cmocka_unit_test(rows_without_entries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
