#ifndef CONTROL_BOUND_NEWTON_H
#define CONTROL_BOUND_NEWTON_H

#include "control/bound/program.h"

/* Makes (2) of program.h large, from slacks that are large and all else 0: a primal-dual method with Mehrotra's corrector, whose values meet all
 * of (1) at each step. It ends when no more than `gap` is to be gained, (2) has come to `enough`, or steps get nowhere. values: zero. steps: how
 * many; may be NULL. stop: asked before each of them whether to leave off; may be NULL. SIM_OK, SIM_NOT_FINISHED or SIM_NO_MEMORY. */
typedef struct BoundStop {
  bool (*stopped)(void *context); /* NULL: never */
  bool (*late)(void *context);    /* whether to end with what there is; NULL: never */
  void *context;
} BoundStop;
/* What the dual's matrices say, as of motions that are mixed: [places][1 + 2 dofs + controls] their weight, weight x_i, weight x_i^2, weight u_j. */
typedef struct BoundMoments {
  int dofs, controls;
  double *of; /* owned by the caller */
} BoundMoments;
static inline int bound_moments_size(const BoundMoments *moments) { return 1 + 2 * moments->dofs + moments->controls; }

/* moments: at the end; may be NULL. */
SimStatus bound_solve(const BoundProgram *program, double gap, double enough, const BoundStop *stop,
                      BoundValues *values, int *steps, BoundMoments *moments);

/* Operations of a step, about. */
double bound_step_operations(const BoundProgram *program);

#endif
