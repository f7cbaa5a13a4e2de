/* What `solver: fixed_point` has left unsolved. It stops when x hardly changes from iteration to iteration, which where
 * thresholds differ by much is long before it has converged, and what that leaves adds up from step to step: no residual of a
 * single step tells. So the run is made again with each step solved exactly, which takes less time than it did. */
#ifndef SRC_RUN_SOLVER_ERROR_H
#define SRC_RUN_SOLVER_ERROR_H

#include "src/run/rollout_context.h"

/* Of a rollout of this control [variables] (NULL: 0) that has ended well; of other solvers nothing is done. Unknown remains what
 * a signal stops, or what fails. Collective over the problem's group. Returns 0, or EXIT_INTERNAL. */
int solver_error(const RolloutContext *rollout, const Problem *problem, const double *control, SolverError *error);

#endif
