/* SPDX-License-Identifier: BSD-2-Clause */
/* The evaluator of a motion plan (src/file/sections/motion_plan.h). Other ranks make theirs from a message, which
 * messages.h declares. */
#ifndef SRC_PLAN_TASKS_H
#define SRC_PLAN_TASKS_H

#include "src/study/robust_plan.h"

/* Creates the plan of a problem. As in other searches, a signal to stop ends evaluations of the plan early. Returns a
 * status of ctl_plan_create. */
SimStatus plan_tasks_open(const Problem *problem, CtlPlan **plan);
/* Opens the plans of all scenarios likewise. Returns as robust_plan_open. */
int plan_tasks_open_robust(ScenarioSet *set, Diagnostics *diagnostics, RobustPlan *robust);

#endif
