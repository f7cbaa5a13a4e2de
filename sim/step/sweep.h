/* The exact solver's Gauss-Seidel sweep (see exact.c for its equations), written once: for one problem (LANE_WIDTH 1), and
 * for those of lanes, which stop one by one. regularized: whether lambda_old has a say, as a constant where speed counts. */
#ifndef SIM_STEP_SWEEP_H
#define SIM_STEP_SWEEP_H

#include "sim/law/lane_vector.h"
#include "sim/step/dense_solver.h"

/* What sweeps read of a DenseSolver. */
#ifdef LANE_OWN
typedef struct SweepNumbers {
  const LaneVector *rows;                                                 /* [d][d] */
  const LaneVector *scale, *threshold, *stick_slope, *slip_slope, *limit; /* [d] */
  double fresh;
} SweepNumbers;
#else
typedef DenseSolver SweepNumbers;
#endif

/* [d] each */
typedef struct Sweep {
  LaneVector *load;
  LaneVector *low, *high; /* ends of the stick branch, -1 - lambda_old and 1 - lambda_old; regularized alone */
  LaneVector *rise;
  LaneVector *ahead;  /* sum_{j > i} R_ij w_j: what row i takes from the dofs ahead of it */
  LaneVector *inside; /* c; regularized alone */
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

/* Makes a problem's rows from b, w and lambda_old. */
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

/* Moves w of the open lanes; NULL: of all. at.ahead enters as that of w. */
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

/* All of it where E is diagonal, unregularized: leaves rise and w as a sweep does. */
LANE_INLINE void sweep_apart(int d, const SweepNumbers *restrict s, Sweep at, const LaneVector *b, LaneVector *w) {
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) {
    Simd rise = LANE_OF(s->scale[i], v) * b[i].v[v], limit = LANE_SIMD(s->limit[i], v);
    at.rise[i].v[v] = rise;
    w[i].v[v] = LANE_OF(s->slip_slope[i], v) * (rise - simd_between(rise, -limit, limit));
  }
}

/* After a sweep equation i lacks what the sweep has changed ahead of it: closes the lanes where that is round-off for all.
 * *residual: the largest of an open lane's, in units of mu. Brings at.ahead up to date. round_off: STEP_ROUND_OFF, or more, which
 * counts terms that cancel in the sum, too, as they do where coupling is strong. first: all lanes have moved. */
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
