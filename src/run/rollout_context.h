/* One rollout whose trajectory is written to a results directory: all of `simulate`, and the end of
 * `control`. */
#ifndef SRC_REPLAY_H
#define SRC_REPLAY_H

#include "src/problem/file.h"
#include "src/results/results.h"
#include "src/results/summary.h"
#include "src/results/trajectory.h"

typedef struct Replay {
  SimModel *model;
  SimWorkspace *work;
  SimFinal final;
  double *state; /* [2][rows] x(T), v(T) of this rank's rows */
  double *whole; /* [2][d] of all, on the first rank; NULL: not wanted, or the same */
} Replay;

/* Builds model and workspace; problem: outlives the replay if its model is sparse, and all ranks of its group call this and
 * replay_run, and get the same code. Returns 0, or EXIT_USAGE /
 * EXIT_INTERNAL after telling diagnostics (NULL: silently). */
int replay_prepare(Replay *replay, const SimProblem *problem, Diagnostics *diagnostics);
/* The kernel of sim_batch; -1: the widest. EXIT_USAGE when this processor does not run it, else 0. */
int replay_set_kernel(Replay *replay, int kernel);
void replay_release(Replay *replay);

/* Runs control u [p] (NULL: 0), writes the files of trajectory.h, and fills x, v, final and energy of the
 * summary (borrowed from the replay; x and v NULL beyond SUMMARY_STATE_MAX and but on the first rank). A rollout that fails is not an error here: see final->status. Returns
 * 0, or EXIT_INTERNAL when files could not be written. */
int replay_run(Replay *replay, const Results *results, const Problem *problem, const double *u, Summary *summary);

/* The end of one that was run in pieces (sim_rollout_begin): likewise; closes the trajectory. */
int replay_end(Replay *replay, const Problem *problem, Trajectory *trajectory, Summary *summary);

#endif
