/* The Moreau-Jean scheme of sim/friction/moreau.c in lanes. */
#ifndef SIM_LANES_MOREAU_H
#define SIM_LANES_MOREAU_H

#include "sim/friction/moreau.h"
#include "sim/lanes/async.h"
#include "sim/lanes/exact.h"

/* [d] each */
typedef struct LaneState {
  LaneVector *x, *v, *before, *b, *control_force, *lambda;
  LaneVector *drop; /* dt C gamma(before) */
  LaneVector *room; /* of a solve */
} LaneState;

LANE_INLINE LaneState lane_state(int d, LaneVector *r) {
  return (LaneState){r, r + d, r + 2 * d, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d, r + 7 * d};
}

static void moreau_load(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  const SimProblem *p = &model->problem;
  LaneState to = lane_state(p->d, rows);
  for (int i = 0; i < p->d; i++) {
    *lane_entry(&to.x[i], lane) = work->x[i];
    *lane_entry(&to.v[i], lane) = work->v[i];
    *lane_entry(&to.lambda[i], lane) = work->lambda[i];
    *lane_entry(&to.control_force[i], lane) = p->step * work->control_force[i];
  }
}

static void moreau_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  LaneState at = lane_state(model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.x[i], lane);
    v[i] = *lane_entry(&at.v[i], lane);
  }
}

/* b_i of a step, from `before`. load: dt f_i */
LANE_INLINE Simd moreau_right(int d, const SimModel *model, LaneState at, int v, int i, Simd load) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  const double *restrict carry = plan->dense_carry + i * d, *restrict a = plan->dense_stiffness + i * d;
  Simd sum = load + at.control_force[i].v[v];
  if (p->system.stribeck != SIM_STRIBECK_NONE) sum += at.drop[i].v[v];
  LANE_UNROLL for (int j = 0; j < d; j++) sum += carry[j] * at.before[j].v[v] - a[j] * at.x[j].v[v];
  return sum;
}

/* The exact solver's steps. */
LANE_INLINE void moreau_steps(int d, const SimModel *model, SimWorkspace *work, LaneVector *rows, LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  LaneState at = lane_state(d, rows);
  for (long n = 0; n < p->steps; n++) {
    const double *load = plan->load.table + n * d;
    LANE_UNROLL for (int i = 0; i < d; i++) at.before[i] = at.v[i];
    lane_control_force(model, rows, p->step, n + 1, at.control_force);
    if (p->system.stribeck != SIM_STRIBECK_NONE) lane_stribeck(p, p->step, at.before, at.drop);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.b[i].v[v] = moreau_right(d, model, at, v, i, simd_of(load[i]));
    }
    lanes_exact(d, false, &plan->solver.dense, work, lane_solve(d, at.room), at.b, at.v, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.x[i].v[v] += plan->ahead * at.v[i].v[v] + plan->behind * at.before[i].v[v];
    }
  }
}

LANE_INLINE void moreau_begin(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask, SimdIndex load) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  LaneState at = lane_state(d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) at.before[i].v[v] = simd_choose(mask, at.v[i].v[v], at.before[i].v[v]);
  if (p->system.stribeck != SIM_STRIBECK_NONE) lane_stribeck_of(p, p->step, at.before, v, at.drop);
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      moreau_right(d, model, at, v, i, simd_gather(plan->load.table + i, load));
}

LANE_INLINE void moreau_end(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask) {
  const MoreauPlan *plan = model->plan;
  LaneState at = lane_state(d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Simd next = at.x[i].v[v] + (plan->ahead * at.v[i].v[v] + plan->behind * at.before[i].v[v]);
    at.x[i].v[v] = simd_choose(mask, next, at.x[i].v[v]);
  }
}

LANE_INLINE void moreau_async_steps(int d, LaneQueue *queue) {
  const MoreauPlan *plan = queue->model->plan;
  LaneState at = lane_state(d, queue->rows);
  LaneAsync async = {.queue = queue,
                     .solver = &plan->solver.dense,
                     .at = lane_iteration(d, at.b, at.v, at.lambda, at.room),
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

static long moreau_solves(const SimModel *model) { return model->problem.steps; }

static void moreau_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {moreau_load, moreau_run_steps, moreau_async, moreau_final, moreau_solves};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
