/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/operator/dense.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* There is no C header of LAPACK here. Its functions have Fortran's calling convention and 32-bit integers. */
void dsyev_(const char *vectors, const char *part, const int *n, double *a, const int *a_rows, double *values,
            double *work, const int *n_work, int *info, size_t, size_t);
void dsygv_(const int *type, const char *vectors, const char *part, const int *n, double *a, const int *a_rows,
            double *b, const int *b_rows, double *values, double *work, const int *n_work, int *info, size_t, size_t);
void dsbev_(const char *vectors, const char *part, const int *n, const int *k, double *a, const int *a_rows,
            double *values, double *z, const int *z_rows, double *work, int *info, size_t, size_t);
void dsbgv_(const char *vectors, const char *part, const int *n, const int *k, const int *k_b, double *a,
            const int *a_rows, double *b, const int *b_rows, double *values, double *z, const int *z_rows, double *work,
            int *info, size_t, size_t);
void dstebz_(const char *which, const char *order, const int *n, const double *above, const double *up_to,
             const int *first, const int *last, const double *tolerance, const double *diagonal, const double *off,
             int *found, int *blocks, double *values, int *block, int *split, double *work, int *index, int *info,
             size_t, size_t);

int dense_bandwidth(int d, const double *a) {
  int k = 0;
  for (int i = 0; i < d; i++)
    for (int j = d - 1; j > i + k; j--)
      if (a[(size_t)i * (size_t)d + (size_t)j] != 0) k = j - i;
  return k;
}

/* Whether LAPACK's functions for band matrices are faster than those for full matrices, for bandwidth k. */
static bool is_narrow(int d, int k) {
  /* They are for more than SMALL rows and a bandwidth below 1/PART of the number of rows. */
  enum { SMALL = 64, PART = 20 };
  return d > SMALL && k < d / PART;
}

double dense_eigenvalue_seconds(int d, int k) {
  static const double FULL = 1.2e-9, BAND = 20e-9; /* measured times of LAPACK, in s, per d^3 and per d^2 (k + 1) */
  double square = (double)d * d;
  return is_narrow(d, k) ? BAND * square * (k + 1) : FULL * square * d;
}

/* Copies a matrix to band storage [d][k + 1]: entry (i, i + m) is at [i][m]. */
static void take_band(int d, int k, const double *a, double *band) {
  memset(band, 0, (size_t)d * (size_t)(k + 1) * sizeof *band);
  for (int i = 0; i < d; i++)
    for (int j = i; j < d && j <= i + k; j++)
      band[(size_t)i * (size_t)(k + 1) + (size_t)(j - i)] = a[(size_t)i * (size_t)d + (size_t)j];
}

static SimStatus of_lapack(int info) { return info ? SIM_BAD_PROBLEM : SIM_OK; }

/* Computes all eigenvalues in ascending order, values [d]. */
static SimStatus eigenvalues(int d, const double *a, double *values) {
  int n = d, k = dense_bandwidth(d, a), rows = k + 1, one = 1, n_work = 3 * d, info = -1;
  bool narrow = is_narrow(d, k);
  size_t size = (size_t)d * (size_t)(narrow ? rows : d);
  double *copy = malloc((size + 3 * (size_t)d) * sizeof *copy);
  if (!copy) return SIM_NO_MEMORY;
  if (narrow) {
    take_band(d, k, a, copy);
    dsbev_("N", "L", &n, &k, copy, &rows, values, NULL, &one, copy + size, &info, 1, 1);
  } else {
    memcpy(copy, a, size * sizeof *copy);
    dsyev_("N", "L", &n, copy, &n, values, copy + size, &n_work, &info, 1, 1);
  }
  free(copy);
  return of_lapack(info);
}

SimStatus dense_eigenvalue_range(int d, const double *a, double *smallest, double *largest) {
  double *values = malloc((size_t)d * sizeof *values);
  if (!values) return SIM_NO_MEMORY;
  SimStatus status = eigenvalues(d, a, values);
  if (status == SIM_OK) {
    *smallest = values[0];
    *largest = values[d - 1];
  }
  free(values);
  return status;
}

/* Solves the generalised eigenvalue problem. vectors: whether eigenvectors are computed; they replace the rows of a. b
 * is overwritten, too. work: [3 d]. */
static int generalised(int d, bool vectors, double *a, double *b, double *values, double *work) {
  int type = 1, n = d, n_work = 3 * d, info = -1;
  dsygv_(&type, vectors ? "V" : "N", "L", &n, a, &n, b, &n, values, work, &n_work, &info, 1, 1);
  return info;
}

