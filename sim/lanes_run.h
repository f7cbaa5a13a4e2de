/* What every scheme's lanes have around their steps. */
#ifndef SIM_LANES_RUN_H
#define SIM_LANES_RUN_H

#include "sim/lanes.h"
#include "sim/scheme.h"

/* gamma(s) of friction_law.h */
LANE_INLINE Lanes lanes_stribeck(SimStribeck law, double beta, double epsilon, Lanes s) {
  if (law == SIM_STRIBECK_SQRT) return beta * s / lanes_root(epsilon * epsilon + s * s);
  LaneMask slow = lanes_at_most(lanes_abs(s), lanes_of(epsilon));
  Lanes sign = lanes_choose(lanes_at_most(lanes_of(0), s), lanes_of(1), lanes_of(-1));
  return lanes_choose(slow, beta * s / epsilon, beta * sign);
}

/* A scheme in lanes. rows: its [d] bundles, at most LANE_ROWS. */
typedef struct LaneScheme {
  void (*load)(const SimModel *model, const SimWorkspace *work, Bundle *rows, int lane); /* what start has made */
  void (*steps)(const SimModel *model, SimWorkspace *work, Bundle *rows, LaneTally *tally);
  void (*final)(const SimModel *model, Bundle *rows, int lane, double *x, double *v);
  long (*solves)(const SimModel *model); /* of a whole rollout */
} LaneScheme;

static bool lane_finish(const LaneScheme *scheme, const SimModel *model, Bundle *rows, LaneTally *tally, int lane,
                        SimFinal *final) {
  double sum = 0;
  if (!(lanes_bits(tally->alive.v[lane / LANE_WIDTH]) >> lane % LANE_WIDTH & 1)) return false;
  scheme->final(model, rows, lane, final->x, final->v);
  for (int i = 0; i < model->problem.d; i++) sum += fabs(final->x[i]) + fabs(final->v[i]);
  if (!isfinite(sum)) return false;
  final->iterations = scheme->solves(model) + (long)*lanes_entry(&tally->iterations, lane);
  final->residual = *lanes_entry(&tally->residual, lane);
  final->status = SIM_OK;
  return true;
}

/* Vacant lanes repeat the first. */
static void lane_run(const LaneScheme *scheme, const SimModel *model, SimWorkspace *work, int n, const double *control,
                     SimFinal *final) {
  Bundle *rows = (Bundle *)work->lanes;
  LaneTally tally;
  int p = model->problem.n_control;
  unsigned started = 0;
  for (int lane = n; lane <= LANES; lane++) { /* the vacant ones, then the first once more */
    if (rollout_start(model, work, control, false) == SIM_OK) started |= 1u;
    scheme->load(model, work, rows, lane % LANES);
  }
  for (int lane = 1; lane < n; lane++) {
    if (rollout_start(model, work, control + (long)lane * p, false) == SIM_OK) started |= 1u << lane;
    scheme->load(model, work, rows, lane);
  }
  EACH(v) {
    Lanes on = {0};
    for (int k = 0; k < LANE_WIDTH; k++) on[k] = started >> (v * LANE_WIDTH + k) & 1 ? 0 : 1;
    tally.alive.v[v] = lanes_at_most(on, lanes_of(0));
    tally.iterations.v[v] = lanes_of(0);
    tally.residual.v[v] = lanes_of(0);
  }
  scheme->steps(model, work, rows, &tally);
  for (int lane = 0; lane < n; lane++)
    if (!lane_finish(scheme, model, rows, &tally, lane, &final[lane]))
      sim_rollout(model, work, control + (long)lane * p, NULL, &final[lane]);
}

/* call(D) with the model's d as a constant where it is small; beyond, loops cost little more, and code half as much */
#define LANE_SIZES(size, call)                                                                                         \
  switch (size) {                                                                                                      \
  case 1: call(1); break;                                                                                              \
  case 2: call(2); break;                                                                                              \
  case 3: call(3); break;                                                                                              \
  case 4: call(4); break;                                                                                              \
  default: call(size); break;                                                                                          \
  }

#endif
