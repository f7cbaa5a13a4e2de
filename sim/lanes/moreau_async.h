/* The Moreau-Jean scheme in lanes by the fixed point, each lane at its own step; what of it runs batches of controls. */
#ifndef SIM_LANES_MOREAU_ASYNC_H
#define SIM_LANES_MOREAU_ASYNC_H

#include "sim/lanes/async.h"
#include "sim/lanes/moreau.h"

LANE_INLINE void moreau_begin(int d, const LaneModel *model, LaneVector *rows, int v, SimdMask mask, SimdIndex load) {
  const SimProblem *p = &model->model->problem;
  const LaneState at = lane_state(d, rows);
  LaneVector *now = at.rows.v, *before = at.rows.before;
  LANE_UNROLL for (int i = 0; i < d; i++) before[i].v[v] = simd_choose(mask, now[i].v[v], before[i].v[v]);
  if (friction_drops(p)) lane_drop(model, p, p->step, before, v, v, at.drop);
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      moreau_right(d, model->carry, model->stiffness, at.rows, v, i,
                   moreau_force(p, NULL, at, v, i, simd_gather(model->loads + i, load)));
}

LANE_INLINE void moreau_end(int d, const LaneModel *model, LaneVector *rows, int v, SimdMask mask) {
  const LaneState at = lane_state(d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) moreau_move(model->model->plan, at.rows, v, i, &mask);
}

LANE_INLINE void moreau_async_steps(int d, LaneQueue *queue) {
  const LaneState at = lane_state(d, queue->rows);
  LaneAsync async = {.queue = queue,
                     .solver = queue->model.solver,
                     .at = lane_iteration(d, at.b, at.rows.v, at.lambda, at.room),
                     .first = 0};
  lanes_async(d, false, moreau_begin, moreau_end, &async);
}

#define MOREAU_ASYNC(d) moreau_async_steps(d, queue)
LANE_ASYNC(moreau_async_sized, MOREAU_ASYNC)

static void moreau_async(LaneQueue *queue) { moreau_async_sized[lane_size(queue->model.model->problem.d)](queue); }

static void moreau_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {moreau_load, moreau_source, moreau_run_steps, moreau_async, moreau_final, NULL};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
