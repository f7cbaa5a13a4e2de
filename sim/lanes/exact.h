/* SPDX-License-Identifier: BSD-2-Clause */
/* The exact solver of sim/step/exact.c for several rollouts together, one in each lane of SIMD vectors. */
#ifndef SIM_LANES_EXACT_H
#define SIM_LANES_EXACT_H

#include "sim/lanes/model.h"

/* Scratch of a solve. Each array is [d]. Functions that are not inlined get the memory `room` instead: a struct
 * argument would be copied to memory and read back in larger units, which stalls the processor. */
typedef struct LaneSolve {
  Sweep sweep;
  LaneVector *guess;
} LaneSolve;

LANE_INLINE LaneSolve lane_solve(int d, LaneVector *room) {
  return (LaneSolve){{room, room + d, room + 2 * d, room + 3 * d, room + 4 * d, room + 5 * d}, room + 6 * d};
}

/* Solves the step of one lane from its start by the scalar solver, for rare cases. old: lambda_old; NULL if it is not
 * used. counted: number of iterations that have already been counted for this lane. */
static __attribute__((noinline)) void lane_alone(const DenseSolver *s, SimWorkspace *work, int lane, LaneVector *b,
                                                 LaneVector *base, LaneVector *guess, LaneVector *old, LaneVector *w,
                                                 LaneVector *lambda, int counted, LaneTally *tally) {
  double *alone_b = work->x, *alone_w = work->v, *alone_base = work->control_force;
  for (int i = 0; i < s->d; i++) {
    alone_b[i] = *lane_entry(&b[i], lane);
    alone_w[i] = *lane_entry(&guess[i], lane);
    if (base) alone_base[i] = *lane_entry(&base[i], lane);
    work->lambda[i] = old ? *lane_entry(&old[i], lane) : 0;
  }
  StepTally alone = {.residual = *lane_entry(&tally->residual, lane)};
  SimStatus status =
      step_solve(s, &work->step.dense, alone_b, base ? alone_base : NULL, alone_w, work->lambda, work->slip, &alone);
  if (status != SIM_OK) {
    lane_mask_set(&tally->alive, lane, false);
    return;
  }
  for (int i = 0; i < s->d; i++) {
    *lane_entry(&w[i], lane) = alone_w[i];
    if (lambda) *lane_entry(&lambda[i], lane) = work->lambda[i];
  }
  *lane_entry(&tally->iterations, lane) += (double)(alone.iterations - counted);
  *lane_entry(&tally->residual, lane) = alone.residual;
}

/* Makes the first Newton step of descend() in sim/step/exact.c for the open lanes, with the unregularized law. A lane
 * in which a dof would change between sticking and sliding in the step is marked as stray instead. */
LANE_INLINE void lanes_newton(int d, const LaneModel *model, const SweepNumbers *restrict s, Sweep at,
                              const LaneVector *b, LaneMask *open, LaneVector *w, LaneMask *stray) {
  EACH_IN_TURN(v) {
    SimdIndex set = (SimdIndex){0};
    SimdMask kink = simd_none();
    LaneVector *x = at.inside, *branch = at.low;
    LANE_UNROLL for (int i = 0; i < d; i++) {
      Simd rise = at.rise[i].v[v];
      SimdMask up = simd_without(simd_all(), simd_at_most(rise, LANE_SIMD(s->limit[i], v)));
      SimdMask down = simd_without(simd_all(), simd_at_most(-LANE_SIMD(s->limit[i], v), rise));
      SimdMask moves = simd_either(simd_either(up, down), simd_at_most(LANE_SIMD(s->threshold[i], v), simd_of(0)));
      branch[i].v[v] = simd_choose(up, simd_of(1), simd_choose(down, simd_of(-1), simd_of(0)));
      x[i].v[v] = simd_choose(moves, b[i].v[v] - LANE_OF(s->threshold[i], v) * branch[i].v[v], simd_of(0));
      set = simd_advance(moves, set, (long long)d * d << i);
    }
    LANE_UNROLL for (int i = 0; i < d; i++) {
      Simd sum = simd_of(0);
      LANE_UNROLL for (int j = 0; j < i; j++) sum += lane_factor(model, s, i * d + j, set, v) * x[j].v[v];
      x[i].v[v] = (x[i].v[v] - sum) / lane_factor(model, s, i * d + i, set, v);
    }
    LANE_UNROLL for (int k = 0; k < d; k++) {
      int i = d - 1 - k;
      x[i].v[v] = x[i].v[v] / lane_factor(model, s, i * d + i, set, v);
      LANE_UNROLL for (int j = 0; j < i; j++) x[j].v[v] -= lane_factor(model, s, i * d + j, set, v) * x[i].v[v];
    }
    LANE_UNROLL for (int i = 0; i < d; i++) {
      SimdMask free = simd_at_most(LANE_SIMD(s->threshold[i], v), simd_of(0));
      SimdMask rests = simd_at_most(simd_abs(branch[i].v[v]), simd_of(0));
      SimdMask on = simd_without(simd_all(), simd_at_most(x[i].v[v] * branch[i].v[v], simd_of(0)));
      kink = simd_either(kink, simd_without(simd_all(), simd_either(free, simd_either(rests, on))));
    }
    stray->v[v] = simd_both(open->v[v], kink);
    open->v[v] = simd_without(open->v[v], kink);
    LANE_UNROLL for (int i = 0; i < d; i++) w[i].v[v] = simd_choose(open->v[v], x[i].v[v], w[i].v[v]);
  }
}

