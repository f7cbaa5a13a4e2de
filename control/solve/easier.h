/* Starts of a plan from easier problems. */
#ifndef CONTROL_SOLVE_EASIER_H
#define CONTROL_SOLVE_EASIER_H

#include "control/plan/plan.h"

/* Puts starts from easier problems in front of the problem's own, in this process: least effort to the targets at T of the
 * problem's start, or at twice or four times it if T is found; the plan without limits and via points, whose times are then
 * those at which that motion comes nearest; and joints that do not act on each other one by one. Each has an eighth of the
 * problem's budgets. Nothing is done for other methods than auto and sqp, and for one start (search.local_starts). The same
 * bits on any ranks. *evaluations: points evaluated. stop may be NULL. SIM_OK, SIM_NO_MEMORY, or SIM_CANCELLED: stopped;
 * then the problem is unchanged. */
SimStatus ctl_plan_easier_starts(CtlPlan *plan, CtlProblem *problem, const CtlStop *stop, long *evaluations);

#endif
