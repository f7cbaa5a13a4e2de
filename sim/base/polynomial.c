/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/polynomial.h"

#include "sim/base/many.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An interval narrower than this is not halved further, as its Bernstein coefficients are rounding error. */
static const double NARROW = 1e-14;
/* maximum number of steps that refine a root */
enum { REFINEMENTS = 100 };
enum {
  MANY = 32
};                         /* from this number of polynomials on, the functions of many.h are used, with inner loops
                            * over the polynomials */
enum { SIDE_BY_SIDE = 8 }; /* polynomials shifted at a time */

/* Evaluates n polynomials together, so that the processor need not wait for each result. */
static inline __attribute__((always_inline)) void at_together(int n, int order, int d, const double *c, double s,
                                                              double *values) {
  enum { MOST = 4 };
  double sum[MOST];
  for (int i = 0; i < n; i++) sum[i] = c[order * d + i];
  for (int k = order - 1; k >= 0; k--)
    for (int i = 0; i < n; i++) sum[i] = sum[i] * s + c[k * d + i];
  for (int i = 0; i < n; i++) values[i] = sum[i];
}

void polynomial_at(int order, int d, const double *c, double s, double *values) {
  int i = 0;
  if (d >= MANY) {
    many_at(order, d, c, s, values);
    return;
  }
  for (; i + 4 <= d; i += 4) at_together(4, order, d, c + i, s, values + i);
  for (; i + 2 <= d; i += 2) at_together(2, order, d, c + i, s, values + i);
  if (i < d) at_together(1, order, d, c + i, s, values + i);
}

/* Weights are computed BLOCK at a time, so the array has ROOM for a full last block. */
enum { BLOCK = 4, ROOM = POLYNOMIAL_ORDER + BLOCK + 1 };

/* Replaces p(s) by p(from + s): c_k = sum_j C(j,k) from^(j-k) c_j, with the weights of c_j computed row by row as in
 * Pascal's triangle. */
static void shift(int order, double *c, int stride, int count, double from) {
  double weights[2][ROOM] = {{1}}, shifted[SIDE_BY_SIDE][ROOM] = {{0}};
  for (int j = 0; j <= order; j++) {
    const double *restrict weight = weights[j % 2];
    double *restrict next = weights[(j + 1) % 2];
    for (int k = 0; k <= j; k += BLOCK)
      for (int q = k; q < k + BLOCK; q++) next[q + 1] = weight[q] + from * weight[q + 1];
    next[0] = from * weight[0];
    for (int i = 0; i < count; i++) {
      double *restrict sum = shifted[i], by = c[j * stride + i];
      for (int k = 0; k <= j; k += BLOCK)
        for (int q = k; q < k + BLOCK; q++) sum[q] += weight[q] * by;
    }
  }
  for (int k = 0; k <= order; k++)
    for (int i = 0; i < count; i++) c[k * stride + i] = shifted[i][k];
}

void polynomial_part(int order, int d, double *c, double from, double width) {
  if (d >= MANY && from != 0) many_shift(order, d, c, from);
  for (int i = 0; i < d && d < MANY && from != 0; i += SIDE_BY_SIDE)
    shift(order, c + i, d, d - i < SIDE_BY_SIDE ? d - i : SIDE_BY_SIDE, from);
  if (width == 1) return;
  double power = 1;
  for (int k = 0; k <= order; k++, power *= width)
    for (int i = 0; i < d; i++) c[k * d + i] *= power;
}

/* Converts powers to Bernstein coefficients: b_j = sum_{k <= j} C(j,k)/C(n,k) c_k, with binomial coefficients C. */
static void to_bernstein(int n, const double *c, double *b) {
  double binomial = 1;
  for (int k = 0; k <= n; k++) {
    b[k] = c[k] / binomial;
    binomial = binomial * (n - k) / (k + 1);
  }
  for (int r = 1; r <= n; r++)
    for (int j = n; j >= r; j--) b[j] += b[j - 1];
}

/* Returns the number of sign changes in a sequence of coefficients, zeros omitted. */
static int sign_changes(int n, const double *b) {
  int changes = 0;
  double last = b[0];
  for (int j = 1; j <= n; j++) {
    if (b[j] == 0) continue;
    changes += (last < 0) != (b[j] < 0);
    last = b[j];
  }
  return changes;
}

/* Splits an interval of a polynomial in half (de Casteljau). On return b has the Bernstein coefficients of the left
 * half, and `right` those of the right half. */
static void halve(int n, double *b, double *right) {
  memcpy(right, b, (size_t)(n + 1) * sizeof *b);
  for (int j = 1; j <= n; j++) {
    for (int i = 0; i <= n - j; i++) right[i] = (right[i] + right[i + 1]) / 2;
    b[j] = right[0];
  }
}

/* Finds the root between low, where p > 0, and high, where p < 0, by Newton steps; bisects if a step leaves the
 * interval. If the interval still begins at 0 after all iterations, the root is so near 0 that the root of c_0 + c_1 s
 * is returned. */
static double refine(int n, const double *p, double low, double high) {
  double s = (low + high) / 2;
  for (int k = 0; k < REFINEMENTS; k++) {
    double value = p[n], slope = 0;
    for (int j = n - 1; j >= 0; j--) {
      slope = slope * s + value;
      value = value * s + p[j];
    }
    if (value == 0) return s;
    if (value > 0)
      low = s;
    else
      high = s;
    double next = s - value / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (fabs(next - s) <= 2 * DBL_EPSILON * next || next == low || next == high) return next;
    s = next;
  }
  double near = n > 0 ? -p[0] / p[1] : s;
  return low == 0 && near > 0 && near < s ? near : s;
}

static bool search(int n, const double *p, double *b, double low, double high, double *root) {
  int changes = sign_changes(n, b);
  *root = high;
  if (changes == 0) return b[n] == 0;
  if (changes == 1 && b[n] < 0 && b[0] > 0) {
    *root = refine(n, p, low, high);
    return true;
  }
  if (high - low < NARROW) {
    *root = low;
    return true;
  }
  double right[POLYNOMIAL_ORDER + 1], middle = (low + high) / 2;
  halve(n, b, right);
  return search(n, p, b, low, middle, root) || search(n, p, right, middle, high, root);
}

double polynomial_least(int order, int stride, const double *c, double factor, double added, double limit) {
  double least = factor * c[order * stride];
  for (int k = order - 1; k >= 0; k--) least = factor * c[k * stride] + limit * (least < 0 ? least : 0);
  return least + added;
}

/* Proves that p decreases: returns whether a bound of p' by Horner's rule is negative on 0..1. */
static bool falls_throughout(int n, const double *p) {
  double slope[POLYNOMIAL_ORDER];
  for (int k = 0; k < n; k++) slope[k] = (k + 1) * p[k + 1];
  return n > 0 && polynomial_least(n - 1, 1, slope, -1, 0, 1) > 0;
}

bool polynomial_first_root(int order, const double *p, double limit, double *root) {
  double power = 1, end = 0, part, scaled[POLYNOMIAL_ORDER + 1] = {p[0]}, b[POLYNOMIAL_ORDER + 1];
  for (int k = 0; k <= order; k++, power *= limit) end += scaled[k] = p[k] * power;
  if (end < 0 && falls_throughout(order, scaled)) {
    *root = limit * refine(order, scaled, 0, 1);
    return true;
  }
  to_bernstein(order, scaled, b);
  bool found = search(order, scaled, b, 0, 1, &part);
  if (found) *root = limit * part;
  return found;
}
