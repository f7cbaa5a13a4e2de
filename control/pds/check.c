/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pds/check.h"

#include "control/pds/template.h"

#include <math.h>

#define EDGE_MAX 1e100 /* maximum edge of a first simplex, in N; squares of longer edges could overflow */

/* a simplex given by the user counts as flat if the sine of an angle between an edge and the other edges is below this.
 * Its points would then differ by round-off alone */
#define RANK_TOLERANCE 1e-10

/* This declaration replaces the C header of LAPACK. The function has Fortran's calling convention and 32-bit
 * integers. */
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau, double *work,
             const int *lwork, int *info);

/* Returns the numerical rank of the n x n matrix a with finite rows. The rows are scaled to length 1, and the rank is
 * the number of |R_kk| > tolerance in a QR decomposition with pivoting. If a row is zero, the result is 0. If LAPACK
 * fails, it is -1. */
static int matrix_rank(int n, const double *a, double tolerance) {
  enum { MAX = CTL_SIMPLEX_CONTROLS_MAX, WORK = 3 * MAX + 1 };
  double rows[MAX * MAX], tau[MAX], work[WORK];
  int pivot[MAX] = {0}, size = WORK, info = 0, rank = 0;
  for (int j = 0; j < n; j++) { /* LAPACK's matrices are stored by columns, so each row of `a` is a column */
    double length = 0;
    for (int i = 0; i < n; i++) length = hypot(length, a[j * n + i]);
    for (int i = 0; i < n; i++) rows[j * n + i] = length > 0 ? a[j * n + i] / length : 0;
  }
  dgeqp3_(&n, &n, rows, &n, pivot, tau, work, &size, &info);
  if (info) return -1;
  while (rank < n && fabs(rows[rank * n + rank]) > tolerance) rank++;
  return rank;
}

static void check_step(CtlCheck *check) {
  double step = check->problem->step;
  if (step > EDGE_MAX) ctl_check_complain(check, "search.step", "%g (expected at most %g)", step, EDGE_MAX);
}

void ctl_check_simplex(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  long least = 2L * p->n;
  check_step(check);
  if (p->n > CTL_SIMPLEX_CONTROLS_MAX) return; /* with so many variables the user cannot give a simplex */
  if (p->scheme_size > 0 && p->scheme_size < least)
    ctl_check_complain(check, "search.scheme_size", "%ld (expected %ld..%d: twice the number of controls at least)",
                       p->scheme_size, least, CTL_SCHEME_MAX);
  size_t table = ctl_template_bytes(p->n, ctl_problem_scheme_size(p)), mib = 1 << 20;
  if (table > CTL_TEMPLATE_BYTES && p->scheme_size <= CTL_SCHEME_MAX)
    ctl_check_complain(check, "search.scheme_size",
                       "%ld points of %d variables: tables of up to %zu MiB (expected at most %zu MiB)", p->scheme_size,
                       p->n, table / mib, CTL_TEMPLATE_BYTES / mib);
  if (p->simplex != CTL_SIMPLEX_USER) return;
  if (!ctl_check_finite(check, "search.simplex", p->n * p->n, p->edges)) return;
  for (int i = 0; i < p->n * p->n; i++)
    if (fabs(p->edges[i]) > EDGE_MAX) {
      ctl_check_complain(check, "search.simplex", "%g (expected at most %g)", p->edges[i], EDGE_MAX);
      return;
    }
  int rank = matrix_rank(p->n, p->edges, RANK_TOLERANCE);
  if (rank < p->n)
    ctl_check_complain(check, "search.simplex", "a degenerate simplex: rank %d (expected %d)", rank, p->n);
}
