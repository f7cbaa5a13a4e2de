/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix stored by rows of nonzero entries. Sums are taken over ascending columns, so that they have the same bits as
 * sums over all entries. */
#ifndef SIM_EVENT_ROWS_H
#define SIM_EVENT_ROWS_H

#include "sim/problem.h"

#include <math.h>

enum { ROWS_FEW = 8 /* up to this number of rows, products use the full matrix in unrolled loops */ };

/* Entries of a matrix by rows. All arrays are owned. */
typedef struct EventRows {
  SimMatrix entries;   /* the nonzero entries, and all diagonal ones */
  double *diagonal;    /* [d] diagonal entries */
  double *dense;       /* [d][d] full matrix, if products use it or other code needs it; else NULL */
  int diagonals;       /* number of diagonals that contain all nonzero entries, if these diagonals are few; else 0 */
  int *offset;         /* [diagonals] j - i of the entries (i, j) on the diagonal, ascending */
  double *by_diagonal; /* [diagonals][d] entry of row i on the diagonal; 0 if there is none */
} EventRows;

/* Creates rows of a matrix [d][d]. dense: whether to keep the full matrix in any case. Returns SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus rows_of_dense(int d, const double *matrix, bool dense, EventRows *rows);
/* Creates rows of a sparse matrix that has all diagonal entries. */
SimStatus rows_of_sparse(int d, const SimMatrix *matrix, EventRows *rows);
void rows_clear(EventRows *rows);

/* Returns the bandwidth of the matrix: the largest |j - i| of its entries (i, j). */
int rows_width(int d, const EventRows *rows);

/* Loops over the entries of row i, with their index k and column j. */
#define ROWS_EACH(rows, i, k, j)                                                                                       \
  for (int k = (rows)->entries.start[i], j = (rows)->entries.column[k]; k < (rows)->entries.start[(i) + 1];            \
       j = (rows)->entries.column[++k])

/* Returns sum + factor a_i x, with a_i row i of the matrix and x a vector. */
static inline double rows_add(const EventRows *a, int i, double factor, const double *x, double sum) {
  ROWS_EACH(a, i, k, j) sum += factor * a->entries.value[k] * x[j];
  return sum;
}
static inline double rows_dot(const EventRows *a, int i, const double *x) { return rows_add(a, i, 1, x, 0); }
/* Returns sum + |a_i| |x|, with |a_i| row i of the matrix of magnitudes. */
static inline double rows_add_sizes(const EventRows *a, int i, const double *x, double sum) {
  ROWS_EACH(a, i, k, j) sum += fabs(a->entries.value[k] * x[j]);
  return sum;
}
/* Returns the sum of the magnitudes of the entries of row i. */
static inline double rows_sum_sizes(const EventRows *a, int i) {
  double sum = 0;
  for (int k = a->entries.start[i]; k < a->entries.start[i + 1]; k++) sum += fabs(a->entries.value[k]);
  return sum;
}
/* subtracts a x from r */
void rows_subtract(int d, const EventRows *a, const double *x, double *r);
/* returns x'a y */
double rows_form(int d, const double *x, const EventRows *a, const double *y);

/* Adds factor a x to y, with x and y blocks of COLUMNS_TOGETHER columns (sim/operator/columns.h). */
void rows_multiply_columns(int d, double factor, const EventRows *a, const double *x, double *y);

#endif
