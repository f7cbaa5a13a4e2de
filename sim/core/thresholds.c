/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/thresholds.h"

#include "sim/group.h"
#include "sim/joint/rise.h"
#include "sim/joint/surface.h"
#include "sim/joint/threshold.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    now->slope = calloc(4 * (size_t)p->count + 1, sizeof(double));
    now->place = now->slope + p->count;
    now->base = now->place + p->count;
    now->next = now->base + p->count;
    now->inside = true;
  }
  bool there = now && now->problem.friction && now->problem.friction_bias && now->slope;
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
  return rise_varies(p) ? thresholds_create(p, n, solvers, apart, &work->thresholds) : SIM_OK;
}

void thresholds_destroy(Thresholds *now) {
  if (!now) return;
  for (int k = 0; k < FRICTION_SOLVERS; k++) {
    dense_solver_release(&now->solver[k].dense);
    free(now->friction[k]);
  }
  free(now->problem.friction);
  free(now->problem.friction_bias);
  free(now->slope);
  free(now);
}

/* Returns the position x + W(t) relative to the ground: with moving surfaces the model computes y = x - W. */
static const double *on_ground(Thresholds *now, double t, const double *x) {
  const SimProblem *p = &now->problem;
  if (!p->surface_pieces) return x;
  surface_at(p, t, now->place, NULL);
  for (int i = 0; i < p->count; i++) now->place[i] += x[i];
  return now->place;
}

/* Returns the threshold c of dof i, including its part h(x), at the position x relative to the ground. */
static double risen(Thresholds *now, const double *x, int i) {
  const CurvePoint rise = rise_at(&now->problem, x, i);
  now->slope[i] = rise.slope;
  return rise_threshold(now->base[i], now->problem.friction_bias[i], rise.value);
}

static void add_rise(Thresholds *now, double t, const double *x) {
  const SimProblem *p = &now->problem;
  for (int i = 0; i < p->count && !p->thresholds; i++) {
    p->friction[i] = p->rise_base[i];
    p->friction_bias[i] = p->rise_base[p->count + i];
  }
  x = on_ground(now, t, x);
  now->inside = rise_inside(p, x);
  for (int i = 0; i < p->count; i++) {
    now->base[i] = p->friction[i];
    p->friction[i] = risen(now, x, i);
  }
}

/* Passes the current thresholds to the solvers of steps, as their weights of friction. */
static void weigh(Thresholds *now) {
  const SimProblem *p = &now->problem;
  for (int k = 0; k < now->solvers; k++) {
    for (int i = 0; i < p->count; i++)
      now->friction[k][i] = now->apart[k] && now->apart[k][i] == 0 ? 0 : friction_level(p, i);
    dense_solver_weigh(&now->solver[k].dense, &now->solver[k].law);
  }
}

void thresholds_set(Thresholds *now, double t, const double *x) {
  const SimProblem *p = &now->problem;
  if (p->thresholds) threshold_at(p, t, p->friction, p->friction_bias);
  if (p->rise.pieces) add_rise(now, t, x);
  weigh(now);
}

void thresholds_follow(Thresholds *now, const double *light, double t, const double *x, int round, bool *still) {
  enum {
    PLAIN_ROUNDS = 40
  }; /* number of solves of a step with full changes of the thresholds; afterwards only half of each change is made, so
      * that thresholds cannot alternate for ever */
  const double part = round < PLAIN_ROUNDS ? 1 : 0.5;
  /* thresholds count as constant if their relative change is below this. The thresholds of the last solve are then
   * kept, since its forces are in balance with them */
  const double enough = 1e-11;
  const SimProblem *p = &now->problem;
  double change = 0;
  x = on_ground(now, t, x);
  for (int i = 0; i < p->count; i++) {
    double before = now->next[i] = p->friction[i];
    if (light[i] > 0) now->next[i] = risen(now, x, i);
    if (part < 1) now->next[i] = before + part * (now->next[i] - before);
    if (now->next[i] != before) change = fmax(change, fabs(now->next[i] - before) / fmax(now->next[i], before));
  }
  sim_group_max(p->group, &change, 1);
  *still = change <= enough;
  if (*still) return;
  memcpy(p->friction, now->next, (size_t)p->count * sizeof *p->friction);
  weigh(now);
}

const SimProblem *thresholds_renew(SimWorkspace *work, double t, const double *x) {
  thresholds_set(work->thresholds, t, x);
  if (work->thresholds->solver[0].law.kept > 0)
    /* the factors of the matrices depend on the thresholds of dofs that creep, so they must be computed again */
    friction_forget(&work->step);
  return &work->thresholds->problem;
}

SimStatus thresholds_within(const SimModel *model, const SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  double outside = !work->thresholds->inside;
  sim_group_max(p->group, &outside, 1);
  return outside > 0 ? SIM_OUT_OF_RANGE : SIM_OK;
}
