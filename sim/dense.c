#include "sim/dense.h"

#include <petscsys.h>
/* needs petscsys.h before it */
#include <petscblaslapack.h>
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

int dense_generalised_largest(int d, const double *a, const double *b, double *largest) {
  PetscBLASInt type = 1, n = d, n_work = 3 * d, info = -1;
  size_t square = (size_t)d * (size_t)d;
  double *copy = malloc((2 * square + 4 * (size_t)d) * sizeof *copy);
  if (!copy) return -1;
  double *copy_b = copy + square, *values = copy_b + square, *work = values + d;
  memcpy(copy, a, square * sizeof *copy);
  memcpy(copy_b, b, square * sizeof *copy);
  LAPACKsygv_(&type, "N", "L", &n, copy, &n, copy_b, &n, values, work, &n_work, &info);
  *largest = values[d - 1];
  free(copy);
  return (int)info;
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
