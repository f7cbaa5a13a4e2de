/* SPDX-License-Identifier: BSD-2-Clause */
/* Reduces many linear equations in the least-squares sense to as many as there are variables:
 *
 *   |A z + b|^2 = |R z + q|^2 + constant, R triangular
 *
 * The QR decomposition proceeds by blocks: each block of new equations is combined with the R of all earlier ones. */
#ifndef CONTROL_SQUARES_H
#define CONTROL_SQUARES_H

#include <stdbool.h>

typedef struct CtlSquares {
  int n;         /* number of variables */
  int room;      /* maximum number of equations in a block, including the rows of R */
  int filled;    /* number of equations that the block contains at present */
  double *block; /* [n + 1][room] equations a'z + b = 0, stored by columns for LAPACK: entry a_i of equation k at
                  * [i][k], b_k at [n][k]; owned */
  double *work;  /* [n + 1] and LAPACK's workspace, in the memory block of `block` */
} CtlSquares;

/* Allocates the equations. Returns false when out of memory; clear them also then. */
bool ctl_squares_init(CtlSquares *squares, int n);
void ctl_squares_clear(CtlSquares *squares);

void ctl_squares_begin(CtlSquares *squares);
void ctl_squares_add(CtlSquares *squares, const double *a, double b); /* adds the equation a'z + b = 0, to be met in
                                                                       * the least-squares sense; a: [n] */
/* Combines the equations added since the last call with the triangular system R z + q, by a QR decomposition. Row k of
 * [R q] is then at block[i * room + k], i = 0..n, k < n. */
void ctl_squares_fold(CtlSquares *squares);

#endif
