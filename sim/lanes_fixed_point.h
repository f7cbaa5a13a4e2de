/* The iteration of step_fixed_point.c in lanes. */
#ifndef SIM_LANES_FIXED_POINT_H
#define SIM_LANES_FIXED_POINT_H

#include "sim/lanes_exact.h"

enum { LANE_PATIENCE = 1000 }; /* iterations, before a lane goes on alone */

LANE_INLINE void lanes_velocity(int d, int v, const StepSolver *restrict s, const Bundle *b, const Bundle *lambda,
                                Bundle *rhs, Bundle *w) {
  LANE_UNROLL for (int i = 0; i < d; i++) rhs[i].v[v] = b[i].v[v] - s->threshold[i] * lambda[i].v[v];
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Lanes sum = lanes_of(0);
    LANE_UNROLL for (int j = 0; j < d; j++) sum += s->inverse[i * d + j] * rhs[j].v[v];
    w[i].v[v] = sum;
  }
}

/* max(tolerance, multiplier_floor()) */
LANE_INLINE void lanes_floor(int d, const StepSolver *restrict s, const Bundle *b, Bundle *tolerance) {
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

/* As step_solve_fixed_point. base: may be NULL. room: 4 rows. */
LANE_INLINE void lanes_fixed_point(int d, bool regularised, bool by_multiplier, const StepSolver *restrict s,
                                   SimWorkspace *work, Bundle *room, Bundle *b, Bundle *base, Bundle *w, Bundle *lambda,
                                   LaneTally *tally) {
  Bundle *old = room, *rhs = room + d, *guess = room + 2 * d, *before = room + 3 * d, tolerance;
  Marks open = tally->alive, lost;
  LANE_UNROLL for (int i = 0; i < d; i++) {
    EACH(v) old[i].v[v] = lambda[i].v[v];
    EACH(v) guess[i].v[v] = w[i].v[v];
  }
  EACH(v) lost.v[v] = lanes_none();
  EACH(v) tolerance.v[v] = lanes_of(s->tolerance);
  if (by_multiplier) lanes_floor(d, s, b, &tolerance);
  EACH(v) lanes_velocity(d, v, s, b, lambda, rhs, w);
  int k = 1;
  for (; marks_any(&open) && k < LANE_PATIENCE; k++) {
    EACH(v) {
      if (lanes_bits(open.v[v]) == 0) continue; /* few lanes take long: the other vectors need not go with them */
      Lanes change = lanes_of(0), norm = lanes_of(0), stir = lanes_of(0);
      LANE_UNROLL for (int i = 0; i < d; i++) {
        before[i].v[v] = w[i].v[v];
        if (!(s->threshold[i] > 0)) continue;
        Lanes was = lambda[i].v[v], z = was + s->pull[i] * w[i].v[v];
        Lanes next = s->fresh * lanes_smaller(lanes_larger(z, lanes_of(-1)), lanes_of(1));
        if (regularised) next += s->kept * old[i].v[v];
        if (by_multiplier) stir = lanes_larger(lanes_abs(next - was), stir);
        lambda[i].v[v] = lanes_choose(open.v[v], next, was);
      }
      lanes_velocity(d, v, s, b, lambda, rhs, w);
      LANE_UNROLL for (int i = 0; i < d && !by_multiplier; i++) {
        Lanes x = base ? base[i].v[v] + before[i].v[v] : before[i].v[v], step = w[i].v[v] - before[i].v[v];
        change += step * step;
        norm += x * x;
      }
      tally->iterations.v[v] += lanes_choose(open.v[v], lanes_of(1), lanes_of(0));
      Lanes ratio = stir;
      LaneMask done = lanes_at_most(stir, tolerance.v[v]);
      if (!by_multiplier) {
        LaneMask near = lanes_at_most(change, s->tolerance * s->tolerance * STEP_NEAR * (norm + 1));
        LaneMask gone = lanes_without(open.v[v], lanes_at_most(change, lanes_of(DBL_MAX)));
        lost.v[v] = lanes_either(lost.v[v], gone);
        open.v[v] = lanes_without(open.v[v], gone);
        if (!lanes_bits(lanes_both(near, open.v[v]))) continue;
        ratio = lanes_root(change) / (lanes_root(norm) + 1);
        done = lanes_at_most(ratio, lanes_of(s->tolerance));
      }
      done = lanes_both(done, open.v[v]);
      tally->residual.v[v] = lanes_choose(done, lanes_larger(ratio, tally->residual.v[v]), tally->residual.v[v]);
      open.v[v] = lanes_without(open.v[v], done);
    }
  }
  EACH(v) open.v[v] = lanes_either(open.v[v], lost.v[v]);
  if (!marks_any(&open)) return;
  EACH(v) {
    unsigned bits = lanes_bits(open.v[v]);
    for (int lane = 0; lane < LANE_WIDTH; lane++)
      if (bits >> lane & 1) lane_alone(s, work, v * LANE_WIDTH + lane, b, base, guess, old, w, lambda, k, tally);
  }
}

#endif
