/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/internal.h"
#include "sim/operator/dense.h"

#include <math.h>

long ctl_scheme_auto(int n) { return 3L * n > 64 ? 3L * n : 64; }

long ctl_problem_scheme_size(const CtlProblem *problem) {
  if (!problem) return 0;
  return problem->scheme_size ? problem->scheme_size : ctl_scheme_auto(problem->n);
}

double ctl_problem_rho(const CtlProblem *problem) {
  if (!problem) return 0;
  return problem->rho != 0 ? problem->rho : problem->rho_update == CTL_RHO_DYNAMIC ? 1e5 : CTL_RHO_MAX;
}

/* Returns the mean of u'N u over segment k, with the weight N of the effort. */
static double mean_form(const CtlProblem *problem, int k, const double *control) {
  int p = problem->p;
  const double *now = control + k * p, *last = k ? now - p : NULL;
  double form = dense_form(p, now, problem->weight, now);
  if (problem->signal != SIM_PIECEWISE_LINEAR) return form;
  double before = last ? dense_form(p, last, problem->weight, last) : 0;
  return (before + (last ? dense_form(p, last, problem->weight, now) : 0) + form) / 3;
}

double ctl_cost(const CtlProblem *problem, const double *control) {
  if (!problem || !problem->start || problem->roles || !control) return 0;
  double sum = 0;
  for (int k = 0; k < problem->segments; k++) sum += mean_form(problem, k, control);
  return problem->end / problem->segments * sum;
}

double ctl_cost_between(const CtlProblem *problem, const double *starts, const double *control) {
  double sum = 0;
  for (int k = 0; k < problem->segments; k++) sum += (starts[k + 1] - starts[k]) * mean_form(problem, k, control);
  return sum;
}
