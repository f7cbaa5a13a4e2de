/* A mechanism at one instant: its mass matrix, its loads, how fast what it does grows, decays or swings, and what sticks. */
#ifndef SIM_MECHANISM_LOCAL_H
#define SIM_MECHANISM_LOCAL_H

#include "sim/mechanism/mechanism.h"

typedef struct MechanismLocal {
  int d;
  double *mass;         /* [d][d] M */
  double *load;         /* [d] r - Q with q'' = 0 */
  double *thresholds;   /* [d] c */
  double *acceleration; /* [d] q'' with friction; without control */
  bool *sticks;         /* [d] q' = q'' = 0 by friction */
  double rate;          /* 1/s: largest |s| of the linearised motion exp(s t) while all slides */
} MechanismLocal;

/* Why a mechanism cannot move from an instant. */
typedef enum MechanismFault {
  MECHANISM_GOOD,
  MECHANISM_NO_MEMORY,
  MECHANISM_NO_SERIES,  /* a function has no series; `why` says which */
  MECHANISM_SINGULAR,   /* M is not positive definite to working precision; mass is valid */
  MECHANISM_NOT_FINITE, /* coordinate `at` of r, or of c */
  MECHANISM_NEGATIVE    /* threshold `at` is negative */
} MechanismFault;

/* At t, q [d], v [d]; to be cleared, whatever is returned. at, why: see MechanismFault. */
MechanismFault mechanism_local(SimMechanism *mechanism, double t, const double *q, const double *v,
                               MechanismLocal *local, int *at, const char **why);
void mechanism_local_clear(MechanismLocal *local);

#endif
