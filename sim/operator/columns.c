/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/operator/columns.h"

#include <stdbool.h>

/* Functions marked WIDE are also compiled for wider vectors. The loader selects a version when the program starts. This
 * is before sanitizers have started, so with sanitizers only one version is compiled. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif
#define INLINE static inline __attribute__((always_inline))

/* SIMD vector of adjacent entries of a row, loaded from any address. */
typedef double Together
    __attribute__((vector_size(COLUMNS_TOGETHER * sizeof(double)), aligned(sizeof(double)), may_alias));

enum { TILE = 6 }; /* number of rows that are computed together; their sums fit into registers */

/* Computes `size` rows (at most TILE) of y = a x or, if `adds`, adds factor a x to y. */
INLINE void multiply(int size, bool adds, int d, double factor, const double *a, int width, const double *x,
                     double *y) {
  for (int i = 0; i < d; i++) {
    Together sum[TILE], *row = (Together *)(y + i * width);
    for (int q = 0; q < size; q++) sum[q] = adds ? row[q] : (Together){0};
    for (int j = 0; j < d; j++) {
      double entry = factor * a[i * d + j];
      const Together *column = (const Together *)(x + j * width);
      if (entry == 0) continue;
#pragma GCC unroll 6
      for (int q = 0; q < size; q++) sum[q] += entry * column[q];
    }
    for (int q = 0; q < size; q++) row[q] = sum[q];
  }
}

INLINE void multiply_all(bool adds, int d, double factor, const double *a, int n, int width, const double *x,
                         double *y) {
#define MULTIPLY(size)                                                                                                 \
  case size: multiply(size, adds, d, factor, a, width, x + k, y + k); break
  for (int k = 0; k < n; k += TILE * COLUMNS_TOGETHER) {
    int left = (n - k) / COLUMNS_TOGETHER;
    switch (left < TILE ? left : TILE) {
      MULTIPLY(1);
      MULTIPLY(2);
      MULTIPLY(3);
      MULTIPLY(4);
      MULTIPLY(5);
      MULTIPLY(6);
    }
  }
#undef MULTIPLY
}

WIDE void columns_multiply_add(int d, double factor, const double *a, int n, int width, const double *x, double *y) {
  multiply_all(true, d, factor, a, n, width, x, y);
}

WIDE void columns_multiply(int d, const double *a, int n, int width, const double *x, double *y) {
  multiply_all(false, d, 1, a, n, width, x, y);
}
