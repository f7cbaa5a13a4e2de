/* SPDX-License-Identifier: BSD-2-Clause */
/* Piecewise polynomials of one variable that approximate functions f, for example a problem's force over time. */
#ifndef SIM_BASE_PIECES_H
#define SIM_BASE_PIECES_H

#include "sim/internal.h"

#include <math.h>

/* Maximum number of halvings of the time between two breaks. If f jumps between them, halving ends with a piece of this
 * width around the jump, in which f is replaced by a constant. */
enum { PIECE_HALVINGS = 40 };
/* Returns the width, in s, of the narrowest piece after all halvings. It is the error of the time of a jump. */
static inline double piece_resolution(const SimProblem *problem) { return ldexp(problem->end, -PIECE_HALVINGS); }

static inline const double *piece_row(const SimProblem *problem, long k) {
  return problem->pieces + (size_t)k * sim_piece_size(problem->d);
}
/* Returns the start of piece k, in s. For k = piece_count it is the end of the last piece. */
static inline double piece_start(const SimProblem *problem, long k) {
  return k < problem->piece_count ? piece_row(problem, k)[0] : problem->end;
}
static inline int piece_order(const SimProblem *problem, long k) { return (int)piece_row(problem, k)[1]; }
/* Removes the part after the time `end` from the pieces, and sets problem->end. */
void pieces_cut(SimProblem *problem, double end);
/* Returns the coefficients [piece_order + 1][d] of f, in N, for powers of (t - start)/width of piece k. */
static inline const double *piece_coefficients(const SimProblem *problem, long k) { return piece_row(problem, k) + 2; }

/* Maximum number of centres. A centre is a value of t near which f is small, and near which the error of the
 * approximation must be small relative to f. For example the force of a spring is small near elongation 0. Centres are
 * ascending. */
enum { PIECES_CENTRES = 64 };
typedef struct PiecesCentres {
  int n;
  double at[PIECES_CENTRES];
  long most; /* maximum number of pieces to try; 0: as many as can be computed in some seconds */
  /* [d] size of the terms of which f is the difference; rounding errors are relative to this size. NULL: rounding
   * errors are relative to f */
  const double *terms;
} PiecesCentres;

/* Returns the origin of a piece from..to, at which its variable is 0. The origin is the point of the piece nearest to
 * the centre that is nearest to the piece's midpoint. If there are no centres, the origin is the point nearest to 0. */
double pieces_origin(const PiecesCentres *centres, double from, double to);

/* Approximates f by polynomial pieces over lower..upper, as stiction_problem_set_pieces does over 0..end. This function
 * reads only the member d of the problem, and sets pieces and piece_count. With centres, all within lower..upper, the
 * error near a centre is relative to f, which is small near centres; the breaks must then include the midpoints between
 * centres. The variable of a piece is (t - pieces_origin)/width. */
SimStatus pieces_over(SimProblem *problem, const SimLoad *load, const PiecesCentres *centres, double lower,
                      double upper, int n, const double *breaks, double *where);

#endif
