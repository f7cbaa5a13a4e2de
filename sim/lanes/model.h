/* What the steps of lanes read of their model: of one for all lanes, or, where LANE_OWN, of each lane's own. */
#ifndef SIM_LANES_MODEL_H
#define SIM_LANES_MODEL_H

#include "sim/core/model.h"
#include "sim/core/thresholds.h"
#include "sim/lanes/lanes.h"
#include "sim/law/friction_force.h"
#include "sim/step/sweep.h"

/* What a model has for a scheme with one solve a step; splitting schemes leave it out. */
typedef struct LaneSource {
  const double *carry, *stiffness; /* [d][d] of a step's right side */
  const DenseSolver *solver;
  const double *loads; /* [][d] weight f */
} LaneSource;

typedef struct LaneModel {
  const SimModel *model; /* of all; of own ones that of lane 0, for what they have in common */
  SimWorkspace *work;
  const LaneNumber *carry, *stiffness;
  const SweepNumbers *solver;
#ifdef LANE_OWN
  SweepNumbers numbers; /* what solver points to */
  const SimModel *models[LANES];
  SimWorkspace *works[LANES];
  const DenseSolver *solvers[LANES];
  const double *loads[LANES];
#else
  const double *loads;
#endif
} LaneModel;

#ifdef LANE_OWN
LANE_INLINE const DenseSolver *lane_solver(const LaneModel *model, const SweepNumbers *solver, int lane) {
  (void)solver;
  return model->solvers[lane];
}

LANE_INLINE SimWorkspace *lane_work(const LaneModel *model, int lane) { return model->works[lane]; }

/* Entry k of the table of loads. */
LANE_INLINE Simd lane_load(const LaneModel *model, long k, int v) {
  Simd load = {0};
  for (int lane = 0; lane < LANE_WIDTH; lane++) load[lane] = model->loads[v * LANE_WIDTH + lane][k];
  return load;
}

/* Entry k of the factors that each lane takes from its set on. */
LANE_INLINE Simd lane_factor(const LaneModel *model, const SweepNumbers *solver, int k, SimdIndex set, int v) {
  Simd entry = {0};
  (void)solver;
  for (int lane = 0; lane < LANE_WIDTH; lane++)
    entry[lane] = model->solvers[v * LANE_WIDTH + lane]->factors[k + set[lane]];
  return entry;
}
#else
LANE_INLINE const DenseSolver *lane_solver(const LaneModel *model, const SweepNumbers *solver, int lane) {
  (void)model, (void)lane;
  return solver;
}

LANE_INLINE SimWorkspace *lane_work(const LaneModel *model, int lane) {
  (void)lane;
  return model->work;
}

LANE_INLINE Simd lane_load(const LaneModel *model, long k, int v) {
  (void)v;
  return simd_of(model->loads[k]);
}

LANE_INLINE Simd lane_factor(const LaneModel *model, const SweepNumbers *solver, int k, SimdIndex set, int v) {
  (void)model, (void)v;
  return simd_gather(solver->factors + k, set);
}
#endif

/* The problem and its k-th solver with the thresholds of t, where they change; fixed: the scheme's. Lanes with models of their own have none that do. */
LANE_INLINE const SimProblem *lane_thresholds(const LaneModel *model, double t) {
#ifdef LANE_OWN
  (void)t;
  return &model->model->problem;
#else
  return thresholds_move(model->model, model->work, t, NULL);
#endif
}
LANE_INLINE const SweepNumbers *lane_solver_now(const LaneModel *model, int k, const SweepNumbers *fixed) {
#ifdef LANE_OWN
  (void)model, (void)k;
  return fixed;
#else
  return model->work->thresholds ? &model->work->thresholds->solver[k].dense : fixed;
#endif
}
/* drop_i = factor drop(speed_i), [d] each, vectors first to last, where there is one. now: the problem with the thresholds of the instant. Apart from the
 * steps, so that their loops stay small. */
static LANE_APART void lane_drop(const LaneModel *model, const SimProblem *now, double factor, const LaneVector *speed,
                                 int first, int last, LaneVector *drop) {
  (void)now;
  for (int i = 0; i < model->model->problem.d; i++)
    for (int v = first; v <= last; v++) {
#ifdef LANE_OWN
      for (int lane = v * LANE_WIDTH; lane < (v + 1) * LANE_WIDTH; lane++)
        drop[i].v[v][lane % LANE_WIDTH] =
            friction_drop_of(&model->models[lane]->problem, factor, i, speed[i].v[v][lane % LANE_WIDTH]);
#else
      drop[i].v[v] = friction_weighed_drop(now, factor, i, speed[i].v[v]);
#endif
    }
}

#endif
