/* Thresholds that change in time (sim/joint/threshold.h) or with place (rise.h), in a workspace: those of an instant in place of the model's, and solvers with them. */
#ifndef SIM_CORE_THRESHOLDS_H
#define SIM_CORE_THRESHOLDS_H

#include "sim/core/model.h"

/* Of a workspace: what is at one instant. Arrays owned. */
typedef struct Thresholds {
  SimProblem problem;                      /* the model's, with friction and friction_bias [d] of the instant */
  FrictionSolver solver[FRICTION_SOLVERS]; /* the scheme's, with these thresholds */
  double *friction[FRICTION_SOLVERS];      /* [d] theirs, with a gear box's share */
  const double *apart[FRICTION_SOLVERS];   /* [d] not 0 where the solver has friction; NULL: everywhere. Borrowed */
  int solvers;
  double *slope; /* [d] h' of the instant, N/m: of thresholds that depend on place */
  double *place; /* [d] room */
  bool inside;   /* the last place was within the range of h */
} Thresholds;

/* Of a problem whose thresholds change, with n solvers and for each of them `apart`. Status agreed on by the group; to be destroyed
 * whatever it is. */
SimStatus thresholds_create(const SimProblem *problem, int n, const FrictionSolver *const *solvers,
                            const double *const *apart, Thresholds **thresholds);
/* Makes them those of t, s, at the place x [d]. */
void thresholds_set(Thresholds *thresholds, double t, const double *x);
/* work->thresholds, where the model's change, with n solvers and for each of them `apart`. SIM_OK, SIM_NO_MEMORY. */
SimStatus thresholds_equip(const SimModel *model, SimWorkspace *work, int n, const FrictionSolver *const *solvers,
                           const double *const *apart);
void thresholds_destroy(Thresholds *thresholds); /* NULL: nothing */
/* Makes them those of t, s, at the place x [d]. Returns thresholds_now. */
const SimProblem *thresholds_move(const SimModel *model, SimWorkspace *work, double t, const double *x);
/* SIM_OUT_OF_RANGE where the last place was beyond the range of h, agreed on by the group; else SIM_OK. */
SimStatus thresholds_status(const SimModel *model, const SimWorkspace *work);

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
