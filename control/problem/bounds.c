#include "control/problem/bounds.h"

#include <float.h>
#include <math.h>

double ctl_bounds_change(const CtlProblem *problem, const double *u, int variable, double *before) {
  int p = problem->p;
  bool first = variable < p;
  *before = first ? 0 : u[variable - p];
  if (first && problem->signal != SIM_PIECEWISE_LINEAR) return INFINITY;
  return problem->rate[variable % p] * (problem->end / problem->segments);
}

int ctl_bounds_broken(const CtlProblem *problem, const double *u) {
  for (int i = 0; i < problem->n; i++) {
    double before, most = ctl_bounds_change(problem, u, i, &before);
    if (!(u[i] >= problem->lower[i] && u[i] <= problem->upper[i])) return i;
    if (!(fabs(u[i] - before) <= most + 4 * DBL_EPSILON * (fabs(u[i]) + fabs(before)))) return i;
  }
  return -1;
}

void ctl_bounds_move_inside(const CtlProblem *problem, double *u) {
  for (int i = 0; i < problem->n; i++) {
    double before, most = ctl_bounds_change(problem, u, i, &before);
    u[i] = fmin(fmax(u[i], before - most), before + most);
    u[i] = fmin(fmax(u[i], problem->lower[i]), problem->upper[i]);
  }
}
