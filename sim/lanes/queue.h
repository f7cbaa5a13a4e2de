/* SPDX-License-Identifier: BSD-2-Clause */
/* Queue of controls for the lanes of any scheme. A lane takes the next control when its rollout has ended. */
#ifndef SIM_LANES_QUEUE_H
#define SIM_LANES_QUEUE_H

#include "sim/core/rollout.h"
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/core/signal_mix.h"
#include "sim/core/surface_model.h"
#include "sim/lanes/model.h"

#include <stdlib.h>
#include <string.h>

/* Copies the control forces at the nodes of a lane's signal to the rows behind those of the scheme. */
static void lane_load_signal(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane) {
  int d = model->problem.d, count = signal_nodes(&model->problem) * d;
  for (int k = 0; k < count; k++) *lane_entry(&rows[LANE_ROWS * d + k], lane) = work->node_force[k];
}

/* Computes control_force = factor B u for step n, at which all lanes are, as signal_force does for one rollout. */
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

/* Whether a stop is requested before step n, at which all lanes are. If so, marks all lanes to be computed again by
 * stiction_rollout, which stops with the right status. */
static LANE_APART bool lane_end(const LaneModel *model, LaneTally *tally) {
  bool ends = interrupt_stops(&model->work->interrupt);
  if (ends) lane_mask_clear(&tally->alive);
  return ends;
}

LANE_INLINE bool lane_ends(const LaneModel *model, long n, LaneTally *tally) {
  enum { STRIDE = 64 };
  return n % STRIDE == 0 && lane_end(model, tally);
}

/* The controls of a batch, and the lanes that run them. */
typedef struct LaneQueue LaneQueue;

typedef void LaneSteps(const LaneModel *model, LaneVector *rows, LaneTally *tally);
typedef void LaneAsyncRun(LaneQueue *queue);

/* A scheme in lanes. rows: vectors of the scheme, [d] each, at most LANE_ROWS. */
typedef struct LaneScheme {
  /* copies the state at the start of a rollout to a lane */
  void (*load)(const SimModel *model, const SimWorkspace *work, LaneVector *rows, int lane);
  /* returns the data of a model for steps; NULL: there are none */
  LaneSource (*source)(const SimModel *model);
  /* makes all steps, with all lanes at the same step */
  LaneSteps *steps;
  LaneAsyncRun *async; /* runs the whole queue, with each lane at a step of its own (async.h); NULL: `steps` is used */
  void (*final)(const SimModel *model, LaneVector *rows, int lane, double *x, double *v);
  long (*solves)(const SimModel *model); /* returns the number of solves in a whole rollout; NULL: one for each step */
} LaneScheme;

struct LaneQueue {
  const LaneScheme *scheme;
  LaneModel model;
  LaneVector *rows;
  int n, next; /* number of controls; index of the first control that no lane has begun */
#ifdef LANE_OWN
  const SimRun *runs;  /* [n] controls and models to run */
  LaneVector *numbers; /* [lane_numbers] values of the lanes' models, such as matrices and thresholds */
#else
  const double *control; /* [n][p S] controls to run */
#endif
  SimFinal *final;   /* [n] results */
  int serves[LANES]; /* [LANES] index of the control that each lane runs */
  LaneTally tally;
};

/* Returns the data of a model for the steps. */
LANE_INLINE LaneSource lane_source(const LaneScheme *scheme, const SimModel *model) {
  return scheme->source ? scheme->source(model) : (LaneSource){.carry = NULL};
}

#ifdef LANE_OWN
LANE_INLINE SimRun lane_run_of(const LaneQueue *queue, int k) { return queue->runs[k]; }

/* Returns the number of LaneVectors that store the values of all lanes' models. */
static size_t lane_numbers(int d) { return 3 * (size_t)d * (size_t)d + 5 * (size_t)d; }

static LaneVector *lane_copy(LaneVector *to, const double *from, int count, int lane) {
  for (int k = 0; k < count; k++) *lane_entry(&to[k], lane) = from[k];
  return to + count;
}

/* Copies the values of a run's model to a lane. Unused lanes get valid values, too. */
static void lane_take(LaneQueue *queue, int lane, const SimRun *run) {
  int d = run->model->problem.d;
  LaneModel *model = &queue->model;
  LaneSource source = lane_source(queue->scheme, run->model);
  const DenseSolver *s = source.solver;
  const double *const numbers[] = {s->scale, s->threshold, s->stick_slope, s->slip_slope, s->limit};
  const LaneVector **const ends[] = {&model->numbers.scale, &model->numbers.threshold, &model->numbers.stick_slope,
                                     &model->numbers.slip_slope, &model->numbers.limit};
  LaneVector *to = queue->numbers;
  model->carry = to;
  to = lane_copy(to, source.carry, d * d, lane);
  model->stiffness = to;
  to = lane_copy(to, source.stiffness, d * d, lane);
  model->numbers.rows = to;
  to = lane_copy(to, s->rows, d * d, lane);
  for (int k = 0; k < 5; k++) {
    *ends[k] = to;
    to = lane_copy(to, numbers[k], d, lane);
  }
  model->numbers.fresh = s->fresh;
  model->solver = &model->numbers;
  if (lane == 0) model->model = run->model;
  if (lane == 0) model->work = run->work;
  model->models[lane] = run->model;
  model->works[lane] = run->work;
  model->solvers[lane] = s;
  model->loads[lane] = source.loads;
  if (lane == 0) model->load = source.loads;
  if (model->load && memcmp(model->load, source.loads, (size_t)source.n_loads * sizeof(double)) != 0)
    model->load = NULL;
}
#else
LANE_INLINE SimRun lane_run_of(const LaneQueue *queue, int k) {
  const SimModel *model = queue->model.model;
  return (SimRun){model, queue->model.work, queue->control + (long)k * stiction_model_controls(model)};
}
#endif

