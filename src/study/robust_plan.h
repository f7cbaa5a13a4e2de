/* SPDX-License-Identifier: BSD-2-Clause */
/* The plans of all scenarios of a problem with control.objective, and the robust plan (control/plan/robust.h) that they
 * make. */
#ifndef SRC_STUDY_ROBUST_PLAN_H
#define SRC_STUDY_ROBUST_PLAN_H

#include "src/file/sections/motion_plan.h"
#include "src/study/scenario_set.h"

/* All members are owned. */
typedef struct RobustPlan {
  long count;        /* number of scenarios */
  Problem *problems; /* [count] problems of the scenarios, from which plans borrow */
  CtlPlan **plans;   /* [count] */
  CtlRobust *robust; /* NULL: the problem has no control.objective over scenarios */
} RobustPlan;

/* Opens the robust plan of the set's problem, which has a motion plan. Nothing is opened if its objective is nominal.
 * interrupt: of all plans, as for ctl_plan_interrupt. Returns 0, EXIT_USAGE or EXIT_INTERNAL after reporting an error.
 * Call robust_plan_close in each case. */
int robust_plan_open(ScenarioSet *set, const SimInterrupt *interrupt, Diagnostics *diagnostics, RobustPlan *robust);
void robust_plan_close(RobustPlan *robust);

#endif
