/* SPDX-License-Identifier: BSD-2-Clause */
/* A rollout that writes its trajectory to a results directory. The command `simulate` uses it, and `control` for the
 * motion of the control that it has found. */
#ifndef SRC_RUN_ROLLOUT_CONTEXT_H
#define SRC_RUN_ROLLOUT_CONTEXT_H

#include "src/file/sections/file.h"
#include "src/file/sections/originals.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"
#include "src/results/summary.h"
#include "src/results/trajectory.h"

typedef struct RolloutContext {
  SimModel *model;
  SimWorkspace *work;
  SimFinal final;
  double *state;       /* [2][rows] x(T), v(T) of this rank's rows */
  double *whole;       /* [2][d] x(T), v(T) of all rows, on the first rank; NULL on other ranks, or if this rank has
                        * all rows */
  Peaks *peaks;        /* largest and smallest x and v of the last motion that was written; NULL: not known */
  Originals originals; /* original functions of time, with which the motion is examined */
} RolloutContext;

/* Creates model and workspace. If the model is sparse, problem must outlive the rollout; all ranks of its group must
 * call this function and rollout_context_run together, and they get the same code. Returns 0; or EXIT_USAGE or
 * EXIT_INTERNAL after reporting to diagnostics (NULL: without reporting). */
int rollout_context_prepare(RolloutContext *rollout, const SimProblem *problem, Diagnostics *diagnostics);
/* Sets the kernel of stiction_batch, i.e. the code for one instruction set; -1: the widest one that this processor
 * supports. Returns 0, or EXIT_USAGE if the processor does not support the kernel. */
int rollout_context_set_kernel(RolloutContext *rollout, int kernel);
/* Makes the rollout examine later motions by the scheme `event` (sim_workspace_examine). problem: problem of the
 * rollout, which must outlive it; NULL: motions are no longer examined. The rollout must not be moved afterwards.
 * Returns 0, or EXIT_INTERNAL after reporting it. */
int rollout_context_examine(RolloutContext *rollout, const Problem *problem, Diagnostics *diagnostics);
void rollout_context_release(RolloutContext *rollout);

/* Returns x(T) and v(T) of all rows [2][d] after a rollout, borrowed; NULL on all ranks but the first. Collective over
 * the problem's group. */
const double *rollout_context_state(RolloutContext *rollout, const SimProblem *problem);

/* Simulates with control [p S] (NULL: 0) and writes the files that trajectory.h describes. Sets x, v, final, energy,
 * misses and solver_error of the summary, which are borrowed from the rollout. x and v are NULL with more than
 * SUMMARY_STATE_MAX degrees of freedom, and on all ranks but the first. A rollout that fails is not an error of this
 * function; final->status has the reason. Returns 0, EXIT_STOPPED after a signal, or EXIT_INTERNAL if files could not
 * be written. */
int rollout_context_run(RolloutContext *rollout, const Results *results, const Problem *problem, const double *control,
                        Summary *summary);

/* Ends a rollout that the caller has run in parts (sim_rollout_begin). Sets the same members of the summary as
 * rollout_context_run, and closes the trajectory. */
int rollout_context_end(RolloutContext *rollout, const Problem *problem, Trajectory *trajectory, Summary *summary);

/* Simulates a whole motion and writes its files and summary.json. The summary must already have the problem and the
 * control. begun: start of the run (ctl_seconds), from which its duration is measured. Sets `why` to the reason if the
 * motion has failed, otherwise to "". Returns 0, EXIT_STOPPED after a signal, or EXIT_USAGE or EXIT_INTERNAL after
 * reporting. */
int rollout_context_write(const Results *results, Summary *summary, double begun, char why[MOTION_FAILURE_SIZE]);

/* Measures the error that the iterative solver fixed_point has left in a successful rollout with this control
 * [variables] (NULL: 0). The solver stops when x hardly changes between two iterations. If thresholds differ much, this
 * is long before it has converged. The error adds up over the steps, and the residual of a single step does not show
 * it. Therefore the rollout is repeated with each step solved exactly, which takes less time. Does nothing for other
 * solvers. The error stays unknown if the repetition is stopped by a signal or fails. Collective over the problem's
 * group. Returns 0, or EXIT_INTERNAL. */
int solver_error(const RolloutContext *rollout, const Problem *problem, const double *control, SolverError *error);

/* Prints a line with E1, E2 and a cost with its name. E1 and E2 are the distances of a motion's final state from its
 * target. problem: must have a section control. */
void misses_print(const Problem *problem, const char *name, double cost, const double misses[2]);

/* Prints E1 (k = 1) or E2 (k = 2) with few digits: the distance of the final position or velocity from the target. */
void miss_print(int k, double miss);

#endif
