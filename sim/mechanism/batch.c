/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/batch.h"

#include "sim/core/model.h"
#include "sim/core/rollout.h"
#include "sim/mechanism/motion.h"

#include <stdlib.h>

struct MechanismLanes {
  GraphLanes *graph;
  /* Owned, except the first, which is that of the batch. NULL: the lane has had no motion so far. */
  SimWorkspace *work[GRAPH_LANES];
};

/* The controls of a batch, and the lanes that run them. */
typedef struct Queue {
  const SimModel *model;
  MechanismLanes *lanes;
  int n, next; /* number of controls; index of the first one that no lane has taken */
  const double *control;
  SimFinal *final;
  int serves[GRAPH_LANES]; /* index of the control that each lane runs; -1: none */
} Queue;

void mechanism_lanes_destroy(MechanismLanes *lanes) {
  if (!lanes) return;
  graph_lanes_destroy(lanes->graph);
  for (int lane = 1; lane < GRAPH_LANES; lane++)
    if (lanes->work[lane]) lanes->work[lane]->destroy(lanes->work[lane]);
  free(lanes);
}

static EventMotion *motion_of(const SimWorkspace *work) { return work->own; }

static Expansion *expansion_of(const SimWorkspace *work) { return motion_of(work)->mechanism->expansion; }

/* Returns the lanes of a workspace, which it creates if there are none. NULL: no memory. */
static MechanismLanes *lanes_of(SimWorkspace *work) {
  MechanismMotion *own = motion_of(work)->mechanism;
  if (own->lanes) return own->lanes;
  MechanismLanes *lanes = calloc(1, sizeof *lanes);
  if (!lanes) return NULL;
  lanes->graph = graph_lanes_create(own->expansion->tape);
  lanes->work[0] = work;
  if (lanes->graph) return own->lanes = lanes;
  mechanism_lanes_destroy(lanes);
  return NULL;
}

static const double *control_of(const Queue *queue, int k) {
  return queue->control + (long)k * stiction_model_controls(queue->model);
}

/* Ends the motion of a lane. One that has failed is repeated alone, which gives the values of a motion that fails. */
static void finish(Queue *queue, int lane, SimStatus status) {
  const SimModel *model = queue->model;
  SimWorkspace *work = queue->lanes->work[lane];
  int k = queue->serves[lane];
  motion_of(work)->pauses = motion_of(work)->waits = false;
  queue->serves[lane] = -1;
  if (status != SIM_OK) {
    stiction_rollout(model, work, control_of(queue, k), NULL, &queue->final[k]);
    return;
  }
  sim_rollout_run_to(model, work, NULL, model->problem.steps); /* the motion is already there */
  sim_rollout_end(model, work, &queue->final[k]);
}

/* Starts the next controls in a lane, until one waits for its series. Without memory for the lane's workspace it starts
 * none, and the other lanes take them. */
static void feed(Queue *queue, int lane) {
  SimWorkspace *first = queue->lanes->work[0];
  SimWorkspace **own = &queue->lanes->work[lane];
  if (queue->next == queue->n || (!*own && first->create(queue->model, own) != SIM_OK)) return;
  SimWorkspace *work = *own;
  work->interrupt = first->interrupt;
  while (queue->serves[lane] < 0 && queue->next < queue->n) {
    int k = queue->serves[lane] = queue->next++;
    motion_of(work)->pauses = true;
    work->observer = NULL;
    SimStatus status = rollout_start(queue->model, work, control_of(queue, k), false);
    if (status != SIM_OK) finish(queue, lane, status);
  }
}

/* Goes on in a lane, of which the series are made, to the start of the next segment. */
static void advance(Queue *queue, int lane) {
  EventMotion *motion = motion_of(queue->lanes->work[lane]);
  SimStatus status = event_motion_continue(motion->system, motion);
  if (status == SIM_OK) status = event_motion_reach(motion->system, motion, queue->model->problem.end);
  if (status == SIM_OK && motion->waits) return;
  finish(queue, lane, status);
  feed(queue, lane);
}

static void run(Queue *queue) {
  enum { TOGETHER = 5 /* fewer series take less time one after another than side by side */ };
  Expansion *expansions[GRAPH_LANES];
  for (int lane = 0; lane < GRAPH_LANES; lane++) feed(queue, lane);
  for (int running = 1; running;) {
    running = 0;
    for (int lane = 0; lane < GRAPH_LANES; lane++) {
      const SimWorkspace *work = queue->lanes->work[lane];
      bool runs = queue->serves[lane] >= 0;
      expansions[lane] = runs ? expansion_of(work) : NULL;
      if (runs) mechanism_motion_prepare(motion_of(work)->system, motion_of(work));
      running += runs;
    }
    if (running >= TOGETHER) expansion_make_together(queue->lanes->graph, expansions);
    for (int lane = 0; lane < GRAPH_LANES; lane++)
      if (expansions[lane]) advance(queue, lane);
  }
}

void mechanism_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  bool alone = work->sensitivity || work->adjoint || motion_of(work)->residual;
  MechanismLanes *lanes = alone ? NULL : lanes_of(work);
  Queue queue = {.model = model, .lanes = lanes, .n = n, .control = control, .final = final};
  for (int k = 0; k < n && !lanes; k++) stiction_rollout(model, work, control_of(&queue, k), NULL, &final[k]);
  if (!lanes) return;
  for (int lane = 0; lane < GRAPH_LANES; lane++) queue.serves[lane] = -1;
  run(&queue);
}
