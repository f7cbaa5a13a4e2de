/* SPDX-License-Identifier: BSD-2-Clause */
/* The Gauss-Seidel sweep of the exact solver; exact.c has its equations. It is written once, for one problem
 * (LANE_WIDTH 1) and for several in SIMD lanes, which converge separately. regularized: whether lambda_old is used; it
 * is a constant in time-critical calls. */
#ifndef SIM_STEP_SWEEP_H
#define SIM_STEP_SWEEP_H

#include "sim/law/lane_vector.h"
#include "sim/step/dense_solver.h"

/* The data of a DenseSolver that sweeps read. */
#ifdef LANE_OWN
typedef struct SweepNumbers {
  const LaneVector *rows; /* [d][d] matrix; this and the vectors are those of DenseSolver */
  const LaneVector *scale, *threshold, *stick_slope, *slip_slope, *limit; /* [d] */
  double fresh;
} SweepNumbers;
#else
typedef DenseSolver SweepNumbers;
#endif

/* Vectors of a sweep, [d] each; exact.c defines them. */
typedef struct Sweep {
  LaneVector *load;
  /* ends -1 - lambda_old and 1 - lambda_old of the interval of c_i, the change of lambda (exact.c); for the regularized
   * law only */
  LaneVector *low, *high;
  LaneVector *rise;
  LaneVector *ahead;  /* sum_{j > i} R_ij w_j: contribution of later dofs j to equation i, where R is the scaled
                       * matrix E (exact.c) */
  LaneVector *inside; /* change c_i of lambda (exact.c); for the regularized law only */
} Sweep;

LANE_INLINE Simd sweep_low(bool regularized, const SweepNumbers *restrict s, Sweep at, int i, int v) {
  return regularized ? at.low[i].v[v] : -LANE_SIMD(s->limit[i], v);
}

LANE_INLINE Simd sweep_high(bool regularized, const SweepNumbers *restrict s, Sweep at, int i, int v) {
  return regularized ? at.high[i].v[v] : LANE_SIMD(s->limit[i], v);
}

LANE_INLINE void sweep_ahead(int d, int i, const LaneNumber *restrict rows, const LaneVector *w, LaneVector *sum) {
  EACH(v) sum->v[v] = simd_of(0);
  LANE_UNROLL for (int j = i + 1; j < d; j++) EACH(v) sum->v[v] += LANE_OF(rows[i * d + j], v) * w[j].v[v];
}

/* Computes the vectors of a sweep from b, w and lambda_old. */
LANE_INLINE void sweep_begin(int d, bool regularized, const SweepNumbers *restrict s, Sweep at, const LaneVector *b,
                             const LaneVector *w, const LaneVector *lambda_old) {
  LANE_UNROLL for (int i = 0; i < d; i++) {
    EACH(v) {
      if (!regularized) {
        at.load[i].v[v] = LANE_OF(s->scale[i], v) * b[i].v[v];
        continue;
      }
      Simd old = lambda_old[i].v[v];
      at.load[i].v[v] = LANE_OF(s->scale[i], v) * (b[i].v[v] - LANE_OF(s->threshold[i], v) * old);
      at.low[i].v[v] = -LANE_OF(s->limit[i], v) - old;
      at.high[i].v[v] = LANE_OF(s->limit[i], v) - old;
    }
    sweep_ahead(d, i, s->rows, w, &at.ahead[i]);
  }
}

/* Makes one sweep over w of the open lanes; open NULL: of all lanes. On entry at.ahead must belong to this w. */
LANE_INLINE void sweep_run(int d, bool regularized, const SweepNumbers *restrict s, Sweep at, const LaneMask *open,
                           LaneVector *w) {
  const LaneNumber *restrict rows = s->rows;
  LANE_UNROLL for (int i = 0; i < d; i++) {
    LaneVector rise;
    EACH(v) rise.v[v] = at.load[i].v[v] - at.ahead[i].v[v];
    LANE_UNROLL for (int j = 0; j < i; j++) EACH(v) rise.v[v] -= LANE_OF(rows[i * d + j], v) * w[j].v[v];
    EACH(v) {
      const SimdMask *mask = open ? &open->v[v] : NULL;
      Simd low = sweep_low(regularized, s, at, i, v), high = sweep_high(regularized, s, at, i, v);
      Simd inside = simd_between(rise.v[v], low, high);
      Simd moved = LANE_OF(s->slip_slope[i], v) * (rise.v[v] - inside);
      if (regularized) moved += LANE_OF(s->stick_slope[i], v) * rise.v[v];
      at.rise[i].v[v] = rise.v[v];
      w[i].v[v] = simd_moved(mask, moved, w[i].v[v]);
      if (regularized) at.inside[i].v[v] = simd_moved(mask, inside, at.inside[i].v[v]);
    }
  }
}

/* Computes the complete solution for a diagonal E and the unregularized law: sets rise and w like a sweep. */
LANE_INLINE void sweep_apart(int d, const SweepNumbers *restrict s, Sweep at, const LaneVector *b, LaneVector *w) {
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) {
    Simd rise = LANE_OF(s->scale[i], v) * b[i].v[v], limit = LANE_SIMD(s->limit[i], v);
    at.rise[i].v[v] = rise;
    w[i].v[v] = LANE_OF(s->slip_slope[i], v) * (rise - simd_between(rise, -limit, limit));
  }
}

/* Closes the lanes in which all residuals are rounding error. After a sweep, the residual of equation i is due to the
 * changes of later dofs. *residual: the largest residual of an open lane, in units of mu. Updates at.ahead. round_off:
 * STEP_ROUND_OFF or, for strong coupling, where the terms of the sum cancel, a larger number; in units of these terms.
 * first: whether w of all lanes has changed. */
LANE_INLINE void sweep_settle(int d, const SweepNumbers *restrict s, Sweep at, const LaneVector *w, LaneMask *open,
                              bool first, double round_off, LaneVector *residual) {
  const bool thorough = round_off > STEP_ROUND_OFF;
  LaneMask restless;
  LaneVector worst;
  EACH(v) {
    restless.v[v] = simd_none();
    worst.v[v] = simd_of(0);
  }
  LANE_UNROLL for (int i = 0; i < d - 1; i++) {
    LaneVector ahead;
    sweep_ahead(d, i, s->rows, w, &ahead);
    EACH(v) {
      Simd lack = simd_abs(ahead.v[v] - at.ahead[i].v[v]);
      Simd terms = simd_abs(at.load[i].v[v]) + LANE_OF(s->limit[i], v) + simd_abs(at.rise[i].v[v]);
      LANE_UNROLL for (int j = 0; j < d && thorough; j++) terms += simd_abs(LANE_OF(s->rows[i * d + j], v) * w[j].v[v]);
      SimdMask still = simd_without(simd_all(), simd_at_most(lack, round_off * terms));
      restless.v[v] = simd_either(restless.v[v], still);
      worst.v[v] = simd_larger(LANE_OF(s->limit[i], v) * lack, worst.v[v]);
      at.ahead[i].v[v] = ahead.v[v];
    }
  }
  EACH(v) {
    residual->v[v] = first ? worst.v[v] : simd_choose(open->v[v], worst.v[v], residual->v[v]);
    open->v[v] = simd_both(open->v[v], restless.v[v]);
  }
}

#endif
