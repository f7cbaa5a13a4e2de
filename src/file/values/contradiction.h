/* SPDX-License-Identifier: BSD-2-Clause */
/* Linear inequalities that contradict each other. */
#ifndef SRC_FILE_CONTRADICTION_H
#define SRC_FILE_CONTRADICTION_H

#include <stdbool.h>

/* Finds inequalities that no z [n] meets together:  a_j'z <= b_j,  j < m.
 *
 * By Farkas' lemma there is no such z if and only if multipliers y >= 0 have sum_j y_j a_j = 0 and sum_j y_j b_j = -1.
 * The algorithm NNLS of Lawson and Hanson (Solving least squares problems, 1974, chapter 23) finds the y >= 0 that
 * minimises the sum of squared residuals of these equations. The inequalities with y_j > 0 contradict each other; if
 * one of them is left out, the others do not. A z with entries of more than 10^8 times the largest |b_j| does not count
 * as a solution, and multipliers are returned only if they are larger than round-off can explain.
 *
 * rows: [m][n] the a_j, each of length 1 or 0. y: [m] set to the multipliers; all are 0 if there is no contradiction.
 * Returns false if there is no memory. */
bool contradiction_find(int n, int m, const double *rows, const double *b, double *y);

#endif