/* Starts the next control in a lane, at n = 0. Returns false if there is none. */
static bool lane_feed(LaneQueue *queue, int lane) {
  bool fed = queue->next < queue->n;
  const SimRun run = lane_run_of(queue, fed ? queue->next : 0);
  lane_mask_set(&queue->tally.alive, lane, false);
#ifdef LANE_OWN
  lane_take(queue, lane, &run);
#endif
  if (!fed) return false;
  queue->serves[lane] = queue->next++;
  if (rollout_start(run.model, run.work, run.control, false) == SIM_OK) lane_mask_set(&queue->tally.alive, lane, true);
  queue->scheme->load(run.model, run.work, queue->rows, lane);
  lane_load_signal(run.model, run.work, queue->rows, lane);
  *lane_entry(&queue->tally.iterations, lane) = 0;
  *lane_entry(&queue->tally.residual, lane) = 0;
  queue->tally.impacts[lane] = queue->tally.settled[lane] = 0;
  return true;
}

static bool lane_finished(LaneQueue *queue, const SimModel *model, int lane, SimFinal *final) {
  double sum = 0;
  if (!lane_mask_has(&queue->tally.alive, lane)) return false;
  queue->scheme->final(model, queue->rows, lane, final->x, final->v);
  for (int i = 0; i < model->problem.d; i++) sum += fabs(final->x[i]) + fabs(final->v[i]);
  if (!isfinite(sum)) return false;
  if (model->surface) surface_show(model, model->problem.end, final->x, final->v, final->x, final->v);
  const LaneScheme *scheme = queue->scheme;
  final->iterations = (scheme->solves ? scheme->solves(model) : model->problem.steps) +
                      (long)*lane_entry(&queue->tally.iterations, lane);
  final->residual = *lane_entry(&queue->tally.residual, lane);
  final->impacts = queue->tally.impacts[lane];
  final->settled = queue->tally.settled[lane];
  final->status = SIM_OK;
  long steps = model->problem.steps;
  return !interrupt_exceeds(&lane_work(&queue->model, lane)->interrupt,
                            final->iterations > steps ? final->iterations : steps);
}

/* Stores the result of a lane's control. */
static void lane_finish(LaneQueue *queue, int lane) {
  int k = queue->serves[lane];
  const SimRun run = lane_run_of(queue, k);
  if (!lane_finished(queue, run.model, lane, &queue->final[k]))
    stiction_rollout(run.model, run.work, run.control, NULL, &queue->final[k]);
}

/* Runs all controls. Lanes without a control compute meaningless values, which are ignored. */
static void lane_steps(LaneQueue *queue) {
  while (queue->next < queue->n) {
    int fed = 0;
    for (int lane = 0; lane < LANES; lane++) fed += lane_feed(queue, lane);
    queue->scheme->steps(&queue->model, queue->rows, &queue->tally);
    for (int lane = 0; lane < fed; lane++) lane_finish(queue, lane);
  }
}

#ifdef LANE_OWN
static void lane_run(const LaneScheme *scheme, int n, const SimRun *runs, SimFinal *final) {
  size_t bytes = lane_numbers(runs->model->problem.d) * sizeof(LaneVector);
  LaneQueue queue = {.scheme = scheme, .rows = (LaneVector *)runs->work->lanes, .n = n, .runs = runs, .final = final};
  queue.numbers = aligned_alloc(LANE_ALIGNMENT, (bytes + LANE_ALIGNMENT - 1) / LANE_ALIGNMENT * LANE_ALIGNMENT);
  for (int k = 0; k < n && !queue.numbers; k++)
    stiction_rollout(runs[k].model, runs[k].work, runs[k].control, NULL, &final[k]);
  if (queue.numbers) lane_steps(&queue);
  free(queue.numbers);
}
#else
static void lane_run(const LaneScheme *scheme, const SimModel *model, SimWorkspace *work, int n, const double *control,
                     SimFinal *final) {
  LaneSource s = lane_source(scheme, model);
  LaneQueue queue = {.scheme = scheme,
                     .model = {model, work, s.carry, s.stiffness, s.solver, s.loads},
                     .rows = (LaneVector *)work->lanes,
                     .n = n,
                     .control = control,
                     .final = final};
  if (scheme->async && friction_parameters(&model->problem)->solver == SIM_FIXED_POINT)
    scheme->async(&queue);
  else
    lane_steps(&queue);
}
#endif

#define LANE_STEPS(name, steps)                                                                                        \
  LANE_TABLE(LaneSteps, name, (const LaneModel *model, LaneVector *rows, LaneTally *tally), model->model->problem.d,   \
             steps)
#define LANE_ASYNC(name, async)                                                                                        \
  LANE_TABLE(LaneAsyncRun, name, (LaneQueue * queue), queue->model.model->problem.d, async)

#endif
