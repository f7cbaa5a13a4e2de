/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps after a search, in one process: they refine the best control by SQP to a local minimum of the effort and check
 * its optimality. */
#ifndef CONTROL_REFINE_H
#define CONTROL_REFINE_H

#include "control/evaluator.h"

/* Result of a refinement. */
typedef struct CtlRefined {
  double *control; /* [n] refined control; owned, like x and v */
  double *x, *v;   /* [d] final state */
  double J, E1, E2;
  long evaluations; /* number of evaluated points; each evaluation includes derivatives */
} CtlRefined;

/* Runs SQP from start [n] to a local minimum of J that meets the targets. The evaluator must supply derivatives. If the
 * last point misses the targets, the result is the trial point of least effort that met them. If `start` has a lower J
 * than the last point and meets the targets as closely, or to 1e-12, the result is `start`. stopped: called before each
 * evaluation; NULL: never stop. Returns SIM_OK; SIM_NOT_FINISHED: stopped; SIM_NOT_CONVERGED: no point met the targets
 * to problem->accept; or SIM_NO_MEMORY. Unless SIM_OK, *refined is cleared except for `evaluations`. */
SimStatus ctl_refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                     bool (*stopped)(void *context), void *context, CtlRefined *refined);
/* Runs ctl_refine from the k-th random control near start, k = 0, 1, ... The relative distances of these controls from
 * start repeat the cycle 1, 1/4, 1/16. */
SimStatus ctl_refine_near(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start, long k,
                          bool (*stopped)(void *context), void *context, CtlRefined *refined);
/* Runs ctl_refine from a control that nearly meets the targets, for example CtlOptimality.lesser. First moves to the
 * nearest control that meets them. */
SimStatus ctl_refine_beside(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                            bool (*stopped)(void *context), void *context, CtlRefined *refined);
void ctl_refined_clear(CtlRefined *refined);

/* Runs ctl_refine from `coarse`, the result with half as many segments, and from variants of it with the largest jumps
 * shifted by one segment. These variants help because the best time to release a sticking dof is seldom at a border of
 * the coarse segments. The resulting J does not exceed the J of `coarse` if the motion of `coarse` meets the target
 * here, too, and no rate limit is violated. (With half as long segments u may change by half as much from one to the
 * next.) */
SimStatus ctl_refine_finer(const CtlProblem *problem, const CtlEvaluator *evaluator, const CtlRefined *coarse,
                           bool (*stopped)(void *context), void *context, CtlRefined *refined);

/* Whether a control that meets the targets is a local minimum of J. */
typedef enum CtlMinimum { CTL_MINIMUM_UNKNOWN, CTL_MINIMUM_YES, CTL_MINIMUM_NO } CtlMinimum;

/* Optimality conditions at a control u. H is the Hessian of J, and the rows of A are the derivatives of the active
 * targets. For problems with user-defined values (CtlProblem.roles) f replaces J, the rows of A belong to the
 * constraints that hold with equality, and variables are in units of CtlProblem.size. */
typedef struct CtlOptimality {
  /* |H u + A'y| / |H u| with the multipliers y, without components that are held by a bound or rate limit; 0 at a
   * minimum. For user-defined values: |grad f + A'y| relative to the larger of |grad f| and the Lagrangian's largest
   * curvature times max(1, |u|) */
  double kkt;
  int m; /* number of entries of x_T, v_T with a target, or of user-defined values */
  double *
      /* [m] multipliers y = -dJ/d(target), which are the decrease of J per unit of a target; NAN: u has no effect on
       * the target's entry, or the value is no constraint; owned */
      multipliers;
  int rank; /* rank of A, the derivatives of the targets or active constraints by u */
  /* Smallest eigenvalue of the reduced Hessian, which is the Lagrangian's Hessian in the null space of A. For motions
   * it is divided by the smallest eigenvalue of J's Hessian, for user-defined values by the largest eigenvalue of the
   * reduced Hessian. NAN: the null space is empty, or the eigenvalue is unknown. */
  double reduced_hessian_min;
  CtlMinimum local_minimum;
  /* Whether there are as many independent active constraints and bounds as variables, so that the signs of the
   * multipliers alone decide on a minimum. Used for user-defined values; false for motions. */
  bool vertex;
  /* [n] for user-defined values: contribution of each variable to kkt, >= 0; owned; NULL for motions */
  double *pull;
  double *
      /* [n] a control nearby, found by simulation, that has a lower J and does not miss the targets by more; owned;
       * NULL: none was found or sought */
      lesser;
  const char *why; /* reason why local_minimum is CTL_MINIMUM_UNKNOWN; static storage; NULL: it is known */
} CtlOptimality;

/* Checks the optimality of a control [n]. The evaluator must supply derivatives. Returns SIM_OK; SIM_NO_MEMORY; or the
 * status of a motion that failed. *optimality is cleared unless SIM_OK. */
SimStatus ctl_optimality_find(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *control,
                              CtlOptimality *optimality);
void ctl_optimality_clear(CtlOptimality *optimality);

#endif
