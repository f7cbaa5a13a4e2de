/* Rollouts of one fixed-point solve a step, each lane at its own step: how many iterations a step takes differs from
 * lane to lane, and in step all wait for the slowest. Here all vectors make a few iterations without a look at the
 * outcome, as a branch on it would be guessed wrong half of the time; then the lanes that have converged end their step
 * and begin their next, under a mask, and a lane that has made all its steps goes on with the next control. */
#ifndef SIM_LANES_MARCH_H
#define SIM_LANES_MARCH_H

#include "sim/lanes/fixed_point.h"
#include "sim/lanes/queue.h"

/* Iterations before a look, r: more share its cost, fewer leave lanes less idle. A look costs about as much as MARCH_LOOK
 * iterations, and lanes whose solves take m idle for (r - 1)/2: (m + (r - 1)/2) (1 + MARCH_LOOK/r) is least for r^2 =
 * (2m - 1) MARCH_LOOK. m is what solves have taken in the last MARCH_LOOKS looks; no lane's result depends on it. */
enum { MARCH_FIRST = 2, MARCH_MOST = 16, MARCH_LOOKS = 64, MARCH_LOOK = 2 };
/* iterations in a rollout beyond which a lane is given up, fewer than may fail in one solve; and |x|^2, where overflow is
 * still far */
enum { MARCH_PATIENCE = 50000 };
static const double MARCH_FAR = 1e30;
/* more than single precision's error */
static const double MARCH_DOUBT = 1e-6;

/* A scheme's step before and after its solve, for the lanes of a mask in one vector. begin brings out the other lanes' b as it
 * was. load: in the table of loads */
typedef void MarchBegin(int d, const SimModel *model, Bundle *rows, int v, LaneMask mask, LaneIndex load);
typedef void MarchEnd(int d, const SimModel *model, Bundle *rows, int v, LaneMask mask);

/* for each of as many vectors as fit in registers; one alone would wait for itself */
enum { MARCH_ABREAST = 2 };
#define ABREAST(v, first) LANE_UNROLL for (int v = first; v < first + MARCH_ABREAST; v++)

typedef struct March {
  LaneQueue *queue;
  const DenseSolver *solver;
  LaneIteration at;
  Bundle *base;                 /* (1.15) looks at x = base + w; NULL: w */
  long first;                   /* step */
  double spread, pace, certain; /* of march_prepare() */
  LaneIndex load[LANE_VECTORS]; /* where in the table of loads a lane's step is */
  Bundle left;                  /* steps */
  Bundle near;                  /* what change is at most if (1.15) holds */
  Bundle change;                /* (1.15), squared, of an open lane's last iteration; at.spare: w before it */
  Marks live;                   /* has a control */
  Marks open;                   /* iterates; not so when near */
} March;

/* In a solve w = E^-1 (b - Q lambda) moves by 2 D_i at most, D = |E^-1| q, as lambda is in [-1, 1]; so |x| of all its
 * iterations is within S = |2 D| of the first one's. With size = |x| + 1 + S of that one, (1.15) takes change to be at most
 * (pace size)^2, and holds with a left side of at most r if change is at most (certain r pace size)^2. */
static void march_prepare(int d, March *march) {
  const DenseSolver *s = march->solver;
  double sum = 0;
  for (int i = 0; i < d; i++) {
    double reach = 0;
    for (int j = 0; j < d; j++) reach += fabs(s->inverse[i * d + j]) * s->threshold[j];
    sum += 4 * reach * reach;
  }
  march->spread = sqrt(sum);
  march->pace = (1 + MARCH_DOUBT) * s->tolerance;
  march->certain = march->spread < 1 ? (1 - MARCH_DOUBT) * (1 - march->spread) / (1 + march->spread) / march->pace : 0;
}

