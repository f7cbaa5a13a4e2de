/* The centred scheme of sim/friction/centered.c in lanes. */
#ifndef SIM_LANES_CENTERED_H
#define SIM_LANES_CENTERED_H

#include "sim/friction/centered_step.h"
#include "sim/lanes/async.h"
#include "sim/lanes/exact.h"

/* [d] each */
typedef struct LaneLevels {
  CenteredRows rows;
  LaneVector *b, *control_force, *lambda;
  LaneVector *drop; /* dt^2 C gamma */
  LaneVector *room; /* of a solve */
} LaneLevels;

LANE_INLINE LaneLevels lane_levels(const SimProblem *p, int d, LaneVector *r) {
  bool drops = p->system.stribeck != SIM_STRIBECK_NONE;
  return (LaneLevels){{r, r + d, r + 2 * d, r + 3 * d, drops ? r + 4 * d : NULL},
                      r + 5 * d,
                      r + 6 * d,
                      r + 7 * d,
                      r + 8 * d,
                      r + 9 * d};
}

static void centered_load(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  const CenteredPlan *plan = model->plan;
  CenteredLevels from = centered_levels(model, work);
  LaneLevels to = lane_levels(&model->problem, model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    *lane_entry(&to.rows.before[i], lane) = from.now[i];
    *lane_entry(&to.rows.now[i], lane) = from.after[i];
    *lane_entry(&to.rows.w[i], lane) = from.w[i];
    *lane_entry(&to.control_force[i], lane) = plan->square * work->control_force[i];
    *lane_entry(&to.lambda[i], lane) = work->lambda[i];
    if (to.rows.speed) *lane_entry(&to.rows.speed[i], lane) = work->v[i];
  }
}

static void centered_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  const CenteredPlan *plan = model->plan;
  CenteredRows at = lane_levels(&model->problem, model->problem.d, rows).rows;
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.before[i], lane);
    v[i] = plan->rate * *lane_entry(&at.w[i], lane);
  }
}

/* dt^2 (f + B u + C gamma); load: dt^2 f_i */
LANE_INLINE Simd centered_force(LaneLevels at, int v, int i, Simd load) {
  Simd sum = load + at.control_force[i].v[v];
  return at.rows.speed ? sum + at.drop[i].v[v] : sum;
}

/* The exact solver's steps. */
LANE_INLINE void centered_steps(int d, bool regularized, const SimModel *model, SimWorkspace *work, LaneVector *rows,
                                LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const CenteredPlan *plan = model->plan;
  const LaneLevels at = lane_levels(p, d, rows);
  for (long n = 1; n <= p->steps; n++) {
    const double *load = plan->load.table + n * d;
    lane_control_force(model, rows, plan->square, n, at.control_force);
    if (at.rows.speed) lane_stribeck(p, plan->square, at.rows.speed, 0, LANE_VECTORS - 1, at.drop);
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) centered_difference(at.rows, v, i);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.b[i].v[v] = centered_right(d, plan, at.rows, v, i, centered_force(at, v, i, simd_of(load[i])));
    }
    lanes_exact(d, regularized, &plan->moving.dense, work, lane_solve(d, at.room), at.b, at.rows.w, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) centered_move(plan, at.rows, v, i, NULL);
  }
}

LANE_INLINE void centered_begin(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask, SimdIndex load) {
  (void)mask;
  const CenteredPlan *plan = model->plan;
  const double *table = plan->load.table;
  const LaneLevels at = lane_levels(&model->problem, d, rows);
  if (at.rows.speed) lane_stribeck(&model->problem, plan->square, at.rows.speed, v, v, at.drop);
  LANE_UNROLL for (int i = 0; i < d; i++) centered_difference(at.rows, v, i);
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      centered_right(d, plan, at.rows, v, i, centered_force(at, v, i, simd_gather(table + i, load)));
}

LANE_INLINE void centered_end(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask) {
  const LaneLevels at = lane_levels(&model->problem, d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) centered_move(model->plan, at.rows, v, i, &mask);
}

LANE_INLINE void centered_async_steps(int d, bool regularized, LaneQueue *queue) {
  const CenteredPlan *plan = queue->model->plan;
  const LaneLevels at = lane_levels(&queue->model->problem, d, queue->rows);
  LaneAsync async = {.queue = queue,
                     .solver = &plan->moving.dense,
                     .at = lane_iteration(d, at.b, at.rows.w, at.lambda, at.room),
                     .base = at.rows.before,
                     .first = 1};
  lanes_async(d, regularized, centered_begin, centered_end, &async);
}

#define CENTERED_UNREGULARIZED(d)       centered_steps(d, false, model, work, rows, tally)
#define CENTERED_REGULARIZED(d)         centered_steps(d, true, model, work, rows, tally)
#define CENTERED_ASYNC_UNREGULARIZED(d) centered_async_steps(d, false, queue)
#define CENTERED_ASYNC_REGULARIZED(d)   centered_async_steps(d, true, queue)
LANE_STEPS(centered_unregularized, CENTERED_UNREGULARIZED)
LANE_STEPS(centered_regularized, CENTERED_REGULARIZED)
LANE_ASYNC(centered_async_unregularized, CENTERED_ASYNC_UNREGULARIZED)
LANE_ASYNC(centered_async_regularized, CENTERED_ASYNC_REGULARIZED)

static void centered_run_steps(const SimModel *model, SimWorkspace *work, LaneVector *rows, LaneTally *tally) {
  bool regularized = friction_parameters(&model->problem)->multiplier == SIM_REGULARIZED;
  (regularized ? centered_regularized : centered_unregularized)[lane_size(model->problem.d)](model, work, rows, tally);
}

static void centered_async(LaneQueue *queue) {
  bool regularized = friction_parameters(&queue->model->problem)->multiplier == SIM_REGULARIZED;
  (regularized ? centered_async_regularized : centered_async_unregularized)[lane_size(queue->model->problem.d)](queue);
}

static void centered_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {centered_load, centered_run_steps, centered_async, centered_final, NULL};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
