#include "control/local/method.h"

#include <math.h>

static CtlLocalRun *of(CtlRun *run) { return (CtlLocalRun *)run; }

/* One at a time; but room as for the simplexes of hybrid, which has several side by side. */
long ctl_local_round(const CtlProblem *problem) { return 3L * problem->n; }

void ctl_local_end(CtlRun *run) {
  ctl_local_destroy(of(run)->local);
  of(run)->local = NULL;
}

bool ctl_local_start(CtlRun *run, const double *u, double step) {
  const CtlProblem *problem = run->problem;
  CtlObjective *objective = run->objective;
  ctl_local_end(run);
  CtlLocal *local = ctl_local_create(run->method, problem, &objective->cache);
  if (!local) return false;
  local->penalty = objective->penalty;
  local->step = u ? step : problem->step;
  memcpy(local->start, u ? u : problem->start, (size_t)problem->n * sizeof *u);
  objective->state.edge = local->step;
  objective->cut = false;
  of(run)->local = local;
  return true;
}

long ctl_local_next(CtlRun *run) {
  CtlObjective *objective = run->objective;
  CtlLocal *local = of(run)->local;
  if (!local) return 0;
  ctl_local_run(local);
  objective->state.no_memory |= local->no_memory;
  objective->state.method_errors += local->failed;
  bool full = objective->cache.capacity == objective->cache.count; /* emptied, it would not know the method's way */
  objective->cut |= local->cut || (full && !local->ended);
  objective->hung |= local->hung;
  if (local->ended || full) ctl_local_end(run);
  return of(run)->local != NULL;
}

void ctl_local_points(const CtlRun *run, long first, int count, double *u) {
  (void)first;
  if (count) memcpy(u, ((const CtlLocalRun *)run)->local->wanted, (size_t)run->problem->n * sizeof *u);
}

/* From the best point with a quarter of the step. */
long ctl_local_restart(CtlRun *run) {
  CtlObjective *objective = run->objective;
  CtlState *state = &objective->state;
  long points = 0;
  while (!points && !state->no_memory && !objective->hung && state->restarts < run->problem->restarts) {
    state->restarts++;
    double step = run->problem->step * ldexp(1, -2 * (int)state->restarts);
    if (objective->cut || objective->cache.count == objective->cache.capacity) ctl_cache_empty(&objective->cache);
    state->no_memory |= !ctl_local_start(run, objective->best.u, step);
    points = ctl_local_next(run);
  }
  return points;
}

long ctl_local_ahead(const CtlRun *run, bool restarts) {
  return (((const CtlLocalRun *)run)->local != NULL) + restarts;
}

/* Where it stands follows from the outcomes known. */
bool ctl_local_serialize(CtlRun *run, CtlBytes *bytes) {
  bool there = ctl_bytes_integer(bytes, of(run)->local != NULL, 0, 1);
  if (bytes->from) ctl_local_end(run);
  if (!there) return true;
  if (bytes->from) of(run)->local = ctl_local_create(run->method, run->problem, &run->objective->cache);
  CtlLocal *local = of(run)->local;
  if (!local) return false;
  ctl_penalty_serialize(&local->penalty, bytes);
  ctl_bytes_numbers(bytes, &local->step, 1);
  ctl_bytes_numbers(bytes, local->start, (size_t)run->problem->n);
  return true;
}
