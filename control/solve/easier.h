/* SPDX-License-Identifier: BSD-2-Clause */
/* Initial points for the search of a motion plan: solutions of easier problems. */
#ifndef CONTROL_SOLVE_EASIER_H
#define CONTROL_SOLVE_EASIER_H

#include "control/plan/plan.h"

/* Solves up to six easier problems of a plan's search problem (CtlProblem.plan) in this process, and inserts their
 * solutions in front of the random starts:
 *   - for a mechanism with a control on each coordinate: the forces of inverse dynamics along a path of fifth order in
 *     time to the targets, without a search;
 *   - least effort to the targets at the final time, with T of the start; if T varies, then also with 2 T and 4 T,
 *     until the targets are met;
 *   - the plan without limits and via points;
 *   - groups of variables that share no constraint, such as single joints, one group after another;
 *   - the plan with the variable times of via points set to equal fractions of T;
 *   - the plan with velocity 0 at via points at which a dof reverses, starting from forces of alternating sign, with T
 *     of the start; if T varies, then also with 2 T and 4 T, until all conditions are met.
 * In the first four solutions, times of via points are then set to those at which the motion comes nearest to the via
 * point. Nothing is done unless the method is auto or sqp, or if search.local_starts is 1.
 *
 * Budget: together the problems use at most an eighth of max_evaluations. Each remaining search may use an equal share
 * of the remaining budget, and is omitted if that is too little. The problem's max_evaluations is reduced by the
 * evaluations used. Without max_evaluations there is no limit. max_seconds does not limit these searches: starts that
 * depend on the clock could differ when a search is resumed. So the starts have the same bits for any number of ranks
 * and in any run.
 *
 * *evaluations: set to the number of points evaluated. stop may be NULL; it is called between evaluations. Returns
 * SIM_OK, SIM_NO_MEMORY, SIM_CANCELLED if stopped, or SIM_BAD_PROBLEM if an easier problem cannot be searched. The
 * problem is unchanged unless the status is SIM_OK. */
SimStatus ctl_plan_easier_starts(CtlProblem *problem, const CtlStop *stop, long *evaluations);

#endif
