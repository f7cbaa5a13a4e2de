/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops over many polynomials, one for each dof, that use wide vectors. Results have the same bits as if each
 * polynomial were computed alone. Coefficients are [order + 1][d], as in polynomial.h. */
#ifndef SIM_BASE_MANY_H
#define SIM_BASE_MANY_H

/* Evaluates d polynomials at s: values [d]. */
void many_at(int order, int d, const double *c, double s, double *values);
/* Like many_at, but polynomial i is a function of s - from_i. */
void many_at_each(int order, int d, const double *c, const double *from, double s, double *values);
/* Shifts the origin of d polynomials: replaces p(s) by p(from + s). */
void many_shift(int order, int d, double *c, double from);
/* Returns the largest |c_i| of a vector c [d]. */
double many_largest(int d, const double *c);
/* Returns x'y for vectors [d], computed as sixteen partial sums. */
double many_dot(int d, const double *x, const double *y);
/* Sums the magnitudes of coefficients: sums [d] of |c_k| for the orders k from `first` on. */
void many_sizes(int first, int order, int d, const double *c, double *sums);
/* Subtracts a product with a tridiagonal matrix, r -= a x. a: [3][d] its three diagonals. */
void many_subtract_tridiagonal(int d, const double *a, const double *x, double *r);
#endif
