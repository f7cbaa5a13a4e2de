/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheme `event` for dash-pots (SIM_DASHPOT): computes the motion without time steps, from event to event. */
#include "sim/dashpot/result.h"
#include "sim/event/dashpot_derivatives.h"
#include "sim/event/dashpot_motion.h"
#include "sim/event/residual.h"
#include "sim/event/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void find_levels(DashpotSystem *plan) {
  StepTally ignored = {0};
  for (int j = 0; j < plan->law.n_folds; j++) {
    double w[DASHPOT_DEGREE_MAX];
    plan->level[j] = dashpot_line_value(&plan->law, plan->law.fold[j]);
    int n = dashpot_line_meet(&plan->law, plan->level[j], w, &ignored);
    if (n > 0) plan->reach = fmax(plan->reach, w[n - 1]);
  }
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  DashpotSystem *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  plan->event = event_system(p);
  plan->law = dashpot_line(&p->dashpot, p->friction[0], 0);
  find_levels(plan);
  return SIM_OK;
}

static void release(SimModel *model) { free(model->plan); }

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  (void)model;
  work->own = calloc(1, sizeof(DashpotMotion));
  work->free_own = free;
  return work->own ? SIM_OK : SIM_NO_MEMORY;
}

static SimStatus examine(const SimModel *model, SimWorkspace *work, const SimOriginals *originals) {
  DashpotMotion *motion = work->own;
  motion->examined = originals;
  motion->most_force = 0;
  if (originals) residual_find_forces(&model->problem, &motion->most_force);
  return SIM_OK;
}

/* Size of a DashpotState in doubles. The state is stored in work->scratch, from which a saved rollout continues. */
enum { NUMBERS = sizeof(DashpotState) / sizeof(double) };

static void drive(SimWorkspace *work) {
  DashpotMotion *motion = work->own;
  motion->control_force = work->control_force[0];
  motion->driven.node_force = work->node_force;
  motion->driven.watched = work->watched;
  motion->driven.interrupt = &work->interrupt;
  motion->driven.observer = work->observer;
}

static void resume(const SimModel *model, SimWorkspace *work, long n) {
  DashpotMotion *motion = work->own;
  (void)n;
  drive(work);
  memcpy(&motion->at, work->scratch, sizeof motion->at);
  work->residual = motion->at.residual;
  dashpot_motion_resume(model->plan, motion);
}

static void show(const SimModel *model, SimWorkspace *work, double t) {
  const SimProblem *p = &model->problem;
  const DashpotMotion *motion = work->own;
  DashpotInstant now = dashpot_motion_show(model->plan, motion, t);
  dashpot_publish(p, work, now.x, now.v, now.f_d, (int)motion->at.slip);
  work->tally.iterations = motion->at.events;
  if (work->watched)
    work->energy = (SimEnergy){
        .work = now.work, .dissipated = now.dissipated, .stored = dashpot_stored(p, now.x, now.v), .numerical = 0};
  work->residual = motion->at.residual;
  memcpy(work->scratch, &motion->at, sizeof motion->at);
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  DashpotMotion *motion = work->own;
  work->energy = (SimEnergy){0};
  drive(work);
  motion->sensitivity = work->sensitivity;
  motion->adjoint = work->adjoint;
  SimStatus status = dashpot_motion_begin(model->plan, motion, p->x0[0], p->v0[0]);
  if (status == SIM_OK) show(model, work, 0);
  return status;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  DashpotMotion *motion = work->own;
  double t = event_time(&model->problem, n);
  motion->driven.observer = work->observer;
  SimStatus status = dashpot_motion_reach(model->plan, motion, t);
  if (status == SIM_OK) show(model, work, t);
  return status;
}

#define DASHPOT_TAKES (SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | SIM_HAS(SUPPORT))

const SimScheme sim_scheme_event_dashpot = {
    EVENT_NAMED,
    .kind = SIM_DASHPOT,
    .takes = DASHPOT_TAKES,
    .derivatives = DASHPOT_TAKES,
    .equip_sensitivity = dashpot_equip_columns,
    .equip_adjoint = dashpot_equip_record,
    .prepare = prepare,
    .release = release,
    .scratch_numbers = NUMBERS,
    .equip = equip,
    .resume = resume,
    .start = start,
    .step = step,
    .leap = step,
    .examine = examine,
};
