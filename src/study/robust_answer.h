/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer of a robust plan: its quantities in the scenarios that determine it. */
#ifndef SRC_STUDY_ROBUST_ANSWER_H
#define SRC_STUDY_ROBUST_ANSWER_H

#include "src/study/robust_plan.h"

#include <jansson.h>

typedef struct RobustAnswer {
  const RobustPlan *plan;   /* borrowed, like the next; NULL: the problem has no robust plan */
  const MotionPlan *motion; /* the plan as read */
  CtlQuantityValue *each;   /* [count][quantities] values in all scenarios; owned, like the next arrays */
  double *f;                /* [count] what is minimised in each scenario, without shared quantities */
  double *weights;          /* [count] by how much each scenario determines the largest f; NAN: unknown */
  long *scenario; /* [quantities] scenario that a reported value is from, from 0; -1: it is of all, or a mean */
} RobustAnswer;

/* Reads the quantities of all scenarios at a point [n]. values: [quantities] set to those to report: of a constraint the
 * value in the scenario that comes nearest to violating it, or violates it by most; of what is minimised the value in the
 * scenario with the largest f, or the mean. Returns a status of ctl_robust_read. Call robust_answer_clear in each case. */
SimStatus robust_answer_find(const RobustPlan *plan, const MotionPlan *motion, const double *point,
                             RobustAnswer *answer, CtlQuantityValue *values);
void robust_answer_clear(RobustAnswer *answer);

/* Checks the optimality of the point, as ctl_robust_optimality. The multipliers of `values` become the sums over all
 * scenarios. */
SimStatus robust_answer_judge(RobustAnswer *answer, const CtlProblem *sought, const double *point,
                              CtlPlanOptimality *optimality, CtlQuantityValue *values);

/* Return the number of the scenario that a reported value is from, null if it is of all or a mean; the scenarios with a
 * multiplier of constraint k, {scenario, value, multiplier}; and those that determine the largest f, {scenario, f,
 * weight}. NULL: no memory. */
json_t *robust_answer_scenario(const RobustAnswer *answer, int k);
json_t *robust_answer_active(const RobustAnswer *answer, int k);
json_t *robust_answer_worst(const RobustAnswer *answer);
/* Print the same: at the end of a line, and a line. */
void robust_answer_print_active(const RobustAnswer *answer, int k);
void robust_answer_print_worst(const RobustAnswer *answer);

#endif
