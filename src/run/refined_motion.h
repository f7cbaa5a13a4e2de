/* The motion on which answers are refined, in this process: evaluations with derivatives, which a signal ends. */
#ifndef SRC_RUN_REFINED_MOTION_H
#define SRC_RUN_REFINED_MOTION_H

#include "control/refine.h"
#include "src/base/progress.h"
#include "src/results/motion_failure.h"
#include "src/run/evaluated_model.h"

typedef struct RefinedMotion {
  const Problem *problem; /* borrowed */
  CtlEvaluator evaluator; /* of this motion, which must not be moved */
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  CtlEvaluator simulator;
  Progress *progress;
  const char *purpose; /* text for the progress line */
  double begun;        /* s, of ctl_seconds */
  long count;          /* simulations so far */
  double until;        /* ctl_seconds after which nothing more is simulated; 0: no limit */
  SimInterrupt before; /* the workspace's previous interrupt, during an evaluation */
  bool late;           /* the time is over */
  bool stopped;        /* a signal has arrived; what ends within half a second is not stopped */
} RefinedMotion;

/* Optimality of a control: how well it satisfies the conditions of a local minimum. */
typedef struct Optimality {
  bool sought;
  SimStatus status; /* other than SIM_OK: why it is unknown */
  CtlOptimality is;
} Optimality;

/* Prepares the motion. rollout: of the problem; both must outlive the motion. Returns SIM_OK or SIM_NO_MEMORY; release
 * the motion in each case. */
SimStatus refined_motion_prepare(RefinedMotion *motion, const Problem *problem, const RolloutContext *rollout,
                                 const char *purpose, Progress *progress);
void refined_motion_release(RefinedMotion *motion);

/* Whether a signal has arrived or the time is over; called by ctl_refine before each simulation. */
bool refined_motion_stopped(void *motion);

/* Runs the motion under a control again, with the checks that evaluations leave out: its energy and its residual.
 * problem, rollout: as for refined_motion_prepare. Returns 0 if the motion ends with SIM_OK; EXIT_UNSOLVED with the
 * reason in why; EXIT_STOPPED on a signal; or EXIT_INTERNAL when out of memory, unreported. */
int refined_motion_check(const Problem *problem, const RolloutContext *rollout, const double *control,
                         char why[MOTION_FAILURE_SIZE]);

/* Measures the optimality of a control and replaces the previous one. Returns 0, EXIT_STOPPED or, without a report,
 * EXIT_INTERNAL. */
int refined_motion_measure(RefinedMotion *motion, const double *control, Optimality *optimality);

#endif
