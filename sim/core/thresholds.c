#include "sim/core/thresholds.h"

#include "sim/group.h"
#include "sim/joint/threshold.h"
#include "sim/law/friction_force.h"

#include <stdlib.h>

static SimStatus take_solver(const SimProblem *p, const FrictionSolver *fixed, FrictionSolver *solver,
                             double **friction) {
  *solver = *fixed;
  solver->law.friction = *friction = calloc((size_t)p->count + 1, sizeof **friction);
  solver->dense = (DenseSolver){0};
  return *friction ? dense_solver_vary(&fixed->dense, &solver->dense) : SIM_NO_MEMORY;
}

SimStatus thresholds_create(const SimProblem *p, int n, const FrictionSolver *const *solvers,
                            const double *const *apart, Thresholds **out) {
  Thresholds *now = *out = calloc(1, sizeof *now);
  if (now) {
    now->problem = *p;
    now->problem.friction = calloc((size_t)p->count + 1, sizeof(double));
    now->problem.friction_bias = calloc((size_t)p->count + 1, sizeof(double));
  }
  bool there = now && now->problem.friction && now->problem.friction_bias;
  SimStatus status = sim_group_agree(p->group, there ? SIM_OK : SIM_NO_MEMORY);
  for (; now && now->solvers < n && status == SIM_OK; now->solvers++) {
    int k = now->solvers;
    now->apart[k] = apart[k];
    status = take_solver(p, solvers[k], &now->solver[k], &now->friction[k]);
  }
  return sim_group_agree(p->group, status);
}

SimStatus thresholds_equip(const SimModel *model, SimWorkspace *work, int n, const FrictionSolver *const *solvers,
                           const double *const *apart) {
  const SimProblem *p = &model->problem;
  return p->thresholds ? thresholds_create(p, n, solvers, apart, &work->thresholds) : SIM_OK;
}

void thresholds_destroy(Thresholds *now) {
  if (!now) return;
  for (int k = 0; k < FRICTION_SOLVERS; k++) {
    dense_solver_release(&now->solver[k].dense);
    free(now->friction[k]);
  }
  free(now->problem.friction);
  free(now->problem.friction_bias);
  free(now);
}

void thresholds_set(Thresholds *now, double t) {
  const SimProblem *p = &now->problem;
  threshold_at(p, t, p->friction, p->friction_bias);
  for (int k = 0; k < now->solvers; k++) {
    for (int i = 0; i < p->count; i++)
      now->friction[k][i] = now->apart[k] && now->apart[k][i] == 0 ? 0 : friction_level(p, i);
    dense_solver_weigh(&now->solver[k].dense, &now->solver[k].law);
  }
}

const SimProblem *thresholds_move(const SimModel *model, SimWorkspace *work, double t) {
  if (!work->thresholds) return &model->problem;
  thresholds_set(work->thresholds, t);
  if (work->thresholds->solver[0].law.kept > 0)
    friction_forget(&work->step); /* factors have what creeps by its threshold */
  return &work->thresholds->problem;
}
