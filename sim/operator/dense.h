/* SPDX-License-Identifier: BSD-2-Clause */
/* Dense linear algebra for small matrices. Eigenvalues are computed by LAPACK, while functions that steps use are in
 * plain C. Matrices are stored by rows, [d][d], and are symmetric unless a function accepts others; LAPACK's storage by
 * columns is then equivalent. All functions are local. */
#ifndef SIM_DENSE_H
#define SIM_DENSE_H

#include "sim/problem.h"

#include <stdbool.h>

/* Calls call(d). If d is small it is a constant in the call, so that loops are unrolled. */
#define DENSE_SIZED(d, call)                                                                                           \
  switch (d) {                                                                                                         \
  case 1: call(1); break;                                                                                              \
  case 2: call(2); break;                                                                                              \
  case 3: call(3); break;                                                                                              \
  case 4: call(4); break;                                                                                              \
  case 5: call(5); break;                                                                                              \
  case 6: call(6); break;                                                                                              \
  case 7: call(7); break;                                                                                              \
  case 8: call(8); break;                                                                                              \
  default: call(d);                                                                                                    \
  }

/* Computes y = a x. Sums run over ascending columns, with the same bits on every processor. */
static inline void dense_multiply(int d, const double *a, const double *x, double *y) {
  for (int i = 0; i < d; i++) {
    double sum = 0;
    for (int j = 0; j < d; j++) sum += a[i * d + j] * x[j];
    y[i] = sum;
  }
}

static inline double dense_dot(int d, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < d; i++) sum += x[i] * y[i];
  return sum;
}

/* returns x'a y */
static inline double dense_form(int d, const double *x, const double *a, const double *y) {
  double sum = 0;
  for (int i = 0; i < d; i++) sum += x[i] * dense_dot(d, a + i * d, y);
  return sum;
}

/* Returns the bandwidth, which is the largest j - i of a nonzero entry (i, j) of the symmetric matrix a; 0: a is
 * diagonal. */
int dense_bandwidth(int d, const double *a);
/* Estimates the time, in s, for computing the eigenvalues of a matrix of bandwidth k. It is O(d^3), or O(k d^2) if k <<
 * d. */
double dense_eigenvalue_seconds(int d, int k);

/* Computes the extreme eigenvalues of the symmetric matrix a. Like the next three functions it returns SIM_OK,
 * SIM_NO_MEMORY, or SIM_BAD_PROBLEM if LAPACK fails. */
SimStatus dense_eigenvalue_range(int d, const double *a, double *smallest, double *largest);

/* Computes the largest eigenvalue of b^-1 a, with a symmetric and b symmetric positive definite. */
SimStatus dense_generalised_largest(int d, const double *a, const double *b, double *largest);

/* Computes the largest y'a x over x, y with x'b x = y'b y = 1, where b is symmetric positive definite. For a symmetric
 * positive semi-definite a it is the largest eigenvalue of b^-1 a. For any a it bounds the eigenvalues. Returns SIM_OK,
 * SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus dense_generalised_norm(int d, const double *a, const double *b, double *norm);

/* Whether a and its transpose differ by round-off only, that is by at most 1e-12 of the largest entry. */
bool dense_is_symmetric(int d, const double *a);
/* Whether a, with positive diagonal, may be factored as a symmetric matrix, for any units of its rows: |a_ij - a_ji| <=
 * 1e-12 sqrt(a_ii a_jj). */
bool dense_is_nearly_symmetric(int d, const double *a);
/* Computes part = (a + a')/2. part may be a itself. */
void dense_symmetric_part(int d, const double *a, double *part);
void dense_transpose(int d, const double *a, double *transposed); /* `transposed` and a must be different arrays */

/* Computes the modes phi with a phi = value b phi, scaled so that phi_k'b phi_l = 1 if k = l, otherwise 0. values: [d]
 * in ascending order; modes: [k][d]. */
SimStatus dense_generalised_modes(int d, const double *a, const double *b, double *values, double *modes);

/* Computes the largest eigenvalue of a symmetric tridiagonal matrix in O(d) operations. diagonal: [d]; off: the d - 1
 * entries next to it. */
SimStatus dense_tridiagonal_largest(int d, const double *diagonal, const double *off, double *largest);

/* Computes inverse = a^-1 for a matrix with positive definite symmetric part, with the same bits on every
 * processor. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if it is not positive definite. */
SimStatus dense_invert(int d, const double *a, double *inverse);

/* Factors a = L L' in place, with L in the lower triangle and the same bits on every processor. Returns 0, or non-zero
 * if a is not positive definite. Allocates nothing. */
int dense_factor(int n, double *a);

/* Replaces x by (L L')^-1 x, with L from dense_factor. Allocates nothing. */
void dense_substitute(int n, const double *l, double *x);

/* Factors any matrix a = P L U in place, with the same bits on every processor. pivot [n]: exchanged rows. Returns 0,
 * or non-zero if a is singular. Allocates nothing. */
int dense_factor_any(int n, double *a, int *pivot);
/* Replaces x by (P L U)^-1 x, with the result of dense_factor_any. */
void dense_substitute_any(int n, const double *lu, const int *pivot, double *x);

/* Inverts the submatrix of a for n dofs: inverse [d][d], with 0 for all other dofs. a: as for dense_invert. part:
 * scratch of d^2. members: [2 d], of which the first n are the dofs and the last d are scratch. Returns 0, or non-zero
 * if the submatrix is not positive definite. Allocates nothing. */
int dense_invert_part(int d, const double *a, int n, int *members, double *part, double *inverse);

/* Whether all entries off the diagonal are 0. */
bool dense_is_diagonal(int d, const double *a);

/* Solves a x = b for a symmetric positive definite a [n][n]. x contains b on entry. a is overwritten by its factor.
 * Returns 0, or non-zero if a is not positive definite. Allocates nothing. */
int dense_solve(int n, double *a, double *x);

#endif
