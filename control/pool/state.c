/* SPDX-License-Identifier: BSD-2-Clause */
/* Allocates and frees the storage of pools and their jobs. */
#include "control/pool/state.h"

#include <stdlib.h>

void pool_free(CtlPool *pool) {
  for (int k = 0; pool->slots && k < pool_size(pool); k++) {
    free(pool->slots[k].work);
    free(pool->slots[k].done);
    free(pool->slots[k].tickets);
  }
  free(pool->workers);
  free(pool->slots);
  free(pool->received);
  free(pool->indices);
  free(pool->idle);
  free(pool);
}

SimStatus pool_create(int workers, const CtlPoolOptions *options, CtlPool **result) {
  CtlPool *pool = calloc(1, sizeof *pool);
  *result = NULL;
  if (!pool) return SIM_NO_MEMORY;
  *pool = (CtlPool){.options = options ? *options : (CtlPoolOptions){0},
                    .n_workers = workers,
                    .alive = workers,
                    .clock_moved = ctl_seconds()};
  size_t slots = (size_t)pool_size(pool);
  pool->workers = calloc((size_t)workers + 1, sizeof *pool->workers);
  pool->slots = calloc(slots + 1, sizeof *pool->slots);
  pool->received = calloc(slots + 1, sizeof *pool->received);
  pool->indices = calloc(slots + 1, sizeof *pool->indices);
  pool->idle = calloc(slots + 1, sizeof *pool->idle);
  if (!pool->workers || !pool->slots || !pool->received || !pool->indices || !pool->idle) {
    pool_free(pool);
    return SIM_NO_MEMORY;
  }
  for (int k = 0; k < pool_size(pool); k++) {
    pool->slots[k].sent = pool->slots[k].dropping = pool->received[k] = MPI_REQUEST_NULL;
    pool->idle[pool->n_idle++] = k;
  }
  *result = pool;
  return SIM_OK;
}

void pool_job_free(CtlPoolJob *job) {
  free(job->model);
  free(job->knows);
  free(job->posted);
  free(job->returned);
  free(job->returned_controls);
  load_balance_clear(&job->load);
  local_batch_clear(&job->local);
  free(job);
}
