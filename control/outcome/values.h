/* An objective of one's own: what the values y [d] of a point are worth, each by its role (CtlProblem.roles).
 *
 *   f(y) = sum y_i over the objectives + sum y_i^2 over the residuals
 *   r_i  = y_i - target_i of a constraint "equal" or "at most",  target_i - y_i of "at least"
 *   its miss is |r_i| of "equal", max(r_i, 0) of the others; +inf where y_i is not finite
 */
#ifndef CONTROL_VALUES_H
#define CONTROL_VALUES_H

#include "control/control.h"

/* J(u); with roles f, +inf of an evaluation that failed, and where f is not finite. */
double ctl_outcome_cost(const CtlProblem *problem, const double *control, const CtlOutcome *outcome);

/* Norm of the misses, whatever their tolerances. */
double ctl_values_miss(const CtlProblem *problem, CtlNorm norm, const double *values);

/* The largest miss in its tolerance: the constraints are met where it is at most 1. */
double ctl_values_error(const CtlProblem *problem, const double *values);

/* How many values have a role. */
int ctl_values_count(const CtlProblem *problem, CtlRole role);

/* r of the constraints, one behind the other; the residuals, likewise. values NULL: of what failed. What is not finite is
 * `failed`. */
void ctl_values_constraints(const CtlProblem *problem, const double *values, double failed, double *r);
void ctl_values_residuals(const CtlProblem *problem, const double *values, double failed, double *residuals);

/* Whether the target k, from 0, of those that are given is met on both sides: of a constraint whether it is an "equal". */
bool ctl_target_is_equation(const CtlProblem *problem, int k);

#endif
