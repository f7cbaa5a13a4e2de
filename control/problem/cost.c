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

double ctl_cost(const CtlProblem *problem, const double *control) {
  if (!problem || !problem->start || problem->roles || !control) return 0;
  int p = problem->p;
  double sum = 0, before = 0; /* before: u_{k-1}'N u_{k-1} of the previous segment */
  for (int k = 0; k < problem->segments; k++) {
    const double *now = control + k * p, *last = k ? now - p : NULL;
    double form = dense_form(p, now, problem->weight, now);
    if (problem->signal == SIM_PIECEWISE_LINEAR) {
      sum += (before + (last ? dense_form(p, last, problem->weight, now) : 0) + form) / 3;
      before = form;
    } else
      sum += form;
  }
  return problem->end / problem->segments * sum;
}
