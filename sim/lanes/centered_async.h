/* The centred scheme in lanes by the fixed point, each lane at its own step; what of it runs batches of controls. */
#ifndef SIM_LANES_CENTERED_ASYNC_H
#define SIM_LANES_CENTERED_ASYNC_H

#include "sim/lanes/async.h"
#include "sim/lanes/centered.h"

LANE_INLINE void centered_begin(int d, const LaneModel *model, LaneVector *rows, int v, SimdMask mask, SimdIndex load) {
  (void)mask;
  const FormPlan *plan = model->model->plan;
  const LaneLevels at = lane_levels(&model->model->problem, d, rows);
  if (at.rows.speed) lane_drop(model, &model->model->problem, plan->form.force, at.rows.speed, v, v, at.drop);
  LANE_UNROLL for (int i = 0; i < d; i++) centered_difference(at.rows, v, i);
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      centered_right(d, model->carry, model->stiffness, at.rows, v, i,
                     centered_force(at, plan->form.force, NULL, v, i, simd_gather(model->loads + i, load)));
}

LANE_INLINE void centered_end(int d, const LaneModel *model, LaneVector *rows, int v, SimdMask mask) {
  const LaneLevels at = lane_levels(&model->model->problem, d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) centered_move(model->model->plan, at.rows, v, i, &mask);
}

LANE_INLINE void centered_async_steps(int d, bool regularized, LaneQueue *queue) {
  const LaneLevels at = lane_levels(&queue->model.model->problem, d, queue->rows);
  LaneAsync async = {.queue = queue,
                     .solver = queue->model.solver,
                     .at = lane_iteration(d, at.b, at.rows.w, at.lambda, at.room),
                     .base = at.rows.before,
                     .first = 1};
  lanes_async(d, regularized, centered_begin, centered_end, &async);
}

#define CENTERED_ASYNC_UNREGULARIZED(d) centered_async_steps(d, false, queue)
#define CENTERED_ASYNC_REGULARIZED(d)   centered_async_steps(d, true, queue)
LANE_ASYNC(centered_async_unregularized, CENTERED_ASYNC_UNREGULARIZED)
LANE_ASYNC(centered_async_regularized, CENTERED_ASYNC_REGULARIZED)

static void centered_async(LaneQueue *queue) {
  const SimProblem *p = &queue->model.model->problem;
  bool regularized = friction_parameters(p)->multiplier == SIM_REGULARIZED;
  (regularized ? centered_async_regularized : centered_async_unregularized)[lane_size(p->d)](queue);
}

static void centered_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {centered_load,  centered_source, centered_run_steps,
                                    centered_async, centered_final,  NULL};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
