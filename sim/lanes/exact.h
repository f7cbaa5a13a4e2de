/* The exact solver of step_exact.c in lanes. */
#ifndef SIM_LANES_EXACT_H
#define SIM_LANES_EXACT_H

#include "sim/lanes/lanes.h"

/* Room of a solve, [d] each. */
typedef struct LaneSolve {
  Bundle *load, *low, *high, *rise, *ahead, *inside, *guess;
} LaneSolve;

enum { LANE_SOLVE_ROWS = 7 };

LANE_INLINE LaneSolve lane_solve(int d, Bundle *room) {
  return (LaneSolve){room, room + d, room + 2 * d, room + 3 * d, room + 4 * d, room + 5 * d, room + 6 * d};
}

/* The scalar solver on one lane, from the step's start: for what is rare. old: lambda_old; NULL if it has no say. counted:
 * iterations that the lane has been credited with. */
static __attribute__((noinline)) void lane_alone(const DenseSolver *s, SimWorkspace *work, int lane, Bundle *b,
                                                 Bundle *base, Bundle *guess, Bundle *old, Bundle *w, Bundle *lambda,
                                                 int counted, LaneTally *tally) {
  double *alone_b = work->x, *alone_w = work->v, *alone_base = work->control_force;
  for (int i = 0; i < s->d; i++) {
    alone_b[i] = *lanes_entry(&b[i], lane);
    alone_w[i] = *lanes_entry(&guess[i], lane);
    if (base) alone_base[i] = *lanes_entry(&base[i], lane);
    work->lambda[i] = old ? *lanes_entry(&old[i], lane) : 0;
  }
  StepTally alone = {.residual = *lanes_entry(&tally->residual, lane)};
  SimStatus status =
      step_solve(s, &work->step.dense, alone_b, base ? alone_base : NULL, alone_w, work->lambda, work->slip, &alone);
  if (status != SIM_OK) {
    marks_set(&tally->alive, lane, false);
    return;
  }
  for (int i = 0; i < s->d; i++) {
    *lanes_entry(&w[i], lane) = alone_w[i];
    if (lambda) *lanes_entry(&lambda[i], lane) = work->lambda[i];
  }
  *lanes_entry(&tally->iterations, lane) += (double)(alone.iterations - counted);
  *lanes_entry(&tally->residual, lane) = alone.residual;
}

LANE_INLINE void lanes_ahead(int d, int i, const double *restrict rows, const Bundle *w, Bundle *sum) {
  EACH(v) sum->v[v] = lanes_of(0);
  LANE_UNROLL for (int j = i + 1; j < d; j++) EACH(v) sum->v[v] += rows[i * d + j] * w[j].v[v];
}

/* open: NULL for the first sweep, which moves all lanes */
LANE_INLINE void lanes_sweep(int d, bool regularised, const DenseSolver *restrict s, LaneSolve at, const Marks *open,
                             Bundle *w) {
  const double *restrict rows = s->rows;
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Bundle rise;
    EACH(v) rise.v[v] = at.load[i].v[v] - at.ahead[i].v[v];
    LANE_UNROLL for (int j = 0; j < i; j++) EACH(v) rise.v[v] -= rows[i * d + j] * w[j].v[v];
    EACH(v) {
      Lanes low = regularised ? at.low[i].v[v] : lanes_of(-s->limit[i]);
      Lanes high = regularised ? at.high[i].v[v] : lanes_of(s->limit[i]);
      Lanes inside = lanes_smaller(lanes_larger(rise.v[v], low), high);
      Lanes moved = s->glide[i] * (rise.v[v] - inside);
      if (regularised) moved += s->creep[i] * rise.v[v];
      at.rise[i].v[v] = rise.v[v];
      w[i].v[v] = open ? lanes_choose(open->v[v], moved, w[i].v[v]) : moved;
      if (regularised) at.inside[i].v[v] = open ? lanes_choose(open->v[v], inside, at.inside[i].v[v]) : inside;
    }
  }
}

