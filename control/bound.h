/* SPDX-License-Identifier: BSD-2-Clause */
/* Lower bound on the effort J(u) over all controls u(t) in L2 that bring the motion exactly to the target: with any
 * number of segments, and not only over the search variables. control/bound/README.md has the theorem. */
#ifndef CONTROL_BOUND_H
#define CONTROL_BOUND_H

#include "control/evaluator.h"

/* maximum number of intervals in time, and maximum degree in time of the test function, that a caller may choose */
enum { CTL_BOUND_INTERVALS = 1000, CTL_BOUND_DEGREE = 15 };

/* Mean motion that belongs to a lower bound. The dual solution of a relaxation describes a mixture of motions with
 * weights. The mean of this mixture estimates the motion of least effort. */
typedef struct CtlBoundMean {
  double *control;   /* [n] control u of the mean, in N, inside the bounds */
  signed char *ways; /* [S][d] direction of slip of each of the d joints in each of the S segments: -1, 1, or 0 if the
                      * joint sticks */
} CtlBoundMean;

typedef struct CtlLowerBoundOptions {
  double effort;       /* J > 0 of a known control that meets the target; the bound never needs to exceed it */
  const double *x, *v; /* [d] final state of the motion of this known control, in m and m/s; needed only for the output
               * CtlLowerBound.known; NULL: unknown */
  double gap;          /* the relative gap (effort - bound)/effort that is sufficient; 0: as small as possible */
  /* Number of intervals into which time is divided. Where the force varies, the time mesh gets more intervals than
   * this. 0: a sequence of relaxations is solved until the gap is reached, and the fields patterns, knots and pairs are
   * ignored. */
  int intervals;
  int degree; /* degree in time, at least 1, of the polynomial on each interval that represents V, the function of time
               * and state in README.md; 0: degree 3 */
  /* Whether V may depend on the pattern of signs of the velocity v (relaxations R2 and R4 of control/bound/README.md).
   * This is possible for at most 3 dof with friction, and only if their friction does not depend on speed. */
  bool patterns;
  int knots;          /* number of knots that divide the range of each x_i into cells (relaxations R3, R4); 0: no
                       * cells */
  bool pairs;         /* whether V has terms for pairs of neighbouring joints with friction (relaxation R5); allowed
                       * only without patterns */
  CtlBoundMean *mean; /* output: mean motion of the best relaxation that was solved; NULL: the mean is not computed */
  /* Called before each relaxation with the approximate number of floating-point operations that it takes. Returns
   * whether to solve this relaxation. NULL: all are solved. */
  bool (*tries)(void *context, double operations);
  bool (*stopped)(void *context); /* called before each step of the solver; returns whether to stop; NULL: never */
  bool (*late)(
      /* called before each step of the solver; returns whether to end with what is proven so far; NULL: never */
      void *context);
  /* Carries out the tasks that bound the cases of a branch and bound. The function must give the same results as
   * ctl_drive_tasks, but may evaluate the tasks by `evaluator` or by equal evaluators on other ranks. These ranks call
   * ctl_bound_prover_create with the options `cases`. NULL: ctl_drive_tasks evaluates them in this process. */
  int (*drive)(void *context, const struct CtlLowerBoundOptions *cases, CtlTasks *tasks, const CtlEvaluator *evaluator);
  /* Called with the saved progress after each relaxation of a sequence and after each round of cases. The bytes come
   * from malloc, and the called function must free them. NULL: progress is not saved. */
  void (*keep)(void *context, void *bytes, size_t size);
  const void
      /* [saved_size] bytes that an earlier call passed to `keep`; the computation resumes there and gives the same
       * bits; NULL: the computation starts from the beginning */
      *saved;
  size_t saved_size;
  const SimReport *report; /* receives the reason, under the key "bound", if the bytes in `saved` are refused; may be
                            * NULL */
  void *context;           /* argument of all callbacks */
} CtlLowerBoundOptions;

typedef struct CtlLowerBound {
  double J;               /* lower bound of J for all controls that meet the target; 0 if nothing was proven */
  const char *relaxation; /* name of the relaxation (README.md) that gave the bound, for example "R1"; static storage */
  int places;             /* number of places, that is of Bernstein coefficients of intervals of time, of jumps and of
                           * ends; each has matrices that were proven positive semidefinite */
  long raised;            /* number of matrices for which this proof needed a larger slack than the solver had found */
  int cases;              /* number of cases into which the set of all motions is divided; the bound holds for each
                           * case; 1: the set is not divided */
  long steps;             /* number of iterations of the interior-point method */
  double operations;      /* approximate number of operations of these iterations */
  int left_out;           /* number of relaxations that `tries` rejected */
  /* Lower bound of J, by the same proof, for controls with a motion that ends at x, v of the options; -INFINITY: none
   * was computed. This value tests the proof: if it exceeds effort, the proof or the motion is wrong. */
  double known;
} CtlLowerBound;

/* Reports each reason, with the key of the problem file, why no bound can be computed for this problem. Returns the
 * number of reasons. */
int ctl_lower_bound_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report);

/* Computes a bound that is proven in floating point. The bound has the same bits on machines of one kind and for any
 * function `drive`. sim: finalized. Returns
 *
 * - SIM_OK; SIM_NO_MEMORY; SIM_BAD_ARGUMENT;
 * - SIM_NOT_FINISHED: `stopped` or `late` returned true; *bound has what was proven;
 * - SIM_BAD_PROBLEM: ctl_lower_bound_check refuses the problem, the applied force is not piecewise polynomial, mass or
 *   weight is too ill-conditioned, or `saved` is invalid or belongs to another effort, gap, degree, x, v or build.
 *
 * Any bytes are safe as `saved`, but the bound in them is trusted. Protect them from changes, for example by a
 * checksum. */
SimStatus ctl_lower_bound(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                          CtlLowerBound *bound);

/* A prover evaluates tasks. Each task computes the bound of one case of the branch and bound. */
typedef struct CtlBoundProver CtlBoundProver;
/* Creates a prover. options: those that `drive` received; on other ranks their callbacks may be NULL. problem, sim, and
 * x and v of the options are borrowed. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus ctl_bound_prover_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                                  CtlBoundProver **prover);
void ctl_bound_prover_destroy(CtlBoundProver *prover); /* prover: may be NULL */
CtlEvaluator ctl_bound_prover_evaluator(CtlBoundProver *prover);

#endif
