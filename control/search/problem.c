/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/argument.h"
#include "control/search/arrays.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus ctl_problem_init(CtlProblem *problem, int n, int d) {
  return ctl_problem_init_signal(problem, n, SIM_CONSTANT, 1, d);
}

/* Allocates all arrays in one allocation and sets their entries to the initial values. */
static SimStatus allocate_arrays(CtlProblem *problem) {
  size_t total = 1;
  for (int k = 0; k < PROBLEM_ARRAYS; k++) total += problem_array_size(problem, &problem_arrays[k]);
  double *block = malloc(total * sizeof *block);
  if (!block) return SIM_NO_MEMORY;
  for (int k = 0; k < PROBLEM_ARRAYS; k++) {
    const ProblemArray *array = &problem_arrays[k];
    size_t size = problem_array_size(problem, array);
    *problem_array(problem, array) = size || array->extent != ARRAY_EDGES ? block : NULL;
    for (size_t i = 0; i < size; i++) *block++ = array->initial;
  }
  for (int i = 0; i < problem->p && !problem->roles; i++) problem->weight[i * (problem->p + 1)] = 1;
  return SIM_OK;
}

static void set_defaults(CtlProblem *problem) {
  sim_parameters_set_defaults(ctl_search_parameters, problem);
  sim_parameters_set_defaults(ctl_certify_parameters, problem);
  sim_parameters_set_defaults(ctl_bound_parameters, problem);
}

SimStatus ctl_problem_init_signal(CtlProblem *problem, int p, SimSignal signal, int segments, int d) {
  ARGUMENT_THERE(problem);
  *problem = (CtlProblem){0};
  ARGUMENT(p >= 0 && d >= 0, "p, d", "are below 0");
  ARGUMENT((unsigned)signal <= SIM_PIECEWISE_LINEAR, "signal", "is not a value of the enum");
  ARGUMENT(segments >= 1 && p <= INT_MAX / segments, "segments", "is below 1, or its product with p overflows");
  *problem = (CtlProblem){.n = p * segments, .d = d, .p = p, .signal = signal, .segments = segments};
  set_defaults(problem);
  return allocate_arrays(problem);
}

SimStatus ctl_problem_init_values(CtlProblem *problem, int n, int m) {
  ARGUMENT_THERE(problem);
  *problem = (CtlProblem){0};
  ARGUMENT(n >= 1 && n <= CTL_CONTROLS_MAX, "n", "is not in 1..CTL_CONTROLS_MAX");
  ARGUMENT(m >= 1 && m <= CTL_VALUES_MAX, "m", "is not in 1..CTL_VALUES_MAX");
  *problem = (CtlProblem){.n = n, .d = m, .p = n, .signal = SIM_CONSTANT, .segments = 1, .end = 1};
  problem->roles = malloc((size_t)m * sizeof *problem->roles);
  if (!problem->roles || allocate_arrays(problem) != SIM_OK) {
    ctl_problem_clear(problem);
    return SIM_NO_MEMORY;
  }
  set_defaults(problem);
  for (int i = 0; i < m; i++) problem->roles[i] = CTL_ROLE_OBJECTIVE;
  problem->accept = 1;
  problem->stop_at = -INFINITY;
  return SIM_OK;
}

CtlStatus stiction_control_set_role(CtlProblem *problem, int i, CtlRole role, double target, double tolerance) {
  CONTROL_ARGUMENT(problem && problem->roles, "problem", "is NULL, or not one of a function");
  CONTROL_ARGUMENT(i >= 0 && i < problem->d, "i", "is not the index of a value");
  CONTROL_ARGUMENT((unsigned)role <= CTL_ROLE_AT_LEAST, "role", "is not a value of the enum");
  bool constraint = role >= CTL_ROLE_EQUAL;
  problem->roles[i] = role;
  problem->position[i] = constraint ? target : NAN;
  problem->position_scale[i] = !constraint ? NAN : tolerance != 0 ? tolerance : 1e-6 * fmax(1, fabs(target));
  return CTL_OK;
}

/* Copies an array. If the number of segments differs, all segments get the entries of the first segment, and a simplex
 * given by the user becomes 0. Targets are repeated for each motion of the problem. */
static void copy_array(const ProblemArray *array, const CtlProblem *from, CtlProblem *to) {
  CtlProblem source = *from;
  const double *entries = *problem_array(&source, array);
  double *own = *problem_array(to, array);
  bool other = from->segments != to->segments;
  size_t size = problem_array_size(to, array), given = problem_array_size(from, array);
  size_t period = other && array->extent == ARRAY_VARIABLE ? (size_t)to->p : given;
  if (!own || !entries || (other && array->extent == ARRAY_EDGES)) return;
  for (size_t i = 0; i < size; i++) own[i] = entries[i % period];
}

SimStatus ctl_problem_copy(const CtlProblem *problem, int segments, int motions, CtlProblem *copy) {
  ARGUMENT(problem && problem->start && !problem->roles, "problem", "is NULL, not initialised, or has roles");
  ARGUMENT(segments >= 1 && problem->p <= INT_MAX / segments, "segments",
           "is below 1, or its product with p overflows");
  ARGUMENT(motions >= 1 && motions <= INT_MAX / (problem->d + 1), "motions",
           "is below 1, or its product with d overflows");
  ARGUMENT_THERE(copy);
  CtlProblem own = *problem;
  own.segments = segments;
  own.n = own.p * segments;
  own.d *= motions;
  own.start_ways = NULL;
  own.levels = own.patterns = false;
  SimStatus status = allocate_arrays(&own);
  if (status != SIM_OK) return status;
  for (int k = 0; k < PROBLEM_ARRAYS; k++) copy_array(&problem_arrays[k], problem, &own);
  for (int i = 0; i < own.n && segments != problem->segments; i++)
    own.start[i] = fmin(fmax(0, own.lower[i]), own.upper[i]);
  *copy = own;
  return SIM_OK;
}

SimStatus ctl_problem_stack(const CtlProblem *one, int scenarios, CtlProblem *stacked) {
  ARGUMENT(one && one->start && !one->roles, "one", "is NULL, not initialised, or has roles");
  ARGUMENT(scenarios >= 1 && scenarios <= INT_MAX / (one->d + 1), "scenarios",
           "is below 1, or its product with d overflows");
  ARGUMENT_THERE(stacked);
  SimStatus status = ctl_problem_copy(one, one->segments, scenarios, stacked);
  if (status == SIM_OK) stacked->scenarios = scenarios;
  return status;
}

void ctl_problem_clear(CtlProblem *problem) {
  if (!problem) return;
  free(problem->weight);
  free(problem->roles);
  free(problem->rules);
  free(problem->starts);
  *problem = (CtlProblem){0};
}
