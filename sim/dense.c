#include "sim/dense.h"

#include <petscsys.h>
/* needs petscsys.h before it */
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

/* vectors: those are wanted, in the rows of a, which enters as the matrix. b is overwritten, too. */
static int generalised(int d, bool vectors, double *a, double *b, double *values) {
  PetscBLASInt type = 1, n = d, n_work = 3 * d, info = -1;
  double *work = malloc(3 * (size_t)d * sizeof *work);
  if (!work) return -1;
  LAPACKsygv_(&type, vectors ? "V" : "N", "L", &n, a, &n, b, &n, values, work, &n_work, &info);
  free(work);
  return (int)info;
}

int dense_generalised_largest(int d, const double *a, const double *b, double *largest) {
  size_t square = (size_t)d * (size_t)d;
  double *copy = malloc((2 * square + (size_t)d) * sizeof *copy);
  if (!copy) return -1;
  double *copy_b = copy + square, *values = copy_b + square;
  memcpy(copy, a, square * sizeof *copy);
  memcpy(copy_b, b, square * sizeof *copy);
  int info = generalised(d, false, copy, copy_b, values);
  *largest = values[d - 1];
  free(copy);
  return info;
}

int dense_generalised_modes(int d, const double *a, const double *b, double *values, double *modes) {
  size_t size = (size_t)d * (size_t)d * sizeof(double);
  double *copy_b = malloc(size);
  if (!copy_b) return -1;
  memcpy(modes, a, size);
  memcpy(copy_b, b, size);
  int info = generalised(d, true, modes, copy_b, values);
  free(copy_b);
  return info;
}

int dense_invert(int d, const double *a, double *inverse) {
  PetscBLASInt n = d, info;
  memcpy(inverse, a, (size_t)d * (size_t)d * sizeof *a);
  LAPACKpotrf_("L", &n, inverse, &n, &info);
  if (info) return (int)info;
  LAPACKpotri_("L", &n, inverse, &n, &info);
  for (int i = 0; i < d; i++) /* LAPACK's lower triangle is our upper one */
    for (int j = 0; j < i; j++) inverse[i * d + j] = inverse[j * d + i];
  return (int)info;
}

int dense_solve(int size, double *a, double *x) {
  PetscBLASInt n = size, one = 1, info;
  LAPACKpotrf_("L", &n, a, &n, &info);
  if (info) return (int)info;
  LAPACKpotrs_("L", &n, &one, a, &n, x, &n, &info);
  return (int)info;
}
