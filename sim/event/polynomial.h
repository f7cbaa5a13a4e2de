/* Polynomials p(s) = sum_k c_k s^k on 0 <= s <= 1: what a motion is made of between two events. Several side by side:
 * c [order + 1][d], of which the i-th is c[k d + i]. */
#ifndef SIM_EVENT_POLYNOMIAL_H
#define SIM_EVENT_POLYNOMIAL_H

#include <math.h>
#include <stdbool.h>

enum { POLYNOMIAL_ORDER = 24 }; /* the largest */

/* values [d] at s */
void polynomial_at(int order, int d, const double *c, double s, double *values);

/* One of several at s: c[k stride]. */
static inline double polynomial_value(int order, int stride, const double *c, double s) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * s + c[k * stride];
  return sum;
}

/* The largest |c_k| of n; of the last two, order >= 1. */
static inline double polynomial_largest(int n, const double *c) {
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(c[k]));
  return most;
}
static inline double polynomial_tail(int order, const double *c) { return polynomial_largest(2, c + order - 1); }

/* p(s) becomes p(from + width s). */
void polynomial_part(int order, int d, double *c, double from, double width);

/* A bound, by Horner's rule, of added + factor p(s) from below in 0 <= s <= limit; of one of several, p: c[k stride]. */
double polynomial_least(int order, int stride, const double *c, double factor, double added, double limit);

/* The first root of p in 0 < s <= limit <= 1, where p(0) > 0: at it p becomes negative or touches 0. p: [order + 1]. Found by
 * the signs of Bernstein's coefficients, which miss none. False: there is none. */
bool polynomial_first_root(int order, const double *p, double limit, double *root);

#endif
