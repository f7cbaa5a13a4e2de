/* Many linear equations, which count by the sum of their squares, made no more than there are variables:
 *
 *     |A z + b|^2 = |R z + q|^2 + what no z changes,    R triangular, by the QR decomposition of blocks of rows as they come. */
#ifndef CONTROL_SQUARES_H
#define CONTROL_SQUARES_H

#include <stdbool.h>

typedef struct CtlSquares {
  int n;      /* variables */
  int room;   /* equations that a block holds, R among them */
  int filled; /* of the block */
  double *
      block; /* [n + 1][room] equations are columns of LAPACK's rows: a_i of equation k at [i][k], b_k at [n][k]; owned */
  double *work; /* [n + 1], and LAPACK's; in the same allocation */
} CtlSquares;

/* Returns false when out of memory; to be cleared, too. */
bool ctl_squares_init(CtlSquares *squares, int n);
void ctl_squares_clear(CtlSquares *squares);

void ctl_squares_begin(CtlSquares *squares);
void ctl_squares_add(CtlSquares *squares, const double *a, double b); /* a: [n] */
/* Folds what has been added into R and q: row k of [R q] is at block[i * room + k], i = 0..n, k < n. */
void ctl_squares_fold(CtlSquares *squares);

#endif
