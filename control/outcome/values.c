/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/outcome/values.h"

#include <math.h>

static bool is_constraint(CtlRole role) { return role >= CTL_ROLE_EQUAL; }

double ctl_values_f(const CtlProblem *problem, const double *values) {
  double sum = 0;
  for (int i = 0; i < problem->d; i++) {
    if (problem->roles[i] == CTL_ROLE_OBJECTIVE) sum += values[i];
    if (problem->roles[i] == CTL_ROLE_RESIDUAL) sum += values[i] * values[i];
    if (problem->roles[i] == CTL_ROLE_MAGNITUDE) sum += fabs(values[i]);
  }
  return isfinite(sum) ? sum : INFINITY;
}

double ctl_outcome_cost(const CtlProblem *problem, const double *control, const CtlOutcome *outcome) {
  if (!problem->roles) return ctl_cost(problem, control);
  return outcome->status == SIM_OK ? ctl_values_f(problem, outcome->x) : INFINITY;
}

double ctl_value_residual(const CtlProblem *problem, int i, double value) {
  return problem->roles[i] == CTL_ROLE_AT_LEAST ? problem->position[i] - value : value - problem->position[i];
}

double ctl_value_miss(const CtlProblem *problem, int i, double value) {
  double r = ctl_value_residual(problem, i, value);
  if (!isfinite(r)) return INFINITY;
  return problem->roles[i] == CTL_ROLE_EQUAL ? fabs(r) : fmax(r, 0);
}

double ctl_values_miss(const CtlProblem *problem, CtlNorm norm, const double *values) {
  double total = 0;
  for (int i = 0; i < problem->d; i++) {
    if (!is_constraint(problem->roles[i])) continue;
    double r = ctl_value_miss(problem, i, values[i]);
    total = norm == CTL_NORM_2 ? total + r * r : norm == CTL_NORM_1 ? total + r : fmax(total, r);
  }
  return norm == CTL_NORM_2 ? sqrt(total) : total;
}

double ctl_values_error(const CtlProblem *problem, const double *values) {
  double worst = 0;
  for (int i = 0; i < problem->d; i++)
    if (is_constraint(problem->roles[i]))
      worst = fmax(worst, ctl_value_miss(problem, i, values[i]) / problem->position_scale[i]);
  return worst;
}

int ctl_values_count(const CtlProblem *problem, CtlRole role) {
  int count = 0;
  for (int i = 0; i < problem->d && problem->roles; i++) count += problem->roles[i] == role;
  return count;
}

void ctl_values_constraints(const CtlProblem *problem, const double *values, double failed, double *r) {
  for (int i = 0; i < problem->d; i++) {
    if (!is_constraint(problem->roles[i])) continue;
    double of = values ? ctl_value_residual(problem, i, values[i]) : NAN;
    *r++ = isfinite(of) ? of : failed;
  }
}

void ctl_values_residuals(const CtlProblem *problem, const double *values, double failed, double *residuals) {
  for (int i = 0; i < problem->d; i++)
    if (problem->roles[i] == CTL_ROLE_RESIDUAL) *residuals++ = values && isfinite(values[i]) ? values[i] : failed;
}

bool ctl_target_is_equation(const CtlProblem *problem, int k) {
  if (!problem->roles) return true;
  int i = 0;
  for (;; i++)
    if (is_constraint(problem->roles[i]) && k-- == 0) return problem->roles[i] == CTL_ROLE_EQUAL;
}
