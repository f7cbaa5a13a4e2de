/* SPDX-License-Identifier: BSD-2-Clause */
/* Data of models for steps in lanes. There is one model for all lanes or, if LANE_OWN is defined, one for each lane. */
#ifndef SIM_LANES_MODEL_H
#define SIM_LANES_MODEL_H

#include "sim/core/model.h"
#include "sim/core/thresholds.h"
#include "sim/lanes/lanes.h"
#include "sim/law/friction_force.h"
#include "sim/step/sweep.h"

/* Data for a scheme with one solve per step. Splitting schemes do not use it. */
typedef struct LaneSource {
  const double *carry, *stiffness; /* [d][d] matrices of a step's right side, for y and x of FormLevels */
  const DenseSolver *solver;
  const double *loads; /* [n_loads] weight times f, d numbers for each step */
  long n_loads;
} LaneSource;

typedef struct LaneModel {
  const SimModel *model; /* model of all lanes; with LANE_OWN the model of lane 0, for the data that are equal in all
                          * lanes */
  SimWorkspace *work;
  const LaneNumber *carry, *stiffness;
  const SweepNumbers *solver;
#ifdef LANE_OWN
  SweepNumbers numbers; /* the arrays of SweepNumbers for all lanes */
  const SimModel *models[LANES];
  SimWorkspace *works[LANES];
  const DenseSolver *solvers[LANES];
  const double *loads[LANES];
  const double *load; /* table of loads, if it is the same for all lanes; NULL: it differs */
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

/* Returns entry k of the table of loads. */
LANE_INLINE Simd lane_load(const LaneModel *model, long k, int v) {
  if (model->load) return simd_of(model->load[k]);
  Simd load = {0};
  for (int lane = 0; lane < LANE_WIDTH; lane++) load[lane] = model->loads[v * LANE_WIDTH + lane][k];
  return load;
}

/* Returns entry k of a factored matrix. k is counted from the start of the factor for each lane's set of sliding
 * dofs. */
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

/* lane_thresholds returns the problem with its thresholds at time t, if they vary. lane_solver_now returns its solver
 * k; fixed: the scheme's solver, for constant thresholds. Batches of models have constant thresholds. */
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

#ifndef LANE_OWN
/* Implements lane_drop. geared: whether there is a gear box, as a constant. */
LANE_INLINE void lane_drop_rows(bool geared, const SimProblem *now, double factor, const LaneVector *speed, int first,
                                int last, LaneVector *drop) {
  for (int i = 0; i < now->d; i++)
    for (int v = first; v <= last; v++) drop[i].v[v] = friction_weighed_drop(now, geared, factor, i, speed[i].v[v]);
}
#endif

/* Computes drop_i = factor drop(speed_i), [d] each, for SIMD vectors first to last, if friction decreases with speed
 * (sim/law/friction_force.h). now: the problem with current thresholds. The function is not inlined, so that the loops
 * of steps stay small. */
static LANE_APART void lane_drop(const LaneModel *model, const SimProblem *now, double factor, const LaneVector *speed,
                                 int first, int last, LaneVector *drop) {
#ifdef LANE_OWN
  (void)now;
  for (int i = 0; i < model->model->problem.d; i++)
    for (int v = first; v <= last; v++)
      for (int lane = v * LANE_WIDTH; lane < (v + 1) * LANE_WIDTH; lane++)
        drop[i].v[v][lane % LANE_WIDTH] =
            friction_drop_of(&model->models[lane]->problem, factor, i, speed[i].v[v][lane % LANE_WIDTH]);
#else
  (void)model;
  if (now->system.gearbox.present)
    lane_drop_rows(true, now, factor, speed, first, last, drop);
  else
    lane_drop_rows(false, now, factor, speed, first, last, drop);
#endif
}

#endif
