#include "control/pool.h"
#include "control/worker/message.h"
#include "sim/group.h"

#include <stdlib.h>

struct CtlGroupEvaluator {
  const SimModel *model;
  SimWorkspace *work;
  SimGroup *group;
  int batch; /* points at a time at most */
  int rows;
  double *controls; /* [batch][n], a follower's */
  double *states;   /* [batch][2][rows] */
  SimFinal *final;  /* [batch] into states */
};

static bool reserve(CtlGroupEvaluator *group) {
  size_t points = (size_t)group->batch, controls = (size_t)sim_model_controls(group->model), rows = (size_t)group->rows;
  group->controls = calloc(points * controls + 1, sizeof *group->controls);
  group->states = calloc(points * 2 * rows, sizeof *group->states);
  group->final = calloc(points, sizeof *group->final);
  if (!group->controls || !group->states || !group->final) return false;
  for (size_t i = 0; i < points; i++) {
    group->final[i].x = group->states + 2 * i * rows;
    group->final[i].v = group->final[i].x + rows;
  }
  return true;
}

CtlGroupEvaluator *ctl_group_create(const SimModel *model, SimWorkspace *work, SimGroup *ranks) {
  CtlGroupEvaluator *group = calloc(1, sizeof *group);
  if (group)
    *group = (CtlGroupEvaluator){.model = model,
                                 .work = work,
                                 .group = ranks,
                                 .batch = message_batch_most(sim_model_controls(model), sim_model_size(model)),
                                 .rows = sim_model_rows(model)};
  if (!sim_group_agree(ranks, !group || !reserve(group))) return group;
  ctl_group_destroy(group);
  return NULL;
}

void ctl_group_destroy(CtlGroupEvaluator *group) {
  if (!group) return;
  free(group->controls);
  free(group->states);
  free(group->final);
  free(group);
}

static void gather(const CtlGroupEvaluator *group, const double *mine, double *all) {
  sim_group_gather(group->group, sizeof *mine, group->rows, mine, all);
}

/* What leader and followers do alike. controls: [n][p S], the leader's, or where a follower takes them; final: the leader's. */
static void simulate(CtlGroupEvaluator *group, int n, double *controls, SimFinal *final) {
  sim_group_share(group->group, controls, (size_t)n * (size_t)sim_model_controls(group->model) * sizeof *controls);
  sim_batch(group->model, group->work, n, controls, group->final);
  for (int i = 0; i < n; i++) {
    const SimFinal *mine = &group->final[i];
    gather(group, mine->x, final ? final[i].x : NULL);
    gather(group, mine->v, final ? final[i].v : NULL);
    if (final)
      final[i] = (SimFinal){final[i].x, final[i].v, mine->iterations, mine->residual, mine->grazes, mine->status};
  }
}

/* How many points come next, from the leader to all; 0: no more. Followers may wait for long: so they sleep. */
static int announce(CtlGroupEvaluator *group, int n) {
  MPI_Request told;
  MessageWait wait = {0};
  int arrived = 0;
  MPI_Ibcast(&n, 1, MPI_INT, 0, sim_group_comm(group->group), &told);
  for (MPI_Test(&told, &arrived, MPI_STATUS_IGNORE); !arrived; MPI_Test(&told, &arrived, MPI_STATUS_IGNORE))
    message_wait(&wait);
  return n;
}

static void evaluate(void *context, int count, const double *controls, SimFinal *final) {
  CtlGroupEvaluator *group = context;
  double *from = (double *)controls; /* only read */
  for (int at = 0; at < count; at += group->batch) {
    int n = count - at < group->batch ? count - at : group->batch;
    announce(group, n);
    simulate(group, n, from + (ptrdiff_t)at * sim_model_controls(group->model), final + at);
  }
}

CtlEvaluator ctl_group_evaluator(CtlGroupEvaluator *group) {
  return (CtlEvaluator){.n = sim_model_controls(group->model),
                        .d = sim_model_size(group->model),
                        .block = 1,
                        .context = group,
                        .evaluate = evaluate};
}

void ctl_group_dismiss(CtlGroupEvaluator *group) { announce(group, 0); }

void ctl_group_follow(CtlGroupEvaluator *group) {
  for (int n; (n = announce(group, 0)) != 0;) simulate(group, n, group->controls, NULL);
}
