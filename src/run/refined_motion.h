/* SPDX-License-Identifier: BSD-2-Clause */
/* The motion on which answers are refined. It is evaluated in this process with derivatives, and a signal ends it. */
#ifndef SRC_RUN_REFINED_MOTION_H
#define SRC_RUN_REFINED_MOTION_H

#include "control/refine.h"
#include "src/base/progress.h"
#include "src/results/motion_failure.h"
#include "src/run/evaluated_model.h"

typedef struct RefinedMotion {
  const Problem *problem; /* problem of this motion; borrowed */
  CtlEvaluator evaluator; /* evaluates this motion, so the struct must not be moved */
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  CtlEvaluator simulator;
  Progress *progress;
  const char *purpose; /* text for the progress line */
  double begun;        /* time of the start (ctl_seconds) */
  long count;          /* number of simulations by this motion so far */
  double until;        /* time (ctl_seconds) after which nothing more is simulated; 0: no limit */
  SimInterrupt before; /* interrupt of the workspace before the present evaluation, which is restored after it */
  bool late;           /* whether the time `until` has passed */
  bool stopped;        /* whether a signal has stopped an evaluation; one that ends within half a second is not
                        * stopped */
} RefinedMotion;

/* Optimality of a control: how well it satisfies the conditions of a local minimum. */
typedef struct Optimality {
  bool sought;
  SimStatus status; /* SIM_OK, or why the optimality is not known */
  CtlOptimality is;
} Optimality;

/* Prepares the motion. rollout: the one of the problem; both must outlive the motion. Returns SIM_OK or SIM_NO_MEMORY.
 * Release the motion in each case. */
SimStatus refined_motion_prepare(RefinedMotion *motion, const Problem *problem, const RolloutContext *rollout,
                                 const char *purpose, Progress *progress);
void refined_motion_release(RefinedMotion *motion);

/* Returns whether a signal has arrived or the time is over. ctl_refine calls it before each simulation. */
bool refined_motion_stopped(void *motion);

/* Simulates under a control again, with the checks that evaluations leave out: energy balance and residual. problem,
 * rollout: as in refined_motion_prepare. Returns 0 if the motion ends with SIM_OK; EXIT_UNSOLVED, with the reason in
 * why; EXIT_STOPPED on a signal; or EXIT_INTERNAL without memory, not reported. */
int refined_motion_check(const Problem *problem, const RolloutContext *rollout, const double *control,
                         char why[MOTION_FAILURE_SIZE]);

/* Computes the optimality of a control, and stores it in place of the previous result. Returns 0, EXIT_STOPPED, or
 * EXIT_INTERNAL, not reported. */
int refined_motion_measure(RefinedMotion *motion, const double *control, Optimality *optimality);

#endif
