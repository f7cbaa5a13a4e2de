/* SPDX-License-Identifier: BSD-2-Clause */
/* Thresholds that vary with time (sim/joint/threshold.h) or position (sim/joint/rise.h). A workspace has current
 * thresholds in place of the model's, and solvers that use them. */
#ifndef SIM_CORE_THRESHOLDS_H
#define SIM_CORE_THRESHOLDS_H

#include "sim/core/model.h"

/* Thresholds of a workspace at one time. The arrays are owned. */
typedef struct Thresholds {
  SimProblem problem; /* copy of the model's problem with the current friction and friction_bias [d] */
  FrictionSolver solver[FRICTION_SOLVERS]; /* copies of the scheme's solvers with these thresholds */
  double *friction[FRICTION_SOLVERS];      /* [d] thresholds of these solvers, including the gear box */
  /* [d] each: nonzero for dofs with friction that acts in this solver (a scheme may treat other dofs elsewhere); NULL:
   * all dofs; borrowed */
  const double *apart[FRICTION_SOLVERS];
  int solvers;
  double *slope; /* [d] current h', in N/m, of thresholds that depend on position */
  double *base;  /* [d] current threshold c without its part h, in N */
  double *next;  /* [d] scratch */
  double *place; /* [d] scratch for positions relative to the ground */
  bool inside;   /* whether the position of the last evaluation was within the range of h */
} Thresholds;

/* Creates varying thresholds for a problem with n solvers of friction problems. apart: [n] for each solver an array [d]
 * that is nonzero for the dofs with friction that acts in this solver; NULL: all dofs. The status is the same on all ranks.
 * Destroy the result in any case. */
SimStatus thresholds_create(const SimProblem *problem, int n, const FrictionSolver *const *solvers,
                            const double *const *apart, Thresholds **thresholds);
/* Evaluates the thresholds at time t, in s, and position x [d]. */
void thresholds_set(Thresholds *thresholds, double t, const double *x);
/* Creates work->thresholds, for n solvers, if the model's thresholds vary. The arguments are those of
 * thresholds_create. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus thresholds_equip(const SimModel *model, SimWorkspace *work, int n, const FrictionSolver *const *solvers,
                           const double *const *apart);
/* Evaluates the thresholds of dofs without mass (light[i] > 0, [count]) at the position x at the end of a step, at time
 * t. Such a dof may move by any distance in a step, so its threshold at the start of the step is not accurate. The step
 * is solved repeatedly until *still is true, which means that no threshold has changed by more than a tolerance. round:
 * number of repetitions so far. Collective. */
void thresholds_follow(Thresholds *thresholds, const double *light, double t, const double *x, int round, bool *still);
enum { THRESHOLD_ROUNDS = 1000 };                /* maximum number of solves of a step in thresholds_follow */
void thresholds_destroy(Thresholds *thresholds); /* may be NULL */
/* thresholds_renew and thresholds_within implement thresholds_move and thresholds_status for thresholds that vary. */
const SimProblem *thresholds_renew(SimWorkspace *work, double t, const double *x);
SimStatus thresholds_within(const SimModel *model, const SimWorkspace *work);
/* Evaluates the thresholds at time t, in s, and position x [d]. Returns the problem with the current thresholds. */
static inline const SimProblem *thresholds_move(const SimModel *model, SimWorkspace *work, double t, const double *x) {
  return work->thresholds ? thresholds_renew(work, t, x) : &model->problem;
}
/* Returns SIM_OUT_OF_RANGE if the last position was beyond the range of h on any rank; otherwise SIM_OK. */
static inline SimStatus thresholds_status(const SimModel *model, const SimWorkspace *work) {
  return model->problem.rise.pieces ? thresholds_within(model, work) : SIM_OK;
}

/* Returns the problem with the thresholds at the current time, or the model's problem if they are constant. */
static inline const SimProblem *thresholds_now(const SimModel *model, const SimWorkspace *work) {
  return work->thresholds ? &work->thresholds->problem : &model->problem;
}
/* Returns solver k with the current thresholds; `fixed` if they are constant. */
static inline const FrictionSolver *thresholds_solver(const SimWorkspace *work, int k, const FrictionSolver *fixed) {
  return work->thresholds ? &work->thresholds->solver[k] : fixed;
}
/* Returns bias_i if thresholds vary; otherwise 0, since a constant bias is part of work->control_force. */
static inline double thresholds_bias(const SimWorkspace *work, int i) {
  return work->thresholds ? work->thresholds->problem.friction_bias[i] : 0;
}

#endif
