/* SPDX-License-Identifier: BSD-2-Clause */
/* User-defined function: combines the values y [d] of a point according to their roles (CtlProblem.roles).
 *
 *   f(y) = sum y_i over the objectives + sum y_i^2 over the residuals + sum |y_i| over the magnitudes
 *
 * The residual of a constraint is r_i = y_i - target_i for the roles "equal" and "at most", and target_i - y_i for "at
 * least". Its violation is |r_i| for "equal", max(r_i, 0) for the others, and +inf where y_i is not finite. */
#ifndef CONTROL_VALUES_H
#define CONTROL_VALUES_H

#include "control/internal.h"

/* Returns the effort J(u). For a problem with user-defined values it returns f instead, or +inf if the evaluation
 * failed or f is not finite. */
double ctl_outcome_cost(const CtlProblem *problem, const double *control, const CtlOutcome *outcome);

/* Returns f of user-defined values; +inf if it is not finite. */
double ctl_values_f(const CtlProblem *problem, const double *values);

/* ctl_value_residual returns the residual r_i of constraint i for its given value, and ctl_value_miss its violation. */
double ctl_value_residual(const CtlProblem *problem, int i, double value);
double ctl_value_miss(const CtlProblem *problem, int i, double value);

/* Returns the norm of the violations of all constraints, not divided by tolerances. */
double ctl_values_miss(const CtlProblem *problem, CtlNorm norm, const double *values);

/* Returns the largest ratio of a constraint violation to its tolerance. The constraints are met if this ratio is at
 * most 1. */
double ctl_values_error(const CtlProblem *problem, const double *values);

/* Returns the number of values with a role. */
int ctl_values_count(const CtlProblem *problem, CtlRole role);

/* ctl_values_constraints collects the residuals r of the constraints, ctl_values_residuals those of the values with the
 * role residual. values is NULL for a failed evaluation. Values that are not finite are replaced by `failed`. */
void ctl_values_constraints(const CtlProblem *problem, const double *values, double failed, double *r);
void ctl_values_residuals(const CtlProblem *problem, const double *values, double failed, double *residuals);

/* Whether target number k, counted from 0 among the entries that have a target, is an equation. For user-defined values
 * k counts the constraints, and an equation is one with the role "equal". */
bool ctl_target_is_equation(const CtlProblem *problem, int k);

#endif
