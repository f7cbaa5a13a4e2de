/* Columns side by side: blocks [count][width] with a width that is a multiple of four, filled up with zeros, so that loops over
 * them are loops over vectors. */
#ifndef SIM_COLUMNS_H
#define SIM_COLUMNS_H

#include <string.h>

enum { COLUMNS_TOGETHER = 4 };

/* n, filled up. */
static inline int columns_width(int n) { return (n + COLUMNS_TOGETHER - 1) / COLUMNS_TOGETHER * COLUMNS_TOGETHER; }

/* Of the first n of a row, n a multiple of four: y += factor x. */
static inline void columns_add(int n, double factor, const double *restrict x, double *restrict y) {
  for (int k = 0; k < n; k += COLUMNS_TOGETHER)
    for (int q = k; q < k + COLUMNS_TOGETHER; q++) y[q] += factor * x[q];
}

/* y += factor a x; a [d][d], of which what is 0 costs nothing; x and y blocks. Sums run over ascending columns of a. */
static inline void columns_multiply_add(int d, double factor, const double *restrict a, int n, int width,
                                        const double *restrict x, double *restrict y) {
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      if (a[i * d + j] != 0) columns_add(n, factor * a[i * d + j], x + j * width, y + i * width);
}

/* y = a x, likewise. */
static inline void columns_multiply(int d, const double *restrict a, int n, int width, const double *restrict x,
                                    double *restrict y) {
  for (int i = 0; i < d; i++) memset(y + i * width, 0, (size_t)n * sizeof *y);
  columns_multiply_add(d, 1, a, n, width, x, y);
}

#endif
