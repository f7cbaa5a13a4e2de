/* The iteration of step_fixed_point.c in lanes. */
#ifndef SIM_LANES_FIXED_POINT_H
#define SIM_LANES_FIXED_POINT_H

#include "sim/lanes/exact.h"

enum { LANE_PATIENCE = 1000 }; /* iterations, before a lane goes on alone */

LANE_INLINE void lanes_velocity(int d, int v, const DenseSolver *restrict s, const Bundle *b, const Bundle *lambda,
                                Bundle *rhs, Bundle *w) {
  LANE_UNROLL for (int i = 0; i < d; i++) rhs[i].v[v] = b[i].v[v] - s->threshold[i] * lambda[i].v[v];
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Lanes sum = lanes_of(0);
    LANE_UNROLL for (int j = 0; j < d; j++) sum += s->inverse[i * d + j] * rhs[j].v[v];
    w[i].v[v] = sum;
  }
}

/* max(tolerance, multiplier_floor()) */
LANE_INLINE void lanes_floor(int d, const DenseSolver *restrict s, const Bundle *b, Bundle *tolerance) {
  Bundle floor;
  EACH(v) floor.v[v] = lanes_of(0);
  for (int i = 0; i < d; i++) {
    Bundle sum;
    EACH(v) sum.v[v] = lanes_of(0);
    for (int j = 0; j < d; j++) EACH(v) sum.v[v] += lanes_abs(s->inverse[i * d + j] * b[j].v[v]);
    EACH(v) floor.v[v] = lanes_larger(4 * DBL_EPSILON * s->pull[i] * sum.v[v], floor.v[v]);
  }
  EACH(v) tolerance->v[v] = lanes_larger(floor.v[v], lanes_of(s->tolerance));
}

/* What an iteration has, [d] each. */
typedef struct LaneIteration {
  Bundle *b, *w, *lambda;
  Bundle *old; /* lambda as the solve found it; lanes_march.h: kept times that */
  Bundle *rhs, *before;
  Bundle *spare; /* w as the solve found it; lanes_march.h: one iteration before an open lane's last */
} LaneIteration;

enum { LANE_ITERATION_ROWS = 4 };

LANE_INLINE LaneIteration lane_iteration(int d, Bundle *b, Bundle *w, Bundle *lambda, Bundle *room) {
  return (LaneIteration){b, w, lambda, room, room + d, room + 2 * d, room + 3 * d};
}

/* P(lambda_i + pull_i w_i); 0 stays 0 where q_i = 0, as pull_i is */
LANE_INLINE Lanes lanes_project(int i, int v, const DenseSolver *restrict s, LaneIteration at) {
  Lanes z = at.lambda[i].v[v] + s->pull[i] * at.w[i].v[v];
  return lanes_smaller(lanes_larger(z, lanes_of(-1)), lanes_of(1));
}

/* One iteration of a vector's open lanes. Returns max_i |change of lambda_i|. */
LANE_INLINE Lanes lanes_iterate(int d, int v, const DenseSolver *restrict s, LaneIteration at, LaneMask open) {
  Lanes stir = lanes_of(0);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Lanes was = at.lambda[i].v[v], next = lanes_project(i, v, s, at);
    stir = lanes_larger(lanes_abs(next - was), stir);
    at.lambda[i].v[v] = lanes_choose(open, next, was);
  }
  lanes_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
  return stir;
}

/* As step_solve_fixed_point by multiplier, all lanes together. */
LANE_INLINE void lanes_fixed_point(int d, const DenseSolver *restrict s, SimWorkspace *work, LaneIteration at,
                                   LaneTally *tally) {
  Marks open = tally->alive;
  Bundle tolerance;
  LANE_UNROLL for (int i = 0; i < d; i++) {
    at.old[i] = at.lambda[i];
    at.spare[i] = at.w[i];
  }
  lanes_floor(d, s, at.b, &tolerance);
  EACH(v) lanes_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
  int k = 1;
  for (; marks_any(&open) && k < LANE_PATIENCE; k++) {
    EACH(v) {
      if (lanes_bits(open.v[v]) == 0) continue; /* few lanes take long: the other vectors need not go with them */
      Lanes stir = lanes_iterate(d, v, s, at, open.v[v]);
      LaneMask done = lanes_both(lanes_at_most(stir, tolerance.v[v]), open.v[v]);
      tally->iterations.v[v] += lanes_choose(open.v[v], lanes_of(1), lanes_of(0));
      tally->residual.v[v] = lanes_choose(done, lanes_larger(stir, tally->residual.v[v]), tally->residual.v[v]);
      open.v[v] = lanes_without(open.v[v], done);
    }
  }
  if (!marks_any(&open)) return;
  for (int lane = 0; lane < LANES; lane++)
    if (marks_has(&open, lane)) lane_alone(s, work, lane, at.b, NULL, at.spare, at.old, at.w, at.lambda, k, tally);
}

#endif
