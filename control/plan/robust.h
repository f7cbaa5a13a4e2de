/* SPDX-License-Identifier: BSD-2-Clause */
/* Robust plans: one point for the motions of many scenarios.
 *
 *     minimise  F(z) = the mean or the largest over s of f_s(z)   so that   the constraints of all plans s hold at z
 *
 * Plan s (control/plan/plan.h) has the numbers of scenario s. All plans have the same variables z and the same
 * quantities. A quantity that depends on z alone, such as T, effort, fuel or a time less T, is shared: it has one value
 * for all scenarios. All others have the values of each scenario. The largest f_s is minimised by a further variable t
 * behind z, which is minimised with f_s - t <= 0 for all s; there is none if what is minimised is shared. */
#ifndef CONTROL_ROBUST_H
#define CONTROL_ROBUST_H

#include "control/plan/plan.h"

typedef struct CtlRobust CtlRobust;

/* Returns the reason why a quantity of a plan for this problem cannot be that of a robust plan, with a remedy; NULL if
 * it can. A constraint `equal` on what differs between scenarios cannot hold in all of them, except for the velocity 0
 * at T of a dof with friction, which may stick by then in each, unless its surface moves at T. */
const char *ctl_robust_misfit(const SimProblem *problem, const CtlQuantity *quantity);

/* Creates a robust plan of `scenarios` >= 1 plans, which it borrows. statistic: CTL_MEAN or CTL_WORST. report (may be
 * NULL) receives each mistake under the key "scenarios" or, with the name, "quantities". Returns SIM_OK, SIM_NO_MEMORY,
 * or SIM_BAD_PROBLEM if a quantity is a misfit, if the plans differ in their variables or quantities, or if they have
 * more than CTL_VALUES_MAX values together. *robust is NULL unless the status is SIM_OK. */
SimStatus ctl_robust_create(int scenarios, CtlPlan *const *plans, CtlStatistic statistic, const SimReport *report,
                            CtlRobust **robust);
void ctl_robust_destroy(CtlRobust *robust); /* may be NULL */

/* Initialises the search problem of the robust plan. Bounds, sizes, rules, starts and the options of the search are
 * those of `nominal`, the search problem of a plan with the same variables; t begins at its value at each start, for
 * which the starts are evaluated. The caller clears the problem. Returns SIM_OK, SIM_NO_MEMORY, or SIM_CANCELLED if a
 * plan was interrupted. */
SimStatus ctl_robust_problem(CtlRobust *robust, const CtlProblem *nominal, CtlProblem *problem);

/* Returns an evaluator for that problem, with derivatives if each plan has them. It borrows the robust plan. A point
 * fails if the motion of one scenario does. */
CtlEvaluator ctl_robust_evaluator(CtlRobust *robust);

/* Reads all quantities of all scenarios at a point [n]. values: [scenarios][quantities], set as by ctl_plan_read.
 * f: [scenarios] what is minimised in each, without the shared quantities; may be NULL. Returns a status of
 * ctl_plan_read. */
SimStatus ctl_robust_read(CtlRobust *robust, const double *point, CtlQuantityValue *values, double *f);

/* Checks the optimality of a point [n] of the problem of ctl_robust_problem, as ctl_plan_optimality does. values:
 * [scenarios][quantities] from ctl_robust_read; receive the multipliers; those of shared quantities are at scenario 0.
 * weights: [scenarios] multipliers of f_s - t <= 0, of which the sum is 1 where kkt is 0: by how much each scenario
 * determines the largest f_s; NAN without t. If a dof is to stop at T, no point is found not to be a minimum: where
 * friction just holds it in one scenario, its velocity has no derivative. */
SimStatus ctl_robust_optimality(CtlRobust *robust, const CtlProblem *problem, const double *point,
                                CtlPlanOptimality *optimality, CtlQuantityValue *values, double *weights);

#endif
