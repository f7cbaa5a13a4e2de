/* SPDX-License-Identifier: BSD-2-Clause */
/* Polynomials p(s) = sum_k c_k s^k on 0 <= s <= 1, the form of a motion between two events. Several polynomials are
 * stored together as c [order + 1][d]; coefficient k of polynomial i is c[k d + i]. */
#ifndef SIM_BASE_POLYNOMIAL_H
#define SIM_BASE_POLYNOMIAL_H

#include <math.h>
#include <stdbool.h>

enum { POLYNOMIAL_ORDER = 24 }; /* maximum order */

/* Evaluates d polynomials at s: values [d]. */
void polynomial_at(int order, int d, const double *c, double s, double *values);

/* Returns the value at s of a polynomial with the coefficients c[k stride], for example one of several that are stored
 * side by side. */
static inline double polynomial_value(int order, int stride, const double *c, double s) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * s + c[k * stride];
  return sum;
}

/* polynomial_largest returns the largest |c_k| of n coefficients, polynomial_tail that of the last two coefficients
 * (order >= 1). The result is NAN if a coefficient is not finite, so that an overflow is not taken for a small
 * number. */
static inline double polynomial_largest(int n, const double *c) {
  double most = 0, finite = 0; /* finite stays 0, or becomes NAN if a coefficient is not finite */
  for (int k = 0; k < n; k++) {
    most = fmax(most, fabs(c[k]));
    finite += 0 * c[k];
  }
  return most + finite;
}
static inline double polynomial_tail(int order, const double *c) { return polynomial_largest(2, c + order - 1); }

/* Replaces p(s) by p(from + width s). */
void polynomial_part(int order, int d, double *c, double from, double width);

/* Returns a lower bound, by Horner's rule, of added + factor p(s) on 0 <= s <= limit. p has the coefficients c[k
 * stride]. */
double polynomial_least(int order, int stride, const double *c, double factor, double added, double limit);

/* Finds the smallest root of p in 0 < s <= limit <= 1, given p(0) > 0. At a root p becomes negative or touches 0. p:
 * coefficients [order + 1]. The function uses the signs of Bernstein coefficients, which miss no root. Returns false if
 * there is none. */
bool polynomial_first_root(int order, const double *p, double limit, double *root);

#endif
