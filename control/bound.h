/* Lower bound on J(u) over all controls u(t) in L2 that bring the motion exactly to the target, with any number of
 * segments and not only over the search variables. control/bound/README.md has the theorem. */
#ifndef CONTROL_BOUND_H
#define CONTROL_BOUND_H

#include "control/evaluator.h"

enum { CTL_BOUND_INTERVALS = 1000, CTL_BOUND_DEGREE = 15 };

/* Mean of a mixture of motions, obtained from a relaxation's dual: an estimate of cheapest motions. */
typedef struct CtlBoundMean {
  double *control;   /* [n] u, N, inside the bounds */
  signed char *ways; /* [S][d] direction of each joint in each segment: -1, 1, or 0 (sticks) */
} CtlBoundMean;

typedef struct CtlLowerBoundOptions {
  double effort; /* J of a control that meets the target; the bound need not exceed it; > 0 */
  const double *x,
      *v;     /* [d] final state of that control's motion, m, m/s, for `known` of CtlLowerBound; NULL: unknown */
  double gap; /* sufficient relative gap (effort - bound)/effort; 0: as small as possible */
  /* Intervals of time; more where a force varies. 0: a sequence of relaxations until the gap is reached; patterns,
   * knots and pairs are then ignored. */
  int intervals;
  int degree;    /* degree of polynomials in time, >= 1; 0: 3 */
  bool patterns; /* use patterns of signs of v (R2, R4); for at most 3 dof whose friction does not depend on speed */
  int knots;     /* cells of each x_i (R3, R4); 0: none */
  bool pairs;    /* pairs of neighbours with friction (R5); without patterns */
  CtlBoundMean *mean; /* output: mean of the best relaxation that was solved; NULL: not computed */
  /* Called before each relaxation with its approximate number of operations: whether to solve it. NULL: always. */
  bool (*tries)(void *context, double operations);
  bool (*stopped)(void *context); /* called before each solver step: whether to stop; NULL: never */
  bool (*late)(
      void *context); /* called before each solver step: whether to end here with what is proven; NULL: never */
  /* Carries out the tasks of cases, like ctl_drive_tasks and with its results. It uses the evaluator, or evaluators
   * on other ranks made by ctl_bound_prover_create from the options `cases`. NULL: ctl_drive_tasks in this process. */
  int (*drive)(void *context, const struct CtlLowerBoundOptions *cases, CtlTasks *tasks, const CtlEvaluator *evaluator);
  /* Called with the progress after each relaxation of a sequence and after each round of cases. The bytes are from
   * malloc; the callee frees them. NULL: progress is not saved. */
  void (*keep)(void *context, void *bytes, size_t size);
  const void
      *saved; /* [saved_size] bytes of `keep` from an earlier call, to resume to the same bits; NULL: starts anew */
  size_t saved_size;
  const SimReport *report; /* receives the reason, as "bound", if `saved` is refused; may be NULL */
  void *context;           /* argument of the callbacks */
} CtlLowerBoundOptions;

typedef struct CtlLowerBound {
  double J;               /* lower bound of J of all controls that meet the target; 0 if nothing was proven */
  const char *relaxation; /* name of the relaxation, "R1": static storage */
  int places;             /* points in time at which matrices are positive semidefinite */
  long raised;            /* matrices that needed additional slack to be so */
  int cases;              /* cases into which all motions are split, each with this bound; 1: no split */
  long steps;             /* iterations of the interior-point method */
  double operations;      /* approximate number of operations of these */
  int left_out;           /* relaxations that `tries` rejected */
  /* Lower bound, by the same proof, of J of controls whose motion ends at options' x, v; -INFINITY: none. If it
   * exceeds effort, the proof or the motion is wrong. */
  double known;
} CtlLowerBound;

/* Reports each reason, by the key of the problem file, why no bound can be computed. Returns their number. */
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

/* A prover carries out tasks; each bounds one case. */
typedef struct CtlBoundProver CtlBoundProver;
/* Creates a prover. options: the ones passed to `drive`; callbacks may be NULL on other ranks. problem, sim, x and v
 * are borrowed. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus ctl_bound_prover_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                                  CtlBoundProver **prover);
void ctl_bound_prover_destroy(CtlBoundProver *prover); /* may be NULL */
CtlEvaluator ctl_bound_prover_evaluator(CtlBoundProver *prover);

#endif
