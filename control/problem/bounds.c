/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/problem/bounds.h"

#include <float.h>
#include <math.h>

double ctl_bounds_change(const CtlProblem *problem, const double *control, int variable, double *before) {
  int p = problem->p;
  bool first = variable < p;
  *before = first ? 0 : control[variable - p];
  if (first && problem->signal != SIM_PIECEWISE_LINEAR) return INFINITY;
  return problem->rate[variable % p] * (problem->end / problem->segments);
}

int ctl_bounds_broken(const CtlProblem *problem, const double *control) {
  for (int i = 0; i < problem->n; i++) {
    double before, most = ctl_bounds_change(problem, control, i, &before);
    if (!(control[i] >= problem->lower[i] && control[i] <= problem->upper[i])) return i;
    if (!(fabs(control[i] - before) <= most + 4 * DBL_EPSILON * (fabs(control[i]) + fabs(before)))) return i;
  }
  return -1;
}

bool ctl_bounds_too_dear(const CtlProblem *problem, const double *control) {
  return problem->effort_at_most > 0 && ctl_cost(problem, control) > problem->effort_at_most;
}

void ctl_bounds_move_inside(const CtlProblem *problem, double *control) {
  for (int i = 0; i < problem->n; i++) {
    double before, most = ctl_bounds_change(problem, control, i, &before);
    control[i] = fmin(fmax(control[i], before - most), before + most);
    control[i] = fmin(fmax(control[i], problem->lower[i]), problem->upper[i]);
  }
}
