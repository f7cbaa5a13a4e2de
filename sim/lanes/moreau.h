/* The Moreau-Jean scheme of sim/friction/moreau.c in lanes. */
#ifndef SIM_LANES_MOREAU_H
#define SIM_LANES_MOREAU_H

#include "sim/friction/moreau_step.h"
#include "sim/lanes/async.h"
#include "sim/lanes/exact.h"

/* [d] each */
typedef struct LaneState {
  MoreauRows rows;
  LaneVector *b, *control_force, *lambda;
  LaneVector *drop; /* dt C gamma(before) */
  LaneVector *room; /* of a solve */
} LaneState;

LANE_INLINE LaneState lane_state(int d, LaneVector *r) {
  return (LaneState){{r, r + d, r + 2 * d}, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d, r + 7 * d};
}

static void moreau_load(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  const SimProblem *p = &model->problem;
  LaneState to = lane_state(p->d, rows);
  for (int i = 0; i < p->d; i++) {
    *lane_entry(&to.rows.x[i], lane) = work->x[i];
    *lane_entry(&to.rows.v[i], lane) = work->v[i];
    *lane_entry(&to.lambda[i], lane) = work->lambda[i];
    *lane_entry(&to.control_force[i], lane) = p->step * work->control_force[i];
  }
}

static void moreau_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  MoreauRows at = lane_state(model->problem.d, rows).rows;
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.x[i], lane);
    v[i] = *lane_entry(&at.v[i], lane);
  }
}

/* dt (f_theta + B u + C gamma); load: dt f_i */
LANE_INLINE Simd moreau_force(const SimProblem *p, LaneState at, int v, int i, Simd load) {
  Simd sum = load + at.control_force[i].v[v];
  return p->system.stribeck != SIM_STRIBECK_NONE ? sum + at.drop[i].v[v] : sum;
}

/* The exact solver's steps. */
LANE_INLINE void moreau_steps(int d, const SimModel *model, SimWorkspace *work, LaneVector *rows, LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  const LaneState at = lane_state(d, rows);
  for (long n = 0; n < p->steps; n++) {
    const double *load = plan->load.table + n * d;
    LANE_UNROLL for (int i = 0; i < d; i++) at.rows.before[i] = at.rows.v[i];
    lane_control_force(model, rows, p->step, n + 1, at.control_force);
    if (p->system.stribeck != SIM_STRIBECK_NONE)
      lane_stribeck(p, p->step, at.rows.before, 0, LANE_VECTORS - 1, at.drop);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.b[i].v[v] = moreau_right(d, plan, at.rows, v, i, moreau_force(p, at, v, i, simd_of(load[i])));
    }
    lanes_exact(d, false, &plan->solver.dense, work, lane_solve(d, at.room), at.b, at.rows.v, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) moreau_move(plan, at.rows, v, i, NULL);
  }
}

LANE_INLINE void moreau_begin(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask, SimdIndex load) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  const double *table = plan->load.table;
  const LaneState at = lane_state(d, rows);
  LaneVector *now = at.rows.v, *before = at.rows.before;
  LANE_UNROLL for (int i = 0; i < d; i++) before[i].v[v] = simd_choose(mask, now[i].v[v], before[i].v[v]);
  if (p->system.stribeck != SIM_STRIBECK_NONE) lane_stribeck(p, p->step, before, v, v, at.drop);
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      moreau_right(d, plan, at.rows, v, i, moreau_force(p, at, v, i, simd_gather(table + i, load)));
}

LANE_INLINE void moreau_end(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask) {
  const LaneState at = lane_state(d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) moreau_move(model->plan, at.rows, v, i, &mask);
}

LANE_INLINE void moreau_async_steps(int d, LaneQueue *queue) {
  const MoreauPlan *plan = queue->model->plan;
  const LaneState at = lane_state(d, queue->rows);
  LaneAsync async = {.queue = queue,
                     .solver = &plan->solver.dense,
                     .at = lane_iteration(d, at.b, at.rows.v, at.lambda, at.room),
                     .first = 0};
  lanes_async(d, false, moreau_begin, moreau_end, &async);
}

#define MOREAU_STEPS(d) moreau_steps(d, model, work, rows, tally)
#define MOREAU_ASYNC(d) moreau_async_steps(d, queue)
LANE_STEPS(moreau_sized, MOREAU_STEPS)
LANE_ASYNC(moreau_async_sized, MOREAU_ASYNC)

static void moreau_run_steps(const SimModel *model, SimWorkspace *work, LaneVector *rows, LaneTally *tally) {
  moreau_sized[lane_size(model->problem.d)](model, work, rows, tally);
}

static void moreau_async(LaneQueue *queue) { moreau_async_sized[lane_size(queue->model->problem.d)](queue); }

static void moreau_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {moreau_load, moreau_run_steps, moreau_async, moreau_final, NULL};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
