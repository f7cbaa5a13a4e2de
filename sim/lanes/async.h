/* SPDX-License-Identifier: BSD-2-Clause */
/* Rollouts of a StepForm by the fixed-point iteration, with each lane at its own step. A lane is one of the rollouts
 * that SIMD vectors compute together. The number of iterations of a step differs between lanes; if all lanes were at
 * the same step, all would wait for the slowest. Here all vectors make a few iterations without a test, since the
 * branch on a test would be mispredicted half of the time. Then the lanes that have converged end their step and begin
 * their next, under a mask. A lane that has made all its steps continues with the next control. */
#ifndef SIM_LANES_ASYNC_H
#define SIM_LANES_ASYNC_H

#include "sim/lanes/fixed_point.h"
#include "sim/lanes/form.h"

/* A test finds out which lanes have converged. The number r of iterations between two tests is chosen such that the
 * total time is smallest. With a larger r fewer tests are made; with a smaller r lanes idle less. A test takes as long
 * as about ASYNC_LOOK iterations. A lane with a solve of m iterations idles for (r - 1)/2 of them. So the time is (m +
 * (r - 1)/2) (1 + ASYNC_LOOK/r), with its minimum at r^2 = (2m - 1) ASYNC_LOOK. m is the mean of the last ASYNC_LOOKS
 * tests. No lane's result depends on r. */
enum { ASYNC_FIRST = 2, ASYNC_MOST = 16, ASYNC_LOOKS = 64, ASYNC_LOOK = 2 };
/* A lane that needs more iterations than this in a rollout is computed by stiction_rollout instead. The number is below
 * the iteration limit of one solve. |x|^2 is then still far from overflow. */
enum { ASYNC_ITERATIONS = 50000 };
/* A lane in which |x|^2 exceeds this is also computed by stiction_rollout. */
static const double ASYNC_FAR = 1e30;
/* relative uncertainty of a decision made in single precision; it is larger than the rounding error */
static const double ASYNC_DOUBT = 1e-6;

/* form_begin and form_end are the parts of a step before its solve and after it, for the lanes of a mask in one vector.
 * form_begin does not change b of the other lanes. load: index in the table of loads. */
LANE_INLINE void form_begin(int d, bool differences, const LaneModel *model, LaneVector *rows, int v, SimdMask mask,
                            SimdIndex load) {
  const SimProblem *p = &model->model->problem;
  const StepForm *form = form_of(model->model);
  const LaneForm at = lane_form(differences, p, d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) form_enter(differences, at.rows, v, i, &mask);
  if (at.rows.speed) lane_drop(model, p, form->force, at.rows.speed, v, v, at.drop);
  LANE_UNROLL for (int i = 0; i < d; i++) at.b[i].v[v] =
      form_right(d, model->carry, model->stiffness, at.rows, v, i,
                 form_force(at, form->force, NULL, v, i, simd_gather(model->loads + i, load)));
}

LANE_INLINE void form_end(int d, bool differences, const LaneModel *model, LaneVector *rows, int v, SimdMask mask) {
  const LaneForm at = lane_form(differences, &model->model->problem, d, rows);
  LANE_UNROLL for (int i = 0; i < d; i++) form_move(differences, form_of(model->model), at.rows, v, i, &mask);
}

/* number of vectors that a loop handles together, as many as fit in registers; a loop over a single vector would wait
 * for its own results */
enum { ASYNC_ABREAST = 2 };
#define ABREAST(v, first) LANE_UNROLL for (int v = first; v < first + ASYNC_ABREAST; v++)

