/* Piecewise polynomials of one variable, for example a problem's force over time. */
#ifndef SIM_BASE_PIECES_H
#define SIM_BASE_PIECES_H

#include "sim/internal.h"

#include <math.h>

/* Maximum number of halvings of the time between two breaks. If a function jumps inside, the last piece is a
 * constant. */
enum { PIECE_HALVINGS = 40 };
/* Returns the error, s, of the time of such a jump. */
static inline double piece_resolution(const SimProblem *problem) { return ldexp(problem->end, -PIECE_HALVINGS); }

static inline const double *piece_row(const SimProblem *problem, long k) {
  return problem->pieces + (size_t)k * sim_piece_size(problem->d);
}
/* Returns the start of piece k, s; for k = piece_count the end of the last piece. */
static inline double piece_start(const SimProblem *problem, long k) {
  return k < problem->piece_count ? piece_row(problem, k)[0] : problem->end;
}
static inline int piece_order(const SimProblem *problem, long k) { return (int)piece_row(problem, k)[1]; }
/* Ends the pieces at an earlier time, and sets problem->end. */
void pieces_cut(SimProblem *problem, double end);
/* Returns coefficients [piece_order + 1][d], N, of the powers of (t - start)/(next start - start). */
static inline const double *piece_coefficients(const SimProblem *problem, long k) { return piece_row(problem, k) + 2; }

/* Points near which the absolute error of a function's approximation is proportional to the function's small values;
 * ascending. */
enum { PIECES_CENTRES = 64 };
typedef struct PiecesCentres {
  int n;
  double at[PIECES_CENTRES];
  long most; /* maximum number of pieces to try; 0: as many as take some seconds */
  /* [d] size of the terms to which the rounding error is relative, for a function that is a difference of larger terms;
   * NULL: the function's own size */
  const double *terms;
} PiecesCentres;

/* Returns the origin of the powers of a piece from..to. It is the point of the piece nearest to the centre that is
 * nearest to its midpoint; without centres it is the point nearest to 0. */
double pieces_origin(const PiecesCentres *centres, double from, double to);

/* Computes pieces over lower..upper, as stiction_problem_set_pieces does over 0..end. It reads only d of the problem, and
 * sets pieces and piece_count. With centres, all within lower..upper, pieces near a centre are as exact as f is small
 * there; the breaks must then include the midpoints between centres. Powers count from pieces_origin in units of the
 * piece's width. */
SimStatus pieces_over(SimProblem *problem, const SimLoad *load, const PiecesCentres *centres, double lower,
                      double upper, int n, const double *breaks, double *where);

#endif
