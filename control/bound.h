/* SPDX-License-Identifier: BSD-2-Clause */
/* Lower bound on J(u) over all controls u(t) in L2 that bring the motion exactly to the target, with any number of
 * segments and not only over the search variables. control/bound/README.md has the theorem. */
#ifndef CONTROL_BOUND_H
#define CONTROL_BOUND_H

#include "control/evaluator.h"

enum { CTL_BOUND_INTERVALS = 1000, CTL_BOUND_DEGREE = 15 };

/* Mean motion of a lower bound. The dual solution of a relaxation describes a mixture of motions with weights. The
 * mean of this mixture estimates the cheapest motion. */
typedef struct CtlBoundMean {
  double *control;   /* [n] control u of the mean, in N, inside the bounds */
  signed char *ways; /* [S][d] direction of slip of each joint in each of the S segments: -1, 1, or 0 if the joint
                      * sticks */
} CtlBoundMean;

typedef struct CtlLowerBoundOptions {
  double effort; /* J > 0 of a control that meets the target; the bound never needs to exceed it */
  const double *x,
      *v;     /* [d] final state of that control's motion, in m and m/s; needed for `known` of CtlLowerBound; NULL:
               * unknown */
  double gap; /* the relative gap (effort - bound)/effort that is sufficient; 0: as small as possible */
  /* Number of intervals into which time is divided. The mesh gets more intervals where the force varies. 0: a
   * sequence of relaxations is solved until the gap is reached, and the fields patterns, knots and pairs are
   * ignored. */
  int intervals;
  int degree; /* degree in time of V, the function of README.md, as a polynomial on each interval, at least 1; 0:
               * degree 3 */
  /* Whether V may depend on the pattern of signs of v (relaxations R2 and R4 of control/bound/README.md). This is
   * possible for at most 3 dof with friction, and only if their friction does not depend on speed. */
  bool patterns;
  int knots;          /* number of knots that divide the range of each x_i into cells (relaxations R3, R4); 0: no
                       * cells */
  bool pairs;         /* whether V has terms for pairs of neighbouring joints with friction (relaxation R5); allowed
                       * only without patterns */
  CtlBoundMean *mean; /* output: mean of the best relaxation that was solved; NULL: it is not computed */
  /* Called before each relaxation with its approximate number of operations. Returns whether to solve it. NULL:
   * always. */
  bool (*tries)(void *context, double operations);
  bool (*stopped)(void *context); /* called before each solver step; returns whether to stop; NULL: never */
  bool (*late)(
      /* called before each solver step; returns whether to end with what is proven so far; NULL: never */
      void *context);
  /* Carries out the tasks that bound the cases of branch and bound. It must give the same results as ctl_drive_tasks,
   * and evaluates tasks by `evaluator` or by evaluators on other ranks. Those ranks call ctl_bound_prover_create with
   * the options `cases`. NULL: ctl_drive_tasks in this process. */
  int (*drive)(void *context, const struct CtlLowerBoundOptions *cases, CtlTasks *tasks, const CtlEvaluator *evaluator);
  /* Called with the progress after each relaxation of a sequence and after each round of cases. The bytes come from
   * malloc, and the called function frees them. NULL: progress is not saved. */
  void (*keep)(void *context, void *bytes, size_t size);
  const void
      /* [saved_size] bytes passed to `keep` in an earlier call; the computation resumes there, to the same bits; NULL:
       * it starts anew */
      *saved;
  size_t saved_size;
  const SimReport *report; /* receives the reason, under the key "bound", if `saved` is refused; may be NULL */
  void *context;           /* argument of all callbacks */
} CtlLowerBoundOptions;

typedef struct CtlLowerBound {
  double J;               /* lower bound of J for all controls that meet the target; 0 if nothing was proven */
  const char *relaxation; /* name of the relaxation (README.md) that gave the bound, for example "R1"; static storage */
  int places;             /* number of places (Bernstein coefficients of intervals of time, jumps and ends), each of
                           * which has matrices that were proven positive semidefinite */
  long raised;            /* number of matrices for which this proof needed a larger slack than the solver had found */
  int cases;              /* number of cases into which the set of all motions is divided; the bound holds for each; 1:
                           * the set is not divided */
  long steps;             /* number of iterations of the interior-point method */
  double operations;      /* approximate number of operations of these iterations */
  int left_out;           /* number of relaxations that `tries` rejected */
  /* Lower bound of J, by the same proof, for controls with a motion that ends at x, v of the options; -INFINITY:
   * none. It exists to test the proof: if it exceeds effort, the proof or the motion is wrong. */
  double known;
} CtlLowerBound;

/* Reports each reason, with the key of the problem file, why no bound can be computed. Returns the number of
 * reasons. */
int ctl_lower_bound_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report);

/* Computes a bound that is proven in floating point. It has the same bits on machines of one kind and for any
 * `drive`. sim: finalized. Returns
 *
 * - SIM_OK; SIM_NO_MEMORY; SIM_BAD_ARGUMENT;
 * - SIM_NOT_FINISHED: stopped; *bound has what was proven;
 * - SIM_BAD_PROBLEM: ctl_lower_bound_check refuses the problem, the force is not piecewise, mass or weight is too
 *   ill-conditioned, or `saved` is invalid or belongs to another effort, gap, degree, x, v or build.
 *
 * Any `saved` bytes are safe, but the bound in them is trusted. Protect them from changes, as checkpoints do by
 * checksums. */
SimStatus ctl_lower_bound(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                          CtlLowerBound *bound);

/* A prover carries out tasks. Each task computes the bound of one case. */
typedef struct CtlBoundProver CtlBoundProver;
/* Creates a prover. options: those passed to `drive`; on other ranks their callbacks may be NULL. problem, sim, x and v
 * are borrowed. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus ctl_bound_prover_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                                  CtlBoundProver **prover);
void ctl_bound_prover_destroy(CtlBoundProver *prover); /* may be NULL */
CtlEvaluator ctl_bound_prover_evaluator(CtlBoundProver *prover);

#endif
