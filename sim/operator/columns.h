/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of columns: matrices [count][width] in which column k of every row belongs to one quantity, for example to one
 * derivative. width is a multiple of four, and unused columns are zero, so that loops over columns can use vectors. */
#ifndef SIM_COLUMNS_H
#define SIM_COLUMNS_H

enum { COLUMNS_TOGETHER = 4 };

/* Returns n, rounded up to a multiple of four. */
static inline int columns_width(int n) { return (n + COLUMNS_TOGETHER - 1) / COLUMNS_TOGETHER * COLUMNS_TOGETHER; }

/* COLUMNS_EACH loops over the first n columns k of a row; n is a multiple of four */
#define COLUMNS_EACH(k, n)                                                                                             \
  for (int k##_block = 0; k##_block < (n); k##_block += COLUMNS_TOGETHER)                                              \
    for (int k = k##_block; k < k##_block + COLUMNS_TOGETHER; k++)

/* Adds factor times x to y, for the first n columns of a row. */
static inline void columns_add(int n, double factor, const double *restrict x, double *restrict y) {
  COLUMNS_EACH(k, n) y[k] += factor * x[k];
}

/* Adds factor a x to y for the first n columns. a [d][d]; zero entries take no time. The blocks x and y must not
 * overlap. Sums run over ascending columns of a, with the same bits on every processor. */
void columns_multiply_add(int d, double factor, const double *a, int n, int width, const double *x, double *y);

/* Computes y = a x with the same arguments and order of sums as columns_multiply_add. */
void columns_multiply(int d, const double *a, int n, int width, const double *x, double *y);

#endif
