#include "control/clock.h"
#include "control/evaluator.h"
#include "control/message.h"
#include "control/pool_group.h"

#include <stdlib.h>

typedef struct Desk {
  double *controls; /* [MESSAGE_BATCH_MAX][n] */
  double *done;     /* message_done_size(d, MESSAGE_BATCH_MAX) */
  SimFinal final[MESSAGE_BATCH_MAX];
} Desk;

static void desk_free(Desk *desk) {
  if (!desk) return;
  free(desk->controls);
  free(desk->done);
  free(desk);
}

static Desk *desk_create(int n, int d) {
  Desk *desk = calloc(1, sizeof *desk);
  if (!desk) return NULL;
  desk->controls = calloc((size_t)MESSAGE_BATCH_MAX * (size_t)n + 1, sizeof(double));
  desk->done = calloc((size_t)message_done_size(d, MESSAGE_BATCH_MAX), sizeof(double));
  if (desk->controls && desk->done) return desk;
  desk_free(desk);
  return NULL;
}

/* Simulates count points straight into a DONE message. group: NULL: alone. */
static void work_off(const SimModel *model, SimWorkspace *work, CtlGroup *group, Desk *desk, int count) {
  int d = sim_model_size(model);
  double before = ctl_seconds();
  for (int i = 0; i < count; i++) {
    double *row = message_outcome(desk->done, d, i);
    desk->final[i].x = row + 2;
    desk->final[i].v = row + 2 + d;
  }
  if (group)
    ctl_group_batch(group, count, desk->controls, desk->final);
  else
    sim_batch(model, work, count, desk->controls, desk->final);
  for (int i = 0; i < count; i++) {
    double *row = message_outcome(desk->done, d, i);
    row[0] = (double)desk->final[i].status;
    row[1] = (double)desk->final[i].iterations;
  }
  desk->done[0] = ctl_seconds() - before;
}

static SimStatus serve(const SimModel *model, SimWorkspace *work, CtlGroup *group, MPI_Comm comm) {
  int n = sim_model_controls(model), d = sim_model_size(model);
  Desk *desk = desk_create(n, d);
  if (!desk) return SIM_NO_MEMORY;
  for (;;) {
    MPI_Status status;
    int found = 0, size;
    MessageWait wait = {0};
    for (;;) {
      MPI_Iprobe(0, MPI_ANY_TAG, comm, &found, &status);
      if (found) break;
      message_rest(&wait);
    }
    MPI_Get_count(&status, MPI_DOUBLE, &size);
    MPI_Recv(desk->controls, size, MPI_DOUBLE, 0, status.MPI_TAG, comm, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == MESSAGE_STOP) break;
    int count = size / n;
    work_off(model, work, group, desk, count);
    MPI_Send(desk->done, message_done_size(d, count), MPI_DOUBLE, 0, MESSAGE_DONE, comm);
  }
  desk_free(desk);
  return SIM_OK;
}

SimStatus ctl_pool_serve(const SimModel *model, SimWorkspace *work, MPI_Comm comm) {
  return serve(model, work, NULL, comm);
}

SimStatus ctl_pool_serve_group(const SimModel *model, SimWorkspace *work, MPI_Comm comm_of_group, MPI_Comm comm) {
  CtlGroup *group = ctl_group_create(model, work, MESSAGE_BATCH_MAX, comm_of_group);
  SimStatus status = group ? SIM_OK : SIM_NO_MEMORY;
  if (group && comm == MPI_COMM_NULL) {
    ctl_group_follow(group);
  } else if (group) {
    status = serve(model, work, group, comm);
    ctl_group_batch(group, 0, NULL, NULL);
  }
  ctl_group_destroy(group);
  return status;
}
