/* Loops over many dofs side by side, also compiled for wider vectors, with the same bits as one by one. Series: [order
 * + 1][d] as in polynomial.h. */
#ifndef SIM_BASE_MANY_H
#define SIM_BASE_MANY_H

/* Evaluates d series at s: values [d]. */
void many_at(int order, int d, const double *c, double s, double *values);
/* Like many_at, but series i is a function of s - from_i. */
void many_at_each(int order, int d, const double *c, const double *from, double s, double *values);
/* p(s) becomes p(from + s). */
void many_shift(int order, int d, double *c, double from);
/* The largest |c_i|. */
double many_largest(int d, const double *c);
/* x'y, summed in sixteen partial sums. */
double many_dot(int d, const double *x, const double *y);
/* sums [d] of |c_k| of the orders from `first` on. */
void many_sizes(int first, int order, int d, const double *c, double *sums);
/* r -= a x for a tridiagonal a with diagonals [3][d]. */
void many_subtract_tridiagonal(int d, const double *a, const double *x, double *r);
#endif
