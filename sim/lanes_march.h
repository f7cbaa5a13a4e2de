/* Rollouts of one fixed-point solve a step, each lane at its own step: how many iterations a step takes differs from lane
 * to lane, and in step all would wait for the slowest. Here a lane whose iteration has converged waits only until there
 * are MARCH_READY of them in its vector; these then end their step and begin their next, under a mask, and a lane that
 * has made all its steps goes on with the next control of the queue. */
#ifndef SIM_LANES_MARCH_H
#define SIM_LANES_MARCH_H

#include "sim/lanes_fixed_point.h"
#include "sim/lanes_run.h"

/* More share the cost of a step's begin and end, fewer wait. */
enum { MARCH_READY = LANE_WIDTH / 4 > 1 ? LANE_WIDTH / 4 : 1 };

enum { MARCH_LOOKS = 64 }; /* iterations of a vector between two looks for lanes out of patience */

/* (1.15) squared and without its root, see STEP_NEAR: what is below surely passes. */
#define MARCH_SURE   0.9999999
#define MARCH_NORMAL 1e-290 /* squares below lose digits */

/* A scheme's step before and after its solve, for the lanes of a mask in one vector. load: where in the table of loads */
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
  Marks open, ready;            /* ready: converged, or nothing begun; the rest is idle */
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
  march->open.v[v] = lanes_either(march->open.v[v], mask);
  march->ready.v[v] = lanes_none();
}

/* Ends the step of a vector's ready lanes and begins their next. */
LANE_INLINE void march_turn(int d, MarchBegin *begin, MarchEnd *end, March *march, int v) {
  LaneMask ready = march->ready.v[v];
  end(d, march->queue->model, march->queue->rows, v, ready);
  march->left.v[v] -= lanes_choose(ready, lanes_of(1), lanes_of(0));
  march->load[v] = lanes_advance(ready, march->load[v], d);
  LaneMask over = lanes_without(lanes_at_most(march->left.v[v], lanes_of(0)), lanes_without(lanes_all(), ready));
  over = lanes_either(over, lanes_without(ready, march->queue->tally.alive.v[v]));
  for (unsigned bits = lanes_bits(over); bits; bits &= bits - 1) {
    int lane = __builtin_ctz(bits);
    if (!march_feed(march, v * LANE_WIDTH + lane, true)) ready = lanes_without(ready, lanes_single(lane));
  }
  march_begin(d, begin, march, v, ready);
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
  march->open.v[v] = lanes_without(march->open.v[v], mask);
  march->ready.v[v] = lanes_either(march->ready.v[v], mask);
}

/* One iteration of a vector, and (1.15). */
LANE_INLINE void march_iterate(int d, bool regularised, March *march, int v, bool look) {
  const StepSolver *restrict s = march->solver;
  LaneTally *tally = &march->queue->tally;
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
  tally->iterations.v[v] += lanes_choose(open, lanes_of(1), lanes_of(0));
  double square = s->tolerance * s->tolerance;
  LaneMask lost = lanes_without(open, lanes_at_most(change, lanes_of(DBL_MAX)));
  if (look)
    lost =
        lanes_either(lost, lanes_both(open, lanes_at_most(march->begun.v[v] + LANE_PATIENCE, tally->iterations.v[v])));
  if (lanes_bits(lost)) {
    march_alone(march, v, lost);
    open = march->open.v[v];
  }
  LaneMask near = lanes_both(open, lanes_at_most(change, square * STEP_NEAR * (norm + 1)));
  if (!lanes_bits(near)) return;
  Lanes worst = tally->residual.v[v];
  LaneMask sure = lanes_at_most(change, (square > MARCH_NORMAL ? square * MARCH_SURE : 0) * (norm + 1));
  LaneMask known = lanes_both(lanes_at_most(change, MARCH_SURE * worst * worst * (norm + 1)),
                              lanes_at_most(lanes_of(MARCH_NORMAL), worst * worst));
  LaneMask done = near;
  if (lanes_bits(lanes_without(near, lanes_both(sure, known)))) {
    Lanes ratio = lanes_root(change) / (lanes_root(norm) + 1);
    done = lanes_both(near, lanes_at_most(ratio, lanes_of(s->tolerance)));
    tally->residual.v[v] = lanes_choose(done, lanes_larger(ratio, worst), worst);
  }
  march->open.v[v] = lanes_without(open, done);
  march->ready.v[v] = lanes_either(march->ready.v[v], done);
}

LANE_INLINE void lanes_march(int d, bool regularised, MarchBegin *begin, MarchEnd *end, March *march) {
  for (int lane = 0; lane < LANES; lane++) marks_set(&march->ready, lane, march_feed(march, lane, false));
  EACH(v) march->open.v[v] = lanes_none();
  EACH(v) march_begin(d, begin, march, v, march->ready.v[v]);
  bool busy = true;
  for (int round = 1; busy; round = (round + 1) % MARCH_LOOKS) {
    busy = false;
    EACH(v) {
      if (!lanes_bits(march->open.v[v])) continue;
      busy = true;
      march_iterate(d, regularised, march, v, round == 0);
      unsigned ready = lanes_bits(march->ready.v[v]);
      if (ready && (__builtin_popcount(ready) >= MARCH_READY || !lanes_bits(march->open.v[v])))
        march_turn(d, begin, end, march, v);
    }
  }
}

#endif
