/* A motion that answers are refined on, in this process: evaluations with derivatives, which a signal ends. */
#ifndef SRC_RUN_REFINED_MOTION_H
#define SRC_RUN_REFINED_MOTION_H

#include "control/refine.h"
#include "src/base/progress.h"
#include "src/results/motion_failure.h"
#include "src/run/evaluated_model.h"

typedef struct RefinedMotion {
  const Problem *problem; /* borrowed */
  CtlEvaluator evaluator; /* of this motion, which must stay where it is */
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  CtlEvaluator simulator;
  Progress *progress;
  const char *purpose; /* words for the progress line */
  double begun;        /* s, of ctl_seconds */
  long count;          /* simulations so far */
  double until;        /* ctl_seconds, after which nothing more is simulated; 0: no limit */
  SimInterrupt before; /* of the workspace, while an evaluation is under way */
  bool late;           /* it has passed */
  bool stopped;        /* a signal has come; what is over in half a second is not stopped */
} RefinedMotion;

/* How near a control is to a least effort. */
typedef struct Optimality {
  bool sought;
  SimStatus status; /* other than SIM_OK: why it is not known */
  CtlOptimality is;
} Optimality;

/* rollout: of the problem; both outlive the motion. SIM_OK or SIM_NO_MEMORY. To be released also when it fails. */
SimStatus refined_motion_prepare(RefinedMotion *motion, const Problem *problem, const RolloutContext *rollout,
                                 const char *purpose, Progress *progress);
void refined_motion_release(RefinedMotion *motion);

/* Whether a signal has come, or the time is over: ctl_refine asks before each simulation. context: the motion. */
bool refined_motion_stopped(void *motion);

/* Runs the motion under a control again, with the checks that evaluations leave out: its energy and its residual. problem, rollout: as for
 * refined_motion_prepare. Returns 0 if the motion ends with SIM_OK; EXIT_UNSOLVED with the reason in why; EXIT_STOPPED on a signal; or
 * EXIT_INTERNAL when out of memory, unreported. */
int refined_motion_check(const Problem *problem, const RolloutContext *rollout, const double *control,
                         char why[MOTION_FAILURE_SIZE]);

/* Replaces what was measured before. Returns 0, EXIT_STOPPED or, untold, EXIT_INTERNAL. */
int refined_motion_measure(RefinedMotion *motion, const double *control, Optimality *optimality);

#endif
