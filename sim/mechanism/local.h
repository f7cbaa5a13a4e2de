/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a mechanism at one time: its mass matrix, its loads, which coordinates stick, and the fastest rate of
 * the linearised motion (growth, decay or oscillation). */
#ifndef SIM_MECHANISM_LOCAL_H
#define SIM_MECHANISM_LOCAL_H

#include "sim/mechanism/mechanism.h"

typedef struct MechanismLocal {
  int d;
  double *mass;         /* [d][d] mass matrix M */
  double *load;         /* [d] loads r - Q with q'' = 0, N or N m */
  double *thresholds;   /* [2][d] friction thresholds c for q'_i > 0, then for q'_i < 0, N or N m; at rest their limits
                         * for q'_i -> 0 (sides.h) */
  double *damping;      /* [d] derivative by q'_i of the force that opposes coordinate i, if all coordinates slide, N
                         * s/m */
  double *acceleration; /* [d] accelerations q'' with friction and without control */
  bool *sticks;         /* [d] whether friction holds the coordinate: q' = q'' = 0 */
  double rate;          /* largest |s|, in 1/s, of the linearised motion exp(s t) if all coordinates slide */
} MechanismLocal;

/* Reasons why a mechanism's motion cannot start from a state. */
typedef enum MechanismFault {
  MECHANISM_GOOD,
  MECHANISM_NO_MEMORY,
  MECHANISM_NO_SERIES,  /* a function in the equations has no Taylor series; `why` has the reason */
  MECHANISM_SINGULAR,   /* M is not positive definite to working precision; the member mass is valid */
  MECHANISM_NOT_FINITE, /* r or c of coordinate `at` is not finite */
  MECHANISM_NEGATIVE    /* the threshold of coordinate `at` is negative */
} MechanismFault;

/* Computes `local` at the time t and the state q [d], v [d]. Returns the fault found, with *at and *why as listed at
 * MechanismFault. The caller clears `local` in each case. */
MechanismFault mechanism_local(SimMechanism *mechanism, double t, const double *q, const double *v,
                               MechanismLocal *local, int *at, const char **why);
void mechanism_local_clear(MechanismLocal *local);
/* Returns the threshold of coordinate i in the direction to which its load pushes it. */
static inline double mechanism_local_threshold(const MechanismLocal *local, int i) {
  return local->thresholds[(local->load[i] > 0 ? local->d : 0) + i];
}

#endif
