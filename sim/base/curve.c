/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A function counts as continuous if the values of two neighbouring pieces differ by at most this, relatively. */
static const double JUMP = 1e-9;
/* Approximate width of the narrowest pieces, relative to the whole range. */
static const double NARROWEST = 1e-11;

double curve_lower(Curve curve) { return curve.rows[0]; }
double curve_upper(Curve curve) {
  const double *last = curve.rows + (size_t)(curve.pieces - 1) * sim_curve_size(curve.columns);
  return last[0] + last[1];
}

const double *curve_row(const double *rows, long n, size_t size, double t, bool at_it) {
  for (long half; n > 1; n -= half) {
    half = n / 2;
    const double *middle = rows + (size_t)half * size;
    rows = middle[0] < t || (at_it && middle[0] == t) ? middle : rows;
  }
  return rows;
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

CurvePoint curve_terms(int columns, const double *row, int column, double part) {
  const double *c = curve_coefficients(row, columns) + column;
  double mean = 0, sum = 0;
  part = fabs(part);
  for (int k = (int)row[2]; k >= 0; k--) {
    double term = fabs(c[k * columns]);
    mean = mean * part + term / (k + 1);
    sum = sum * part + term;
  }
  return (CurvePoint){fabs(curve_integrals(row)[column]) + part * row[1] * mean, sum, 0};
}

/* Whether the values of one column are continuous from piece to piece. If not, *where is the position of the jump, up
 * to the width of the narrowest pieces; a jump at 0 is returned as 0. At a kink the pieces have this minimum width and
 * are constant, so the values of neighbouring pieces may differ there by the slope times this width. */
static bool continuous(Curve curve, int column, double *where) {
  double size = 0, steepest = 0;
  size_t row_size = sim_curve_size(curve.columns);
  const double *last = curve.rows + (size_t)curve.pieces * row_size;
  for (const double *row = curve.rows; row < last; row += row_size)
    for (int k = 0; k < 2; k++) {
      const CurvePoint end = curve_point(curve.columns, row, column, curve_part(row, row[0]) + k);
      size = fmax(size, fabs(end.value));
      steepest = fmax(steepest, fabs(end.slope));
    }
  for (const double *row = curve.rows + row_size; row < last; row += row_size) {
    const double *before = row - row_size;
    double rise = curve_point(curve.columns, row, column, curve_part(row, row[0])).value -
                  curve_point(curve.columns, before, column, curve_part(before, row[0])).value;
    *where = fabs(row[0]) > NARROWEST * (last[-(long)row_size] + last[1 - (long)row_size] - curve.rows[0]) ? row[0] : 0;
    if (fabs(rise) > JUMP * size + 2 * steepest * fmin(before[1], row[1])) return false;
  }
  return true;
}

/* Converts polynomial pieces of a function to rows of a Curve, which also contain the integrals. Returns
 * SIM_BAD_PROBLEM if the function jumps at *where. */
static SimStatus take_rows(const SimProblem *made, const SimLoad *load, const PiecesCentres *centres, double upper,
                           double *rows, double *where) {
  int columns = made->d;
  size_t from = sim_piece_size(columns), to = sim_curve_size(columns);
  for (long piece = 0; piece < made->piece_count; piece++) {
    const double *old = made->pieces + (size_t)piece * from;
    double *row = rows + (size_t)piece * to, *integral = row + SIM_CURVE_HEAD, *c = integral + columns;
    double end = piece + 1 < made->piece_count ? old[from] : upper;
    row[0] = old[0];
    row[1] = end - old[0];
    row[2] = old[1];
    row[3] = pieces_origin(centres, old[0], end);
    memcpy(c, old + SIM_PIECE_HEAD, (SIM_PIECE_ORDER + 1) * (size_t)columns * sizeof *row);
    if (load->constant) load->at(load->context, 0, c);
    for (int i = 0; i < columns; i++) {
      double before = piece ? curve_point(columns, row - to, i, curve_part(row - to, row[0])).integral : 0;
      integral[i] = before - curve_point(columns, row, i, curve_part(row, row[0])).integral;
    }
  }
  for (int i = 0; i < columns; i++)
    if (!continuous((Curve){rows, made->piece_count, columns}, i, where)) return SIM_BAD_PROBLEM;
  return SIM_OK;
}

SimStatus curve_make(int columns, const SimLoad *load, const PiecesCentres *centres, double lower, double upper, int n,
                     const double *breaks, double **rows, long *pieces, double *where) {
  SimProblem made = {.d = columns, .count = columns};
  *rows = NULL;
  *pieces = 0;
  SimStatus status = pieces_over(&made, load, centres, lower, upper, load->constant ? 0 : n, breaks, where);
  if (status != SIM_OK) return status;
  *rows = calloc((size_t)made.piece_count * sim_curve_size(columns), sizeof **rows);
  status = *rows ? take_rows(&made, load, centres, upper, *rows, where) : SIM_NO_MEMORY;
  *pieces = made.piece_count;
  free(made.pieces);
  if (status == SIM_OK) return SIM_OK;
  free(*rows);
  *rows = NULL;
  *pieces = 0;
  return status;
}
