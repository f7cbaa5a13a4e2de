#include "control/base/argument.h"
#include "control/internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fill_numbers(int count, double *values, double value) {
  for (int i = 0; i < count; i++) values[i] = value;
}

SimStatus ctl_problem_init(CtlProblem *problem, int n, int d) {
  return ctl_problem_init_signal(problem, n, SIM_CONSTANT, 1, d);
}

/* Allocates the arrays, with `weights` rows of the weight. */
static SimStatus allocate_arrays(CtlProblem *problem, size_t weights) {
  int n = problem->n, p = problem->p, d = problem->d;
  sim_parameters_set_defaults(ctl_search_parameters, problem);
  sim_parameters_set_defaults(ctl_certify_parameters, problem);
  sim_parameters_set_defaults(ctl_bound_parameters, problem);
  size_t entries = (size_t)p, rows = (size_t)n, states = (size_t)d,
         edges = n <= CTL_SIMPLEX_CONTROLS_MAX ? rows * rows : 0;
  double *block = calloc(weights * weights + entries + 4 * rows + edges + 4 * states, sizeof *block);
  if (!block) return SIM_NO_MEMORY;
  problem->weight = block;
  problem->rate = problem->weight + weights * weights;
  problem->start = problem->rate + entries;
  problem->lower = problem->start + rows;
  problem->upper = problem->lower + rows;
  problem->size = problem->upper + rows;
  problem->edges = edges ? problem->size + rows : NULL;
  problem->position = problem->size + rows + edges;
  problem->velocity = problem->position + states;
  problem->position_scale = problem->velocity + states;
  problem->velocity_scale = problem->position_scale + states;
  for (size_t i = 0; i < weights; i++) problem->weight[i * weights + i] = 1;
  fill_numbers(p, problem->rate, INFINITY);
  fill_numbers(n, problem->lower, -INFINITY);
  fill_numbers(n, problem->upper, INFINITY);
  fill_numbers(n, problem->size, 1);
  double *const targets[] = {problem->position, problem->velocity, problem->position_scale, problem->velocity_scale};
  for (int i = 0; i < 4; i++) fill_numbers(d, targets[i], NAN);
  return SIM_OK;
}

SimStatus ctl_problem_init_signal(CtlProblem *problem, int p, SimSignal signal, int segments, int d) {
  ARGUMENT_THERE(problem);
  *problem = (CtlProblem){0};
  ARGUMENT(p >= 0 && d >= 0, "p, d", "are below 0");
  ARGUMENT((unsigned)signal <= SIM_PIECEWISE_LINEAR, "signal", "is not a value of the enum");
  ARGUMENT(segments >= 1 && p <= INT_MAX / segments, "segments", "is below 1, or its product with p overflows");
  *problem = (CtlProblem){.n = p * segments, .d = d, .p = p, .signal = signal, .segments = segments};
  return allocate_arrays(problem, (size_t)p);
}

SimStatus ctl_problem_init_values(CtlProblem *problem, int n, int m) {
  ARGUMENT_THERE(problem);
  *problem = (CtlProblem){0};
  ARGUMENT(n >= 1 && n <= CTL_CONTROLS_MAX, "n", "is not in 1..CTL_CONTROLS_MAX");
  ARGUMENT(m >= 1 && m <= CTL_CONTROLS_MAX, "m", "is not in 1..CTL_CONTROLS_MAX");
  *problem = (CtlProblem){.n = n, .d = m, .p = n, .signal = SIM_CONSTANT, .segments = 1, .end = 1};
  problem->roles = malloc((size_t)m * sizeof *problem->roles);
  if (!problem->roles || allocate_arrays(problem, 0) != SIM_OK) {
    ctl_problem_clear(problem);
    return SIM_NO_MEMORY;
  }
  for (int i = 0; i < m; i++) problem->roles[i] = CTL_ROLE_OBJECTIVE;
  problem->accept = 1;
  problem->stop_at = -INFINITY;
  return SIM_OK;
}

CtlStatus ctl_problem_set_role(CtlProblem *problem, int i, CtlRole role, double target, double tolerance) {
  CONTROL_ARGUMENT(problem && problem->roles, "problem", "is NULL, or not one of a function");
  CONTROL_ARGUMENT(i >= 0 && i < problem->d, "i", "is not the index of a value");
  CONTROL_ARGUMENT((unsigned)role <= CTL_ROLE_AT_LEAST, "role", "is not a value of the enum");
  bool constraint = role >= CTL_ROLE_EQUAL;
  problem->roles[i] = role;
  problem->position[i] = constraint ? target : NAN;
  problem->position_scale[i] = !constraint ? NAN : tolerance != 0 ? tolerance : 1e-6 * fmax(1, fabs(target));
  return CTL_OK;
}

SimStatus ctl_problem_stack(const CtlProblem *one, int scenarios, CtlProblem *stacked) {
  ARGUMENT(one && one->start && !one->roles, "one", "is NULL, not initialised, or has roles");
  ARGUMENT(scenarios >= 1 && scenarios <= INT_MAX / (one->d + 1), "scenarios",
           "is below 1, or its product with d overflows");
  ARGUMENT_THERE(stacked);
  CtlProblem arrays;
  int d = one->d;
  size_t p = (size_t)one->p, n = (size_t)one->n, size = (size_t)d * sizeof(double);
  SimStatus status = ctl_problem_init_signal(&arrays, one->p, one->signal, one->segments, d * scenarios);
  if (status != SIM_OK) return status;
  *stacked = *one;
  stacked->d = arrays.d;
  stacked->scenarios = scenarios;
  stacked->levels = stacked->patterns = false; /* available for one motion only */
  stacked->weight = memcpy(arrays.weight, one->weight, p * p * sizeof(double));
  stacked->rate = memcpy(arrays.rate, one->rate, p * sizeof(double));
  stacked->size = memcpy(arrays.size, one->size, n * sizeof(double));
  stacked->start = memcpy(arrays.start, one->start, n * sizeof(double));
  stacked->lower = memcpy(arrays.lower, one->lower, n * sizeof(double));
  stacked->upper = memcpy(arrays.upper, one->upper, n * sizeof(double));
  stacked->edges = one->edges ? memcpy(arrays.edges, one->edges, n * n * sizeof(double)) : NULL;
  double **const to[] = {&stacked->position, &stacked->velocity, &stacked->position_scale, &stacked->velocity_scale};
  double *const room[] = {arrays.position, arrays.velocity, arrays.position_scale, arrays.velocity_scale};
  for (int k = 0; k < 4; k++) {
    const double *from = *to[k];
    *to[k] = room[k];
    for (int s = 0; s < scenarios; s++) memcpy(room[k] + s * d, from, size);
  }
  return SIM_OK;
}

void ctl_problem_clear(CtlProblem *problem) {
  if (!problem) return;
  free(problem->weight);
  free(problem->roles);
  *problem = (CtlProblem){0};
}
