/* Rollouts of one fixed-point solve a step, each lane at its own step: how many iterations a step takes differs from
 * lane to lane, and in step all wait for the slowest. Here all vectors make a few iterations without a look at the
 * outcome, as a branch on it would be guessed wrong half of the time; then the lanes that have converged end their step
 * and begin their next, under a mask, and a lane that has made all its steps goes on with the next control. */
#ifndef SIM_LANES_MARCH_H
#define SIM_LANES_MARCH_H

#include "sim/lanes_fixed_point.h"
#include "sim/lanes_run.h"

/* Iterations before a look: more share its cost, fewer leave lanes less idle. Half of what solves have taken lately
 * serves well; no lane's result depends on it. */
enum { MARCH_FIRST = 2, MARCH_MOST = 16, MARCH_LOOKS = 64 };

/* A scheme's step before and after its solve, for the lanes of a mask in one vector. load: in the table of loads */
typedef void MarchBegin(int d, const SimModel *model, Bundle *rows, int v, LaneMask mask, LaneIndex load);
typedef void MarchEnd(int d, const SimModel *model, Bundle *rows, int v, LaneMask mask);

typedef struct March {
  LaneQueue *queue;
  const StepSolver *solver;
  LaneIteration at;
  Bundle *base;                 /* (1.15) looks at base + w; NULL: at w */
  long first;                   /* step */
  LaneIndex load[LANE_VECTORS]; /* where in the table of loads a lane's step is */
  Bundle left;                  /* steps */
  Bundle begun;                 /* the tally's iterations when the step's began */
  Bundle change, norm;          /* (1.15), squared, of an open lane's last iteration */
  Marks live;                   /* has a control */
  Marks open;                   /* iterates; not so when near to what (1.15) wants */
  Marks lost;                   /* not finite */
} March;

/* Finishes a lane's rollout and feeds it the next. False: none is left. */
static __attribute__((noinline)) bool march_feed(March *march, int lane, bool finish) {
  if (finish) lane_finish(march->queue, lane);
  bool fed = lane_feed(march->queue, lane);
  const SimProblem *p = &march->queue->model->problem;
  march->load[lane / LANE_WIDTH][lane % LANE_WIDTH] = march->first * p->d;
  *lanes_entry(&march->left, lane) = (double)p->steps;
  return fed;
}

LANE_INLINE void march_begin(int d, MarchBegin *begin, March *march, int v, LaneMask mask) {
  LaneIteration at = march->at;
  begin(d, march->queue->model, march->queue->rows, v, mask, march->load[v]);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    at.old[i].v[v] = lanes_choose(mask, at.lambda[i].v[v], at.old[i].v[v]);
    at.guess[i].v[v] = lanes_choose(mask, at.w[i].v[v], at.guess[i].v[v]);
  }
  march->begun.v[v] = lanes_choose(mask, march->queue->tally.iterations.v[v], march->begun.v[v]);
  lanes_velocity(d, v, march->solver, at.b, at.lambda, at.rhs, at.w); /* the same again for the other lanes */
}

/* One iteration of a vector. */
LANE_INLINE void march_iterate(int d, bool regularised, March *march, int v) {
  const StepSolver *restrict s = march->solver;
  LaneIteration at = march->at;
  LaneMask open = march->open.v[v];
  lanes_iterate(d, regularised, v, s, at, open);
  Lanes change = lanes_of(0), norm = lanes_of(0);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Lanes before = at.before[i].v[v], x = march->base ? march->base[i].v[v] + before : before;
    Lanes step = at.w[i].v[v] - before;
    change += step * step;
    norm += x * x;
  }
  march->queue->tally.iterations.v[v] += lanes_choose(open, lanes_of(1), lanes_of(0));
  march->change.v[v] = lanes_choose(open, change, march->change.v[v]);
  march->norm.v[v] = lanes_choose(open, norm, march->norm.v[v]);
  LaneMask near = lanes_at_most(change, s->tolerance * s->tolerance * STEP_NEAR * (norm + 1));
  LaneMask lost = lanes_without(open, lanes_at_most(change, lanes_of(DBL_MAX)));
  march->lost.v[v] = lanes_either(march->lost.v[v], lost);
  march->open.v[v] = lanes_without(open, near);
}