typedef struct LaneAsync {
  LaneQueue *queue;
  const DenseSolver *solver;
  LaneIteration at;
  LaneVector *base;             /* vector `base` of the convergence test (1.15) of Glowinski-Kearsley, which is for x =
                                 * base + w; NULL: x = w */
  long first;                   /* number of the first step of a rollout */
  double spread, pace, certain; /* constants of the convergence test (1.15), computed by async_prepare() */
  SimdIndex load[LANE_VECTORS]; /* index, in the table of loads, of the current step of each lane */
  LaneVector left;              /* number of steps that each lane still has to make */
  LaneVector near;              /* limit of `change`: if the test (1.15) is satisfied, `change` is at most this */
  /* squared left side of the test (1.15) in the last iteration of an open lane; at.spare then has w before that
   * iteration */
  LaneVector change;
  LaneMask live; /* lanes that are running a control */
  LaneMask open; /* lanes that iterate; a lane leaves this set when its `change` reaches `near` */
} LaneAsync;

/* Computes bounds for the convergence test (1.15) of Glowinski-Kearsley. In a solve, w = E^-1 (b - Q lambda) changes by
 * at most 2 D_i with D = |E^-1| q, because lambda is in [-1, 1]. So |x| differs in all iterations by at most S = |2 D|
 * from that of the first one. Let size = |x| + 1 + S in the first. If (1.15) is satisfied, change <= (pace size)^2. It
 * is satisfied with a left side of at most r if change <= (certain r pace size)^2. */
static void async_prepare(int d, LaneAsync *async) {
  const DenseSolver *s = async->solver;
  double sum = 0;
  for (int i = 0; i < d; i++) {
    double reach = 0;
    for (int j = 0; j < d; j++) reach += fabs(s->inverse[i * d + j]) * s->threshold[j];
    sum += 4 * reach * reach;
  }
  async->spread = sqrt(sum);
  async->pace = (1 + ASYNC_DOUBT) * s->tolerance;
  async->certain = async->spread < 1 ? (1 - ASYNC_DOUBT) * (1 - async->spread) / (1 + async->spread) / async->pace : 0;
}

/* Stores the result of a lane's rollout if `finish` is set, and starts the next control in the lane. Returns false
 * if no control is left. */
static __attribute__((noinline)) bool async_feed(LaneAsync *async, int lane, bool finish) {
  if (finish) lane_finish(async->queue, lane);
  bool fed = lane_feed(async->queue, lane);
  const SimProblem *p = &async->queue->model.model->problem;
  async->load[lane / LANE_WIDTH][lane % LANE_WIDTH] = async->first * p->d;
  *lane_entry(&async->left, lane) = (double)p->steps;
  return fed;
}

/* Returns |base + w|^2 of the lanes in vector v. */
LANE_INLINE Simd async_norm(int d, const LaneAsync *async, const LaneVector *w, int v) {
  Simd norm = simd_of(0);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Simd x = async->base ? async->base[i].v[v] + w[i].v[v] : w[i].v[v];
    norm += x * x;
  }
  return norm;
}

/* Begins a step in the lanes of a mask; the others are unchanged. */
LANE_INLINE void async_begin(int d, bool differences, bool regularized, LaneAsync *async, int v, SimdMask mask) {
  const DenseSolver *restrict s = async->solver;
  LaneTally *tally = &async->queue->tally;
  LaneIteration at = async->at;
  form_begin(d, differences, &async->queue->model, async->queue->rows, v, mask, async->load[v]);
  LANE_UNROLL for (int i = 0; i < d && regularized; i++) at.old[i].v[v] =
      simd_choose(mask, s->kept * at.lambda[i].v[v], at.old[i].v[v]);
  iteration_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
  Simd norm = async_norm(d, async, at.w, v);
  Simd reach = async->pace * (simd_root_about(norm) + (1 + async->spread));
  async->near.v[v] = reach * reach;
  SimdMask sound = simd_both(simd_at_most(norm, simd_of(ASYNC_FAR)),
                             simd_at_most(tally->iterations.v[v], simd_of(ASYNC_ITERATIONS)));
  tally->alive.v[v] = simd_both(tally->alive.v[v], sound);
}

/* Makes some iterations of ASYNC_ABREAST vectors, from vector `first` on. at: scratch, which is in registers if d is a
 * small constant. */
