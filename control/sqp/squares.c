/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/squares.h"

#include <stdlib.h>
#include <string.h>

/* There is no C header of LAPACK here. Its functions have Fortran's calling convention and 32-bit integers. */
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork,
             int *info);

enum {
  BLOCKS = 4,
  COLUMNS = 32 /* sizes for LAPACK's blocked QR decomposition: equations in a block per variable, and
                                 * width of the blocks in columns */
};

bool ctl_squares_init(CtlSquares *squares, int n) {
  size_t columns = (size_t)n + 1, room = (BLOCKS + 1) * columns;
  *squares = (CtlSquares){.n = n, .room = (int)room, .block = calloc(columns * (room + 1 + COLUMNS), sizeof(double))};
  if (!squares->block) return false;
  squares->work = squares->block + columns * room;
  return true;
}

void ctl_squares_clear(CtlSquares *squares) { free(squares->block); }

void ctl_squares_begin(CtlSquares *squares) {
  memset(squares->block, 0, ((size_t)squares->n + 1) * (size_t)squares->room * sizeof *squares->block);
  squares->filled = squares->n + 1;
}

void ctl_squares_fold(CtlSquares *squares) {
  int columns = squares->n + 1, size = COLUMNS * columns, info;
  dgeqrf_(&squares->filled, &columns, squares->block, &squares->room, squares->work, squares->work + columns, &size,
          &info);
  for (int i = 0; i < columns; i++) { /* below the triangle R, LAPACK has stored its reflectors; they are replaced by
                                       * zeros */
    double *column = squares->block + (size_t)i * (size_t)squares->room;
    memset(column + i + 1, 0, (size_t)(squares->room - i - 1) * sizeof *column);
  }
  squares->filled = columns;
}

void ctl_squares_add(CtlSquares *squares, const double *a, double b) {
  if (squares->filled == squares->room) ctl_squares_fold(squares);
  for (int i = 0; i < squares->n; i++)
    squares->block[(size_t)i * (size_t)squares->room + (size_t)squares->filled] = a[i];
  squares->block[(size_t)squares->n * (size_t)squares->room + (size_t)squares->filled++] = b;
}
