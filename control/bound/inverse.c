/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/inverse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivots, double *b, const int *ldb,
            int *info);

enum { REFINEMENTS = 2 };
/* Largest norm of the residual E = I - a b for which an approximate inverse b of a is accepted. The error bound, entry
 * by entry, is |a^-1 - b| <= |b| |E| (1 - |E|)^-1, where |.| denotes absolute values of entries. */
static const double RESIDUAL_MAX = 1e-3;

/* Computes the residual matrix rest = I - a inverse. */
static void find_rest(int d, const double *a, const long double *inverse, long double *rest) {
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      long double entry = i == j;
      for (int k = 0; k < d; k++) entry -= a[i * d + k] * inverse[k * d + j];
      rest[i * d + j] = entry;
    }
}

/* Returns an upper bound of the norm of the residual matrix, round-off included. */
static double norm_above(int d, const double *a, const long double *inverse, const long double *rest) {
  long double norm = 0;
  for (int i = 0; i < d; i++) {
    long double sum = 0;
    for (int j = 0; j < d; j++) {
      long double size = i == j;
      for (int k = 0; k < d; k++) size += fabsl(a[i * d + k] * inverse[k * d + j]);
      sum += fabsl(rest[i * d + j]) + (d + 2) * LDBL_EPSILON * size;
    }
    norm = fmaxl(norm, sum);
  }
  return (double)norm * (1 + 4 * DBL_EPSILON);
}

/* Improves an inverse b of double precision by repeating b + b (I - a b), until round-off of long double prevents
 * further progress. */
static void improve_inverse(int d, const double *a, long double *inverse, long double *rest, long double *row) {
  for (int times = 0; times < REFINEMENTS; times++) {
    find_rest(d, a, inverse, rest);
    for (int i = 0; i < d; i++) {
      memcpy(row, inverse + i * d, (size_t)d * sizeof *row);
      for (int j = 0; j < d; j++)
        for (int k = 0; k < d; k++) inverse[i * d + j] += row[k] * rest[k * d + j];
    }
  }
  find_rest(d, a, inverse, rest);
}

SimStatus bound_invert(int d, const double *a, long double *inverse, double *off) {
  size_t size = (size_t)(d * d);
  long double *rest = malloc((size + (size_t)d) * sizeof *rest);
  double *factor = malloc(2 * size * sizeof *factor), *start = factor + size;
  int *pivots = malloc((size_t)d * sizeof *pivots), info = 0;
  SimStatus status = rest && factor && pivots ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) { /* LAPACK stores matrices by columns, so that the arrays of a and of its inverse contain the
                           * transposed matrices for it */
    memcpy(factor, a, size * sizeof *factor);
    for (int i = 0; i < d * d; i++) start[i] = i % (d + 1) == 0;
    dgesv_(&d, &d, factor, &d, pivots, start, &d, &info);
    if (info) status = SIM_BAD_PROBLEM;
  }
  if (status == SIM_OK) {
    for (int i = 0; i < d * d; i++) inverse[i] = start[i];
    improve_inverse(d, a, inverse, rest, rest + size);
    double norm = norm_above(d, a, inverse, rest);
    if (!(norm < RESIDUAL_MAX)) status = SIM_BAD_PROBLEM;
    for (int i = 0; i < d && status == SIM_OK; i++) {
      double sum = 0;
      for (int j = 0; j < d; j++) sum += fabs((double)inverse[i * d + j]);
      off[i] = 1.01 * sum * norm;
    }
  }
  free(rest);
  free(factor);
  free(pivots);
  return status;
}
