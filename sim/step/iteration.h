/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the fixed-point iteration (1.12)-(1.15) of Glowinski-Kearsley. They are written once, for one problem
 * (LANE_WIDTH 1) and for vector lanes. v: index of the vector in a LaneVector. */
#ifndef SIM_STEP_ITERATION_H
#define SIM_STEP_ITERATION_H

#include "sim/law/friction_law.h"
#include "sim/step/dense_solver.h"

/* Computes w = E^-1 (b - Q lambda), the linear system (1.13). d: solver->d, as a constant if it is small. */
LANE_INLINE void iteration_velocity(int d, int v, const DenseSolver *restrict s, const LaneVector *b,
                                    const LaneVector *lambda, LaneVector *rhs, LaneVector *w) {
  LANE_UNROLL for (int i = 0; i < d; i++) rhs[i].v[v] = b[i].v[v] - s->threshold[i] * lambda[i].v[v];
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Simd sum = simd_of(0);
    LANE_UNROLL for (int j = 0; j < d; j++) sum += s->inverse[i * d + j] * rhs[j].v[v];
    w[i].v[v] = sum;
  }
}

/* Returns P(lambda_i + weight_i w_i), where P is the projection onto [-1, 1]; -1 for a NaN. For a dof without
 * friction (q_i = 0), weight_i is 0, so that lambda_i = 0 stays 0. */
LANE_INLINE Simd iteration_project(int i, int v, const DenseSolver *restrict s, const LaneVector *lambda,
                                   const LaneVector *w) {
  return simd_between(lambda[i].v[v] + s->projection_weight[i] * w[i].v[v], simd_of(-1), simd_of(1));
}

/* Returns 8u projection_weight (|E^-1| |b|), the largest change of the multiplier that rounding in w = E^-1 (b - Q
 * lambda) may cause in an iteration. */
LANE_INLINE Simd iteration_floor(int d, int v, const DenseSolver *restrict s, const LaneVector *b) {
  Simd floor = simd_of(0);
  for (int i = 0; i < d; i++) {
    Simd sum = simd_of(0);
    for (int j = 0; j < d; j++) sum += simd_abs(s->inverse[i * d + j] * b[j].v[v]);
    floor = simd_larger(4 * DBL_EPSILON * s->projection_weight[i] * sum, floor);
  }
  return floor;
}

#endif
