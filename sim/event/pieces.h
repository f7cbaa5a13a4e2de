/* A force f(t) as polynomials: one a piece of time, good to round-off, broken where f or a derivative jumps. */
#ifndef SIM_EVENT_PIECES_H
#define SIM_EVENT_PIECES_H

#include "sim/sim.h"

enum { PIECE_ORDER = 16 };

typedef struct ForcePieces {
  int d, count;
  double *start; /* [count + 1] s, start[count] = the end */
  int *order;    /* [count] beyond which a piece's coefficients are round-off, at most PIECE_ORDER */
  double *c;     /* [count][PIECE_ORDER + 1][d] N, of s = (t - start)/length in 0..1 */
} ForcePieces;

/* f(t), d values; from the right at a break. */
typedef void ForceFunction(void *context, double t, double *f);

/* breaks [n]: ascending, inside 0..end. SIM_OK; SIM_NO_MEMORY; SIM_NON_FINITE. */
SimStatus force_pieces_create(ForceFunction *force, void *context, int d, double end, int n, const double *breaks,
                              ForcePieces *pieces);
void force_pieces_clear(ForcePieces *pieces);

#endif
