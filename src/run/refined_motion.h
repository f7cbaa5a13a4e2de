/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates the motion on which the control found by a search is refined. It is evaluated in this process, with
 * derivatives, and can be stopped by a signal. */
#ifndef SRC_RUN_REFINED_MOTION_H
#define SRC_RUN_REFINED_MOTION_H

#include "control/refine.h"
#include "src/base/progress.h"
#include "src/results/motion_failure.h"
#include "src/run/evaluated_model.h"

typedef struct RefinedMotion {
  const Problem *problem; /* problem of this motion; borrowed */
  CtlEvaluator evaluator; /* evaluates this motion; it points to this struct, which must therefore not be moved */
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  CtlEvaluator simulator;
  Progress *progress;
  const char *purpose; /* text for the progress line, e.g. what is being computed */
  double begun;        /* time of the start (ctl_seconds) */
  long count;          /* number of simulations by this motion so far */
  double until;        /* time (ctl_seconds) after which no further motion is simulated; 0: no limit */
  SimInterrupt before; /* interrupt function of the workspace before the present evaluation; it is restored
                        * afterwards */
  bool late;           /* whether the time `until` has passed */
  bool stopped;        /* whether a signal has stopped the motion; in the first half second after the start no signal
                        * does */
} RefinedMotion;

/* Optimality of a control: how well it satisfies the conditions of a local minimum. */
typedef struct Optimality {
  bool sought;      /* whether the optimality was to be computed; if false, the other members are unset */
  SimStatus status; /* SIM_OK, or the reason why the optimality is not known */
  CtlOptimality is;
} Optimality;

/* Prepares the motion. rollout: rollout of the problem. Both must outlive the motion. Returns SIM_OK or SIM_NO_MEMORY.
 * The caller releases the motion in each case. */
SimStatus refined_motion_prepare(RefinedMotion *motion, const Problem *problem, const RolloutContext *rollout,
                                 const char *purpose, Progress *progress);
void refined_motion_release(RefinedMotion *motion);

/* Returns whether a signal has arrived or the time limit is exceeded. ctl_refine calls this function before each
 * simulation. motion: a RefinedMotion. */
bool refined_motion_stopped(void *motion);

/* Simulates a control once more, with the checks that evaluations leave out: energy balance and residual. problem,
 * rollout: as in refined_motion_prepare. Returns 0 if the motion ends with SIM_OK; EXIT_UNSOLVED, with the reason in
 * `why`; EXIT_STOPPED after a signal; or EXIT_INTERNAL, not reported, if there is no memory. */
int refined_motion_check(const Problem *problem, const RolloutContext *rollout, const double *control,
                         char why[MOTION_FAILURE_SIZE]);

/* Computes the optimality of a control, and stores it in *optimality, where it replaces the previous one. Returns 0,
 * EXIT_STOPPED, or EXIT_INTERNAL, which is not reported. */
int refined_motion_measure(RefinedMotion *motion, const double *control, Optimality *optimality);

#endif
