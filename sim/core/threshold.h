/* Thresholds that change in time, as by a normal force: C(t) in place of C of (1). A step takes those of its own instant t_n, where
 * friction's law holds; the scheme `event` has them as polynomials. A workspace has them in place of the model's. */
#ifndef SIM_CORE_THRESHOLD_H
#define SIM_CORE_THRESHOLD_H

#include "sim/core/model.h"

/* Of a workspace: what is at one instant. Arrays owned. */
typedef struct Thresholds {
  SimProblem problem;                      /* the model's, with friction and friction_bias [d] of the instant */
  FrictionSolver solver[FRICTION_SOLVERS]; /* the scheme's, with these thresholds */
  double *friction[FRICTION_SOLVERS];      /* [d] theirs, with a gear box's share */
  const double *apart[FRICTION_SOLVERS];   /* [d] not 0 where the solver has friction; NULL: everywhere. Borrowed */
  int solvers;
} Thresholds;

/* The row of SimProblem.thresholds that holds from t on; coefficients of its polynomials: forward of column_of(i), backward behind. */
const double *threshold_piece(const SimProblem *problem, double t);
/* Where its piece ends, s. */
double threshold_end(const SimProblem *problem, const double *row);
/* Half the sum and half the difference of both directions at t, N: [d] each. */
void threshold_at(const SimProblem *problem, double t, double *friction, double *bias);
/* The same of dof i alone, whether thresholds change or not. */
void threshold_of(const SimProblem *problem, int i, double t, double *friction, double *bias);

/* Of a problem whose thresholds change, with n solvers and for each of them `apart`. Status agreed on by the group; to be destroyed
 * whatever it is. */
SimStatus thresholds_create(const SimProblem *problem, int n, const FrictionSolver *const *solvers,
                            const double *const *apart, Thresholds **thresholds);
/* Makes them those of t, s. */
void thresholds_set(Thresholds *thresholds, double t);
/* work->thresholds, where the model's change, with n solvers and for each of them `apart`. SIM_OK, SIM_NO_MEMORY. */
SimStatus thresholds_equip(const SimModel *model, SimWorkspace *work, int n, const FrictionSolver *const *solvers,
                           const double *const *apart);
void thresholds_destroy(Thresholds *thresholds); /* NULL: nothing */
/* Makes them those of t, s. Returns thresholds_now. */
const SimProblem *thresholds_move(const SimModel *model, SimWorkspace *work, double t);

/* The problem with the thresholds of the instant: the model's own where they do not change. */
static inline const SimProblem *thresholds_now(const SimModel *model, const SimWorkspace *work) {
  return work->thresholds ? &work->thresholds->problem : &model->problem;
}
/* The k-th solver likewise; fixed: the scheme's. */
static inline const FrictionSolver *thresholds_solver(const SimWorkspace *work, int k, const FrictionSolver *fixed) {
  return work->thresholds ? &work->thresholds->solver[k] : fixed;
}
/* bias_i where it changes; one that does not is a part of work->control_force. */
static inline double thresholds_bias(const SimWorkspace *work, int i) {
  return work->thresholds ? work->thresholds->problem.friction_bias[i] : 0;
}

#endif
