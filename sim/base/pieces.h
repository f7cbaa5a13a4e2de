/* Functions of one variable in pieces, each a polynomial: a problem's force over time. */
#ifndef SIM_BASE_PIECES_H
#define SIM_BASE_PIECES_H

#include "sim/sim.h"

#include <math.h>

/* Halvings of the time between two breaks at most: where a function jumps inside, the last piece is a constant. */
enum { PIECE_HALVINGS = 40 };
/* How well the time of such a jump is known, s. */
static inline double piece_resolution(const SimProblem *problem) { return ldexp(problem->end, -PIECE_HALVINGS); }

static inline const double *piece_row(const SimProblem *problem, long k) {
  return problem->pieces + (size_t)k * sim_piece_size(problem->d);
}
/* s; of k = piece_count: the end */
static inline double piece_start(const SimProblem *problem, long k) {
  return k < problem->piece_count ? piece_row(problem, k)[0] : problem->end;
}
static inline int piece_order(const SimProblem *problem, long k) { return (int)piece_row(problem, k)[1]; }
/* [piece_order + 1][d] N, of (t - start)/(next start - start) */
static inline const double *piece_coefficients(const SimProblem *problem, long k) { return piece_row(problem, k) + 2; }

/* Places about which a function is held as exactly as it is small there; ascending. */
enum { PIECES_CENTRES = 64 };
typedef struct PiecesCentres {
  int n;
  double at[PIECES_CENTRES];
  long most; /* pieces that are tried for; 0: so many as take some seconds */
} PiecesCentres;

/* The place of a piece from..to whose distance powers are of: the one that is nearest to the centre which is nearest to its middle; without
 * centres to 0. */
double pieces_origin(const PiecesCentres *centres, double from, double to);

/* Pieces over lower..upper, as sim_problem_set_pieces makes them over 0..end; of the problem d alone is looked at, pieces and piece_count are
 * set. With centres, all of them within lower..upper, the pieces are about each as exact as f is small there: the breaks must have the middles between
 * them. Powers are of the way from pieces_origin, in parts of the piece's width. */
SimStatus pieces_over(SimProblem *problem, const SimLoad *load, const PiecesCentres *centres, double lower,
                      double upper, int n, const double *breaks, double *where);

#endif
