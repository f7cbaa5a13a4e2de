/* SPDX-License-Identifier: BSD-2-Clause */
/* Minimises Rosenbrock's function with the library's own drive. The Python module's ask and tell must give the same
 * bits. Prints, for a METHOD, u, f and the points. */
#include "control/evaluator.h"
#include "sim/group.h"

#include <stdio.h>

/* Makes the same operations in the same order as tests/python/test_search.py. */
static SimStatus rosenbrock(void *context, const double *u, double *values) {
  (void)context;
  double a = u[1] - u[0] * u[0], b = 1 - u[0];
  values[0] = 100 * (a * a) + b * b;
  values[1] = u[0] + u[1];
  return SIM_OK;
}

static int go_on(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

int main(int argc, char **argv) {
  CtlFunction function = {.n = 2, .m = 2, .values = rosenbrock};
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  const CtlListener listener = {.simplex = go_on};
  CtlProblem problem;
  CtlSearch *search;
  CtlTimes times;
  CtlState found;
  if (argc != 2 || ctl_problem_init_values(&problem, 2, 2) != SIM_OK) return 2;
  problem.method = ctl_method_find(argv[1]);
  if (stiction_control_set_role(&problem, 1, CTL_ROLE_AT_MOST, 1.5, 0) != CTL_OK) return 2;
  for (int i = 0; i < 2; i++) problem.lower[i] = -2, problem.upper[i] = 2, problem.start[i] = i ? 1 : -1.2;
  problem.max_evaluations = 4000;
  problem.rho = ctl_problem_rho(&problem);
  if (stiction_petsc_start(NULL) != SIM_OK || stiction_control_check(&problem, NULL) != CTL_OK) return 2;
  if (stiction_asktell_create(&problem, &search) != CTL_OK || ctl_drive_serial(search, &evaluator, &listener, &times))
    return 2;
  stiction_asktell_state(search, &found);
  printf("%.17g %.17g %.17g %ld\n", found.control[0], found.control[1], found.J, found.evaluations);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&problem);
  stiction_petsc_stop();
  return 0;
}
