/* The Moreau-Jean scheme of sim/friction/moreau.c in lanes. */
#ifndef SIM_LANES_MOREAU_H
#define SIM_LANES_MOREAU_H

#include "sim/friction/moreau_step.h"
#include "sim/lanes/exact.h"
#include "sim/lanes/queue.h"

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

static LaneSource moreau_source(const SimModel *model) {
  const FormPlan *plan = model->plan;
  return (LaneSource){plan->dense_carry, plan->dense_pull, &plan->solver.dense, plan->load.table};
}

static void moreau_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  MoreauRows at = lane_state(model->problem.d, rows).rows;
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.x[i], lane);
    v[i] = *lane_entry(&at.v[i], lane);
  }
}

/* dt (f_theta + B u + C gamma), less the bias of thresholds that change, [d], NULL: they do not; load: dt f_i */
LANE_INLINE Simd moreau_force(const SimProblem *p, const double *bias, LaneState at, int v, int i, Simd load) {
  Simd sum = load + at.control_force[i].v[v];
  if (friction_drops(p)) sum += at.drop[i].v[v];
  return bias ? sum - p->step * bias[i] : sum;
}

/* The exact solver's steps. varies: thresholds change in time. */
LANE_INLINE void moreau_steps(int d, bool varies, const LaneModel *model, LaneVector *rows, LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  const FormPlan *plan = model->model->plan;
  const LaneState at = lane_state(d, rows);
  for (long n = 0; n < p->steps && !lane_ends(model, n, tally); n++) {
    LANE_UNROLL for (int i = 0; i < d; i++) at.rows.before[i] = at.rows.v[i];
    lane_control_force(model->model, rows, p->step, n + 1, at.control_force);
    const SimProblem *now = varies ? lane_thresholds(model, surface_time(p, n + 1)) : p;
    const double *bias = varies ? now->friction_bias : NULL;
    const SweepNumbers *solver = varies ? lane_solver_now(model, 0, model->solver) : model->solver;
    if (friction_drops(p)) lane_drop(model, now, p->step, at.rows.before, 0, LANE_VECTORS - 1, at.drop);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v)
      at.b[i].v[v] = moreau_right(d, model->carry, model->stiffness, at.rows, v, i,
                                  moreau_force(p, bias, at, v, i, lane_load(model, n * d + i, v)));
    }
    lanes_exact(d, false, model, solver, lane_solve(d, at.room), at.b, at.rows.v, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) moreau_move(plan, at.rows, v, i, NULL);
  }
}

#define MOREAU_STEPS(d) moreau_steps(d, false, model, rows, tally)
LANE_STEPS(moreau_sized, MOREAU_STEPS)

static void moreau_run_steps(const LaneModel *model, LaneVector *rows, LaneTally *tally) {
  int d = model->model->problem.d;
  if (model->model->problem.thresholds)
    moreau_steps(d, true, model, rows, tally);
  else
    moreau_sized[lane_size(d)](model, rows, tally);
}

#ifdef LANE_OWN
static void moreau_run_own(int n, const SimRun *runs, SimFinal *final) {
  static const LaneScheme scheme = {moreau_load, moreau_source, moreau_run_steps, NULL, moreau_final, NULL};
  lane_run(&scheme, n, runs, final);
}
#endif

#endif
