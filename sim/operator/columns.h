/* Columns side by side: blocks [count][width] with a width that is a multiple of four, filled up with zeros, so that loops over
 * them are loops over vectors. */
#ifndef SIM_COLUMNS_H
#define SIM_COLUMNS_H

enum { COLUMNS_TOGETHER = 4 };

/* n, filled up. */
static inline int columns_width(int n) { return (n + COLUMNS_TOGETHER - 1) / COLUMNS_TOGETHER * COLUMNS_TOGETHER; }

/* for each k of the first n of a row, n a multiple of four */
#define COLUMNS_EACH(k, n)                                                                                             \
  for (int k##_block = 0; k##_block < (n); k##_block += COLUMNS_TOGETHER)                                              \
    for (int k = k##_block; k < k##_block + COLUMNS_TOGETHER; k++)

/* Of these y += factor x. */
static inline void columns_add(int n, double factor, const double *restrict x, double *restrict y) {
  COLUMNS_EACH(k, n) y[k] += factor * x[k];
}

/* y += factor a x, of the first n columns; a [d][d], of which what is 0 costs nothing; x and y blocks, which do not overlap. Sums run
 * over ascending columns of a: the same bits on every processor. */
void columns_multiply_add(int d, double factor, const double *a, int n, int width, const double *x, double *y);

/* y = a x, likewise. */
void columns_multiply(int d, const double *a, int n, int width, const double *x, double *y);

#endif
