/* SPDX-License-Identifier: BSD-2-Clause */
/* User-defined objective: combines the values y [d] of a point according to their roles (CtlProblem.roles).
 *
 *   f(y) = sum y_i over the objectives + sum y_i^2 over the residuals + sum |y_i| over the magnitudes
 *   r_i  = y_i - target_i of a constraint "equal" or "at most",  target_i - y_i of "at least"
 *   its miss is |r_i| of "equal", max(r_i, 0) of the others; +inf where y_i is not finite */
#ifndef CONTROL_VALUES_H
#define CONTROL_VALUES_H

#include "control/internal.h"

/* Returns J(u). With user-defined values it returns their objective f, or +inf if the evaluation failed or f is not
 * finite. */
double ctl_outcome_cost(const CtlProblem *problem, const double *control, const CtlOutcome *outcome);

/* Returns the objective f of user-defined values; +inf if it is not finite. */
double ctl_values_f(const CtlProblem *problem, const double *values);

/* Returns the residual r_i of constraint i for its given value. The next function returns the miss (violation) of
 * constraint i. */
double ctl_value_residual(const CtlProblem *problem, int i, double value);
double ctl_value_miss(const CtlProblem *problem, int i, double value);

/* Returns the norm of the misses (violations) of all constraints, which are not divided by tolerances. */
double ctl_values_miss(const CtlProblem *problem, CtlNorm norm, const double *values);

/* Returns the largest ratio of a miss to its tolerance. The constraints are met if this ratio is at most 1. */
double ctl_values_error(const CtlProblem *problem, const double *values);

/* Returns the number of values with a role. */
int ctl_values_count(const CtlProblem *problem, CtlRole role);

/* The first function collects the misses r of the constraints, the second the residuals. values is NULL for a failed
 * evaluation. Values that are not finite are replaced by `failed`. */
void ctl_values_constraints(const CtlProblem *problem, const double *values, double failed, double *r);
void ctl_values_residuals(const CtlProblem *problem, const double *values, double failed, double *residuals);

/* Whether target number k, counted from 0 among the entries that have a target, is an equation. For user-defined values
 * k counts the constraints, and an equation is one with the role "equal". */
bool ctl_target_is_equation(const CtlProblem *problem, int k);

#endif
