/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/outcome/method.h"

#include "control/outcome/values.h"

#include <stdlib.h>

static const CtlMethodOps *ops_of(const CtlMethod *method, const CtlProblem *problem) {
  return problem->roles && method->of_values ? method->of_values : method->ops;
}

CtlRun *ctl_run_create(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective) {
  const CtlMethodOps *ops = ops_of(method, problem);
  CtlRun *run = calloc(1, ops->size);
  if (run) *run = (CtlRun){.method = method, .ops = ops, .problem = problem, .objective = objective};
  return run;
}

void ctl_run_destroy(CtlRun *run) {
  if (run) run->ops->end(run);
  free(run);
}

bool ctl_method_equip(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective) {
  const CtlMethodOps *ops = ops_of(method, problem);
  long points = ops->round(problem);
  if (!ctl_objective_resize(objective, points)) return false;
  ctl_cache_clear(&objective->cache);
  long vertices = ops->simplexes ? problem->n + 1 : 0;
  return ctl_cache_init(&objective->cache, problem->n, problem->d, points + vertices + ops->room) == SIM_OK;
}

CtlWant ctl_run_want(const CtlRun *run, long k) { return run->ops->want ? run->ops->want(run, k) : (CtlWant){0}; }

bool ctl_method_takes(const CtlMethod *method, const CtlProblem *problem) {
  int count = method->squares ? ctl_targets_alone(problem) : ctl_target_count(problem);
  if (method->residuals &&
      ctl_values_count(problem, CTL_ROLE_OBJECTIVE) + ctl_values_count(problem, CTL_ROLE_MAGNITUDE) > 0)
    return false;
  if (method->squares && problem->roles) return true; /* systems with many rows are solved by columns (sqp/kkt.h) */
  if (!method->squares) count += ctl_values_count(problem, CTL_ROLE_RESIDUAL);
  return !method->targets || count <= method->targets;
}