/* Closes the lanes that have settled. */
LANE_INLINE void lanes_settle(int d, const DenseSolver *restrict s, LaneSolve at, const Bundle *w, Marks *open,
                              bool first, bool thorough, Bundle *residual) {
  Marks restless;
  Bundle worst;
  EACH(v) {
    restless.v[v] = lanes_none();
    worst.v[v] = lanes_of(0);
  }
  LANE_UNROLL for (int i = 0; i < d - 1; i++) {
    Bundle ahead;
    lanes_ahead(d, i, s->rows, w, &ahead);
    EACH(v) {
      Lanes lack = lanes_abs(ahead.v[v] - at.ahead[i].v[v]);
      Lanes terms = lanes_abs(at.load[i].v[v]) + s->limit[i] + lanes_abs(at.rise[i].v[v]);
      LANE_UNROLL for (int j = 0; j < d && thorough; j++) terms += lanes_abs(s->rows[i * d + j] * w[j].v[v]);
      double round_off = thorough ? STEP_THOROUGH_ROUND_OFF : STEP_ROUND_OFF;
      LaneMask still = lanes_without(lanes_all(), lanes_at_most(lack, round_off * terms));
      restless.v[v] = lanes_either(restless.v[v], still);
      worst.v[v] = lanes_larger(s->limit[i] * lack, worst.v[v]);
      at.ahead[i].v[v] = ahead.v[v];
    }
  }
  EACH(v) {
    residual->v[v] = first ? worst.v[v] : lanes_choose(open->v[v], worst.v[v], residual->v[v]);
    open->v[v] = lanes_both(open->v[v], restless.v[v]);
  }
}

/* The first step of step_exact.c's descend() for the open lanes, unregularised; those that would meet a kink on their way
 * become stray instead. */
LANE_INLINE void lanes_newton(int d, const DenseSolver *restrict s, LaneSolve at, const Bundle *b, Marks *open,
                              Bundle *w, Marks *stray) {
  EACH(v) {
    LaneIndex set = (LaneIndex){0};
    LaneMask kink = lanes_none();
    Bundle *x = at.inside, *branch = at.low;
    LANE_UNROLL for (int i = 0; i < d; i++) {
      Lanes rise = at.rise[i].v[v];
      LaneMask up = lanes_without(lanes_all(), lanes_at_most(rise, lanes_of(s->limit[i])));
      LaneMask down = lanes_without(lanes_all(), lanes_at_most(lanes_of(-s->limit[i]), rise));
      LaneMask moves = s->threshold[i] > 0 ? lanes_either(up, down) : lanes_all();
      branch[i].v[v] = lanes_choose(up, lanes_of(1), lanes_choose(down, lanes_of(-1), lanes_of(0)));
      x[i].v[v] = lanes_choose(moves, b[i].v[v] - s->threshold[i] * branch[i].v[v], lanes_of(0));
      set = lanes_advance(moves, set, (long long)d * d << i);
    }
    LANE_UNROLL for (int i = 0; i < d; i++) {
      Lanes sum = lanes_of(0);
      LANE_UNROLL for (int j = 0; j < i; j++) sum += lanes_gather(s->factors + i * d + j, set) * x[j].v[v];
      x[i].v[v] = (x[i].v[v] - sum) / lanes_gather(s->factors + i * d + i, set);
    }
    LANE_UNROLL for (int k = 0; k < d; k++) {
      int i = d - 1 - k;
      x[i].v[v] = x[i].v[v] / lanes_gather(s->factors + i * d + i, set);
      LANE_UNROLL for (int j = 0; j < i; j++) x[j].v[v] -= lanes_gather(s->factors + i * d + j, set) * x[i].v[v];
    }
    LANE_UNROLL for (int i = 0; i < d; i++) {
      if (!(s->threshold[i] > 0)) continue;
      LaneMask rests = lanes_at_most(lanes_abs(branch[i].v[v]), lanes_of(0));
      LaneMask on = lanes_without(lanes_all(), lanes_at_most(x[i].v[v] * branch[i].v[v], lanes_of(0)));
      kink = lanes_either(kink, lanes_without(lanes_all(), lanes_either(rests, on)));
    }
    stray->v[v] = lanes_both(open->v[v], kink);
    open->v[v] = lanes_without(open->v[v], kink);
    LANE_UNROLL for (int i = 0; i < d; i++) w[i].v[v] = lanes_choose(open->v[v], x[i].v[v], w[i].v[v]);
  }
}

