/* Functions of one variable as polynomials in pieces, each with its integral: the speeds of surfaces over time, the forces of
 * springs over their elongation. Rows as of SimProblem.surface (sim/problem.h): sim_curve_size numbers each. */
#ifndef SIM_BASE_CURVE_H
#define SIM_BASE_CURVE_H

#include "sim/base/pieces.h"

/* Borrowed. */
typedef struct Curve {
  const double *rows;
  long pieces; /* 0: there is none */
  int columns;
} Curve;

/* Where in its row a piece has the integral [columns] up to it, and its coefficients [order + 1][columns]. */
static inline const double *curve_integrals(const double *row) { return row + SIM_CURVE_HEAD; }
static inline const double *curve_coefficients(const double *row, int columns) {
  return row + SIM_CURVE_HEAD + columns;
}

/* The place of a row's piece from which its coefficients are powers (pieces_origin); and how far from it e is, in parts of the width. */
static inline double curve_origin(const double *row) { return row[3]; }
static inline double curve_part(const double *row, double e) { return (e - curve_origin(row)) / row[1]; }

/* What such coefficients [order + 1][columns] come to, of one column, `part` (curve_part) of it from its origin on. */
static inline double curve_value(int order, int columns, const double *coefficients, int column, double part) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * part + coefficients[k * columns + column];
  return sum;
}

/* The ends of its range. */
double curve_lower(Curve curve);
double curve_upper(Curve curve);

/* Of n rows of this size the last that begins before t, or (at_it) at t; or the first. */
const double *curve_row(const double *rows, long n, size_t size, double t, bool at_it);

/* Its integral from the first piece on, its value and its slope, of one column, `part` (curve_part) of its width from its origin on. */
typedef struct CurvePoint {
  double integral, value, slope;
} CurvePoint;
CurvePoint curve_point(int columns, const double *row, int column, double part);
/* The sums of the magnitudes of what its integral and its value are the sums of there: eps times these is their round-off. The slope is 0. */
CurvePoint curve_terms(int columns, const double *row, int column, double part);

/* The pieces of f = load->at, [columns] each, over lower..upper, which may have kinks at the n breaks inside, ascending, and must
 * not jump: *rows, the caller's to free, and *pieces; centres: as of pieces_over, whose breaks are these and the middles between centres. A constant
 * is as it is told, by the bit. SIM_NO_MEMORY; at *where, SIM_BAD_PROBLEM: f jumps; SIM_NON_FINITE, SIM_NOT_CONVERGED as of
 * sim_problem_set_pieces. All leave *rows NULL, *pieces 0. */
SimStatus curve_make(int columns, const SimLoad *load, const PiecesCentres *centres, double lower, double upper, int n,
                     const double *breaks, double **rows, long *pieces, double *where);

#endif