LANE_INLINE void async_iterate(int d, bool regularized, LaneAsync *async, LaneIteration at, int first, int rounds) {
  const DenseSolver *restrict s = async->solver;
  LaneVector change = async->change, near = async->near, count = async->queue->tally.iterations;
  LaneMask open = async->open;
  for (int k = 0; k < rounds; k++) {
    ABREAST(v, first) {
      LANE_UNROLL for (int i = 0; i < d; i++) {
        Simd next = iteration_project(i, v, s, at.lambda, at.w);
        if (regularized) next = s->fresh * next + at.old[i].v[v];
        at.lambda[i].v[v] = simd_choose(open.v[v], next, at.lambda[i].v[v]);
        at.spare[i].v[v] = simd_choose(open.v[v], at.w[i].v[v], at.spare[i].v[v]);
        at.before[i].v[v] = at.w[i].v[v];
      }
      iteration_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
      Simd sum = simd_of(0);
      LANE_UNROLL for (int i = 0; i < d; i++) {
        Simd step = at.w[i].v[v] - at.before[i].v[v];
        sum += step * step;
      }
      change.v[v] = simd_choose(open.v[v], sum, change.v[v]);
      count.v[v] = simd_choose(open.v[v], count.v[v] + 1, count.v[v]);
      open.v[v] = simd_above(open.v[v], sum, near.v[v]);
    }
  }
  ABREAST(v, first) {
    async->change.v[v] = change.v[v];
    async->open.v[v] = open.v[v];
    async->queue->tally.iterations.v[v] = count.v[v];
  }
}

/* Calls async_iterate with a local copy of its data, which the compiler can keep in registers. */
LANE_INLINE void async_in_registers(int d, bool regularized, LaneAsync *async, int first, int rounds) {
  LaneIteration at = async->at;
  if (d > LANE_UNROLLED) {
    async_iterate(d, regularized, async, at, first, rounds);
    return;
  }
  LaneVector room[(3 + LANE_ITERATION_ROWS) * LANE_UNROLLED];
  LaneIteration here = lane_iteration(d, room, room + d, room + 2 * d, room + 3 * d);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    ABREAST(v, first) {
      here.b[i].v[v] = at.b[i].v[v];
      here.w[i].v[v] = at.w[i].v[v];
      here.lambda[i].v[v] = at.lambda[i].v[v];
      here.spare[i].v[v] = at.spare[i].v[v];
      if (regularized) here.old[i].v[v] = at.old[i].v[v];
    }
  }
  async_iterate(d, regularized, async, here, first, rounds);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    ABREAST(v, first) {
      at.w[i].v[v] = here.w[i].v[v];
      at.lambda[i].v[v] = here.lambda[i].v[v];
      at.spare[i].v[v] = here.spare[i].v[v];
    }
  }
}

/* Returns the lanes of a vector that have converged by the test (1.15). Its square roots and quotient would take most
 * of the time. So they are computed only if bounds that are faster to compute do not decide, or if the residual may
 * exceed the largest one of the rollout so far. */
LANE_INLINE SimdMask async_done(int d, LaneAsync *async, int v) {
  LaneVector *worst = &async->queue->tally.residual;
  SimdMask done = simd_without(async->live.v[v], async->open.v[v]);
  Simd low = async->certain * worst->v[v], change = async->change.v[v];
  SimdMask doubtful = simd_above(done, change, low * low * async->near.v[v]);
  if (simd_bits(doubtful)) {
    Simd ratio = simd_root(change) / (simd_root(async_norm(d, async, async->at.spare, v)) + 1);
    done = simd_both(done, simd_at_most(ratio, simd_of(async->solver->tolerance)));
    worst->v[v] = simd_choose(done, simd_larger(ratio, worst->v[v]), worst->v[v]);
  }
  return done;
}

/* Finds the lanes of a vector that have converged, ends their step and begins their next one. Returns the number of
 * these lanes. */