SimStatus dense_generalised_largest(int d, const double *a, const double *b, double *largest) {
  int n = d, k_b = dense_bandwidth(d, b), k = dense_bandwidth(d, a), one = 1, info = -1;
  if (k < k_b) k = k_b;
  bool narrow = is_narrow(d, k);
  int rows = k + 1, rows_b = k_b + 1;
  size_t size = (size_t)d * (size_t)(narrow ? rows : d);
  double *copy = malloc((2 * size + 4 * (size_t)d) * sizeof *copy);
  if (!copy) return SIM_NO_MEMORY;
  double *copy_b = copy + size, *values = copy_b + size, *work = values + d;
  if (narrow) {
    take_band(d, k, a, copy);
    take_band(d, k_b, b, copy_b);
    dsbgv_("N", "L", &n, &k, &k_b, copy, &rows, copy_b, &rows_b, values, NULL, &one, work, &info, 1, 1);
  } else {
    memcpy(copy, a, size * sizeof *copy);
    memcpy(copy_b, b, size * sizeof *copy_b);
    info = generalised(d, false, copy, copy_b, values, work);
  }
  *largest = info ? NAN : values[d - 1];
  free(copy);
  return of_lapack(info);
}

SimStatus dense_generalised_norm(int d, const double *a, const double *b, double *norm) {
  if (dense_is_symmetric(d, a)) return dense_generalised_largest(d, a, b, norm);
  size_t square = (size_t)d * (size_t)d;
  double *inverse = malloc(3 * square * sizeof *inverse);
  if (!inverse) return SIM_NO_MEMORY;
  double *product = inverse + square, *form = product + square;
  SimStatus status = dense_invert(d, b, inverse);
  memset(product, 0, 2 * square * sizeof *product);
  for (int i = 0; i < d && status == SIM_OK; i++) /* computes b^-1 a first, and then a'b^-1 a */
    for (int k = 0; k < d; k++)
      for (int j = 0; j < d; j++) product[i * d + j] += inverse[i * d + k] * a[k * d + j];
  for (int k = 0; k < d && status == SIM_OK; k++)
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) form[i * d + j] += a[k * d + i] * product[k * d + j];
  if (status == SIM_OK) dense_symmetric_part(d, form, form);
  if (status == SIM_OK) status = dense_generalised_largest(d, form, b, norm);
  *norm = sqrt(*norm);
  free(inverse);
  return status;
}

SimStatus dense_generalised_modes(int d, const double *a, const double *b, double *values, double *modes) {
  size_t square = (size_t)d * (size_t)d;
  double *copy_b = malloc((square + 3 * (size_t)d) * sizeof *copy_b);
  if (!copy_b) return SIM_NO_MEMORY;
  memcpy(modes, a, square * sizeof *modes);
  memcpy(copy_b, b, square * sizeof *copy_b);
  int info = generalised(d, true, modes, copy_b, values, copy_b + square);
  free(copy_b);
  return of_lapack(info);
}

/* Factors a matrix for steps. LAPACK is not used, because a threaded or processor-specific BLAS would give other bits
 * on other ranks. */

int dense_factor(int n, double *a) {
  for (int j = 0; j < n; j++) {
    double *row = a + j * n, pivot = row[j] - dense_dot(j, row, row);
    if (!(pivot > 0)) return j + 1;
    row[j] = sqrt(pivot);
    for (int i = j + 1; i < n; i++) a[i * n + j] = (a[i * n + j] - dense_dot(j, a + i * n, row)) / row[j];
  }
  return 0;
}

void dense_substitute(int n, const double *l, double *x) {
  for (int i = 0; i < n; i++) x[i] = (x[i] - dense_dot(i, l + i * n, x)) / l[i * n + i];
  for (int i = n - 1; i >= 0; i--) {
    x[i] /= l[i * n + i];
    for (int j = 0; j < i; j++) x[j] -= l[i * n + j] * x[i];
  }
}

SimStatus dense_tridiagonal_largest(int d, const double *diagonal, const double *off, double *largest) {
  int n = d, found = 0, blocks = 0, info = -1;
  double ignored = 0, exact = 0; /* arguments of dstebz: bounds of an interval, which it ignores here, and the absolute
                                  * tolerance */
  size_t size = (size_t)d;
  double *values = malloc(5 * size * sizeof *values);
  int *index = malloc(5 * size * sizeof *index);
  bool room = values && index;
  if (room)
    dstebz_("I", "E", &n, &ignored, &ignored, &n, &n, &exact, diagonal, off, &found, &blocks, values, index,
            index + size, values + size, index + 2 * size, &info, 1, 1);
  if (!info && found == 1) *largest = values[0];
  free(values);
  free(index);
  if (!room) return SIM_NO_MEMORY;
  return of_lapack(info || found != 1);
}

int dense_factor_any(int n, double *a, int *pivot) {
  for (int k = 0; k < n; k++) {
    int top = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[top * n + k])) top = i;
    pivot[k] = top;
    if (!(fabs(a[top * n + k]) > 0)) return k + 1;
    for (int j = 0; j < n && top != k; j++) {
      double other = a[k * n + j];
      a[k * n + j] = a[top * n + j];
      a[top * n + j] = other;
    }
    for (int i = k + 1; i < n; i++) {
      double factor = a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n && factor != 0; j++) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return 0;
}

