#include "control/control.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

static void fill(int count, double *values, double value) {
  for (int i = 0; i < count; i++) values[i] = value;
}

SimStatus ctl_problem_init(CtlProblem *problem, int n, int d) {
  return ctl_problem_init_signal(problem, n, SIM_CONSTANT, 1, d);
}

SimStatus ctl_problem_init_signal(CtlProblem *problem, int p, SimSignal signal, int segments, int d) {
  int n = p * segments;
  *problem = (CtlProblem){.n = n, .d = d, .p = p, .signal = signal, .segments = segments};
  sim_parameters_set_defaults(ctl_search_parameters, problem);
  sim_parameters_set_defaults(ctl_certify_parameters, problem);
  size_t entries = (size_t)p, rows = (size_t)n, states = (size_t)d,
         edges = n <= CTL_SIMPLEX_CONTROLS_MAX ? rows * rows : 0;
  double *block = calloc(entries * entries + entries + 3 * rows + edges + 4 * states, sizeof *block);
  if (!block) return SIM_NO_MEMORY;
  problem->weight = block;
  problem->rate = problem->weight + entries * entries;
  problem->start = problem->rate + entries;
  problem->lower = problem->start + rows;
  problem->upper = problem->lower + rows;
  problem->edges = edges ? problem->upper + rows : NULL;
  problem->position = problem->upper + rows + edges;
  problem->velocity = problem->position + states;
  problem->position_scale = problem->velocity + states;
  problem->velocity_scale = problem->position_scale + states;
  for (int i = 0; i < p; i++) problem->weight[i * p + i] = 1;
  fill(p, problem->rate, INFINITY);
  fill(n, problem->lower, -INFINITY);
  fill(n, problem->upper, INFINITY);
  double *const targets[] = {problem->position, problem->velocity, problem->position_scale, problem->velocity_scale};
  for (int i = 0; i < 4; i++) fill(d, targets[i], NAN);
  return SIM_OK;
}

void ctl_problem_clear(CtlProblem *problem) {
  free(problem->weight);
  *problem = (CtlProblem){0};
}

long ctl_scheme_auto(int n) { return 3L * n > 64 ? 3L * n : 64; }

long ctl_problem_scheme_size(const CtlProblem *problem) {
  return problem->scheme_size ? problem->scheme_size : ctl_scheme_auto(problem->n);
}

double ctl_problem_rho(const CtlProblem *problem) {
  return problem->rho != 0 ? problem->rho : problem->rho_update == CTL_RHO_DYNAMIC ? 1e5 : CTL_RHO_MAX;
}

double ctl_cost(const CtlProblem *problem, const double *control) {
  int p = problem->p;
  double sum = 0, before = 0; /* u_{k-1}'N u_{k-1} */
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
