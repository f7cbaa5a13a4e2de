/* A part of a plan: an easier problem with some of the plan's variables and values. The other variables stay
 * constant, and the other conditions are left out. Examples are a plan without limits and via points, and one joint
 * of several. */
#ifndef CONTROL_SOLVE_PART_H
#define CONTROL_SOLVE_PART_H

#include "control/plan/internal.h"

typedef struct PlanPart {
  CtlPlan *plan; /* borrowed */
  CtlProblem problem;
  int n, m;
  int *variable, *value;      /* [n], [m] indices in the plan of the part's variables and values; owned, in one block */
  double *point;              /* [plan n] point of the plan that supplies the constant variables; owned, in one block
                               * with the next three arrays */
  double *at, *values, *rows; /* point, values and rows of one evaluation of the whole plan */
} PlanPart;

/* Opens a part of the plan and of its search problem `whole`. varies: [plan n] whether each variable belongs to the
 * part. kept: [plan m] whether each value does. point: [plan n] constant variables, and the point at which the first
 * local search starts. The others start at the first `starts` random starts of `whole`. Returns SIM_OK or
 * SIM_NO_MEMORY; close the part in both cases. */
SimStatus plan_part_open(PlanPart *part, CtlPlan *plan, const CtlProblem *whole, const bool *varies, const bool *kept,
                         const double *point, int starts);
void plan_part_close(PlanPart *part);

/* Searches the part in this process. Adds the number of evaluations to *evaluations. Sets point [plan n] to the best
 * point found, or to the point of plan_part_open if the part has no variables or no values. stop may be NULL. Returns
 * SIM_OK, SIM_NO_MEMORY, SIM_CANCELLED if the search was stopped, or a status of stiction_asktell_create. */
SimStatus plan_part_search(PlanPart *part, const CtlStop *stop, long *evaluations, double *point);

#endif
