/* SPDX-License-Identifier: BSD-2-Clause */
/* Linear inequalities that contradict each other. */
#ifndef SRC_FILE_CONTRADICTION_H
#define SRC_FILE_CONTRADICTION_H

#include <stdbool.h>

/* Finds inequalities that no z [n] meets together:  a_j'z <= b_j,  j < m.
 *
 * By Farkas' lemma there is no such z if and only if multipliers y >= 0 have sum_j y_j a_j = 0 and sum_j y_j b_j = -1.
 * Lawson and Hanson's NNLS (Solving least squares problems, 1974, chapter 23) finds the y >= 0 with the least squares
 * of what these equations miss. The rows with y_j > 0 contradict each other, and without one of them the others do not.
 * A z of more than 10^8 times the largest |b_j| does not count, and multipliers count only if round-off cannot have
 * made them.
 *
 * rows: [m][n] the a_j, of length 1, or 0. y: [m] is set to the multipliers; all are 0 unless the rows contradict each
 * other. Returns false when out of memory. */
bool contradiction_find(int n, int m, const double *rows, const double *b, double *y);

#endif
