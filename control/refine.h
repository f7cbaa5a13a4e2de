/* What follows on a search, in one process: its answer brought nearer to the least effort by SQP, and how near it is. */
#ifndef CONTROL_REFINE_H
#define CONTROL_REFINE_H

#include "control/evaluator.h"

SIM_API_BEGIN

/* Where SQP has led from a control. */
typedef struct CtlRefined {
  double *control; /* [n] owned, with x and v */
  double *x, *v;   /* [d] */
  double J, E1, E2;
  long evaluations; /* each with its derivatives */
} CtlRefined;

/* From start [n] by the evaluator, which gives derivatives: to the least J about it that meets the targets. Where steps end off them, but a trial
 * has met them, to the cheapest such trial. stopped: asked before each evaluation, NULL: never. SIM_OK; SIM_NOT_FINISHED: stopped;
 * SIM_NOT_CONVERGED: no point that meets the targets to problem->accept was found; SIM_NO_MEMORY. Cleared unless SIM_OK, but for the
 * evaluations. */
SimStatus ctl_refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                     bool (*stopped)(void *context), void *context, CtlRefined *refined);
/* The same from one of k = 0, 1, .. random controls about it: off by as much as it, by a quarter, by 1/16, and again. */
SimStatus ctl_refine_near(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start, long k,
                          bool (*stopped)(void *context), void *context, CtlRefined *refined);
/* The same from a control that nearly meets the targets, as CtlOptimality.lesser: to the nearest point that meets them first. */
SimStatus ctl_refine_beside(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                            bool (*stopped)(void *context), void *context, CtlRefined *refined);
void ctl_refined_clear(CtlRefined *refined);

/* The same from `coarse`, an answer in half as many segments, and from what it becomes when its largest jumps are moved by a segment:
 * where it is best to let go of a dof that sticks seldom lies at a border of the coarse ones. J is not more than that of coarse, if
 * its motion meets the target here, too, and no rate is against it: u may change by half as much in half a segment. */
SimStatus ctl_refine_finer(const CtlProblem *problem, const CtlEvaluator *evaluator, const CtlRefined *coarse,
                           bool (*stopped)(void *context), void *context, CtlRefined *refined);

/* Whether a control that meets the targets costs the least of all near it. */
typedef enum CtlMinimum { CTL_MINIMUM_UNKNOWN, CTL_MINIMUM_YES, CTL_MINIMUM_NO } CtlMinimum;

typedef struct CtlOptimality {
  double kkt;          /* |H u + A'y| / |H u|, as far as no bound or rate holds it: 0 at a least effort */
  int m;               /* entries of x_T, v_T that are given */
  double *multipliers; /* [m] y: what J falls by a unit of each, -dJ/d(target); NAN: u does not act on it; owned */
  int rank;            /* of A, the derivatives of the targets that hold */
  double
      reduced_hessian_min; /* least curvature of the Lagrangian along what the targets leave free, as a part of J's own; NAN:
                               * nothing is left free, or it is not known */
  CtlMinimum local_minimum;
  double *
      lesser; /* [n] a control nearby that costs less and misses no more, by its own motion; owned; NULL: none has been found, or looked for */
  const char *why; /* it is not known; static; NULL: it is */
} CtlOptimality;

/* Of a control [n] by the evaluator, which gives derivatives. SIM_OK; SIM_NO_MEMORY; or the status of a motion that failed. Cleared
 * unless SIM_OK. */
SimStatus ctl_optimality_find(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *control,
                              CtlOptimality *optimality);
void ctl_optimality_clear(CtlOptimality *optimality);

SIM_API_END

#endif
