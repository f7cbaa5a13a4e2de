/* Starts of a plan from easier problems. */
#ifndef CONTROL_SOLVE_EASIER_H
#define CONTROL_SOLVE_EASIER_H

#include "control/plan/plan.h"

/* Puts starts from easier problems in front of the problem's own, in this process: least effort to the targets at T of the
 * problem's start, or at twice or four times it if T is found; the plan without limits and via points, whose times are then
 * those at which that motion comes nearest; and joints that do not act on each other one by one. Nothing is done for other
 * methods than auto and sqp, and for one start (search.local_starts).
 *
 * Budget: all of them together may spend an eighth of max_evaluations, of which each that is still to come gets an equal
 * share, and the problem's max_evaluations falls by what they have spent. Without max_evaluations they have no limit.
 * max_seconds does not limit them, since starts that depend on the clock would differ when a search is resumed: the starts
 * are the same bits on any ranks and in any run.
 *
 * *evaluations: points evaluated. stop may be NULL; it is asked between evaluations. SIM_OK; SIM_NO_MEMORY; SIM_CANCELLED:
 * stopped; SIM_BAD_PROBLEM: an easier problem cannot be searched. The problem is unchanged unless SIM_OK. */
SimStatus ctl_plan_easier_starts(CtlPlan *plan, CtlProblem *problem, const CtlStop *stop, long *evaluations);

#endif
