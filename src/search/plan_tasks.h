/* SPDX-License-Identifier: BSD-2-Clause */
/* The evaluator of a motion plan (src/file/sections/motion_plan.h). messages.h declares the message from which other
 * ranks make theirs. */
#ifndef SRC_PLAN_TASKS_H
#define SRC_PLAN_TASKS_H

#include "src/study/robust_plan.h"

/* Creates the plan of a problem. A signal to stop ends its evaluations early, as in other searches. Returns a status
 * of ctl_plan_create. */
SimStatus plan_tasks_open(const Problem *problem, CtlPlan **plan);
/* Opens the plans of all scenarios likewise. Returns as robust_plan_open. */
int plan_tasks_open_robust(ScenarioSet *set, Diagnostics *diagnostics, RobustPlan *robust);

#endif
