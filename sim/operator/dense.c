#include "sim/operator/dense.h"

#include <petscsys.h>
/* needs petscsys.h before it */
#include <math.h>
#include <petscblaslapack.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int dense_eigenvalue_range(int d, const double *a, double *smallest, double *largest) {
  PetscBLASInt n = d, n_work = 3 * d, info = -1;
  size_t square = (size_t)d * (size_t)d;
  double *copy = malloc((square + 4 * (size_t)d) * sizeof *copy);
  if (!copy) return -1;
  double *values = copy + square, *work = values + d;
  memcpy(copy, a, square * sizeof *copy);
  LAPACKsyev_("N", "L", &n, copy, &n, values, work, &n_work, &info);
  *smallest = values[0];
  *largest = values[d - 1];
  free(copy);
  return (int)info;
}

/* vectors: those are wanted, in the rows of a, which enters as the matrix. b is overwritten, too. work: [3 d] */
static int generalised(int d, bool vectors, double *a, double *b, double *values, double *work) {
  PetscBLASInt type = 1, n = d, n_work = 3 * d, info = -1;
  LAPACKsygv_(&type, vectors ? "V" : "N", "L", &n, a, &n, b, &n, values, work, &n_work, &info);
  return (int)info;
}

int dense_generalised_largest(int d, const double *a, const double *b, double *largest) {
  size_t square = (size_t)d * (size_t)d;
  double *copy = malloc((2 * square + 4 * (size_t)d) * sizeof *copy);
  if (!copy) return -1;
  double *copy_b = copy + square, *values = copy_b + square;
  memcpy(copy, a, square * sizeof *copy);
  memcpy(copy_b, b, square * sizeof *copy);
  int info = generalised(d, false, copy, copy_b, values, values + d);
  *largest = values[d - 1];
  free(copy);
  return info;
}

SimStatus dense_generalised_modes(int d, const double *a, const double *b, double *values, double *modes) {
  size_t square = (size_t)d * (size_t)d;
  double *copy_b = malloc((square + 3 * (size_t)d) * sizeof *copy_b);
  if (!copy_b) return SIM_NO_MEMORY;
  memcpy(modes, a, square * sizeof *modes);
  memcpy(copy_b, b, square * sizeof *copy_b);
  int info = generalised(d, true, modes, copy_b, values, copy_b + square);
  free(copy_b);
  return info ? SIM_BAD_PROBLEM : SIM_OK;
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

int dense_tridiagonal_largest(int d, const double *diagonal, const double *off, double *largest) {
  PetscBLASInt n = d, found = 0, blocks = 0, info = -1;
  double ignored = 0, exact = 0; /* tolerance: to round-off */
  size_t size = (size_t)d;
  double *values = malloc(5 * size * sizeof *values);
  PetscBLASInt *index = malloc(5 * size * sizeof *index);
  if (values && index)
    LAPACKstebz_("I", "E", &n, &ignored, &ignored, &n, &n, &exact, diagonal, off, &found, &blocks, values, index,
                 index + size, values + size, index + 2 * size, &info);
  if (!info && found == 1) *largest = values[0];
  free(values);
  free(index);
  return info || found != 1;
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
