/* SPDX-License-Identifier: BSD-2-Clause */
/* Local methods as search methods: one point at a time. */
#include "control/local/local.h"

#include <math.h>

typedef struct LocalRun {
  CtlRun run;
  CtlLocal *local; /* run of the method; owned; NULL once it has ended */
} LocalRun;

static LocalRun *of(CtlRun *run) { return (LocalRun *)run; }

/* Returns the number of points for which a round needs storage. A round has one point, but hybrid runs several methods
 * at the same time, and also the simplexes of pds. */
static long room_points(const CtlProblem *problem) {
  return 3L * (problem->n < CTL_SIMPLEX_CONTROLS_MAX ? problem->n : CTL_SIMPLEX_CONTROLS_MAX);
}

static void end(CtlRun *run) {
  ctl_local_destroy(of(run)->local);
  of(run)->local = NULL;
}

static bool start(CtlRun *run, const double *control, double step) {
  const CtlProblem *problem = run->problem;
  CtlObjective *objective = run->objective;
  end(run);
  CtlLocal *local = ctl_local_create(run->method, problem, &objective->cache);
  if (!local) return false;
  local->penalty = objective->penalty;
  local->step = control ? step : problem->step;
  memcpy(local->start, control ? control : problem->start, (size_t)problem->n * sizeof *control);
  objective->state.edge = local->step;
  objective->cut = false;
  of(run)->local = local;
  return true;
}

static long next(CtlRun *run) {
  CtlObjective *objective = run->objective;
  CtlLocal *local = of(run)->local;
  if (!local) return 0;
  double most = run->problem->max_seconds;
  ctl_local_run(local, most > 0 ? fmax(0, most - objective->state.seconds) : INFINITY);
  objective->state.no_memory |= local->no_memory;
  objective->state.method_errors += local->failed;
  /* a full cache ends the run, since emptying the cache would discard the method's evaluations */
  bool full = objective->cache.capacity == objective->cache.count;
  objective->cut |= local->cut || local->late || (full && !local->ended);
  objective->hung |= local->hung;
  if (local->ended || full) end(run);
  return of(run)->local != NULL;
}

static void points(CtlRun *run, long first, int count, double *controls) {
  (void)first;
  if (count) memcpy(controls, of(run)->local->wanted, (size_t)run->problem->n * sizeof *controls);
}

/* Restarts at the best point with a quarter of the step. */
static long restart(CtlRun *run) {
  CtlObjective *objective = run->objective;
  CtlState *state = &objective->state;
  long points = 0;
  while (!points && !state->no_memory && !objective->hung && state->restarts < run->problem->restarts) {
    state->restarts++;
    double step = run->problem->step * ldexp(1, -2 * (int)state->restarts);
    if (objective->cut || objective->cache.count == objective->cache.capacity) ctl_cache_empty(&objective->cache);
    state->no_memory |= !start(run, objective->best.control, step);
    points = next(run);
  }
  return points;
}

static long ahead(CtlRun *run, bool restarts) { return (of(run)->local != NULL) + restarts; }

/* Only the initial point is saved, since the state follows from the outcomes in the cache. Returns false when out of
 * memory. */
static bool serialize(CtlRun *run, CtlBytes *bytes) {
  bool there = ctl_bytes_integer(bytes, of(run)->local != NULL, 0, 1);
  if (bytes->from) end(run);
  if (!there) return true;
  if (bytes->from) of(run)->local = ctl_local_create(run->method, run->problem, &run->objective->cache);
  CtlLocal *local = of(run)->local;
  if (!local) return false;
  ctl_penalty_serialize(&local->penalty, bytes);
  ctl_bytes_numbers(bytes, &local->step, 1);
  ctl_bytes_numbers(bytes, local->start, (size_t)run->problem->n);
  return true;
}

const CtlMethodOps ctl_local_ops = {CTL_METHOD_FUNCTIONS, .round = room_points, .size = sizeof(LocalRun), .room = 512,
                                    .rounds = {"point", "points"}};
