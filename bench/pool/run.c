/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* for clock_nanosleep */
#include "bench/pool/run.h"

#include "control/base/clock.h"
#include "control/pool.h"
#include "src/base/diagnostics.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DISMISSED = -1 };

void pool_out_of_memory(void) {
  fprintf(stderr, "bench-pool: out of memory\n");
  MPI_Abort(MPI_COMM_WORLD, 70);
}

static void wait_until(double time) {
  static const double SLEEP_FROM = 1e-3, WAKE_MARGIN = 2e-4;
  if (time - ctl_seconds() >= SLEEP_FROM) {
    double wake = time - WAKE_MARGIN;
    struct timespec until = {.tv_sec = (time_t)wake};
    until.tv_nsec = (long)(1e9 * (wake - (double)until.tv_sec));
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  }
  while (ctl_seconds() < time) sched_yield();
}

/* Computes x_i = 1 + i + 0.3 u_i + sum_j 0.03 (i - j) u_j and v = 0, after count * trial->evaluation seconds. */
static void evaluate_points(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                            double *rows) {
  const PoolTrial *trial = context;
  (void)want, (void)rows;
  double start = ctl_seconds();
  int n = trial->n;
  for (int k = 0; k < count; k++) {
    const double *u = controls + k * n;
    for (int i = 0; i < n; i++) {
      double x = 1 + i + 0.3 * u[i];
      for (int j = 0; j < n; j++) x += 0.03 * (i - j) * u[j];
      final[k].x[i] = x;
      final[k].v[i] = 0;
    }
    final[k].iterations = 1;
    final[k].status = SIM_OK;
  }
  if (trial->evaluation > 0) wait_until(start + count * trial->evaluation);
}

CtlEvaluator pool_evaluator(PoolTrial *trial) {
  return (CtlEvaluator){.n = trial->n, .d = trial->n, .block = 1, .context = trial, .evaluate = evaluate_points};
}

static int on_simplex(void *context, const CtlState *state, double seconds) {
  PoolResult *result = context;
  (void)seconds;
  long before = 0;
  for (int k = 0; k < result->rounds; k++) before += result->points[k];
  if (result->rounds < POOL_ROUNDS_MAX) result->points[result->rounds++] = state->ivps - before;
  return 0;
}

void pool_problem(const PoolTrial *trial, CtlProblem *problem) {
  if (ctl_problem_init(problem, trial->n, trial->n) != SIM_OK) pool_out_of_memory();
  problem->method = ctl_method_find("pds");
  problem->end = 1;
  problem->penalty = CTL_PENALTY_PI;
  problem->scheme_size = trial->scheme_size;
  problem->max_simplexes = trial->simplexes;
  problem->restarts = 0;
  problem->tolerance = 1e-300;
  for (int i = 0; i < trial->n; i++) problem->position[i] = 2 - 2 * i;
}

void pool_search(const CtlProblem *problem, CtlSearch **search) {
  if (stiction_asktell_create(problem, search) != CTL_OK) pool_out_of_memory();
}

/* Returns the communicator of rank 0 and the workers of a trial; MPI_COMM_NULL on the other ranks. */
static MPI_Comm ranks_of(const PoolTrial *trial, MPI_Comm comm) {
  MPI_Comm part;
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_split(comm, rank <= trial->workers ? 0 : MPI_UNDEFINED, rank, &part);
  return part;
}

/* Waits for rank 0 to announce a trial, without using the processor. */
static PoolTrial await_trial(MPI_Comm comm) {
  PoolTrial trial;
  MPI_Request request;
  int here = 0;
  MPI_Ibcast(&trial, sizeof trial, MPI_BYTE, 0, comm, &request);
  for (;;) {
    MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    if (here) return trial;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static void announce_trial(const PoolTrial *trial, MPI_Comm comm) {
  PoolTrial copy = *trial;
  MPI_Request request;
  MPI_Ibcast(&copy, sizeof copy, MPI_BYTE, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void pool_lead(const PoolTrial *trial, MPI_Comm comm, PoolResult *result) {
  PoolTrial mine = *trial;
  CtlProblem problem;
  CtlSearch *search;
  CtlEvaluator evaluator = pool_evaluator(&mine);
  const CtlListener listener = {.context = result, .simplex = on_simplex};
  const CtlPoolOptions options = {.batch = trial->batch, .evaluates = trial->evaluates};
  pool_problem(trial, &problem);
  pool_search(&problem, &search);
  memset(result, 0, sizeof *result);
  result->points[result->rounds++] = trial->n + 1; /* points of the initial simplex */
  int code;
  if (trial->workers) {
    announce_trial(trial, comm);
    MPI_Comm part = ranks_of(trial, comm);
    const CtlJob job = {.search = search, .evaluator = &evaluator, .listener = &listener};
    CtlPool *pool;
    if (ctl_pool_create(part, &options, &pool) != SIM_OK) pool_out_of_memory();
    code = ctl_pool_drive(pool, &job, &result->times);
    if (!ctl_pool_close(pool)) MPI_Abort(comm, EXIT_INTERNAL);
    MPI_Comm_free(&part);
  } else
    code = ctl_drive_serial(search, &evaluator, &listener, &result->times);
  if (code) pool_out_of_memory();
  stiction_asktell_state(search, &result->state);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&problem);
}

void pool_follow(MPI_Comm comm) {
  for (;;) {
    PoolTrial trial = await_trial(comm);
    if (trial.workers == DISMISSED) return;
    MPI_Comm part = ranks_of(&trial, comm);
    if (part == MPI_COMM_NULL) continue;
    CtlEvaluator evaluator = pool_evaluator(&trial);
    const CtlBuilder builder = ctl_builder_of(&evaluator);
    if (ctl_pool_serve(&builder, part) != SIM_OK) pool_out_of_memory();
    MPI_Comm_free(&part);
  }
}

void pool_dismiss(MPI_Comm comm) { announce_trial(&(PoolTrial){.workers = DISMISSED}, comm); }
