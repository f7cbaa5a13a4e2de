/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of one variable as piecewise polynomials with their integrals: speeds of surfaces over time, forces of
 * springs over their elongation. Each polynomial is a row of sim_curve_size numbers, laid out as in SimProblem.surface
 * (sim/problem.h). A row has a column for each function, for example one for each spring. */
#ifndef SIM_BASE_CURVE_H
#define SIM_BASE_CURVE_H

#include "sim/base/pieces.h"

/* A piecewise polynomial function, which borrows its rows. */
typedef struct Curve {
  const double *rows;
  long pieces; /* number of rows; 0: no function */
  int columns; /* number of functions */
} Curve;

/* curve_integrals returns the integrals [columns] in a row, from the start of the first piece to the origin of the
 * row's piece. curve_coefficients returns the coefficients [order + 1][columns]. */
static inline const double *curve_integrals(const double *row) { return row + SIM_CURVE_HEAD; }
static inline const double *curve_coefficients(const double *row, int columns) {
  return row + SIM_CURVE_HEAD + columns;
}

/* curve_origin returns the origin of a piece: the value of the variable at which the argument of its polynomial is 0
 * (pieces_origin). curve_part returns the argument, (e - origin)/width of the piece, for the value e of the
 * variable. */
static inline double curve_origin(const double *row) { return row[3]; }
static inline double curve_part(const double *row, double e) { return (e - curve_origin(row)) / row[1]; }

/* Returns the value, for one column, of the polynomial with coefficients [order + 1][columns]. part: argument of the
 * polynomial, from curve_part. */
static inline double curve_value(int order, int columns, const double *coefficients, int column, double part) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * part + coefficients[k * columns + column];
  return sum;
}

/* curve_lower and curve_upper return the ends of the range on which the curve is defined. */
double curve_lower(Curve curve);
double curve_upper(Curve curve);

/* Returns the last of n rows (`size` numbers each) with a piece that begins before t, or at t if at_it is set. If there
 * is none, returns the first row. */
const double *curve_row(const double *rows, long n, size_t size, double t, bool at_it);

/* Values of one column's function at one argument: its integral from the start of the first piece, its value, and its
 * slope. part: argument of the piece's polynomial, as curve_part returns it. */
typedef struct CurvePoint {
  double integral, value, slope;
} CurvePoint;
CurvePoint curve_point(int columns, const double *row, int column, double part);
/* Returns the sums of the magnitudes of the terms in the integral and in the value of curve_point, and slope 0.
 * Multiplied by eps they estimate the rounding errors. */
CurvePoint curve_terms(int columns, const double *row, int column, double part);

/* Computes the pieces of f = load->at, [columns] each, over lower..upper. f may have kinks at the n ascending breaks
 * inside, and must not jump. The caller frees *rows; *pieces is their number. centres: see pieces_over; the midpoints
 * between centres are added to the breaks. A constant function is represented without rounding error. Returns SIM_OK;
 * SIM_NO_MEMORY; SIM_BAD_PROBLEM: f jumps at *where; SIM_NON_FINITE or SIM_NOT_CONVERGED as
 * stiction_problem_set_pieces. Errors leave *rows NULL, *pieces 0. */
SimStatus curve_make(int columns, const SimLoad *load, const PiecesCentres *centres, double lower, double upper, int n,
                     const double *breaks, double **rows, long *pieces, double *where);

#endif
