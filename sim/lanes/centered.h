/* The centred scheme of sim/friction/centered.c in lanes. */
#ifndef SIM_LANES_CENTERED_H
#define SIM_LANES_CENTERED_H

#include "sim/friction/centered_step.h"
#include "sim/lanes/exact.h"
#include "sim/lanes/queue.h"

/* [d] each */
typedef struct LaneLevels {
  CenteredRows rows;
  LaneVector *b, *control_force, *lambda;
  LaneVector *drop; /* dt^2 C gamma */
  LaneVector *room; /* of a solve */
} LaneLevels;

LANE_INLINE LaneLevels lane_levels(const SimProblem *p, int d, LaneVector *r) {
  bool drops = friction_drops(p);
  return (LaneLevels){{r, r + d, r + 2 * d, r + 3 * d, drops ? r + 4 * d : NULL},
                      r + 5 * d,
                      r + 6 * d,
                      r + 7 * d,
                      r + 8 * d,
                      r + 9 * d};
}

static void centered_load(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  const FormPlan *plan = model->plan;
  FormLevels from = form_levels(model, work);
  LaneLevels to = lane_levels(&model->problem, model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    *lane_entry(&to.rows.before[i], lane) = from.base[i];
    *lane_entry(&to.rows.now[i], lane) = from.x[i];
    *lane_entry(&to.rows.w[i], lane) = from.w[i];
    *lane_entry(&to.control_force[i], lane) = plan->form.force * work->control_force[i];
    *lane_entry(&to.lambda[i], lane) = work->lambda[i];
    if (to.rows.speed) *lane_entry(&to.rows.speed[i], lane) = work->v[i];
  }
}

static LaneSource centered_source(const SimModel *model) {
  const FormPlan *plan = model->plan;
  return (LaneSource){plan->dense_carry, plan->dense_pull, &plan->solver.dense, plan->load.table};
}

static void centered_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  const FormPlan *plan = model->plan;
  CenteredRows at = lane_levels(&model->problem, model->problem.d, rows).rows;
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.before[i], lane);
    v[i] = plan->form.rate * *lane_entry(&at.w[i], lane);
  }
}

/* dt^2 (f + B u + C gamma), less the bias of thresholds that change, [d], NULL: they do not; load: dt^2 f_i */
LANE_INLINE Simd centered_force(LaneLevels at, double square, const double *bias, int v, int i, Simd load) {
  Simd sum = load + at.control_force[i].v[v];
  if (at.rows.speed) sum += at.drop[i].v[v];
  return bias ? sum - square * bias[i] : sum;
}

/* The exact solver's steps. varies: thresholds change in time. */
LANE_INLINE void centered_steps(int d, bool regularized, bool varies, const LaneModel *model, LaneVector *rows,
                                LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  const FormPlan *plan = model->model->plan;
  const LaneLevels at = lane_levels(p, d, rows);
  for (long n = 1; n <= p->steps && !lane_ends(model, n, tally); n++) {
    lane_control_force(model->model, rows, plan->form.force, n, at.control_force);
    const SimProblem *now = varies ? lane_thresholds(model, (double)n * p->step) : p;
    const double *bias = varies ? now->friction_bias : NULL;
    const SweepNumbers *solver = varies ? lane_solver_now(model, 0, model->solver) : model->solver;
    if (at.rows.speed) lane_drop(model, now, plan->form.force, at.rows.speed, 0, LANE_VECTORS - 1, at.drop);
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) centered_difference(at.rows, v, i);
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v)
      at.b[i].v[v] = centered_right(d, model->carry, model->stiffness, at.rows, v, i,
                                    centered_force(at, plan->form.force, bias, v, i, lane_load(model, n * d + i, v)));
    }
    lanes_exact(d, regularized, model, solver, lane_solve(d, at.room), at.b, at.rows.w, at.lambda, tally);
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) centered_move(plan, at.rows, v, i, NULL);
  }
}

#define CENTERED_UNREGULARIZED(d) centered_steps(d, false, false, model, rows, tally)
#define CENTERED_REGULARIZED(d)   centered_steps(d, true, false, model, rows, tally)
LANE_STEPS(centered_unregularized, CENTERED_UNREGULARIZED)
LANE_STEPS(centered_regularized, CENTERED_REGULARIZED)

static void centered_run_steps(const LaneModel *model, LaneVector *rows, LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  bool regularized = friction_parameters(p)->multiplier == SIM_REGULARIZED;
  if (p->thresholds)
    centered_steps(p->d, regularized, true, model, rows, tally);
  else
    (regularized ? centered_regularized : centered_unregularized)[lane_size(p->d)](model, rows, tally);
}

#ifdef LANE_OWN
static void centered_run_own(int n, const SimRun *runs, SimFinal *final) {
  static const LaneScheme scheme = {centered_load, centered_source, centered_run_steps, NULL, centered_final, NULL};
  lane_run(&scheme, n, runs, final);
}
#endif

#endif
