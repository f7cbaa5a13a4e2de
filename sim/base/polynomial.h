/* Polynomials p(s) = sum_k c_k s^k on 0 <= s <= 1, the form of a motion between two events. Several are stored side by
 * side as c [order + 1][d]; coefficient k of polynomial i is c[k d + i]. */
#ifndef SIM_BASE_POLYNOMIAL_H
#define SIM_BASE_POLYNOMIAL_H

#include <math.h>
#include <stdbool.h>

enum { POLYNOMIAL_ORDER = 24 }; /* maximum order */

/* Evaluates d polynomials at s: values [d]. */
void polynomial_at(int order, int d, const double *c, double s, double *values);

/* Value at s of one of several polynomials, with coefficients c[k stride]. */
static inline double polynomial_value(int order, int stride, const double *c, double s) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * s + c[k * stride];
  return sum;
}

/* Largest |c_k| of n coefficients; of the last two, order >= 1. NAN if one of them is not finite, so that no overflow is
 * taken for a small number. */
static inline double polynomial_largest(int n, const double *c) {
  double most = 0, finite = 0; /* finite: 0, or NAN */
  for (int k = 0; k < n; k++) {
    most = fmax(most, fabs(c[k]));
    finite += 0 * c[k];
  }
  return most + finite;
}
static inline double polynomial_tail(int order, const double *c) { return polynomial_largest(2, c + order - 1); }

/* Replaces p(s) by p(from + width s). */
void polynomial_part(int order, int d, double *c, double from, double width);

/* Lower bound, by Horner's rule, of added + factor p(s) on 0 <= s <= limit. p: one of several, c[k stride]. */
double polynomial_least(int order, int stride, const double *c, double factor, double added, double limit);

/* Finds the first root of p in 0 < s <= limit <= 1, where p(0) > 0: there p becomes negative or touches 0. p: [order +
 * 1]. It uses the signs of Bernstein coefficients, which miss no root. Returns false if there is none. */
bool polynomial_first_root(int order, const double *p, double limit, double *root);

#endif
