/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a pool for one search, with an evaluator on each rank. */
#include "control/base/argument.h"
#include "control/pool.h"
#include "control/worker/message.h"

static int lead_search(MPI_Comm comm, CtlSearch *search, const CtlEvaluator *evaluator, const CtlListener *listener,
                       CtlTimes *times) {
  const CtlJob job = {.search = search,
                      .evaluator = evaluator,
                      .listener = listener,
                      .timeout = search ? ctl_search_problem(search)->evaluation_timeout : 0};
  const CtlPoolOptions options = {.evaluates = true};
  CtlPool *pool;
  if (ctl_pool_create(comm, &options, &pool) != SIM_OK) return CTL_DRIVE_NO_MEMORY;
  int stop = ctl_pool_drive(pool, &job, times);
  bool closed = ctl_pool_close(pool);
  return stop == 0 && !closed ? CTL_DRIVE_ABANDONED : stop;
}

int ctl_pool_run(MPI_Comm comm, CtlSearch *search, CtlEvaluator *evaluator, const CtlListener *listener,
                 CtlTimes *times) {
  const CtlBuilder builder = ctl_builder_of(evaluator);
  int rank;
  if (!message_comm_is(comm)) {
    argument_refuse(__func__, "comm", "is no communicator, or MPI is not running");
    return CTL_DRIVE_BAD_ARGUMENT;
  }
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) return lead_search(comm, search, evaluator, listener, times);
  return ctl_pool_serve(&builder, comm) == SIM_OK ? 0 : CTL_DRIVE_NO_MEMORY;
}