/* One more sweep of the open lanes. */
LANE_INLINE void lanes_again(int d, bool regularised, const DenseSolver *restrict s, LaneSolve at, Bundle *w,
                             Marks *open, bool thorough, Bundle *residual, LaneTally *tally) {
  EACH(v) tally->iterations.v[v] += lanes_choose(open->v[v], lanes_of(1), lanes_of(0));
  lanes_sweep(d, regularised, s, at, open, w);
  lanes_settle(d, s, at, w, open, false, thorough, residual);
}

/* As step_solve_exact. lambda: enters and leaves as there if regularised, else unused. */
LANE_INLINE void lanes_exact(int d, bool regularised, const DenseSolver *restrict s, SimWorkspace *work, LaneSolve at,
                             Bundle *b, Bundle *w, Bundle *lambda, LaneTally *tally) {
  LANE_UNROLL for (int i = 0; i < d; i++) {
    EACH(v) {
      at.guess[i].v[v] = w[i].v[v];
      if (!regularised) {
        at.load[i].v[v] = s->scale[i] * b[i].v[v];
        continue;
      }
      Lanes old = lambda[i].v[v];
      at.load[i].v[v] = s->scale[i] * (b[i].v[v] - s->threshold[i] * old);
      at.low[i].v[v] = -s->limit[i] - old;
      at.high[i].v[v] = s->limit[i] - old;
    }
    lanes_ahead(d, i, s->rows, w, &at.ahead[i]);
  }
  Marks open = tally->alive;
  Bundle residual;
  lanes_sweep(d, regularised, s, at, NULL, w);
  lanes_settle(d, s, at, w, &open, true, false, &residual);
  int k = 1;
  for (; marks_any(&open) && k < STEP_SWEEPS_BEFORE_NEWTON - 1; k++)
    lanes_again(d, regularised, s, at, w, &open, false, &residual, tally);
  Marks stray;
  EACH(v) stray.v[v] = lanes_none();
  if (!regularised && d <= STEP_TABULATED && marks_any(&open)) {
    lanes_again(d, regularised, s, at, w, &open, true, &residual, tally);
    lanes_newton(d, s, at, b, &open, w, &stray);
    LANE_UNROLL for (int i = 0; i < d; i++) lanes_ahead(d, i, s->rows, w, &at.ahead[i]);
    lanes_again(d, regularised, s, at, w, &open, true, &residual, tally);
    k += 2;
  }
  Marks rest;
  EACH(v) {
    rest.v[v] = lanes_either(open.v[v], stray.v[v]);
    LaneMask shut = lanes_without(lanes_all(), rest.v[v]);
    tally->residual.v[v] = lanes_choose(shut, lanes_larger(residual.v[v], tally->residual.v[v]), tally->residual.v[v]);
  }
  Bundle *old = regularised ? lambda : NULL;
  LANE_UNROLL for (int i = 0; i < d && regularised; i++) {
    EACH(v) {
      LaneMask shut = lanes_without(lanes_all(), rest.v[v]);
      lambda[i].v[v] = lanes_choose(shut, lambda[i].v[v] + s->fresh * at.inside[i].v[v], lambda[i].v[v]);
    }
  }
  if (!marks_any(&rest)) return;
  for (int lane = 0; lane < LANES; lane++) {
    int counted = marks_has(&stray, lane) ? STEP_SWEEPS_BEFORE_NEWTON : k;
    if (marks_has(&rest, lane)) lane_alone(s, work, lane, b, NULL, at.guess, old, w, old, counted, tally);
  }
}

#endif