/* Makes one more sweep of the open lanes. */
LANE_INLINE void lanes_again(int d, bool regularized, const SweepNumbers *restrict s, Sweep at, LaneVector *w,
                             LaneMask *open, double round_off, LaneVector *residual, LaneTally *tally) {
  EACH(v) tally->iterations.v[v] += simd_choose(open->v[v], simd_of(1), simd_of(0));
  sweep_run(d, regularized, s, at, open, w);
  sweep_settle(d, s, at, w, open, false, round_off, residual);
}

/* Solves lanes that are still open after the sweeps, for d <= STEP_TABULATED and the unregularized law: two more sweeps
 * before and after a Newton step. This is rarely needed, so it is a separate function, which all schemes share. */
LANE_INLINE void lanes_thorough(int d, const LaneModel *model, const SweepNumbers *restrict s, LaneVector *room,
                                const LaneVector *b, LaneVector *w, LaneMask *open, LaneMask *stray,
                                LaneVector *residual, LaneTally *tally) {
  const Sweep at = lane_solve(d, room).sweep;
  if (d > STEP_TABULATED) return;
  lanes_again(d, false, s, at, w, open, STEP_THOROUGH_ROUND_OFF, residual, tally);
  lanes_newton(d, model, s, at, b, open, w, stray);
  LANE_UNROLL for (int i = 0; i < d; i++) sweep_ahead(d, i, s->rows, w, &at.ahead[i]);
  lanes_again(d, false, s, at, w, open, STEP_THOROUGH_ROUND_OFF, residual, tally);
}

typedef void LaneThorough(const LaneModel *model, const SweepNumbers *s, LaneVector *room, const LaneVector *b,
                          LaneVector *w, LaneMask *open, LaneMask *stray, LaneVector *residual, LaneTally *tally);
#define LANES_THOROUGH(d) lanes_thorough(d, model, s, room, b, w, open, stray, residual, tally)
LANE_TABLE(LaneThorough, lane_thorough,
           (const LaneModel *model, const SweepNumbers *s, LaneVector *room, const LaneVector *b, LaneVector *w,
            LaneMask *open, LaneMask *stray, LaneVector *residual, LaneTally *tally),
           model->model->problem.d, LANES_THOROUGH)

/* Whether the scalar solver would not begin with sweeps, so that each lane must be solved separately; false for batches
 * of models. */
LANE_INLINE bool lanes_stand_alone(int d, const SweepNumbers *s) {
#ifdef LANE_OWN
  (void)d, (void)s;
  return false;
#else
  return d > STEP_TABULATED && s->coupled;
#endif
}

/* Whether the matrix E of the step is diagonal and the law unregularized, so that each dof is solved separately. It is
 * not tested in batches of models. */
LANE_INLINE bool lanes_apart(const SweepNumbers *s) {
#ifdef LANE_OWN
  (void)s;
  return false;
#else
  return s->diagonal;
#endif
}

/* Implements step_solve_exact for lanes. lambda: used as in that function if regularized; otherwise unused. */
LANE_INLINE void lanes_exact(int d, bool regularized, const LaneModel *model, const SweepNumbers *restrict s,
                             LaneVector *room, LaneVector *b, LaneVector *w, LaneVector *lambda, LaneTally *tally) {
  const LaneSolve solve = lane_solve(d, room);
  const Sweep at = solve.sweep;
  if (lanes_apart(s)) {
    sweep_apart(d, s, at, b, w);
    return;
  }
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) solve.guess[i].v[v] = w[i].v[v];
  sweep_begin(d, regularized, s, at, b, w, lambda);
  LaneMask open = tally->alive;
  LaneVector residual = {{{0}}};
  int k = 1;
  bool alone = lanes_stand_alone(d, s);
  if (!alone) {
    sweep_run(d, regularized, s, at, NULL, w);
    sweep_settle(d, s, at, w, &open, true, STEP_ROUND_OFF, &residual);
  }
  for (; !alone && lane_mask_any(&open) && k < STEP_SWEEPS_BEFORE_NEWTON - 1; k++)
    lanes_again(d, regularized, s, at, w, &open, STEP_ROUND_OFF, &residual, tally);
  LaneMask stray;
  EACH(v) stray.v[v] = simd_none();
  if (!regularized && d <= STEP_TABULATED && lane_mask_any(&open)) {
    /* local copies, so that the masks of the sweeps stay in registers */
    LaneMask open_now = open, stray_now = stray;
    LaneVector residual_now = residual;
    lane_thorough[lane_size(d)](model, s, room, b, w, &open_now, &stray_now, &residual_now, tally);
    open = open_now;
    stray = stray_now;
    residual = residual_now;
    k += 2;
  }
  LaneMask rest;
  EACH(v) {
    rest.v[v] = simd_either(open.v[v], stray.v[v]);
    SimdMask shut = simd_without(simd_all(), rest.v[v]);
    tally->residual.v[v] = simd_choose(shut, simd_larger(residual.v[v], tally->residual.v[v]), tally->residual.v[v]);
  }
  LaneVector *old = regularized ? lambda : NULL;
  LANE_UNROLL for (int i = 0; i < d && regularized; i++) {
    EACH(v) {
      SimdMask shut = simd_without(simd_all(), rest.v[v]);
      lambda[i].v[v] = simd_choose(shut, lambda[i].v[v] + s->fresh * at.inside[i].v[v], lambda[i].v[v]);
    }
  }
  if (!lane_mask_any(&rest)) return;
  for (int lane = 0; lane < LANES; lane++) {
    int counted = lane_mask_has(&stray, lane) ? STEP_SWEEPS_BEFORE_NEWTON : k;
    if (lane_mask_has(&rest, lane))
      lane_alone(lane_solver(model, s, lane), lane_work(model, lane), lane, b, NULL, solve.guess, old, w, old, counted,
                 tally);
  }
}

#endif
