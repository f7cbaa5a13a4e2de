/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of a StepForm (sim/friction/form.h) for several rollouts together, one in each lane of SIMD vectors. */
#ifndef SIM_LANES_FORM_H
#define SIM_LANES_FORM_H

#include "sim/friction/form_rows.h"
#include "sim/lanes/exact.h"
#include "sim/lanes/joints.h"
#include "sim/lanes/queue.h"

/* Vectors of a StepForm in lanes, [d] each. */
typedef struct LaneForm {
  FormRows rows;
  LaneVector *b, *control_force, *lambda;
  LaneVector *drop;   /* force C gamma, the decrease of friction with speed, in N */
  LaneVector *room;   /* workspace of a solve */
  LaneVector *joints; /* vectors for springs and stops (joints.h) */
} LaneForm;

LANE_INLINE LaneForm lane_form(bool differences, const SimProblem *p, int d, LaneVector *r) {
  LaneVector *y = r + 2 * d, *speed = differences ? r + 4 * d : y;
  return (LaneForm){{r, differences ? r + d : r, y, r + 3 * d, friction_drops(p) ? speed : NULL},
                    r + 5 * d,
                    r + 6 * d,
                    r + 7 * d,
                    r + 8 * d,
                    r + 9 * d,
                    r + 16 * d};
}

/* Returns the data for springs and stops (joints.h) of a step. */
LANE_INLINE LaneJoints form_joints(bool differences, bool regularized, LaneForm at, int d) {
  LaneVector *r = at.joints;
  return (LaneJoints){
      .differences = differences,
      .regularized = regularized,
      .rows = at.rows,
      .b = at.b,
      .lambda = at.lambda,
      .own = {.way = {r, r + d, r + 2 * d},
              .ends = {r + 3 * d, r + 4 * d, r + 2 * d},
              .load = r + 5 * d,
              .was = r + 6 * d,
              .was_lambda = r + 7 * d,
              .kept = r + 8 * d,
              .landed = r + 9 * d},
  };
}

static void form_load(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  const StepForm *form = form_of(model);
  const FormLevels from = form_levels(model, work);
  const LaneForm to = lane_form(form->differences, &model->problem, model->problem.d, rows);
  for (int i = 0; i < model->problem.d; i++) {
    *lane_entry(&to.rows.base[i], lane) = from.base[i];
    *lane_entry(&to.rows.x[i], lane) = from.x[i];
    *lane_entry(&to.rows.w[i], lane) = from.w[i];
    *lane_entry(&to.control_force[i], lane) = form->force * work->control_force[i];
    *lane_entry(&to.lambda[i], lane) = work->lambda[i];
    if (to.rows.speed) *lane_entry(&to.rows.speed[i], lane) = work->v[i];
  }
}

static LaneSource form_source(const SimModel *model) {
  const FormPlan *plan = model->plan;
  long loads = (model->problem.steps + plan->form.differences) * model->problem.d;
  return (LaneSource){plan->dense_carry, plan->dense_pull, &plan->solver.dense, plan->load.table, loads};
}

/* Computes x and v at t_N from the vectors of a lane. If velocities are differences of positions, the lane has advanced
 * to step N + 1. */
static void form_final(const SimModel *model, LaneVector *rows, int lane, double *x, double *v) {
  const StepForm *form = form_of(model);
  const FormRows at = lane_form(form->differences, &model->problem, model->problem.d, rows).rows;
  for (int i = 0; i < model->problem.d; i++) {
    x[i] = *lane_entry(&at.base[i], lane);
    v[i] = *lane_entry(&at.w[i], lane);
    if (form->differences) v[i] = form->rate * v[i];
  }
}

/* Returns force times (f + B u + C gamma), minus the bias [d] of varying thresholds (NULL: the bias is constant). load:
 * force times f_i. */
LANE_INLINE Simd form_force(LaneForm at, double force, const double *bias, int v, int i, Simd load) {
  Simd sum = load + at.control_force[i].v[v];
  if (at.rows.speed) sum += at.drop[i].v[v];
  return bias ? sum - force * bias[i] : sum;
}

/* Makes steps with the exact solver. varies: whether thresholds vary in time. */
LANE_INLINE void form_steps(int d, bool differences, bool regularized, bool varies, const LaneModel *model,
                            LaneVector *rows, LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  const StepForm *form = form_of(model->model);
  const LaneForm at = lane_form(differences, p, d, rows);
  const bool jointed = lane_has_joints(model);
  LaneJoints joints;
  if (jointed) joints = form_joints(differences, regularized, at, d);
  for (long n = 1; n <= p->steps && !lane_ends(model, n, tally); n++) {
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) form_enter(differences, at.rows, v, i, NULL);
    lane_control_force(model->model, rows, form->force, n, at.control_force);
    const SimProblem *now = varies ? lane_thresholds(model, form_time(differences, p, n)) : p;
    const double *bias = varies ? now->friction_bias : NULL;
    const SweepNumbers *solver = varies ? lane_solver_now(model, 0, model->solver) : model->solver;
    if (at.rows.speed) lane_drop(model, now, form->force, at.rows.speed, 0, LANE_VECTORS - 1, at.drop);
    const long first = (differences ? n : n - 1) * d;
    LANE_UNROLL for (int i = 0; i < d; i++) {
      EACH(v)
      at.b[i].v[v] = form_right(d, model->carry, model->stiffness, at.rows, v, i,
                                form_force(at, form->force, bias, v, i, lane_load(model, first + i, v)));
    }
    if (jointed) lane_joints_begin(&joints, model, n, tally);
    do lanes_exact(d, regularized, model, solver, at.room, at.b, at.rows.w, at.lambda, tally);
    while (jointed && lane_joints_again(&joints, tally));
    LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) form_move(differences, form, at.rows, v, i, NULL);
    if (jointed) lane_joints_end(&joints);
  }
}

#define FORM_VELOCITY_STEPS(d)    form_steps(d, false, false, false, model, rows, tally)
#define FORM_DIFFERENCE_STEPS(d)  form_steps(d, true, false, false, model, rows, tally)
#define FORM_REGULARIZED_STEPS(d) form_steps(d, true, true, false, model, rows, tally)
LANE_STEPS(form_velocities, FORM_VELOCITY_STEPS)
LANE_STEPS(form_differences, FORM_DIFFERENCE_STEPS)
LANE_STEPS(form_regularized, FORM_REGULARIZED_STEPS)

static void form_run_steps(const LaneModel *model, LaneVector *rows, LaneTally *tally) {
  const SimProblem *p = &model->model->problem;
  bool regularized = friction_parameters(p)->multiplier == SIM_REGULARIZED;
  bool differences = form_of(model->model)->differences;
  if (p->thresholds && differences)
    form_steps(p->d, true, regularized, true, model, rows, tally);
  else if (p->thresholds)
    form_steps(p->d, false, false, true, model, rows, tally);
  else
    (regularized   ? form_regularized
     : differences ? form_differences
                   : form_velocities)[lane_size(p->d)](model, rows, tally);
}

#ifdef LANE_OWN
static void form_run_own(int n, const SimRun *runs, SimFinal *final) {
  static const LaneScheme scheme = {form_load, form_source, form_run_steps, NULL, form_final, NULL};
  lane_run(&scheme, n, runs, final);
}
#endif

#endif
