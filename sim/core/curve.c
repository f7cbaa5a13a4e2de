#include "sim/core/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the values: by no more a function differs from one piece to the next where it does not jump. */
static const double JUMP = 1e-9;

const double *curve_row(const double *rows, long n, size_t size, double t, bool at_it) {
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

CurvePoint curve_point(int columns, const double *row, int column, double part) {
  const double *c = curve_coefficients(row, columns) + column;
  double mean = 0, sum = 0, slope = 0;
  for (int k = (int)row[2]; k >= 0; k--) {
    double next = c[k * columns];
    mean = mean * part + next / (k + 1);
    sum = sum * part + next;
    slope = k ? slope * part + k * next : slope;
  }
  return (CurvePoint){curve_integrals(row)[column] + part * row[1] * mean, sum, slope / row[1]};
}

/* Whether a column goes on without a jump where its pieces begin; else *where. About a kink pieces are as narrow as can be, and
 * constant: there it may be off by its slope. */
static bool continuous(Curve curve, int column, double *where) {
  double size = 0, steepest = 0;
  size_t row_size = sim_curve_size(curve.columns);
  const double *last = curve.rows + (size_t)curve.pieces * row_size;
  for (const double *row = curve.rows; row < last; row += row_size)
    for (int k = 0; k < 2; k++) {
      const CurvePoint end = curve_point(curve.columns, row, column, k);
      size = fmax(size, fabs(end.value));
      steepest = fmax(steepest, fabs(end.slope));
    }
  for (const double *row = curve.rows + row_size; row < last; row += row_size) {
    const double *before = row - row_size;
    double rise =
        curve_point(curve.columns, row, column, 0).value - curve_point(curve.columns, before, column, 1).value;
    *where = row[0];
    if (fabs(rise) > JUMP * size + 2 * steepest * fmin(before[1], row[1])) return false;
  }
  return true;
}

/* A function whose variable begins at 0. */
typedef struct Moved {
  const SimLoad *load;
  double lower;
} Moved;

static void moved_at(void *context, double t, double *f) {
  const Moved *moved = context;
  moved->load->at(moved->load->context, moved->lower + t, f);
}

/* Of pieces as they are made of a force: rows that know the integral so far. */
static SimStatus take_rows(const SimProblem *made, const SimLoad *load, double lower, double *rows, double *where) {
  int columns = made->d;
  size_t from = sim_piece_size(columns), to = sim_curve_size(columns);
  for (long piece = 0; piece < made->piece_count; piece++) {
    const double *old = made->pieces + (size_t)piece * from;
    double *row = rows + (size_t)piece * to, *integral = row + SIM_CURVE_HEAD, *c = integral + columns;
    row[0] = lower + old[0];
    row[1] = (piece + 1 < made->piece_count ? old[from] : made->end) - old[0];
    row[2] = old[1];
    memcpy(c, old + SIM_PIECE_HEAD, (SIM_PIECE_ORDER + 1) * (size_t)columns * sizeof *row);
    if (load->constant) load->at(load->context, 0, c);
    for (int i = 0; piece && i < columns; i++) integral[i] = curve_point(columns, row - to, i, 1).integral;
  }
  for (int i = 0; i < columns; i++)
    if (!continuous((Curve){rows, made->piece_count, columns}, i, where)) return SIM_BAD_PROBLEM;
  return SIM_OK;
}

SimStatus curve_make(int columns, const SimLoad *load, double lower, double upper, int n, const double *breaks,
                     double **rows, long *pieces, double *where) {
  SimProblem made = {.d = columns, .count = columns, .end = upper - lower};
  Moved moved = {load, lower};
  const SimLoad from_zero = {&moved, false, moved_at, load->looks};
  double *ends = calloc((size_t)n + 1, sizeof *ends);
  *rows = NULL;
  *pieces = 0;
  if (!ends) return SIM_NO_MEMORY;
  for (int k = 0; k < n; k++) ends[k] = breaks[k] - lower;
  SimStatus status = sim_problem_set_pieces(&made, &from_zero, load->constant ? 0 : n, ends, where);
  *where += lower;
  free(ends);
  if (status != SIM_OK) return status;
  *rows = calloc((size_t)made.piece_count * sim_curve_size(columns), sizeof **rows);
  status = *rows ? take_rows(&made, load, lower, *rows, where) : SIM_NO_MEMORY;
  *pieces = made.piece_count;
  free(made.pieces);
  if (status == SIM_OK) return SIM_OK;
  free(*rows);
  *rows = NULL;
  *pieces = 0;
  return status;
}