/* Finishes a lane's rollout and feeds it the next. False: none is left. */
static __attribute__((noinline)) bool march_feed(March *march, int lane, bool finish) {
  if (finish) lane_finish(march->queue, lane);
  bool fed = lane_feed(march->queue, lane);
  const SimProblem *p = &march->queue->model->problem;
  march->load[lane / LANE_WIDTH][lane % LANE_WIDTH] = march->first * p->d;
  *lanes_entry(&march->left, lane) = (double)p->steps;
  return fed;
}

/* |base + w|^2 */
LANE_INLINE Lanes march_norm(int d, const March *march, const Bundle *w, int v) {
  Lanes norm = lanes_of(0);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    Lanes x = march->base ? march->base[i].v[v] + w[i].v[v] : w[i].v[v];
    norm += x * x;
  }
  return norm;
}

/* Begins the step of a mask's lanes; what the others have comes out as it was. */
LANE_INLINE void march_begin(int d, bool regularised, MarchBegin *begin, March *march, int v, LaneMask mask) {
  const DenseSolver *restrict s = march->solver;
  LaneTally *tally = &march->queue->tally;
  LaneIteration at = march->at;
  begin(d, march->queue->model, march->queue->rows, v, mask, march->load[v]);
  LANE_UNROLL for (int i = 0; i < d && regularised; i++) at.old[i].v[v] =
      lanes_choose(mask, s->kept * at.lambda[i].v[v], at.old[i].v[v]);
  lanes_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
  Lanes norm = march_norm(d, march, at.w, v);
  Lanes reach = march->pace * (lanes_root_about(norm) + (1 + march->spread));
  march->near.v[v] = reach * reach;
  LaneMask sound = lanes_both(lanes_at_most(norm, lanes_of(MARCH_FAR)),
                              lanes_at_most(tally->iterations.v[v], lanes_of(MARCH_PATIENCE)));
  tally->alive.v[v] = lanes_both(tally->alive.v[v], sound);
}

/* Some iterations of MARCH_ABREAST vectors from the first. at: room in registers, if d is a small constant. */
LANE_INLINE void march_iterate(int d, bool regularised, March *march, LaneIteration at, int first, int rounds) {
  const DenseSolver *restrict s = march->solver;
  Bundle change = march->change, near = march->near, count = march->queue->tally.iterations;
  Marks open = march->open;
  for (int k = 0; k < rounds; k++) {
    ABREAST(v, first) {
      LANE_UNROLL for (int i = 0; i < d; i++) {
        Lanes next = lanes_project(i, v, s, at);
        if (regularised) next = s->fresh * next + at.old[i].v[v];
        at.lambda[i].v[v] = lanes_choose(open.v[v], next, at.lambda[i].v[v]);
        at.spare[i].v[v] = lanes_choose(open.v[v], at.w[i].v[v], at.spare[i].v[v]);
        at.before[i].v[v] = at.w[i].v[v];
      }
      lanes_velocity(d, v, s, at.b, at.lambda, at.rhs, at.w);
      Lanes sum = lanes_of(0);
      LANE_UNROLL for (int i = 0; i < d; i++) {
        Lanes step = at.w[i].v[v] - at.before[i].v[v];
        sum += step * step;
      }
      change.v[v] = lanes_choose(open.v[v], sum, change.v[v]);
      count.v[v] = lanes_choose(open.v[v], count.v[v] + 1, count.v[v]);
      open.v[v] = lanes_above(open.v[v], sum, near.v[v]);
    }
  }
  ABREAST(v, first) {
    march->change.v[v] = change.v[v];
    march->open.v[v] = open.v[v];
    march->queue->tally.iterations.v[v] = count.v[v];
  }
}

