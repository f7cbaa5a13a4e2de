#include "sim/operator/dense.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK has no C header of its own here: Fortran's calling convention, 32-bit integers. */
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

/* Whether LAPACK is better asked about a band. Small matrices stay as they are. */
static bool is_narrow(int d, int k) {
  enum { SMALL = 64, PART = 20 };
  return d > SMALL && k < d / PART;
}

double dense_eigenvalue_seconds(int d, int k) {
  static const double FULL = 1.2e-9, BAND = 20e-9; /* by LAPACK, per d^3 and per d^2 (k + 1) */
  double square = (double)d * d;
  return is_narrow(d, k) ? BAND * square * (k + 1) : FULL * square * d;
}

/* band [d][k + 1]: entry (i, i + m) at [i][m]. */
static void take_band(int d, int k, const double *a, double *band) {
  memset(band, 0, (size_t)d * (size_t)(k + 1) * sizeof *band);
  for (int i = 0; i < d; i++)
    for (int j = i; j < d && j <= i + k; j++)
      band[(size_t)i * (size_t)(k + 1) + (size_t)(j - i)] = a[(size_t)i * (size_t)d + (size_t)j];
}

static SimStatus of_lapack(int info) { return info ? SIM_BAD_PROBLEM : SIM_OK; }

/* All eigenvalues, ascending, to values [d]. */
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

/* vectors: those are wanted, in the rows of a, which enters as the matrix. b is overwritten, too. work: [3 d] */
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

/* The stepping operators are factored here, not by LAPACK: a threaded or processor-specific BLAS would give other bits on
 * other ranks. */

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
  double ignored = 0, exact = 0; /* tolerance: to round-off */
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

SimStatus dense_invert(int d, const double *a, double *inverse) {
  size_t square = (size_t)d * (size_t)d;
  double *l = malloc(square * sizeof *l);
  if (!l) return SIM_NO_MEMORY;
  memcpy(l, a, square * sizeof *l);
  int failed = dense_factor(d, l);
  for (int i = 0; i < d && !failed; i++) { /* row i is column i */
    double *row = inverse + i * d;
    for (int j = 0; j < d; j++) row[j] = i == j;
    dense_substitute(d, l, row);
  }
  free(l);
  return failed ? SIM_BAD_PROBLEM : SIM_OK;
}

int dense_invert_part(int d, const double *a, int n, const int *members, double *part, double *inverse) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) part[i * n + j] = a[members[i] * d + members[j]];
  memset(inverse, 0, (size_t)d * (size_t)d * sizeof *inverse);
  if (dense_factor(n, part)) return -1;
  for (int k = 0; k < n; k++) { /* row k is column k */
    double *row = inverse + members[k] * d;
    for (int i = 0; i < n; i++) row[i] = i == k;
    dense_substitute(n, part, row);
    for (int i = n - 1; i >= 0; i--) { /* members rise: none is overwritten before it is moved */
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
