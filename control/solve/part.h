/* A part of a plan: some of its variables and values. The other variables keep their values, the other conditions are left
 * out. Easier problems are such parts: a plan without limits and via points, one joint of several. */
#ifndef CONTROL_SOLVE_PART_H
#define CONTROL_SOLVE_PART_H

#include "control/plan/internal.h"

typedef struct PlanPart {
  CtlPlan *plan; /* borrowed */
  CtlProblem problem;
  int n, m;
  int *variable, *value;      /* [n], [m] of the plan; owned, in one block */
  double *point;              /* [plan n] the variables that stay; owned, in one block with the next three */
  double *at, *values, *rows; /* one evaluation of the whole plan */
} PlanPart;

/* Opens a part of the plan and its problem `whole`. varies: [plan n]; kept: [plan m]; point: [plan n] where its first run
 * starts; the others start at the first `starts` of `whole`. SIM_OK or SIM_NO_MEMORY; close it in any case. */
SimStatus plan_part_open(PlanPart *part, CtlPlan *plan, const CtlProblem *whole, const bool *varies, const bool *kept,
                         const double *point, int starts);
void plan_part_close(PlanPart *part);

/* Searches in this process, adds the evaluations, and sets point [plan n] to the best one. SIM_OK, SIM_NO_MEMORY, or
 * SIM_CANCELLED: stopped. stop may be NULL. */
SimStatus plan_part_search(PlanPart *part, const CtlStop *stop, long *evaluations, double *point);

#endif
