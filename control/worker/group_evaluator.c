/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pool.h"
#include "control/worker/message.h"
#include "sim/group.h"

#include <stdlib.h>

struct CtlGroupEvaluator {
  CtlSimulation *simulation;
  CtlEvaluator own; /* evaluator of this rank's simulation, for the rows (dofs) of this rank */
  SimGroup *group;
  int rows;
  /* numbers over all ranks together: of derivative rows, and of those for positions, which come first */
  int m, positions;
  int batch[2];     /* maximum number of points at a time, without and with derivatives */
  double *controls; /* [batch][n] controls that a follower has received */
  double *states;   /* [batch][2][rows] x(T) and v(T) of each point, for the rows of this rank */
  double *own_rows; /* [batch][own.m][ctl_row_size] derivatives for the rows of this rank */
  SimFinal *final;  /* [batch] final states; their vectors are parts of `states` */
};

static bool reserve_buffers(CtlGroupEvaluator *group) {
  size_t points = (size_t)group->batch[0], controls = (size_t)group->own.n, rows = (size_t)group->rows,
         derivatives = ctl_evaluator_rows(&group->own, (CtlWant){.derivatives = true});
  group->controls = calloc(points * controls + 1, sizeof *group->controls);
  group->states = calloc(points * 2 * rows, sizeof *group->states);
  group->own_rows = calloc((size_t)group->batch[1] * derivatives + 1, sizeof *group->own_rows);
  group->final = calloc(points, sizeof *group->final);
  if (!group->controls || !group->states || !group->own_rows || !group->final) return false;
  for (size_t i = 0; i < points; i++) {
    group->final[i].x = group->states + 2 * i * rows;
    group->final[i].v = group->final[i].x + rows;
  }
  return true;
}

/* Counts the derivative rows of all ranks together. Collective. */
static void count_rows(CtlGroupEvaluator *group) {
  int n = group->own.n, d = group->own.d;
  double sums[] = {group->simulation->m, group->simulation->positions};
  sim_group_sum(group->group, sums, 2);
  group->m = (int)sums[0];
  group->positions = (int)sums[1];
  size_t r = (size_t)group->m * ctl_row_size(n);
  group->batch[0] = message_batch_most(n, d, 0);
  group->batch[1] = message_batch_most(n, d, r);
}

CtlGroupEvaluator *ctl_group_create(CtlSimulation *simulation, SimGroup *ranks) {
  if (!simulation || !simulation->model) return NULL;
  CtlGroupEvaluator *group = calloc(1, sizeof *group);
  if (sim_group_agree(ranks, !group)) {
    free(group);
    return NULL;
  }
  *group = (CtlGroupEvaluator){.simulation = simulation,
                               .own = ctl_simulator(simulation),
                               .group = ranks,
                               .rows = stiction_model_rows(simulation->model)};
  count_rows(group);
  if (!sim_group_agree(ranks, !reserve_buffers(group))) return group;
  ctl_group_destroy(group);
  return NULL;
}

void ctl_group_destroy(CtlGroupEvaluator *group) {
  if (!group) return;
  free(group->controls);
  free(group->states);
  free(group->own_rows);
  free(group->final);
  free(group);
}

static void gather_states(const CtlGroupEvaluator *group, int count, const double *mine, double *all) {
  sim_group_gather(group->group, sizeof *mine, count, mine, all);
}

/* Gathers the derivatives of one point at the leader: the position rows of all ranks, then all velocity rows. size:
 * number of doubles in a row. mine: rows of this rank. rows: output of the leader, NULL elsewhere. */
static void gather_rows(const CtlGroupEvaluator *group, int size, const double *mine, double *rows) {
  int positions = group->simulation->positions, velocities = group->own.m - positions;
  gather_states(group, positions * size, mine, rows);
  gather_states(group, velocities * size, mine + positions * size,
                rows ? rows + (ptrdiff_t)group->positions * size : NULL);
}

/* Number of the next points and what to evaluate at them. */
typedef struct Announced {
  int n;
  CtlWant want;
} Announced;

/* Simulates points on the leader and its followers together. controls: [n][p S] of the leader, or a follower's buffer.
 * final, rows: output of the leader. */
static void simulate_points(CtlGroupEvaluator *group, Announced next, double *controls, SimFinal *final, double *rows) {
  const CtlEvaluator *own = &group->own;
  bool derivatives = next.want.derivatives;
  size_t row = ctl_row_size(ctl_evaluator_controls(own, next.want)), mine = (size_t)own->m * row,
         all = (size_t)group->m * row;
  sim_group_share(group->group, controls, (size_t)next.n * (size_t)own->n * sizeof *controls);
  own->evaluate(own->context, next.want, next.n, controls, group->final, derivatives ? group->own_rows : NULL);
  for (size_t i = 0; i < (size_t)next.n; i++) {
    const SimFinal *part = &group->final[i];
    gather_states(group, group->rows, part->x, final ? final[i].x : NULL);
    gather_states(group, group->rows, part->v, final ? final[i].v : NULL);
    if (derivatives) gather_rows(group, (int)row, group->own_rows + i * mine, rows ? rows + i * all : NULL);
    if (!final) continue;
    double *x = final[i].x, *v = final[i].v;
    final[i] = *part;
    final[i].x = x;
    final[i].v = v;
  }
}

/* Broadcasts what to evaluate next from the leader to its followers; n = 0: nothing, the service ends. Followers sleep
 * while they wait, since the wait may be long. */
static Announced announce_points(const CtlGroupEvaluator *group, Announced next) {
  MPI_Request request;
  MessageWait wait = {0};
  int arrived = 0, words[4] = {next.n, next.want.motion, next.want.derivatives, next.want.segments};
  MPI_Ibcast(words, 4, MPI_INT, 0, sim_group_comm(group->group), &request);
  for (MPI_Test(&request, &arrived, MPI_STATUS_IGNORE); !arrived; MPI_Test(&request, &arrived, MPI_STATUS_IGNORE))
    message_wait(&wait);
  return (Announced){words[0], {.motion = words[1], .derivatives = words[2], .segments = words[3]}};
}

static void evaluate_leader(void *context, CtlWant want, int points, const double *controls, SimFinal *final,
                            double *rows) {
  CtlGroupEvaluator *group = context;
  double *from = (double *)controls; /* the leader does not change the controls, so that the cast is safe */
  int batch = group->batch[want.derivatives];
  size_t size = (size_t)group->m * ctl_row_size(ctl_evaluator_controls(&group->own, want));
  for (int at = 0; at < points; at += batch) {
    const Announced next = {points - at < batch ? points - at : batch, want};
    announce_points(group, next);
    simulate_points(group, next, from + (ptrdiff_t)at * group->own.n, final + at,
                    rows ? rows + (size_t)at * size : NULL);
  }
}

CtlEvaluator ctl_group_evaluator(CtlGroupEvaluator *group) {
  if (!group) return (CtlEvaluator){0};
  return (CtlEvaluator){.n = group->own.n,
                        .d = group->own.d,
                        .m = group->m,
                        .segments = group->own.segments,
                        .block = 1,
                        .context = group,
                        .evaluate = evaluate_leader};
}

void ctl_group_dismiss(CtlGroupEvaluator *group) {
  if (group) announce_points(group, (Announced){0});
}

void ctl_group_follow(CtlGroupEvaluator *group) {
  if (!group) return;
  for (Announced next; (next = announce_points(group, (Announced){0})).n != 0;)
    simulate_points(group, next, group->controls, NULL, NULL);
}
