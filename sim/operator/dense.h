/* Dense linear algebra on small matrices: eigenvalues by LAPACK, what steps are made with in plain C. Matrices are row-major [d][d] and symmetric, so
 * LAPACK's column order is the same thing, but where a function says that it takes others. Local. */
#ifndef SIM_DENSE_H
#define SIM_DENSE_H

#include "sim/problem.h"

#include <stdbool.h>

/* call(d) with d a constant where it is small, so that loops over it are unrolled. */
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

/* y = a x. Sums run over ascending columns: the same bits everywhere. */
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

/* x'a y */
static inline double dense_form(int d, const double *x, const double *a, const double *y) {
  double sum = 0;
  for (int i = 0; i < d; i++) sum += x[i] * dense_dot(d, a + i * d, y);
  return sum;
}

/* The most j - i of an entry (i, j) of the symmetric matrix a that is not 0: 0 of a diagonal one. */
int dense_bandwidth(int d, const double *a);
/* s, about, that the eigenvalues of a matrix of bandwidth k take: O(d^3), but O(k d^2) where k << d. */
double dense_eigenvalue_seconds(int d, int k);

/* Extreme eigenvalues of the symmetric matrix a. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM when LAPACK fails; so the next three. */
SimStatus dense_eigenvalue_range(int d, const double *a, double *smallest, double *largest);

/* Largest eigenvalue of b^-1 a, a symmetric, b symmetric positive definite. */
SimStatus dense_generalised_largest(int d, const double *a, const double *b, double *largest);

/* The largest y'a x of all x, y with x'b x = y'b y = 1, b symmetric positive definite: of a symmetric positive semi-definite a that is the largest
 * eigenvalue of b^-1 a, of any other no eigenvalue is larger. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus dense_generalised_norm(int d, const double *a, const double *b, double *norm);

/* Whether a and its transpose differ by no more than round-off, 1e-12 of the largest entry. */
bool dense_is_symmetric(int d, const double *a);
/* Whether a, of positive diagonal, may be factored as a symmetric matrix, whatever the units of its rows: a_ij and a_ji differ by 1e-12 of the root
 * of a_ii a_jj at most. */
bool dense_is_nearly_symmetric(int d, const double *a);
/* part = (a + a')/2, which may be a itself. */
void dense_symmetric_part(int d, const double *a, double *part);
void dense_transpose(int d, const double *a, double *transposed); /* transposed != a */

/* The modes a phi = value b phi, phi_k'b phi_l = 1 or 0: values [d] ascending, modes [k][d]. */
SimStatus dense_generalised_modes(int d, const double *a, const double *b, double *values, double *modes);

/* Largest eigenvalue of the symmetric tridiagonal matrix with this diagonal [d] and these d - 1 entries beside it, in
 * O(d). */
SimStatus dense_tridiagonal_largest(int d, const double *diagonal, const double *off, double *largest);

/* inverse = a^-1, a symmetric positive definite, or any matrix whose symmetric part is so; the same bits everywhere. SIM_OK, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM when a is not positive definite. */
SimStatus dense_invert(int d, const double *a, double *inverse);

/* a = L L' in place, L in the lower triangle, the same bits everywhere. Returns 0, or non-zero when a is not positive
 * definite. Allocates nothing. */
int dense_factor(int n, double *a);

/* x <- (L L')^-1 x, L of dense_factor. Allocates nothing. */
void dense_substitute(int n, const double *l, double *x);

/* a = P L U in place, a any matrix, the same bits everywhere; pivot [n]: the rows that were exchanged. Returns 0, or non-zero when a is singular.
 * Allocates nothing. */
int dense_factor_any(int n, double *a, int *pivot);
/* x <- (P L U)^-1 x. */
void dense_substitute_any(int n, const double *lu, const int *pivot, double *x);

/* inverse [d][d]: of the part of a that these n dofs make, 0 elsewhere; a as of dense_invert. part: room for d^2; members: [2 d], of which the last d
 * are room. Returns 0, or non-zero when that part is not positive definite. Allocates nothing. */
int dense_invert_part(int d, const double *a, int n, int *members, double *part, double *inverse);

/* Whether all entries beside the diagonal are 0. */
bool dense_is_diagonal(int d, const double *a);

/* Solves a x = b in place (a is overwritten by its factor, x enters as b), a symmetric positive definite
 * [n][n]. Allocates nothing. Returns 0, or non-zero when a is not positive definite. */
int dense_solve(int n, double *a, double *x);

#endif
