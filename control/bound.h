/* A lower bound of J(u) for any control u(t) whatever, in L2, that brings the motion to the target exactly: of any number of
 * segments, not of these variables alone. control/bound/README.md has the theorem. */
#ifndef CONTROL_BOUND_H
#define CONTROL_BOUND_H

#include "control/evaluator.h"

SIM_API_BEGIN

enum { CTL_BOUND_INTERVALS = 1000, CTL_BOUND_DEGREE = 15 };

/* What a relaxation's dual says of cheapest motions, as the mean of a mixture of motions. */
typedef struct CtlBoundMean {
  double *control;   /* [n] u, N, inside the bounds */
  signed char *ways; /* [S][d] which way each joint moves in each segment, -1 or 1; 0: it waits */
} CtlBoundMean;

typedef struct CtlLowerBoundOptions {
  double effort; /* J of a control that meets the target, or what the bound need not exceed; > 0 */
  const double *x,
      *v; /* [d] where the motion of such a control ends, m, m/s, which its J is compared with; NULL: nobody knows */
  double gap;    /* it is enough to come so near to effort: (effort - bound)/effort; 0: as near as it gets */
  int intervals; /* of time, more where a force varies; 0: a ladder of relaxations until the gap is met, patterns, knots and pairs are not looked at */
  int degree;    /* of polynomials in time, >= 1; 0: 3 */
  bool patterns; /* of signs of v: R2, R4; of up to 3 dof with friction that does not change with speed */
  int knots;     /* cells of each x_i: R3, R4; 0: none */
  bool pairs;    /* of neighbours with friction: R5; without patterns */
  CtlBoundMean *mean; /* set to that of the best relaxation that was solved; NULL: not wanted */
  /* Asked before each relaxation, with about how many operations it takes: whether it is to be tried. NULL: each. */
  bool (*tries)(void *context, double operations);
  bool (*stopped)(void *context); /* asked before each step of a solution: whether to leave off; NULL: never */
  bool (*late)(
      void *context); /* likewise whether to leave what is under way as it stands, which is proven; NULL: never */
  /* Who carries out the tasks of cases, of these options, as ctl_drive_tasks does, whose answer it gives, by the evaluator or others' that are made by
   * ctl_bound_prover_create. NULL: this process, by the evaluator. */
  int (*drive)(void *context, const struct CtlLowerBoundOptions *cases, CtlTasks *tasks, const CtlEvaluator *evaluator);
  /* Of a ladder: called after each relaxation, and each round of cases, with how far it has come; the bytes, from malloc, are the callee's. NULL: nobody
   * wants to know. */
  void (*keep)(void *context, void *bytes, size_t size);
  const void *
      saved; /* [saved_size] such bytes, of an earlier call: it goes on from there, to the same bits; NULL: it begins */
  size_t saved_size;
  const SimReport *report; /* why `saved` is refused, as "bound"; may be NULL */
  void *context;
} CtlLowerBoundOptions;

typedef struct CtlLowerBound {
  double J;               /* every control that meets the target has at least this J; 0 where nothing was proven */
  const char *relaxation; /* "R1": static storage */
  int places;             /* in time at which matrices are positive semidefinite */
  long raised;            /* matrices that were so only with more slack than they had */
  int cases;              /* that all motions are split into, each of which has this bound; 1: it is of all at once */
  long steps;             /* of the method that found them */
  double operations;      /* that it took, about */
  int left_out;           /* relaxations that would have followed, but for `tries` */
  double
      known; /* by the same proof each control whose motion ends at options' x, v has at least this J; -INFINITY: nothing is known. Above effort: the
                           * proof is wrong, or the motion */
} CtlLowerBound;

/* Reports, by the keys of problem files, each reason why there can be no bound. Returns how many. */
int ctl_lower_bound_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report);

/* A bound that is proven in floating point; the same bits on any machine of a kind, whoever carries out the tasks. sim: finalized. SIM_OK; SIM_NOT_FINISHED:
 * stopped, bound has what was proven; SIM_NO_MEMORY, SIM_BAD_ARGUMENT;
 * SIM_BAD_PROBLEM: one that ctl_lower_bound_check refuses, whose force is not in pieces, or whose mass or weight is too ill-conditioned; or `saved` is of
 * another effort, gap, degree, x or v, of another build, or no such bytes. Any are safe, but what they say was proven is taken as proven: they are to be
 * kept where nobody changes them, as a checkpoint is with its sums. */
SimStatus ctl_lower_bound(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                          CtlLowerBound *bound);

/* What carries out a task: bounds one case. options: those that `drive` is given, without its functions on other ranks; problem, sim, x and v are
 * borrowed. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
typedef struct CtlBoundProver CtlBoundProver;
SimStatus ctl_bound_prover_create(const CtlProblem *problem, const SimProblem *sim, const CtlLowerBoundOptions *options,
                                  CtlBoundProver **prover);
void ctl_bound_prover_destroy(CtlBoundProver *prover); /* may be NULL */
CtlEvaluator ctl_bound_prover_evaluator(CtlBoundProver *prover);

SIM_API_END

#endif
