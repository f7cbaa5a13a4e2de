/* What every scheme's lanes have around their steps. */
#ifndef SIM_LANES_QUEUE_H
#define SIM_LANES_QUEUE_H

#include "sim/core/rollout.h"
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/core/signal_mix.h"
#include "sim/core/surface.h"
#include "sim/lanes/lanes.h"
#include "sim/law/friction_force.h"

/* drop_i = factor c_i gamma(speed_i), [d] each, vectors first to last, where there is a law. Apart from the steps, so that
 * their loops stay small. */
static LANE_APART void lane_stribeck(const SimProblem *p, double factor, const LaneVector *speed, int first, int last,
                                     LaneVector *drop) {
  for (int i = 0; i < p->d; i++)
    for (int v = first; v <= last; v++) drop[i].v[v] = friction_stribeck(p, factor, i, speed[i].v[v]);
}

/* The nodes of a lane's signal, behind the scheme's rows. */
static void lane_load_signal(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  int d = model->problem.d, count = signal_nodes(&model->problem) * d;
  for (int k = 0; k < count; k++) *lane_entry(&rows[LANE_ROWS * d + k], lane) = work->node_force[k];
}

/* control_force = factor B u of step n, all lanes at that step; as signal_force. */
static __attribute__((noinline)) void lane_control_force(const SimModel *model, LaneVector *rows, double factor, long n,
                                                         LaneVector *control_force) {
  if (model->problem.signal == SIM_CONSTANT) return;
  int d = model->problem.d;
  SignalMix mix = signal_step(&model->problem, n);
  const double *w = mix.weight;
  const LaneVector *a = rows + (LANE_ROWS + mix.node) * d, *b = a + d, *c = b + d;
  for (int i = 0; i < d; i++)
    for (int v = 0; v < LANE_VECTORS; v++)
      control_force[i].v[v] = factor * (w[0] * a[i].v[v] + w[1] * b[i].v[v] + w[2] * c[i].v[v]);
}

/* The controls of a batch on their way through the lanes. */
typedef struct LaneQueue LaneQueue;

typedef void LaneSteps(const SimModel *model, SimWorkspace *work, LaneVector *rows, LaneTally *tally);
typedef void LaneAsyncRun(LaneQueue *queue);

/* A scheme in lanes. rows: its vectors, [d] each, at most LANE_ROWS. */
typedef struct LaneScheme {
  void (*load)(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane); /* what start has made */
  LaneSteps *steps;                                                                          /* all, lanes in step */
  LaneAsyncRun *async; /* the whole queue, each lane at its own step (async.h); NULL: steps */
  void (*final)(const SimModel *model, LaneVector *rows, int lane, double *x, double *v);
  long (*solves)(const SimModel *model); /* of a whole rollout; NULL: one a step */
} LaneScheme;

struct LaneQueue {
  const LaneScheme *scheme;
  const SimModel *model;
  SimWorkspace *work;
  LaneVector *rows;
  int n, next;           /* controls, and the first that no lane has had */
  const double *control; /* [n][p S] */
  SimFinal *final;       /* [n] */
  int serves[LANES];     /* the control in each lane */
  LaneTally tally;
};

LANE_INLINE const double *lane_control(const LaneQueue *queue, int k) {
  return queue->control + (long)k * sim_model_controls(queue->model);
}

/* Brings the next control to a lane, at n = 0. False: none is left. */
static bool lane_feed(LaneQueue *queue, int lane) {
  bool fed = queue->next < queue->n;
  lane_mask_set(&queue->tally.alive, lane, false);
  if (!fed) return false;
  int k = queue->serves[lane] = queue->next++;
  if (rollout_start(queue->model, queue->work, lane_control(queue, k), false) == SIM_OK)
    lane_mask_set(&queue->tally.alive, lane, true);
  queue->scheme->load(queue->model, queue->work, queue->rows, lane);
  lane_load_signal(queue->model, queue->work, queue->rows, lane);
  *lane_entry(&queue->tally.iterations, lane) = 0;
  *lane_entry(&queue->tally.residual, lane) = 0;
  return true;
}

static bool lane_finished(LaneQueue *queue, int lane, SimFinal *final) {
  double sum = 0;
  if (!lane_mask_has(&queue->tally.alive, lane)) return false;
  queue->scheme->final(queue->model, queue->rows, lane, final->x, final->v);
  for (int i = 0; i < queue->model->problem.d; i++) sum += fabs(final->x[i]) + fabs(final->v[i]);
  if (!isfinite(sum)) return false;
  if (queue->model->surface)
    surface_show(queue->model, queue->model->problem.end, final->x, final->v, final->x, final->v);
  const LaneScheme *scheme = queue->scheme;
  final->iterations = (scheme->solves ? scheme->solves(queue->model) : queue->model->problem.steps) +
                      (long)*lane_entry(&queue->tally.iterations, lane);
  final->residual = *lane_entry(&queue->tally.residual, lane);
  final->status = SIM_OK;
  return true;
}

/* The result of the control that a lane has had. */
static void lane_finish(LaneQueue *queue, int lane) {
  int k = queue->serves[lane];
  if (!lane_finished(queue, lane, &queue->final[k]))
    sim_rollout(queue->model, queue->work, lane_control(queue, k), NULL, &queue->final[k]);
}

/* Vacant lanes go along with whatever they hold, but nothing waits for them. */
static void lane_run(const LaneScheme *scheme, const SimModel *model, SimWorkspace *work, int n, const double *control,
                     SimFinal *final) {
  LaneQueue queue = {scheme,  model, work, (LaneVector *)work->lanes, n, 0,
                     control, final, {0},  {.iterations = {{{0}}}}};
  if (scheme->async && friction_parameters(&model->problem)->solver == SIM_FIXED_POINT) {
    scheme->async(&queue);
    return;
  }
  while (queue.next < n) {
    int fed = 0;
    for (int lane = 0; lane < LANES; lane++) fed += lane_feed(&queue, lane);
    scheme->steps(model, work, queue.rows, &queue.tally);
    for (int lane = 0; lane < fed; lane++) lane_finish(&queue, lane);
  }
}

#define LANE_STEPS(name, steps)                                                                                        \
  LANE_TABLE(LaneSteps, name, (const SimModel *model, SimWorkspace *work, LaneVector *rows, LaneTally *tally),         \
             model->problem.d, steps)
#define LANE_ASYNC(name, async) LANE_TABLE(LaneAsyncRun, name, (LaneQueue * queue), queue->model->problem.d, async)

#endif
