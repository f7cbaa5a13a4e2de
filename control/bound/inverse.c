#include "control/bound/inverse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivots, double *b, const int *ldb,
            int *info);

static const double MOST = 1e-3; /* of the norm of E = I - a b: |a^-1 - b| <= |b| |E| (1 - |E|)^-1 entrywise */

SimStatus bound_invert(int d, const double *a, double *inverse, double *off) {
  size_t size = (size_t)(d * d);
  double *factor = malloc(size * sizeof *factor), norm = 0;
  int *pivots = malloc((size_t)d * sizeof *pivots), info = 0;
  SimStatus status = factor && pivots ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) { /* columns there are rows here: the transposed of both */
    memcpy(factor, a, size * sizeof *factor);
    for (int i = 0; i < d * d; i++) inverse[i] = i % (d + 1) == 0;
    dgesv_(&d, &d, factor, &d, pivots, inverse, &d, &info);
    if (info) status = SIM_BAD_PROBLEM;
  }
  for (int i = 0; i < d && status == SIM_OK; i++) {
    double sum = 0;
    for (int j = 0; j < d; j++) {
      double entry = i == j, entry_size = i == j;
      for (int k = 0; k < d; k++) {
        entry -= a[i * d + k] * inverse[k * d + j];
        entry_size += fabs(a[i * d + k] * inverse[k * d + j]);
      }
      sum += fabs(entry) + (d + 2) * DBL_EPSILON * entry_size;
    }
    norm = fmax(norm, sum);
  }
  if (status == SIM_OK && !(norm < MOST)) status = SIM_BAD_PROBLEM;
  for (int i = 0; i < d && status == SIM_OK; i++) {
    double sum = 0;
    for (int j = 0; j < d; j++) sum += fabs(inverse[i * d + j]);
    off[i] = 1.01 * sum * norm;
  }
  free(factor);
  free(pivots);
  return status;
}
