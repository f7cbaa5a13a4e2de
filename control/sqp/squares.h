/* Reduces many linear equations in the least-squares sense to as many as there are variables:
 *     |A z + b|^2 = |R z + q|^2 + constant,    R triangular, by QR decomposition of blocks of rows as they come. */
#ifndef CONTROL_SQUARES_H
#define CONTROL_SQUARES_H

#include <stdbool.h>

typedef struct CtlSquares {
  int n;         /* variables */
  int room;      /* capacity of a block, equations, including R */
  int filled;    /* equations in the block */
  double *block; /* [n + 1][room] column-major for LAPACK: a_i of equation k at [i][k], b_k at [n][k]; owned */
  double *work;  /* [n + 1] and LAPACK's workspace; in block's allocation */
} CtlSquares;

/* Allocates the equations. Returns false when out of memory; clear it then, too. */
bool ctl_squares_init(CtlSquares *squares, int n);
void ctl_squares_clear(CtlSquares *squares);

void ctl_squares_begin(CtlSquares *squares);
void ctl_squares_add(CtlSquares *squares, const double *a, double b); /* adds a'z + b; a: [n] */
/* Folds the added equations into R and q: row k of [R q] is at block[i * room + k], i = 0..n, k < n. */
void ctl_squares_fold(CtlSquares *squares);

#endif
