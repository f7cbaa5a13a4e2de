/* NLopt's methods. */
#include "control/local/local.h"

#include <nlopt.h>

/* A run under way. */
typedef struct Run {
  CtlLocal *local;
  nlopt_opt whole; /* to be stopped when the run is given up */
} Run;

static nlopt_algorithm algorithm(CtlMethod method) {
  switch (method) {
  case CTL_METHOD_BOBYQA: return NLOPT_LN_BOBYQA;
  case CTL_METHOD_SBPLX: return NLOPT_LN_SBPLX;
  case CTL_METHOD_AUGLAG: return NLOPT_AUGLAG;
  default: return NLOPT_LN_COBYLA;
  }
}

static double objective(unsigned n, const double *u, double *gradient, void *context) {
  Run *run = context;
  long entry = ctl_local_look(run->local, u);
  (void)n;
  (void)gradient;
  if (entry >= 0)
    return ctl_local_is_constrained(run->local->method) ? ctl_local_J(run->local, entry)
                                                        : ctl_local_merit(run->local, entry);
  nlopt_force_stop(run->whole);
  return 0;
}

/* Each target as two inequalities, as COBYLA has them inside: there may be more targets than controls, which NLopt
 * does not take as equations. results: [m], m = twice the targets. */
static void constraints(unsigned m, double *results, unsigned n, const double *u, double *gradient, void *context) {
  Run *run = context;
  unsigned targets = m / 2;
  long entry = ctl_local_look(run->local, u);
  (void)n;
  (void)gradient;
  if (entry >= 0) {
    ctl_local_miss(run->local, entry, results);
    for (unsigned i = 0; i < targets; i++) results[targets + i] = -results[i];
    return;
  }
  for (unsigned i = 0; i < m; i++) results[i] = 0;
  nlopt_force_stop(run->whole);
}

static bool ready(nlopt_opt opt, const CtlLocal *local) {
  const CtlProblem *problem = local->problem;
  double steps[CTL_CONTROLS_MAX];
  for (int i = 0; i < problem->n; i++) { /* BOBYQA wants room for one to either side */
    double half = (problem->upper[i] - problem->lower[i]) / 2;
    steps[i] = half > 0 && half < local->step ? half : local->step;
  }
  bool good = nlopt_set_lower_bounds(opt, problem->lower) > 0;
  good = good && nlopt_set_upper_bounds(opt, problem->upper) > 0;
  good = good && nlopt_set_initial_step(opt, steps) > 0;
  good = good && nlopt_set_xtol_abs1(opt, problem->tolerance) > 0;
  return good && nlopt_set_maxeval(opt, CTL_LOCAL_MOST) > 0;
}

/* AUGLAG's method for the problems without constraints that it makes. */
static bool set_inner(nlopt_opt opt, const CtlLocal *local) {
  nlopt_opt inner = nlopt_create(NLOPT_LN_BOBYQA, (unsigned)local->problem->n);
  bool good = inner && ready(inner, local) && nlopt_set_local_optimizer(opt, inner) > 0;
  nlopt_destroy(inner);
  return good;
}

static nlopt_result run(nlopt_opt opt, Run *run) {
  CtlLocal *local = run->local;
  double u[CTL_CONTROLS_MAX], least;
  bool good = ready(opt, local) && nlopt_set_min_objective(opt, objective, run) > 0;
  if (good && ctl_local_is_constrained(local->method))
    good = nlopt_add_inequality_mconstraint(opt, 2 * (unsigned)ctl_local_misses(local->problem), constraints, run,
                                            NULL) > 0;
  if (good && local->method == CTL_METHOD_AUGLAG) good = set_inner(opt, local);
  if (!good) return NLOPT_INVALID_ARGS;
  for (int i = 0; i < local->problem->n; i++) u[i] = local->start[i];
  return nlopt_optimize(opt, u, &least);
}

void ctl_local_nlopt(CtlLocal *local) {
  nlopt_opt opt = nlopt_create(algorithm(local->method), (unsigned)local->problem->n);
  Run under_way = {local, opt};
  nlopt_result result = opt ? run(opt, &under_way) : NLOPT_OUT_OF_MEMORY;
  local->no_memory = result == NLOPT_OUT_OF_MEMORY;
  local->cut = result == NLOPT_MAXEVAL_REACHED;
  local->failed = result == NLOPT_FAILURE || result == NLOPT_INVALID_ARGS;
  nlopt_destroy(opt);
}