/* The lanes of a mask go on alone to the end of their solve. */
static __attribute__((noinline)) void march_alone(March *march, int v, LaneMask mask) {
  LaneIteration at = march->at;
  LaneTally *tally = &march->queue->tally;
  for (unsigned bits = lanes_bits(mask); bits; bits &= bits - 1) {
    int lane = v * LANE_WIDTH + __builtin_ctz(bits);
    int counted = 1 + (int)(*lanes_entry(&tally->iterations, lane) - *lanes_entry(&march->begun, lane));
    lane_alone(march->solver, march->queue->work, lane, at.b, march->base, at.guess, at.old, at.w, at.lambda, counted,
               tally);
  }
  march->lost.v[v] = lanes_none();
}

/* Looks which lanes of a vector have converged, ends their step and begins their next. Returns how many. */
LANE_INLINE int march_turn(int d, MarchBegin *begin, MarchEnd *end, March *march, int v) {
  LaneTally *tally = &march->queue->tally;
  Lanes ratio = lanes_root(march->change.v[v]) / (lanes_root(march->norm.v[v]) + 1);
  LaneMask lost =
      lanes_both(march->live.v[v], lanes_at_most(march->begun.v[v] + LANE_PATIENCE, tally->iterations.v[v]));
  lost = lanes_either(march->lost.v[v], lost);
  LaneMask done = lanes_without(march->live.v[v], lanes_either(march->open.v[v], lost));
  done = lanes_both(done, lanes_at_most(ratio, lanes_of(march->solver->tolerance)));
  tally->residual.v[v] = lanes_choose(done, lanes_larger(ratio, tally->residual.v[v]), tally->residual.v[v]);
  if (lanes_bits(lost)) {
    march_alone(march, v, lost);
    done = lanes_either(done, lost);
  }
  end(d, march->queue->model, march->queue->rows, v, done);
  march->left.v[v] -= lanes_choose(done, lanes_of(1), lanes_of(0));
  march->load[v] = lanes_advance(done, march->load[v], d);
  LaneMask over = lanes_both(done, lanes_at_most(march->left.v[v], lanes_of(0)));
  over = lanes_either(over, lanes_without(done, tally->alive.v[v]));
  for (unsigned bits = lanes_bits(over); bits; bits &= bits - 1) {
    int lane = v * LANE_WIDTH + __builtin_ctz(bits);
    marks_set(&march->live, lane, march_feed(march, lane, true));
  }
  march_begin(d, begin, march, v, done);
  march->open.v[v] = march->live.v[v];
  return __builtin_popcount(lanes_bits(done));
}

LANE_INLINE void lanes_march(int d, bool regularised, MarchBegin *begin, MarchEnd *end, March *march) {
  EACH(v) march->lost.v[v] = lanes_none();
  for (int lane = 0; lane < LANES; lane++) marks_set(&march->live, lane, march_feed(march, lane, false));
  EACH(v) march_begin(d, begin, march, v, lanes_all());
  march->open = march->live;
  int rounds = MARCH_FIRST, looks = 0, solved = 0;
  while (marks_any(&march->live)) {
    for (int k = 0; k < rounds; k++) EACH(v) march_iterate(d, regularised, march, v);
    EACH(v) solved += march_turn(d, begin, end, march, v);
    if (++looks < MARCH_LOOKS) continue;
    int half = (LANES * looks * rounds + solved) / (2 * solved + 1);
    rounds = half < 1 ? 1 : half > MARCH_MOST ? MARCH_MOST : half;
    looks = solved = 0;
  }
}

#endif
