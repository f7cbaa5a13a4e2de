/* Numerical rank of a small matrix, by LAPACK. Local. */
#ifndef CONTROL_MATRIX_RANK_H
#define CONTROL_MATRIX_RANK_H

/* Rank of the n rows a: [n][n] row-major, borrowed, n <= CTL_CONTROLS_MAX, finite: pivoted QR of the rows
 * scaled to length 1, counting the |R_kk| > tolerance. A zero row has rank 0. -1 when LAPACK fails. */
int ctl_matrix_rank(int n, const double *a, double tolerance);

#endif