void dense_substitute_any(int n, const double *lu, const int *pivot, double *x) {
  for (int k = 0; k < n; k++) {
    double other = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = other;
  }
  for (int i = 0; i < n; i++) x[i] -= dense_dot(i, lu + i * n, x);
  for (int i = n - 1; i >= 0; i--) x[i] = (x[i] - dense_dot(n - i - 1, lu + i * n + i + 1, x + i + 1)) / lu[i * n + i];
}

bool dense_is_symmetric(int d, const double *a) {
  const double ROUND_OFF = 1e-12;
  double scale = 0, apart = 0;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      scale = fmax(scale, fabs(a[i * d + j]));
      apart = fmax(apart, fabs(a[i * d + j] - a[j * d + i]));
    }
  return apart <= ROUND_OFF * scale;
}

bool dense_is_nearly_symmetric(int d, const double *a) {
  const double ROUND_OFF = 1e-12;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < i; j++) {
      double apart = fabs(a[i * d + j] - a[j * d + i]);
      if (apart > 0 && !(apart <= ROUND_OFF * sqrt(fabs(a[i * d + i])) * sqrt(fabs(a[j * d + j])))) return false;
    }
  return true;
}

void dense_symmetric_part(int d, const double *a, double *part) {
  for (int i = 0; i < d; i++)
    for (int j = 0; j <= i; j++) part[i * d + j] = part[j * d + i] = a[i * d + j] / 2 + a[j * d + i] / 2;
}

void dense_transpose(int d, const double *a, double *transposed) {
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) transposed[j * d + i] = a[i * d + j];
}

/* Factors the submatrix of n dofs of a matrix with positive definite symmetric part, by Cholesky's method if the matrix
 * is symmetric. pivot: [n]. */
static int factor(bool symmetric, int n, double *a, int *pivot) {
  return symmetric ? dense_factor(n, a) : dense_factor_any(n, a, pivot);
}

static void substitute(bool symmetric, int n, const double *a, const int *pivot, double *x) {
  if (symmetric)
    dense_substitute(n, a, x);
  else
    dense_substitute_any(n, a, pivot, x);
}

/* Whether the symmetric part of a is positive definite. room: [d][d]. */
static bool is_positive(int d, const double *a, double *room) {
  dense_symmetric_part(d, a, room);
  return dense_factor(d, room) == 0;
}

/* Columns of the inverse are computed as rows. For a matrix that is not symmetric, the transpose is factored. */
SimStatus dense_invert(int d, const double *a, double *inverse) {
  size_t square = (size_t)d * (size_t)d;
  double *l = malloc(square * sizeof *l);
  int *pivot = malloc((size_t)d * sizeof *pivot);
  bool room = l && pivot, symmetric = dense_is_nearly_symmetric(d, a);
  int failed = 0;
  if (room && !symmetric) failed = !is_positive(d, a, l);
  if (room && symmetric) memcpy(l, a, square * sizeof *l);
  if (room && !symmetric) dense_transpose(d, a, l);
  if (room && !failed) failed = factor(symmetric, d, l, pivot);
  for (int i = 0; i < d && room && !failed; i++) { /* row i of the result is column i of the inverse */
    double *row = inverse + i * d;
    for (int j = 0; j < d; j++) row[j] = i == j;
    substitute(symmetric, d, l, pivot, row);
  }
  free(l);
  free(pivot);
  if (!room) return SIM_NO_MEMORY;
  return failed ? SIM_BAD_PROBLEM : SIM_OK;
}

int dense_invert_part(int d, const double *a, int n, int *members, double *part, double *inverse) {
  int *pivot = members + d;
  bool symmetric = dense_is_nearly_symmetric(d, a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      part[i * n + j] = symmetric ? a[members[i] * d + members[j]] : a[members[j] * d + members[i]];
  memset(inverse, 0, (size_t)d * (size_t)d * sizeof *inverse);
  if (factor(symmetric, n, part, pivot)) return -1;
  for (int k = 0; k < n; k++) { /* row k of the result is column k of the inverse */
    double *row = inverse + members[k] * d;
    for (int i = 0; i < n; i++) row[i] = i == k;
    substitute(symmetric, n, part, pivot, row);
    /* members are in ascending order, so that no entry is overwritten before it is moved */
    for (int i = n - 1; i >= 0; i--) {
      double value = row[i];
      row[i] = 0;
      row[members[i]] = value;
    }
  }
  return 0;
}

bool dense_is_diagonal(int d, const double *a) {
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      if (i != j && a[i * d + j] != 0) return false;
  return true;
}

int dense_solve(int n, double *a, double *x) {
  int failed = dense_factor(n, a);
  if (!failed) dense_substitute(n, a, x);
  return failed;
}