/* The same with a copy of what it works on, which the compiler keeps in registers. */
LANE_INLINE void march_stretch(int d, bool regularised, March *march, int first, int rounds) {
  LaneIteration at = march->at;
  if (d > LANE_UNROLLED) {
    march_iterate(d, regularised, march, at, first, rounds);
    return;
  }
  Bundle room[(3 + LANE_ITERATION_ROWS) * LANE_UNROLLED];
  LaneIteration here = lane_iteration(d, room, room + d, room + 2 * d, room + 3 * d);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    ABREAST(v, first) {
      here.b[i].v[v] = at.b[i].v[v];
      here.w[i].v[v] = at.w[i].v[v];
      here.lambda[i].v[v] = at.lambda[i].v[v];
      here.spare[i].v[v] = at.spare[i].v[v];
      if (regularised) here.old[i].v[v] = at.old[i].v[v];
    }
  }
  march_iterate(d, regularised, march, here, first, rounds);
  LANE_UNROLL for (int i = 0; i < d; i++) {
    ABREAST(v, first) {
      at.w[i].v[v] = here.w[i].v[v];
      at.lambda[i].v[v] = here.lambda[i].v[v];
      at.spare[i].v[v] = here.spare[i].v[v];
    }
  }
}

/* The lanes of a vector for which (1.15) holds. Its roots and quotient keep the processor's divider busy for longer than all
 * else takes, and are left out where they are below a rollout's largest so far. */
LANE_INLINE LaneMask march_done(int d, March *march, int v) {
  Bundle *worst = &march->queue->tally.residual;
  LaneMask done = lanes_without(march->live.v[v], march->open.v[v]);
  Lanes low = march->certain * worst->v[v], change = march->change.v[v];
  LaneMask doubtful = lanes_above(done, change, low * low * march->near.v[v]);
  if (lanes_bits(doubtful)) {
    Lanes ratio = lanes_root(change) / (lanes_root(march_norm(d, march, march->at.spare, v)) + 1);
    done = lanes_both(done, lanes_at_most(ratio, lanes_of(march->solver->tolerance)));
    worst->v[v] = lanes_choose(done, lanes_larger(ratio, worst->v[v]), worst->v[v]);
  }
  return done;
}

/* Looks which lanes of a vector have converged, ends their step and begins their next. Returns how many. */
LANE_INLINE int march_turn(int d, bool regularised, MarchBegin *begin, MarchEnd *end, March *march, int v) {
  LaneTally *tally = &march->queue->tally;
  LaneMask done = march_done(d, march, v);
  end(d, march->queue->model, march->queue->rows, v, done);
  march->left.v[v] = lanes_choose(done, march->left.v[v] - 1, march->left.v[v]);
  march->load[v] = lanes_advance(done, march->load[v], d);
  LaneMask over = lanes_both(done, lanes_at_most(march->left.v[v], lanes_of(0)));
  over = lanes_either(over, lanes_without(march->live.v[v], tally->alive.v[v]));
  for (unsigned bits = lanes_bits(over); bits; bits &= bits - 1) {
    int lane = v * LANE_WIDTH + __builtin_ctz(bits);
    marks_set(&march->live, lane, march_feed(march, lane, true));
  }
  march_begin(d, regularised, begin, march, v, lanes_either(done, over));
  march->open.v[v] = march->live.v[v];
  return __builtin_popcount(lanes_bits(done));
}

LANE_INLINE void lanes_march(int d, bool regularised, MarchBegin *begin, MarchEnd *end, March *march) {
  march_prepare(d, march);
  for (int lane = 0; lane < LANES; lane++) marks_set(&march->live, lane, march_feed(march, lane, false));
  EACH(v) march_begin(d, regularised, begin, march, v, lanes_all());
  march->open = march->live;
  int rounds = MARCH_FIRST, looks = 0, solved = 0;
  while (marks_any(&march->live)) {
    LANE_UNROLL for (int v = 0; v < LANE_VECTORS; v += MARCH_ABREAST) march_stretch(d, regularised, march, v, rounds);
    EACH(v) solved += march_turn(d, regularised, begin, end, march, v);
    if (++looks < MARCH_LOOKS) continue;
    double taken = (double)(LANES * looks * rounds) / (solved + 1); /* idle ones, too */
    rounds = (int)fmin(sqrt((2 * taken - rounds) * MARCH_LOOK), MARCH_MOST);
    if (rounds < 1) rounds = 1;
    looks = solved = 0;
  }
}

#endif
