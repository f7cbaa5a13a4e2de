/* A matrix of a system, by rows: what is not 0 of it. Sums run over ascending columns, as over all entries: the same bits. */
#ifndef SIM_EVENT_ROWS_H
#define SIM_EVENT_ROWS_H

#include "sim/problem.h"

#include <math.h>

enum { ROWS_FEW = 8 /* of so many all entries are gone through, in loops that are unrolled */ };

/* All owned. */
typedef struct EventRows {
  SimMatrix entries; /* those that are not 0, and the diagonal */
  double *diagonal;  /* [d] */
  double *dense; /* [d][d] all entries, where products go through all of them, or where these are wanted; else NULL */
  int diagonals; /* in so many all entries lie, where these are few; else 0 */
  int *offset;   /* [diagonals] ascending; of (i, j): j - i */
  double *by_diagonal; /* [diagonals][d] the entry of row i, 0 where there is none */
} EventRows;

/* Of a matrix [d][d], or, where entries has no start, of none. dense: wanted in any case. SIM_OK, SIM_NO_MEMORY. */
SimStatus rows_of_dense(int d, const double *matrix, bool dense, EventRows *rows);
/* Of a matrix that has all of its diagonal. */
SimStatus rows_of_sparse(int d, const SimMatrix *matrix, EventRows *rows);
void rows_clear(EventRows *rows);

/* The most |j - i| of an entry (i, j). */
int rows_width(int d, const EventRows *rows);

/* for each entry of row i: at k, in column j */
#define ROWS_EACH(rows, i, k, j)                                                                                       \
  for (int k = (rows)->entries.start[i], j = (rows)->entries.column[k]; k < (rows)->entries.start[(i) + 1];            \
       j = (rows)->entries.column[++k])

/* sum + factor a_i x */
static inline double rows_add(const EventRows *a, int i, double factor, const double *x, double sum) {
  ROWS_EACH(a, i, k, j) sum += factor * a->entries.value[k] * x[j];
  return sum;
}
static inline double rows_dot(const EventRows *a, int i, const double *x) { return rows_add(a, i, 1, x, 0); }
/* sum + |a_i| |x| */
static inline double rows_add_sizes(const EventRows *a, int i, const double *x, double sum) {
  ROWS_EACH(a, i, k, j) sum += fabs(a->entries.value[k] * x[j]);
  return sum;
}
/* The sum of the magnitudes of row i. */
static inline double rows_sum_sizes(const EventRows *a, int i) {
  double sum = 0;
  for (int k = a->entries.start[i]; k < a->entries.start[i + 1]; k++) sum += fabs(a->entries.value[k]);
  return sum;
}
/* r -= a x */
void rows_subtract(int d, const EventRows *a, const double *x, double *r);
/* x'a y */
double rows_form(int d, const double *x, const EventRows *a, const double *y);

/* y += factor a x, of blocks of COLUMNS_TOGETHER columns (sim/operator/columns.h). */
void rows_multiply_columns(int d, double factor, const EventRows *a, const double *x, double *y);

#endif
