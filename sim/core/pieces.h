/* A problem's force in pieces of time, each a polynomial. */
#ifndef SIM_EVENT_PIECES_H
#define SIM_EVENT_PIECES_H

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

/* Pieces over lower..upper, as sim_problem_set_pieces makes them over 0..end; of the problem d alone is looked at, pieces and piece_count are
 * set. near: they are as exact about 0 as f is small there. Powers are of the way from that place of a piece which is nearest to
 * 0, in parts of its width. */
SimStatus pieces_over(SimProblem *problem, const SimLoad *load, bool near, double lower, double upper, int n,
                      const double *breaks, double *where);

#endif
