/* SPDX-License-Identifier: BSD-2-Clause */
/* NLopt's methods. A new method is added as a row at the end of the table. */
#include "control/local/local.h"
#include "control/outcome/values.h"

#include <nlopt.h>

/* An optimisation in progress. */
typedef struct Run {
  CtlLocal *local;
  nlopt_opt whole; /* NLopt object that is stopped if the run must end */
} Run;

static double objective(unsigned n, const double *control, double *gradient, void *context) {
  Run *run = context;
  double f = 0;
  (void)n, (void)gradient;
  if (!ctl_local_value(run->local, control, &f, NULL, NULL)) nlopt_force_stop(run->whole);
  return f;
}

/* Returns the number of inequalities that represent the targets. NLopt accepts no more equations than variables, so
 * each target x = x_T becomes two inequalities, x <= x_T and x >= x_T, as COBYLA itself does. A user-defined inequality
 * counts as one. */
static unsigned count_inequalities(const CtlProblem *problem) {
  int targets = ctl_target_count(problem), count = targets;
  for (int i = 0; i < targets; i++) count += ctl_target_is_equation(problem, i);
  return (unsigned)count;
}

/* Evaluates the inequalities. results: [m] all targets, followed by the equations with the opposite sign. */
static void constraints(unsigned m, double *results, unsigned n, const double *control, double *gradient,
                        void *context) {
  Run *run = context;
  const CtlProblem *problem = run->local->problem;
  int targets = ctl_target_count(problem);
  double f, *other = results + targets;
  (void)n, (void)gradient;
  if (ctl_local_value(run->local, control, &f, results, NULL)) {
    for (int i = 0; i < targets; i++)
      if (ctl_target_is_equation(problem, i)) *other++ = -results[i];
    return;
  }
  for (unsigned i = 0; i < m; i++) results[i] = 0;
  nlopt_force_stop(run->whole);
}

static bool set_options(nlopt_opt opt, const CtlLocal *local) {
  const CtlProblem *problem = local->problem;
  double *steps = local->scratch;
  for (int i = 0; i < problem->n; i++) { /* BOBYQA requires that its first step fits between the bounds in both
                                          * directions */
    double half = (problem->upper[i] - problem->lower[i]) / 2;
    steps[i] = half > 0 && half < local->step ? half : local->step;
  }
  bool good = nlopt_set_lower_bounds(opt, problem->lower) > 0;
  good = good && nlopt_set_upper_bounds(opt, problem->upper) > 0;
  good = good && nlopt_set_initial_step(opt, steps) > 0;
  good = good && nlopt_set_xtol_abs1(opt, problem->tolerance) > 0;
  return good && nlopt_set_maxeval(opt, CTL_LOCAL_MOST) > 0;
}

/* Sets the optimizer that solves the unconstrained subproblems of the augmented Lagrangian method. Returns whether this
 * succeeded. */
static bool set_subsidiary(nlopt_opt opt, const CtlLocal *local, nlopt_algorithm algorithm) {
  nlopt_opt inner = nlopt_create(algorithm, (unsigned)local->problem->n);
  bool good = inner && set_options(inner, local) && nlopt_set_local_optimizer(opt, inner) > 0;
  nlopt_destroy(inner);
  return good;
}

static nlopt_result run_optimizer(nlopt_opt opt, Run *run) {
  CtlLocal *local = run->local;
  const CtlLocalSolver *solver = local->method->own;
  double *control = local->scratch + local->problem->n, least;
  bool good = set_options(opt, local) && nlopt_set_min_objective(opt, objective, run) > 0;
  unsigned inequalities = local->method->constrained ? count_inequalities(local->problem) : 0;
  if (good && inequalities) good = nlopt_add_inequality_mconstraint(opt, inequalities, constraints, run, NULL) > 0;
  if (good && solver->subsidiary) good = set_subsidiary(opt, local, (nlopt_algorithm)solver->subsidiary);
  if (!good) return NLOPT_INVALID_ARGS;
  for (int i = 0; i < local->problem->n; i++) control[i] = local->start[i];
  ctl_local_pass(local);
  return nlopt_optimize(opt, control, &least);
}

static void minimise(CtlLocal *local) {
  const CtlLocalSolver *solver = local->method->own;
  nlopt_opt opt = nlopt_create((nlopt_algorithm)solver->algorithm, (unsigned)local->problem->n);
  Run run = {local, opt};
  nlopt_result result = opt ? run_optimizer(opt, &run) : NLOPT_OUT_OF_MEMORY;
  ctl_local_pass(local);
  local->no_memory = result == NLOPT_OUT_OF_MEMORY;
  local->cut = result == NLOPT_MAXEVAL_REACHED;
  local->failed = result == NLOPT_FAILURE || result == NLOPT_INVALID_ARGS;
  nlopt_destroy(opt);
}

#define SOLVER(...) (&(const CtlLocalSolver){minimise, __VA_ARGS__})

const CtlMethod ctl_nlopt_methods[] = {
    {"nlopt:cobyla", "least J subject to the target, by linear models (COBYLA)", &ctl_local_ops,
     .own = SOLVER(NLOPT_LN_COBYLA, 0), .library = true, .constrained = true},
    {"nlopt:bobyqa", "the penalty function by quadratic models (BOBYQA), with constant parameters", &ctl_local_ops,
     .own = SOLVER(NLOPT_LN_BOBYQA, 0), .library = true, .fixed_penalty = true},
    {"nlopt:sbplx", "the penalty function by Nelder-Mead on subspaces (Sbplx), with constant parameters",
     &ctl_local_ops, .own = SOLVER(NLOPT_LN_SBPLX, 0), .library = true, .fixed_penalty = true},
    {"nlopt:auglag", "least J subject to the target, by an augmented Lagrangian with BOBYQA", &ctl_local_ops,
     .own = SOLVER(NLOPT_AUGLAG, NLOPT_LN_BOBYQA), .library = true, .constrained = true},
    {"nlopt:neldermead", "the penalty function by the simplex of Nelder and Mead, with constant parameters",
     &ctl_local_ops, .own = SOLVER(NLOPT_LN_NELDERMEAD, 0), .library = true, .fixed_penalty = true},
    {0},
};
