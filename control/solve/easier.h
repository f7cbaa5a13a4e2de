/* Starts of a plan from easier problems. */
#ifndef CONTROL_SOLVE_EASIER_H
#define CONTROL_SOLVE_EASIER_H

#include "control/plan/plan.h"

/* Solves up to three easier problems in this process and inserts their solutions in front of the random starts:
 *   - least effort to the targets at the final time, with T of the start; if T varies, then also with 2 T and 4 T,
 *     until the targets are met;
 *   - the plan without limits and via points;
 *   - groups of variables that do not act on each other, such as single joints, one group after another.
 * Times of via points are then set to those at which the motion comes nearest to the via point. Each search has an
 * eighth of the problem's budgets. Nothing is done unless the method is auto or sqp, or if search.local_starts is 1.
 * The starts have the same bits for any number of ranks. *evaluations: set to the number of points evaluated. stop
 * may be NULL. Returns SIM_OK, SIM_NO_MEMORY, or SIM_CANCELLED if stopped; then the problem is unchanged. */
SimStatus ctl_plan_easier_starts(CtlPlan *plan, CtlProblem *problem, const CtlStop *stop, long *evaluations);

#endif
