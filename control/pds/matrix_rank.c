#include "control/pds/matrix_rank.h"

#include "control/control.h"

#include <assert.h>
#include <math.h>

/* LAPACK has no C header of its own here: Fortran's calling convention, 32-bit integers. */
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau, double *work,
             const int *lwork, int *info);

int ctl_matrix_rank(int n, const double *a, double tolerance) {
  enum { MAX = CTL_CONTROLS_MAX, WORK = 3 * MAX + 1 };
  double rows[MAX * MAX], tau[MAX], work[WORK];
  int pivot[MAX] = {0}, size = WORK, info = 0, rank = 0;
  assert(n >= 1 && n <= MAX);
  for (int j = 0; j < n; j++) { /* row-major rows are LAPACK's columns */
    double length = 0;
    for (int i = 0; i < n; i++) length = hypot(length, a[j * n + i]);
    for (int i = 0; i < n; i++) rows[j * n + i] = length > 0 ? a[j * n + i] / length : 0;
  }
  dgeqp3_(&n, &n, rows, &n, pivot, tau, work, &size, &info);
  if (info) return -1;
  while (rank < n && fabs(rows[rank * n + rank]) > tolerance) rank++;
  return rank;
}
