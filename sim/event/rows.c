/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/rows.h"

#include "sim/base/many.h"
#include "sim/operator/columns.h"

#include <stdlib.h>
#include <string.h>

/* A matrix is stored by diagonals if these contain at most this times as many entries as are nonzero. */
static const double WASTE = 2;

static bool holds(const double *matrix, int d, int i, int j) {
  return i == j || matrix[(size_t)i * (size_t)d + (size_t)j] != 0;
}

/* Stores the diagonals of the matrix if all entries lie on a few of them. */
static SimStatus find_diagonals(int d, EventRows *rows) {
  const SimMatrix *m = &rows->entries;
  int *of = calloc(2 * (size_t)d, sizeof *of), n = 0;
  if (!of) return SIM_NO_MEMORY;
  for (int i = 0; i < d; i++) ROWS_EACH(rows, i, k, j) of[j - i + d - 1] = 1;
  for (int q = 0; q < 2 * d - 1; q++) n += of[q];
  bool few = n <= WASTE * m->start[d] / d;
  rows->offset = few ? malloc((size_t)n * sizeof *rows->offset) : NULL;
  rows->by_diagonal = few ? calloc((size_t)n * (size_t)d, sizeof *rows->by_diagonal) : NULL;
  bool room = !few || (rows->offset && rows->by_diagonal);
  for (int q = 0; q < 2 * d - 1 && few && room; q++)
    if (of[q]) {
      of[q] = rows->diagonals;
      rows->offset[rows->diagonals++] = q - d + 1;
    }
  for (int i = 0; i < d && few && room; i++)
    ROWS_EACH(rows, i, k, j) rows->by_diagonal[(size_t)of[j - i + d - 1] * (size_t)d + (size_t)i] = m->value[k];
  free(of);
  return room ? SIM_OK : SIM_NO_MEMORY;
}

/* Computes the other arrays of `rows` from its entries. dense: whether to keep the full matrix in any case. */
static SimStatus complete(int d, bool dense, EventRows *rows) {
  const SimMatrix *m = &rows->entries;
  size_t size = (size_t)d;
  rows->diagonal = calloc(size, sizeof *rows->diagonal);
  if (dense || d <= ROWS_FEW || m->start[d] > (double)d * d / 2) {
    rows->dense = calloc(size * size, sizeof *rows->dense);
    if (!rows->dense) return SIM_NO_MEMORY;
  }
  if (!rows->diagonal) return SIM_NO_MEMORY;
  for (int i = 0; i < d; i++) ROWS_EACH(rows, i, k, j) {
      if (i == j) rows->diagonal[i] = m->value[k];
      if (rows->dense) rows->dense[(size_t)i * size + (size_t)j] = m->value[k];
    }
  return d <= ROWS_FEW ? SIM_OK : find_diagonals(d, rows);
}

/* Allocates n entries, and one additional column index, because the macro ROWS_EACH reads one entry beyond the last. */
static SimStatus allocate(int d, size_t n, SimMatrix *m) {
  m->start = calloc((size_t)d + 1, sizeof *m->start);
  m->column = calloc(n + 1, sizeof *m->column);
  m->value = calloc(n, sizeof *m->value);
  return m->start && m->column && m->value ? SIM_OK : SIM_NO_MEMORY;
}

static void append(SimMatrix *m, int i, int column, double value) {
  m->column[m->start[i + 1]] = column;
  m->value[m->start[i + 1]++] = value;
}

SimStatus rows_of_dense(int d, const double *matrix, bool dense, EventRows *rows) {
  size_t n = 0;
  SimMatrix *m = &rows->entries;
  *rows = (EventRows){0};
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) n += holds(matrix, d, i, j);
  SimStatus status = allocate(d, n, m);
  for (int i = 0; i < d && status == SIM_OK; i++) {
    m->start[i + 1] = m->start[i];
    for (int j = 0; j < d; j++)
      if (holds(matrix, d, i, j)) append(m, i, j, matrix[(size_t)i * (size_t)d + (size_t)j]);
  }
  return status == SIM_OK ? complete(d, dense, rows) : status;
}

SimStatus rows_of_sparse(int d, const SimMatrix *matrix, EventRows *rows) {
  SimMatrix *m = &rows->entries;
  size_t n = (size_t)matrix->start[d];
  *rows = (EventRows){0};
  SimStatus status = allocate(d, n, m);
  if (status != SIM_OK) return status;
  memcpy(m->start, matrix->start, ((size_t)d + 1) * sizeof *m->start);
  memcpy(m->column, matrix->column, n * sizeof *m->column);
  memcpy(m->value, matrix->value, n * sizeof *m->value);
  return complete(d, false, rows);
}

void rows_clear(EventRows *rows) {
  free(rows->entries.start);
  free(rows->entries.column);
  free(rows->entries.value);
  free(rows->diagonal);
  free(rows->dense);
  free(rows->offset);
  free(rows->by_diagonal);
  *rows = (EventRows){0};
}

int rows_width(int d, const EventRows *rows) {
  int width = 0;
  for (int i = 0; i < d; i++) ROWS_EACH(rows, i, k, j) width = abs(j - i) > width ? abs(j - i) : width;
  return width;
}

void rows_subtract(int d, const EventRows *a, const double *restrict x, double *restrict r) {
  if (a->diagonals == 3 && a->offset[0] == -1 && a->offset[2] == 1) {
    many_subtract_tridiagonal(d, a->by_diagonal, x, r);
    return;
  }
  for (int q = 0; q < a->diagonals; q++) {
    const double *restrict entry = a->by_diagonal + (size_t)q * (size_t)d;
    int offset = a->offset[q], from = offset < 0 ? -offset : 0, to = offset < 0 ? d : d - offset;
    for (int i = from; i < to; i++) r[i] -= entry[i] * x[i + offset];
  }
  for (int i = 0; i < d && a->diagonals == 0; i++) r[i] = rows_add(a, i, -1, x, r[i]);
}

double rows_form(int d, const double *x, const EventRows *a, const double *y) {
  double sum = 0;
  for (int i = 0; i < d; i++) sum += x[i] * rows_dot(a, i, y);
  return sum;
}

void rows_multiply_columns(int d, double factor, const EventRows *a, const double *x, double *y) {
  if (a->dense) {
    columns_multiply_add(d, factor, a->dense, COLUMNS_TOGETHER, COLUMNS_TOGETHER, x, y);
    return;
  }
  for (int i = 0; i < d; i++) ROWS_EACH(a, i, k, j)
  columns_add(COLUMNS_TOGETHER, factor * a->entries.value[k], x + j * COLUMNS_TOGETHER, y + i * COLUMNS_TOGETHER);
}
