/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/many.h"

#include "sim/base/polynomial.h"

#include <math.h>
#include <stdint.h>

/* Functions marked WIDE are compiled twice: for the basic instruction set and for wider vectors. The loader selects the
 * version when the program starts. It does so before sanitizers have started, so with sanitizers only one version is
 * compiled. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define WIDE
#endif

/* number of dofs in a block, so that the coefficients of a block stay in the cache */
enum { TOGETHER = 64, LANES = 4, STREAMS = 4 };

WIDE void many_at(int order, int d, const double *restrict c, double s, double *restrict values) {
  for (int i = 0; i < d; i++) values[i] = c[order * d + i];
  for (int k = order - 1; k >= 0; k--)
    for (int i = 0; i < d; i++) values[i] = values[i] * s + c[k * d + i];
}

WIDE void many_at_each(int order, int d, const double *restrict c, const double *restrict from, double s,
                       double *restrict values) {
  for (int i = 0; i < d; i++) values[i] = c[order * d + i];
  for (int k = order - 1; k >= 0; k--)
    for (int i = 0; i < d; i++) values[i] = values[i] * (s - from[i]) + c[k * d + i];
}

/* Vector of LANES doubles, loaded from any address. */
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef int64_t Marks __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Computes weights[k][j] = C(j,k) from^(j-k), with the binomial coefficient C(j,k). */
static void find_weights(int order, double from, double weights[][POLYNOMIAL_ORDER + 2]) {
  double row[2][POLYNOMIAL_ORDER + 2] = {{1}};
  for (int j = 0; j <= order; j++) {
    const double *now = row[j % 2];
    double *next = row[(j + 1) % 2];
    for (int k = 0; k <= j; k++) {
      weights[k][j] = now[k];
      next[k + 1] = now[k] + from * (k < j ? now[k + 1] : 0);
    }
    next[0] = from * now[0];
  }
}

/* Adds a weighted sum of coefficients to out for n dofs: out[i] += sum_j w_j c_j[i]. Two terms are added at a time, in
 * the order of j. */
WIDE static void add_weighed(int n, int count, int d, const double *restrict w, const double *restrict c,
                             double *restrict out) {
  int j = 0;
  for (; j + 1 < count; j += 2) {
    const double *restrict one = c + j * d, *restrict two = one + d;
    for (int i = 0; i < n; i++) out[i] = out[i] + w[j] * one[i] + w[j + 1] * two[i];
  }
  for (int i = 0; i < n && j < count; i++) out[i] += w[j] * c[j * d + i];
}

void many_shift(int order, int d, double *c, double from) {
  double weights[POLYNOMIAL_ORDER + 1][POLYNOMIAL_ORDER + 2];
  find_weights(order, from, weights);
  for (int first = 0; first < d; first += TOGETHER) {
    int n = d - first < TOGETHER ? d - first : TOGETHER;
    for (int k = 0; k < order; k++)
      add_weighed(n, order - k, d, &weights[k][k + 1], c + (k + 1) * d + first, c + k * d + first);
  }
}

WIDE double many_largest(int d, const double *c) {
  Lanes most[STREAMS] = {{0}};
  double largest = 0;
  int i = 0;
  for (; i + STREAMS * LANES <= d; i += STREAMS * LANES)
    for (int k = 0; k < STREAMS; k++) {
      Marks size = (Marks)(*(const Lanes *)(c + i + k * LANES)) & INT64_MAX, larger = (Lanes)size > most[k];
      most[k] = (Lanes)((size & larger) | ((Marks)most[k] & ~larger));
    }
  for (int k = 0; k < STREAMS; k++)
    for (int q = 0; q < LANES; q++) largest = most[k][q] > largest ? most[k][q] : largest;
  for (; i < d; i++) largest = fabs(c[i]) > largest ? fabs(c[i]) : largest;
  return largest;
}

WIDE double many_dot(int d, const double *x, const double *y) {
  Lanes sums[STREAMS] = {{0}};
  double sum = 0;
  int i = 0;
  for (; i + STREAMS * LANES <= d; i += STREAMS * LANES)
    for (int k = 0; k < STREAMS; k++)
      sums[k] += *(const Lanes *)(x + i + k * LANES) * *(const Lanes *)(y + i + k * LANES);
  for (int k = 0; k < STREAMS; k++)
    for (int q = 0; q < LANES; q++) sum += sums[k][q];
  for (; i < d; i++) sum += x[i] * y[i];
  return sum;
}

WIDE void many_sizes(int first, int order, int d, const double *restrict c, double *restrict sums) {
  for (int i = 0; i < d; i++) sums[i] = 0;
  for (int k = first; k <= order; k++)
    for (int i = 0; i < d; i++) sums[i] += fabs(c[k * d + i]);
}

WIDE void many_subtract_tridiagonal(int d, const double *restrict a, const double *restrict x, double *restrict r) {
  const double *restrict low = a, *restrict middle = a + d, *restrict high = a + 2 * d;
  r[0] = r[0] - middle[0] * x[0] - high[0] * x[1];
  for (int i = 1; i < d - 1; i++) r[i] = r[i] - low[i] * x[i - 1] - middle[i] * x[i] - high[i] * x[i + 1];
  r[d - 1] = r[d - 1] - low[d - 1] * x[d - 2] - middle[d - 1] * x[d - 1];
}
