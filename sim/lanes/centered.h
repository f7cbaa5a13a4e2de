/* The centred scheme of sim/friction/centered.c in lanes. */
#ifndef SIM_LANES_CENTERED_H
#define SIM_LANES_CENTERED_H

#include "sim/friction/centered.h"
#include "sim/lanes/async.h"
#include "sim/lanes/exact.h"

/* [d] each */
typedef struct LaneLevels {
  LaneVector *now, *after, *w, *b, *difference, *control_force, *lambda;
  LaneVector *speed; /* that gamma is taken at */
  LaneVector *drop;  /* dt^2 C gamma */
  LaneVector *room;  /* of a solve */
} LaneLevels;

LANE_INLINE LaneLevels lane_levels(int d, LaneVector *r) {
  return (LaneLevels){r, r + d, r + 2 * d, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d, r + 7 * d, r + 8 * d, r + 9 * d};
}

static void centered_load(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  const CenteredPlan *plan = model->plan;
  CenteredLevels from = centered_levels(model, work);
  int d = model->problem.d;
  LaneLevels to = lane_levels(d, rows);
  for (int i = 0; i < d; i++) {
    *lane_entry(&to.now[i], lane) = from.now[i];
    *lane_entry(&to.after[i], lane) = from.after[i];
    *lane_entry(&to.w[i], lane) = from.w[i];
    *lane_entry(&to.control_force[i], lane) = plan->square * work->control_force[i];
    *lane_entry(&to.lambda[i], lane) = work->lambda[i];
    *lane_entry(&to.speed[i], lane) = work->v[i];
  }
}

static void centered_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  const CenteredPlan *plan = model->plan;
  LaneLevels at = lane_levels(model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.now[i], lane);
    v[i] = plan->rate * *lane_entry(&at.w[i], lane);
  }
}

/* b_i of a step. load: dt^2 f_i */
LANE_INLINE Simd centered_right(int d, const SimModel *model, LaneLevels at, int v, int i, Simd load) {
  const SimProblem *p = &model->problem;
  const CenteredPlan *plan = model->plan;
  const double *restrict k = plan->dense_inertia + i * d, *restrict a = plan->dense_stiffness + i * d;
  Simd sum = load + at.control_force[i].v[v];
  if (p->system.stribeck != SIM_STRIBECK_NONE) sum += at.drop[i].v[v];
  LANE_UNROLL for (int j = 0; j < d; j++) sum += k[j] * at.difference[j].v[v] - a[j] * at.after[j].v[v];
  return sum;
}

/* The exact solver's steps. */
LANE_INLINE void centered_steps(int d, bool regularised, const SimModel *model, SimWorkspace *work, LaneVector *rows,
                                LaneTally *tally) {
  const SimProblem *p = &model->problem;
  const CenteredPlan *plan = model->plan;
  LaneLevels at = lane_levels(d, rows);
  for (long n = 1; n <= p->steps; n++) {
    const double *load = plan->load.table + n * d;
    lane_control_force(model, rows, plan->square, n, at.control_force);
    if (p->system.stribeck != SIM_STRIBECK_NONE) lane_stribeck(p, plan->square, at.speed, at.drop);
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.difference[i].v[v] = at.after[i].v[v] - at.now[i].v[v];
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.b[i].v[v] = centered_right(d, model, at, v, i, simd_of(load[i]));
    }
    lanes_exact(d, regularised, &plan->moving.dense, work, lane_solve(d, at.room), at.b, at.w, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) {
        Simd next = at.now[i].v[v] + at.w[i].v[v];
        at.now[i].v[v] = at.after[i].v[v];
        at.after[i].v[v] = next;
        if (p->system.stribeck != SIM_STRIBECK_NONE) at.speed[i].v[v] = plan->rate * at.w[i].v[v];
      }
    }
  }
}

LANE_INLINE void centered_begin(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask, SimdIndex load) {
  (void)mask;
  const SimProblem *p = &model->problem;
  const CenteredPlan *plan = model->plan;
  LaneLevels at = lane_levels(d, rows);
  if (p->system.stribeck != SIM_STRIBECK_NONE) lane_stribeck_of(p, plan->square, at.speed, v, at.drop);
  LANE_UNROLL for (int i = 0; i < d; i++) at.difference[i].v[v] = at.after[i].v[v] - at.now[i].v[v];
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      centered_right(d, model, at, v, i, simd_gather(plan->load.table + i, load));
}

LANE_INLINE void centered_end(int d, const SimModel *model, LaneVector *rows, int v, SimdMask mask) {
  const CenteredPlan *plan = model->plan;
  LaneLevels at = lane_levels(d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Simd next = at.now[i].v[v] + at.w[i].v[v];
    at.now[i].v[v] = simd_choose(mask, at.after[i].v[v], at.now[i].v[v]);
    at.after[i].v[v] = simd_choose(mask, next, at.after[i].v[v]);
    if (model->problem.system.stribeck != SIM_STRIBECK_NONE)
      at.speed[i].v[v] = simd_choose(mask, plan->rate * at.w[i].v[v], at.speed[i].v[v]);
  }
}

LANE_INLINE void centered_async_steps(int d, bool regularised, LaneQueue *queue) {
  const CenteredPlan *plan = queue->model->plan;
  LaneLevels at = lane_levels(d, queue->rows);
  LaneAsync async = {.queue = queue,
                     .solver = &plan->moving.dense,
                     .at = lane_iteration(d, at.b, at.w, at.lambda, at.room),
                     .base = at.now,
                     .first = 1};
  lanes_async(d, regularised, centered_begin, centered_end, &async);
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
  bool creeps = friction_parameters(&model->problem)->multiplier == SIM_REGULARIZED;
  (creeps ? centered_regularized : centered_unregularized)[lane_size(model->problem.d)](model, work, rows, tally);
}

static void centered_async(LaneQueue *queue) {
  bool creeps = friction_parameters(&queue->model->problem)->multiplier == SIM_REGULARIZED;
  (creeps ? centered_async_regularized : centered_async_unregularized)[lane_size(queue->model->problem.d)](queue);
}

static long centered_solves(const SimModel *model) { return model->problem.steps; }

static void centered_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {centered_load, centered_run_steps, centered_async, centered_final, centered_solves};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
