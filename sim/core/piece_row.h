/* Rows of pieces of time, whose first number is when a piece starts, s. */
#ifndef SIM_CORE_PIECE_ROW_H
#define SIM_CORE_PIECE_ROW_H

#include <stdbool.h>
#include <stddef.h>

/* Of n rows of `size` numbers the last that begins before t, or, with at_it, at t; or the first. */
static inline const double *piece_row_before(const double *rows, long n, size_t size, double t, bool at_it) {
  long low = 0, high = n - 1;
  while (low < high) {
    long middle = high - (high - low) / 2;
    double start = rows[(size_t)middle * size];
    if (start < t || (at_it && start == t))
      low = middle;
    else
      high = middle - 1;
  }
  return rows + (size_t)low * size;
}

#endif
