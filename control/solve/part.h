/* SPDX-License-Identifier: BSD-2-Clause */
/* A part of a plan: an easier problem with some of the plan's variables and values. Other variables are constant or
 * depend on those of the part, and the other conditions are omitted. Examples are a plan without limits and via points,
 * one joint of several, and times that are given parts of T. */
#ifndef CONTROL_SOLVE_PART_H
#define CONTROL_SOLVE_PART_H

#include "control/plan/internal.h"

/* A relation between variables: the plan's variable `of` is the sum, over all its relations, of `share` times the
 * part's variable `variable`. Each variable of the part is itself a variable of the plan, to which it is related by
 * share = 1. */
typedef struct PlanShare {
  int of;       /* variable of the plan */
  int variable; /* variable of the part, from 0 */
  double share;
} PlanShare;

typedef struct PlanPart {
  CtlPlan *plan; /* borrowed */
  CtlProblem problem;
  int n, m;
  int share_count;        /* number of shares */
  const PlanShare *share; /* [share_count] relations; a variable of the plan without a relation is constant; borrowed */
  int *value;             /* [m] indices in the plan of the part's values; owned */
  double *point; /* [plan n] point of the plan that supplies the constant variables; owned, in one block with the
                        * next three arrays */
  double *at, *values, *rows; /* point of one evaluation of the whole plan, its values there and their derivatives
                               * (rows) */
} PlanPart;

/* Opens a part of the plan and of its search problem `whole`. share: [share_count] as in PlanPart. kept: [plan m]
 * whether each value belongs to the part. point: [plan n] values of the constant variables; the first local search
 * starts at it, and the others at the first `starts` random starts of `whole`. Returns SIM_OK or SIM_NO_MEMORY; close
 * the part in both cases. */
SimStatus plan_part_open(PlanPart *part, CtlPlan *plan, const CtlProblem *whole, int share_count,
                         const PlanShare *share, const bool *kept, const double *point, int starts);
void plan_part_close(PlanPart *part);

/* Searches the part in this process. Adds the number of evaluations to *evaluations. Sets point [plan n] to the best
 * point found, or to the point of plan_part_open if the part has no variables or no values. stop may be NULL. Returns
 * SIM_OK, SIM_NO_MEMORY, SIM_CANCELLED if the search was stopped, or a status of stiction_asktell_create. */
SimStatus plan_part_search(PlanPart *part, const CtlStop *stop, long *evaluations, double *point);

#endif
