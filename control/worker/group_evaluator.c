#include "control/worker/group_evaluator.h"

#include "control/worker/message.h"

#include <stdlib.h>
#include <string.h>

struct CtlGroup {
  const SimModel *model;
  SimWorkspace *work;
  MPI_Comm comm;
  int batch; /* points at a time at most */
  int rows;
  int *counts, *firsts; /* [ranks] of everyone's rows */
  double *controls;     /* [batch][n] */
  double *states;       /* [batch][2][rows] */
  SimFinal *final;      /* [batch] into states */
};

static bool reserve(CtlGroup *group) {
  int ranks;
  size_t points = (size_t)group->batch, controls = (size_t)sim_model_controls(group->model), rows = (size_t)group->rows;
  MPI_Comm_size(group->comm, &ranks);
  group->counts = calloc(2 * (size_t)ranks, sizeof *group->counts);
  group->controls = calloc(points * controls + 1, sizeof *group->controls);
  group->states = calloc(points * 2 * rows, sizeof *group->states);
  group->final = calloc(points, sizeof *group->final);
  if (!group->counts || !group->controls || !group->states || !group->final) return false;
  group->firsts = group->counts + ranks;
  for (size_t i = 0; i < points; i++) {
    group->final[i].x = group->states + 2 * i * rows;
    group->final[i].v = group->final[i].x + rows;
  }
  return true;
}

CtlGroup *ctl_group_create(const SimModel *model, SimWorkspace *work, MPI_Comm comm) {
  CtlGroup *group = calloc(1, sizeof *group);
  int ranks;
  MPI_Comm_size(comm, &ranks);
  if (group)
    *group = (CtlGroup){.model = model,
                        .work = work,
                        .comm = comm,
                        .batch = message_batch_most(sim_model_controls(model), sim_model_size(model)),
                        .rows = sim_model_rows(model)};
  int missing = !group || !reserve(group);
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, comm);
  if (missing) {
    ctl_group_destroy(group);
    return NULL;
  }
  MPI_Allgather(&group->rows, 1, MPI_INT, group->counts, 1, MPI_INT, comm);
  for (int r = 1; r < ranks; r++) group->firsts[r] = group->firsts[r - 1] + group->counts[r - 1];
  return group;
}

void ctl_group_destroy(CtlGroup *group) {
  if (!group) return;
  free(group->counts);
  free(group->controls);
  free(group->states);
  free(group->final);
  free(group);
}

static void gather(const CtlGroup *group, const double *mine, double *all) {
  MPI_Gatherv(mine, group->rows, MPI_DOUBLE, all, group->counts, group->firsts, MPI_DOUBLE, 0, group->comm);
}

/* What leader and followers do alike, once they all have the controls. final: the leader's. */
static void simulate(CtlGroup *group, int n, SimFinal *final) {
  MPI_Bcast(group->controls, n * sim_model_controls(group->model), MPI_DOUBLE, 0, group->comm);
  sim_batch(group->model, group->work, n, group->controls, group->final);
  for (int i = 0; i < n; i++) {
    const SimFinal *mine = &group->final[i];
    gather(group, mine->x, final ? final[i].x : NULL);
    gather(group, mine->v, final ? final[i].v : NULL);
    if (final) final[i] = (SimFinal){final[i].x, final[i].v, mine->iterations, mine->residual, mine->status};
  }
}

/* How many points come next, from the leader to all; 0: no more. */
static void announce(CtlGroup *group, int n) {
  MPI_Request sent;
  MPI_Ibcast(&n, 1, MPI_INT, 0, group->comm, &sent); /* followers poll for it: see ctl_group_follow */
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

static void evaluate(void *context, int count, const double *controls, SimFinal *final) {
  CtlGroup *group = context;
  int p = sim_model_controls(group->model);
  for (int at = 0; at < count; at += group->batch) {
    int n = count - at < group->batch ? count - at : group->batch;
    announce(group, n);
    memcpy(group->controls, controls + (size_t)at * (size_t)p, (size_t)n * (size_t)p * sizeof *controls);
    simulate(group, n, final + at);
  }
}

CtlEvaluator ctl_group_evaluator(CtlGroup *group) {
  return (CtlEvaluator){.n = sim_model_controls(group->model),
                        .d = sim_model_size(group->model),
                        .block = 1,
                        .context = group,
                        .evaluate = evaluate};
}

void ctl_group_dismiss(CtlGroup *group) { announce(group, 0); }

void ctl_group_follow(CtlGroup *group) {
  for (;;) {
    int n = 0, arrived = 0;
    MPI_Request received;
    MessageWait wait = {0};
    MPI_Ibcast(&n, 1, MPI_INT, 0, group->comm, &received);
    for (;;) {
      MPI_Test(&received, &arrived, MPI_STATUS_IGNORE);
      if (arrived) break;
      message_rest(&wait);
    }
    if (!n) return;
    simulate(group, n, NULL);
  }
}
