/* Error left by `solver: fixed_point`. It stops when x hardly changes between iterations. If thresholds differ much,
 * this is long before convergence, and the error adds up over steps, which the residual of a single step does not show.
 * So the rollout is repeated with each step solved exactly, which takes less time. */
#ifndef SRC_RUN_SOLVER_ERROR_H
#define SRC_RUN_SOLVER_ERROR_H

#include "src/run/rollout_context.h"

/* Measures the error of a successful rollout with this control [variables] (NULL: 0); does nothing for other solvers.
 * The error stays unknown if a signal stops it or it fails. Collective over the problem's group. Returns 0, or
 * EXIT_INTERNAL. */
int solver_error(const RolloutContext *rollout, const Problem *problem, const double *control, SolverError *error);

#endif
