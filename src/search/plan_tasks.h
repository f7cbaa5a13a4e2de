/* The evaluator of a motion plan (src/file/sections/motion_plan.h); messages.h has what other ranks build theirs of. */
#ifndef SRC_PLAN_TASKS_H
#define SRC_PLAN_TASKS_H

#include "src/file/sections/motion_plan.h"

/* Creates the plan of a problem. Its evaluations end early as those of any search do. Statuses as ctl_plan_create. */
SimStatus plan_tasks_open(const Problem *problem, CtlPlan **plan);

#endif
