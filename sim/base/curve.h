/* Functions of one variable as piecewise polynomials with their integrals: speeds of surfaces over time, forces of
 * springs over their elongation. Rows as in SimProblem.surface (sim/problem.h), sim_curve_size numbers each. */
#ifndef SIM_BASE_CURVE_H
#define SIM_BASE_CURVE_H

#include "sim/base/pieces.h"

/* A function. It borrows its rows. */
typedef struct Curve {
  const double *rows;
  long pieces; /* 0: no function */
  int columns;
} Curve;

/* Parts of a row: the integrals [columns] up to the origin of the piece, and the coefficients [order + 1][columns]. */
static inline const double *curve_integrals(const double *row) { return row + SIM_CURVE_HEAD; }
static inline const double *curve_coefficients(const double *row, int columns) {
  return row + SIM_CURVE_HEAD + columns;
}

/* The first function returns the origin of a piece, from which its powers count (pieces_origin). The second returns the
 * distance of e from it, in units of the piece's width. */
static inline double curve_origin(const double *row) { return row[3]; }
static inline double curve_part(const double *row, double e) { return (e - curve_origin(row)) / row[1]; }

/* Returns the value, for one column, of the polynomial with coefficients [order + 1][columns]. part: the result of
 * curve_part. */
static inline double curve_value(int order, int columns, const double *coefficients, int column, double part) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * part + coefficients[k * columns + column];
  return sum;
}

/* Ends of the range on which the curve is defined. */
double curve_lower(Curve curve);
double curve_upper(Curve curve);

/* Returns the last of n rows of this size that begins before t, or, with at_it, not after t. If there is none, returns
 * the first row. */
const double *curve_row(const double *rows, long n, size_t size, double t, bool at_it);

/* Integral from the first piece on, value, and slope, of one column. part: the result of curve_part. */
typedef struct CurvePoint {
  double integral, value, slope;
} CurvePoint;
CurvePoint curve_point(int columns, const double *row, int column, double part);
/* Returns the sums of the magnitudes of the terms of integral and value there, with slope 0. Multiplied by eps they
 * estimate the rounding error. */
CurvePoint curve_terms(int columns, const double *row, int column, double part);

/* Computes the pieces of f = load->at, [columns] each, over lower..upper. f may have kinks at the n ascending breaks
 * inside, and must not jump. The caller frees *rows; *pieces is their number. centres: as in
 * pieces_over, where the breaks are these and the midpoints between centres. A constant keeps its bits. SIM_NO_MEMORY;
 * SIM_BAD_PROBLEM: f jumps at *where; SIM_NON_FINITE, SIM_NOT_CONVERGED as in stiction_problem_set_pieces. Errors leave
 * *rows NULL, *pieces 0. */
SimStatus curve_make(int columns, const SimLoad *load, const PiecesCentres *centres, double lower, double upper, int n,
                     const double *breaks, double **rows, long *pieces, double *where);

#endif
