/* The Moreau-Jean scheme of scheme_moreau.c in lanes. */
#ifndef SIM_LANES_MOREAU_H
#define SIM_LANES_MOREAU_H

#include "sim/friction/moreau.h"
#include "sim/lanes/async.h"
#include "sim/lanes/exact.h"

/* [d] each */
typedef struct LaneState {
  Bundle *x, *v, *before, *b, *push, *lambda;
  Bundle *room; /* of a solve */
} LaneState;

LANE_INLINE LaneState lane_state(int d, Bundle *r) {
  return (LaneState){r, r + d, r + 2 * d, r + 3 * d, r + 4 * d, r + 5 * d, r + 6 * d};
}

static void moreau_load(const SimModel *model, const SimWorkspace *work, Bundle *rows, int lane) {
  const SimProblem *p = &model->problem;
  LaneState to = lane_state(p->d, rows);
  for (int i = 0; i < p->d; i++) {
    *lanes_entry(&to.x[i], lane) = work->x[i];
    *lanes_entry(&to.v[i], lane) = work->v[i];
    *lanes_entry(&to.lambda[i], lane) = work->lambda[i];
    *lanes_entry(&to.push[i], lane) = p->step * work->control_force[i];
  }
}

static void moreau_final(const SimModel *model, Bundle *rows, int lane, double *x, double *v) {
  LaneState at = lane_state(model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lanes_entry(&at.x[i], lane);
    v[i] = *lanes_entry(&at.v[i], lane);
  }
}

/* b_i of a step, from `before`. load: dt f_i */
LANE_INLINE Lanes moreau_right(int d, const SimModel *model, LaneState at, int v, int i, Lanes load) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  const double *restrict carry = plan->dense_carry + i * d, *restrict a = plan->dense_pull + i * d;
  Lanes sum = load + at.push[i].v[v];
  if (p->stribeck != SIM_STRIBECK_NONE)
    sum += p->step * p->friction[i] *
           lanes_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], at.before[i].v[v]);
  LANE_UNROLL for (int j = 0; j < d; j++) sum += carry[j] * at.before[j].v[v] - a[j] * at.x[j].v[v];
  return sum;
}

/* The exact solver's steps. */
LANE_INLINE void moreau_steps(int d, const SimModel *model, SimWorkspace *work, Bundle *rows, LaneTally *tally) {
  const MoreauPlan *plan = model->plan;
  LaneState at = lane_state(d, rows);
  for (long n = 0; n < model->problem.steps; n++) {
    const double *load = plan->load.table + n * d;
    LANE_UNROLL for (int i = 0; i < d; i++) at.before[i] = at.v[i];
    lane_push(model, rows, model->problem.step, n + 1, at.push);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.b[i].v[v] = moreau_right(d, model, at, v, i, lanes_of(load[i]));
    }
    lanes_exact(d, false, &plan->solver.dense, work, lane_solve(d, at.room), at.b, at.v, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v) at.x[i].v[v] += plan->ahead * at.v[i].v[v] + plan->behind * at.before[i].v[v];
    }
  }
}

LANE_INLINE void moreau_begin(int d, const SimModel *model, Bundle *rows, int v, LaneMask mask, LaneIndex load) {
  const MoreauPlan *plan = model->plan;
  LaneState at = lane_state(d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) at.before[i].v[v] = lanes_choose(mask, at.v[i].v[v], at.before[i].v[v]);
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      moreau_right(d, model, at, v, i, lanes_gather(plan->load.table + i, load));
}

LANE_INLINE void moreau_end(int d, const SimModel *model, Bundle *rows, int v, LaneMask mask) {
  const MoreauPlan *plan = model->plan;
  LaneState at = lane_state(d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Lanes next = at.x[i].v[v] + (plan->ahead * at.v[i].v[v] + plan->behind * at.before[i].v[v]);
    at.x[i].v[v] = lanes_choose(mask, next, at.x[i].v[v]);
  }
}

LANE_INLINE void moreau_march_steps(int d, LaneQueue *queue) {
  const MoreauPlan *plan = queue->model->plan;
  LaneState at = lane_state(d, queue->rows);
  March march = {.queue = queue,
                 .solver = &plan->solver.dense,
                 .at = lane_iteration(d, at.b, at.v, at.lambda, at.room),
                 .first = 0};
  lanes_march(d, false, moreau_begin, moreau_end, &march);
}

#define MOREAU_STEPS(d) moreau_steps(d, model, work, rows, tally)
#define MOREAU_MARCH(d) moreau_march_steps(d, queue)
LANE_STEPS(moreau_sized, MOREAU_STEPS)
LANE_MARCH(moreau_march_sized, MOREAU_MARCH)

static void moreau_run_steps(const SimModel *model, SimWorkspace *work, Bundle *rows, LaneTally *tally) {
  moreau_sized[lane_size(model->problem.d)](model, work, rows, tally);
}

static void moreau_march(LaneQueue *queue) { moreau_march_sized[lane_size(queue->model->problem.d)](queue); }

static long moreau_solves(const SimModel *model) { return model->problem.steps; }

static void moreau_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {moreau_load, moreau_run_steps, moreau_march, moreau_final, moreau_solves};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
