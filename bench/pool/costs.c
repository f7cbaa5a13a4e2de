/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pool/costs.h"

#include "bench/pool/run.h"
#include "bench/tools/measure.h"
#include "control/base/clock.h"

#include <math.h>
#include <stdlib.h>

enum { RUNS = 15 };

/* Runs one search to its end. All points of a simplex are asked for at once. */
static SearchCosts one_search(int n, long size, long *tickets, double *controls, SimFinal *final) {
  SearchCosts cost = {0};
  CtlProblem problem;
  CtlSearch *search;
  CtlState state;
  PoolTrial trial = {.n = n, .scheme_size = size, .simplexes = 20};
  CtlEvaluator evaluator = pool_evaluator(&trial);
  pool_problem(&trial, &problem);
  double t0 = ctl_seconds();
  pool_search(&problem, &search);
  cost.create = ctl_seconds() - t0;
  for (int count;;) {
    t0 = ctl_seconds();
    count = stiction_asktell_ask(search, (int)size, tickets, controls, NULL);
    cost.ask += ctl_seconds() - t0;
    if (!count) break;
    evaluator.evaluate(evaluator.context, (CtlWant){0}, count, controls, final, NULL);
    t0 = ctl_seconds();
    for (int i = 0; i < count; i++) {
      if (i == count - 1) {
        double t1 = ctl_seconds();
        cost.tell += t1 - t0;
        t0 = t1;
      }
      CtlOutcome outcome = {.x = final[i].x, .v = final[i].v, .iterations = 1, .status = final[i].status};
      for (bool ended = stiction_asktell_tell(search, tickets[i], &outcome, 0); ended;
           ended = stiction_asktell_advance(search)) {
      }
    }
    cost.move += ctl_seconds() - t0;
  }
  stiction_asktell_state(search, &state);
  cost.point = (cost.ask + cost.tell + cost.move) / (double)state.evaluations;
  cost.ask /= (double)state.ivps;
  cost.tell /= (double)state.ivps;
  cost.move /= (double)(state.rounds * size);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&problem);
  return cost;
}

SearchCosts search_costs(int n, long size) {
  SearchCosts least = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  size_t points = (size_t)size;
  long *tickets = calloc(points, sizeof *tickets);
  double *numbers = calloc(points * (size_t)(3 * n), sizeof *numbers);
  SimFinal *final = calloc(points, sizeof *final);
  if (!tickets || !numbers || !final) pool_out_of_memory();
  for (size_t i = 0; i < points; i++) {
    final[i].x = numbers + (points + 2 * i) * (size_t)n;
    final[i].v = final[i].x + n;
  }
  for (int k = 0; k < RUNS; k++) {
    SearchCosts cost = one_search(n, size, tickets, numbers, final);
    least = (SearchCosts){fmin(least.create, cost.create), fmin(least.ask, cost.ask), fmin(least.tell, cost.tell),
                          fmin(least.move, cost.move), fmin(least.point, cost.point)};
  }
  free(tickets);
  free(numbers);
  free(final);
  return least;
}

/* Returns the coordinator's time per batch, s: the least of some runs with batches of this number of points, which take
 * no time to evaluate. */
static double batch_cost(MPI_Comm comm, int batch, double move) {
  static PoolResult result;
  const PoolTrial trial = {.workers = 1, .batch = batch, .n = 3, .scheme_size = 1744, .simplexes = 20};
  double least = INFINITY;
  for (int k = 0; k < RUNS; k++) {
    pool_lead(&trial, comm, &result);
    double moves = move * (double)(result.state.rounds * trial.scheme_size);
    least = fmin(least, (result.times.coordinating - moves) / (double)result.times.batches);
  }
  return least;
}

/* Returns the time to poll many pending receives, s per receive. */
static double poll_cost(void) {
  enum { PENDING = 4096, LOOKS = 200 };
  static MPI_Request pending[PENDING];
  static int indices[PENDING];
  static char nothing;
  int arrived;
  for (int k = 0; k < PENDING; k++) MPI_Irecv(&nothing, 1, MPI_CHAR, 0, k, MPI_COMM_SELF, &pending[k]);
  double start = ctl_seconds();
  for (int k = 0; k < LOOKS; k++) MPI_Testsome(PENDING, pending, &arrived, indices, MPI_STATUSES_IGNORE);
  double seconds = (ctl_seconds() - start) / ((double)LOOKS * PENDING);
  for (int k = 0; k < PENDING; k++) {
    MPI_Cancel(&pending[k]);
    MPI_Wait(&pending[k], MPI_STATUS_IGNORE);
  }
  return seconds;
}

PoolCosts pool_costs(MPI_Comm comm, double *round_trip) {
  enum { LARGE = 64 };
  static PoolResult result;
  /* a simplex has two points, so each simplex is one batch, sent there and back */
  const PoolTrial trial = {.workers = 1, .n = 1, .scheme_size = 2, .simplexes = 1000};
  double trips[RUNS], waits[RUNS];
  for (int k = 0; k < RUNS; k++) {
    pool_lead(&trial, comm, &result);
    trips[k] = result.times.wall / (double)result.times.batches;
    waits[k] = result.times.waiting / (double)result.times.batches;
  }
  sort_values(RUNS, trips);
  sort_values(RUNS, waits);
  *round_trip = quantile(RUNS, trips, 0.5);
  PoolCosts costs = {
      .move = search_costs(3, 1744).move, .poll = poll_cost(), .latency = quantile(RUNS, waits, 0.5) / 2};
  double one = batch_cost(comm, 1, costs.move), large = batch_cost(comm, LARGE, costs.move);
  costs.point = fmax(0, (large - one) / (LARGE - 1));
  costs.batch = one - costs.point;
  return costs;
}
