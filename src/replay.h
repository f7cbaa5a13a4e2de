/* One rollout whose trajectory is written to a results directory: all of `simulate`, and the end of
 * `control`. */
#ifndef SRC_REPLAY_H
#define SRC_REPLAY_H

#include "src/problem_file.h"
#include "src/results.h"
#include "src/summary.h"
#include "src/trajectory.h"

typedef struct Replay {
  SimModel *model;
  SimWorkspace *work;
  SimFinal final;
  double *state; /* [2][d] x(T), v(T) */
} Replay;

/* Builds model and workspace. Returns 0, or EXIT_USAGE / EXIT_INTERNAL after telling errors (NULL: silently). */
int replay_prepare(Replay *replay, const SimProblem *problem, FILE *errors);
void replay_release(Replay *replay);

/* Runs control u [p] (NULL: 0), writes trajectory.csv and events.csv, and fills x, v, final and energy of the
 * summary (borrowed from the replay). A rollout that fails is not an error here: see final->status. Returns
 * 0, or EXIT_INTERNAL when files could not be written. */
int replay_run(Replay *replay, const Results *results, const Problem *problem, const double *u, Summary *summary);

/* The end of one that was run in pieces (sim_rollout_begin): likewise; closes the trajectory. */
int replay_end(Replay *replay, Trajectory *trajectory, Summary *summary);

#endif