LANE_INLINE int async_turn(int d, bool differences, bool regularized, LaneAsync *async, int v) {
  LaneTally *tally = &async->queue->tally;
  SimdMask done = async_done(d, async, v);
  form_end(d, differences, &async->queue->model, async->queue->rows, v, done);
  async->left.v[v] = simd_choose(done, async->left.v[v] - 1, async->left.v[v]);
  async->load[v] = simd_advance(done, async->load[v], d);
  SimdMask over = simd_both(done, simd_at_most(async->left.v[v], simd_of(0)));
  over = simd_either(over, simd_without(async->live.v[v], tally->alive.v[v]));
  for (unsigned bits = simd_bits(over); bits; bits &= bits - 1) {
    int lane = v * LANE_WIDTH + __builtin_ctz(bits);
    lane_mask_set(&async->live, lane, async_feed(async, lane, true));
  }
  async_begin(d, differences, regularized, async, v, simd_either(done, over));
  async->open.v[v] = async->live.v[v];
  return __builtin_popcount(simd_bits(done));
}

LANE_INLINE void lanes_async(int d, bool differences, bool regularized, LaneAsync *async) {
  async_prepare(d, async);
  for (int lane = 0; lane < LANES; lane++) lane_mask_set(&async->live, lane, async_feed(async, lane, false));
  EACH_IN_TURN(v) async_begin(d, differences, regularized, async, v, simd_all());
  async->open = async->live;
  int rounds = ASYNC_FIRST, looks = 0, solved = 0;
  while (lane_mask_any(&async->live)) {
    LANE_UNROLL for (int v = 0; v < LANE_VECTORS; v += ASYNC_ABREAST)
        async_in_registers(d, regularized, async, v, rounds);
    EACH(v) solved += async_turn(d, differences, regularized, async, v);
    if (++looks < ASYNC_LOOKS) continue;
    if (interrupt_stops(&async->queue->model.work->interrupt)) lane_mask_clear(&async->queue->tally.alive);
    /* mean number of iterations per solve, counting those of idle lanes */
    double taken = (double)(LANES * looks * rounds) / (solved + 1);
    rounds = (int)fmin(sqrt((2 * taken - rounds) * ASYNC_LOOK), ASYNC_MOST);
    if (rounds < 1) rounds = 1;
    looks = solved = 0;
  }
}

LANE_INLINE void form_async_steps(int d, bool differences, bool regularized, LaneQueue *queue) {
  const LaneForm at = lane_form(differences, &queue->model.model->problem, d, queue->rows);
  LaneAsync async = {.queue = queue,
                     .solver = queue->model.solver,
                     .at = lane_iteration(d, at.b, at.rows.w, at.lambda, at.room),
                     .base = differences ? at.rows.base : NULL,
                     .first = differences};
  lanes_async(d, differences, regularized, &async);
}

#define FORM_ASYNC_VELOCITIES(d)  form_async_steps(d, false, false, queue)
#define FORM_ASYNC_DIFFERENCES(d) form_async_steps(d, true, false, queue)
#define FORM_ASYNC_REGULARIZED(d) form_async_steps(d, true, true, queue)
LANE_ASYNC(form_async_velocities, FORM_ASYNC_VELOCITIES)
LANE_ASYNC(form_async_differences, FORM_ASYNC_DIFFERENCES)
LANE_ASYNC(form_async_regularized, FORM_ASYNC_REGULARIZED)

static void form_async(LaneQueue *queue) {
  const SimModel *model = queue->model.model;
  bool regularized = friction_parameters(&model->problem)->multiplier == SIM_REGULARIZED;
  (regularized                   ? form_async_regularized
   : form_of(model)->differences ? form_async_differences
                                 : form_async_velocities)[lane_size(model->problem.d)](queue);
}

static void form_run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const LaneScheme scheme = {form_load, form_source, form_run_steps, form_async, form_final, NULL};
  lane_run(&scheme, model, work, n, control, final);
}

#endif
