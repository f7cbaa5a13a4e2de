/* The evaluator of a motion plan (src/file/sections/motion_plan.h), here and as bytes for other ranks. */
#ifndef SRC_PLAN_TASKS_H
#define SRC_PLAN_TASKS_H

#include "control/pool.h"
#include "src/file/sections/motion_plan.h"

/* Creates the plan of a problem, whose evaluations end early as those of any search. Statuses as ctl_plan_create. */
SimStatus plan_tasks_open(const Problem *problem, CtlPlan **plan);

/* Packs a problem for other ranks; the caller frees it. NULL: no memory. */
void *plan_tasks_pack(const Problem *problem, size_t *size);

/* A worker's: builds an evaluator of such a message; tells whether an evaluator is one; releases it. SIM_OK, SIM_NO_MEMORY,
 * SIM_BAD_PROBLEM. */
SimStatus plan_tasks_build(const void *bytes, size_t size, CtlEvaluator *evaluator);
bool plan_tasks_are(const CtlEvaluator *evaluator);
void plan_tasks_release(CtlEvaluator *evaluator);

#endif
