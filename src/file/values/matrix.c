/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills matrices from the values that the file gives: whole dense matrices, or this process's rows of sparse ones. */
#include "src/file/values/matrix_market.h"
#include "src/file/values/reader.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether the values have this number of rows and columns; reports an error if not. */
static bool fits(Reader *reader, const Values *values, int rows, int columns) {
  bool walls = values->form == SIM_FORM_SPRINGS;
  if (values->springs)
    return values_fit(reader, &values->springs[0], walls ? rows + 1 : rows - 1) &&
           values_fit(reader, &values->springs[1], rows);
  if (values->form != SIM_FORM_ROWS || (values->rows == rows && values->columns == columns))
    return values_fit(reader, values, rows);
  return value_error(reader, values->node, "a %d x %d matrix (expected %d x %d)", values->rows, values->columns, rows,
                     columns);
}

/* Returns entry k, from 0, of n equal values or of a list of n values; 0 if k is out of range or the values have
 * errors. */
static double value_at(const Values *values, int k, int n) {
  if (!values->good || k < 0 || k >= n) return 0;
  return values_entry(values, k);
}

/* Returns the stiffness of the spring between row i and the previous row, of n rows in all. Springs between two walls
 * begin with the spring between the first wall and row 0. Links only connect rows, so row 0 has none before it; the
 * result is then 0. */
static double spring_at(const Values *values, int i, int n) {
  return values->form == SIM_FORM_SPRINGS ? value_at(&values->springs[0], i, n + 1)
                                          : value_at(&values->springs[0], i - 1, n - 1);
}

static double entry(const Values *values, int n, int i, int j) {
  if (values->form == SIM_FORM_ROWS) return values->data[(size_t)i * (size_t)values->columns + (size_t)j];
  if (!values->springs) return i == j ? value_at(values, i, n) : 0;
  if (i == j) return spring_at(values, i, n) + spring_at(values, i + 1, n) + value_at(&values->springs[1], i, n);
  /* 0 - x is used instead of -x, since -x may be -0 */
  return i == j + 1 ? 0 - spring_at(values, i, n) : i + 1 == j ? 0 - spring_at(values, j, n) : 0;
}

void values_to_matrix(Reader *reader, const Values *values, int rows, int columns, int first, int count,
                      double *matrix) {
  if (!values->good || rows == 0 || columns == 0 || !fits(reader, values, rows, columns)) return;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < columns; j++) *matrix++ = entry(values, rows, first + i, j);
}

void values_to_sparse(Reader *reader, const Values *values, SimMatrix *matrix) {
  char path[FILE_PATH_SIZE], key[NODE_PATH_SIZE];
  const SimProblem *sim = &reader->problem->sim;
  int d = sim->d, band = values->form == SIM_FORM_ROWS ? d : values->springs ? 1 : 0;
  /* after an error that has been reported, d may be unknown */
  if (!values->good || (!reader->d && values->rows)) return;
  if (values->form == SIM_FORM_FILE) {
    Node *file = key_get(reader, values->node, "file");
    if (node_file(reader, file, path))
      matrix_market_read_rows(path, node_path(values->node, key), &file->place, d, sim->first, sim->count, matrix,
                              reader->diagnostics);
    return;
  }
  if (!reader->d || !fits(reader, values, d, d)) return;
  long n = 0, most = (band < d ? 2 * band + 1 : d) * (long)sim->count;
  if (sim_matrix_alloc(matrix, sim->count, most) != SIM_OK) {
    reader->diagnostics->no_memory = true;
    return;
  }
  for (int i = sim->first; i < sim->first + sim->count; i++) {
    for (int j = i > band ? i - band : 0; j < d && j - i <= band; j++) {
      double value = entry(values, d, i, j);
      if (value == 0 && band == d) continue;
      matrix->column[n] = j;
      matrix->value[n++] = value;
    }
    matrix->start[i - sim->first + 1] = (int)n;
  }
}
