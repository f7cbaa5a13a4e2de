/* SPDX-License-Identifier: BSD-2-Clause */
/* The fixed-point iteration of sim/step/fixed_point.c for several rollouts together (lanes). */
#ifndef SIM_LANES_FIXED_POINT_H
#define SIM_LANES_FIXED_POINT_H

#include "sim/lanes/exact.h"
#include "sim/step/iteration.h"

enum { LANE_ITERATIONS = 1000 }; /* after this number of iterations a lane is continued by the scalar solver */

/* Data of an iteration, [d] for each array. */
typedef struct LaneIteration {
  LaneVector *b, *w, *lambda;
  LaneVector *old; /* lambda at the start of the solve; in async.h it is multiplied by the member `kept` of the
                    * solver */
  LaneVector *rhs, *before;
  LaneVector *spare; /* w at the start of the solve; in async.h w before the last iteration of an open lane */
} LaneIteration;

enum { LANE_ITERATION_ROWS = 4 };

LANE_INLINE LaneIteration lane_iteration(int d, LaneVector *b, LaneVector *w, LaneVector *lambda, LaneVector *room) {
  return (LaneIteration){b, w, lambda, room, room + d, room + 2 * d, room + 3 * d};
}

/* Performs one iteration of a vector's open lanes. Returns max_i |change of lambda_i|. */
LANE_INLINE Simd lanes_iterate(int d, int v, const DenseSolver *restrict s, LaneIteration at, SimdMask open) {
  Simd stir = simd_of(0);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Simd was = at.lambda[i].v[v], next = iteration_project(i, v, s, at.lambda, at.w);
    stir = simd_larger(simd_abs(next - was), stir);
    at.lambda[i].v[v] = simd_choose(open, next, was);
  }
  iteration_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
  return stir;
}

/* Implements step_solve_fixed_point with by_multiplier, for all lanes together. */
LANE_INLINE void lanes_fixed_point(int d, const DenseSolver *restrict s, SimWorkspace *work, LaneIteration at,
                                   LaneTally *tally) {
  LaneMask open = tally->alive;
  LaneVector tolerance;
  LANE_UNROLL for (int i = 0; i < d; i++) {
    EACH(v) {
      at.old[i].v[v] = at.lambda[i].v[v];
      at.spare[i].v[v] = at.w[i].v[v];
    }
  }
  EACH_IN_TURN(v) tolerance.v[v] = simd_larger(iteration_floor(d, v, s, at.b), simd_of(s->tolerance));
  EACH_IN_TURN(v) iteration_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
  int k = 1;
  for (; lane_mask_any(&open) && k < LANE_ITERATIONS; k++) {
    EACH(v) {
      /* many iterations are needed by few lanes only, so vectors without open lanes are skipped */
      if (simd_bits(open.v[v]) == 0) continue;
      Simd stir = lanes_iterate(d, v, s, at, open.v[v]);
      SimdMask done = simd_both(simd_at_most(stir, tolerance.v[v]), open.v[v]);
      tally->iterations.v[v] += simd_choose(open.v[v], simd_of(1), simd_of(0));
      tally->residual.v[v] = simd_choose(done, simd_larger(stir, tally->residual.v[v]), tally->residual.v[v]);
      open.v[v] = simd_without(open.v[v], done);
    }
  }
  if (!lane_mask_any(&open)) return;
  for (int lane = 0; lane < LANES; lane++)
    if (lane_mask_has(&open, lane)) lane_alone(s, work, lane, at.b, NULL, at.spare, at.old, at.w, at.lambda, k, tally);
}

#endif
