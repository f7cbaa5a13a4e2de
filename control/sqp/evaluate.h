/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates one point at a time in this process, with derivatives. */
#ifndef CONTROL_SQP_EVALUATE_H
#define CONTROL_SQP_EVALUATE_H

#include "control/evaluator.h"

typedef struct CtlPoint {
  const CtlEvaluator *evaluator; /* borrowed */
  SimFinal final;                /* final state of the motion; its x, v [d] are owned, in one memory block with
                                  * `rows` */
  double *rows;                  /* [m][n + 2] derivatives: for each target or user-defined value n derivatives by the
                                  * variables and two numbers for dofs at rest (CtlOutcome.rows) */
  long evaluations;              /* number of evaluations so far */
} CtlPoint;

/* ctl_point_gives returns whether the evaluator supplies derivatives for all targets of the problem. If it does not,
 * ctl_point_gives_not is the text of the error message. */
bool ctl_point_gives(const CtlEvaluator *evaluator, const CtlProblem *problem);
extern const char ctl_point_gives_not[];

/* Allocates a point. Returns false when out of memory; clear the point also then. */
bool ctl_point_init(CtlPoint *point, const CtlEvaluator *evaluator);
void ctl_point_clear(CtlPoint *point);
/* Evaluates a control with its derivatives. Returns the status of the evaluation, or SIM_NON_FINITE if a derivative is
 * not finite. */
SimStatus ctl_point_evaluate(CtlPoint *point, const double *control);

#endif
