/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_BOUND_NEWTON_H
#define CONTROL_BOUND_NEWTON_H

#include "control/bound/program.h"

/* Conditions under which bound_solve ends before the program is solved. They are checked before each Newton step. */
typedef struct BoundStop {
  bool (*stopped)(void *context); /* returns whether to stop without a result; NULL: never stop */
  bool (*late)(void *context);    /* returns whether to end with the current result; NULL: never end early */
  void *context;
} BoundStop;
/* Moments of the mixture of motions that the dual matrices describe. Each time point (BoundPlace) has a weight and,
 * multiplied by this weight, the means of x_i, of x_i^2 and of the controls u_j. */
typedef struct BoundMoments {
  int dofs, controls;
  double *of; /* [time points][1 + 2 dofs + controls] moments; owned by the caller */
} BoundMoments;
static inline int bound_moments_size(const BoundMoments *moments) { return 1 + 2 * moments->dofs + moments->controls; }

/* Maximises the value (2) of the program (program.h) by a primal-dual method with Mehrotra's corrector. The method
 * starts from large slacks, with all other variables 0; the matrices (1) are positive semidefinite at each step. It
 * ends when at most `gap` is left to gain, when the value has reached `enough`, or when steps make no progress. values:
 * zero on entry. steps: set to the number of Newton steps; may be NULL. stop: may be NULL. moments: set to the moments
 * of the solution; may be NULL. Returns SIM_OK, SIM_NOT_FINISHED or SIM_NO_MEMORY. */
SimStatus bound_solve(const BoundProgram *program, double gap, double enough, const BoundStop *stop,
                      BoundValues *values, int *steps, BoundMoments *moments);

/* Returns the approximate number of operations of a Newton step. */
double bound_step_operations(const BoundProgram *program);

#endif
