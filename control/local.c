#include "control/local.h"

#include "control/bounds.h"

#include <math.h>
#include <string.h>

void ctl_local_run(CtlLocal *local) {
  local->wants = false;
  if (local->ended) return;
  if (local->method == CTL_METHOD_POUNDERS)
    ctl_local_tao(local);
  else
    ctl_local_nlopt(local);
  local->ended = !local->wants;
}

long ctl_local_look(CtlLocal *local, const double *u) {
  const CtlProblem *problem = local->problem;
  double inside[CTL_CONTROLS_MAX];
  if (local->wants) return -1;
  for (int i = 0; i < problem->n; i++) {
    if (!isfinite(u[i])) return -1; /* a method gone astray: it ends */
    inside[i] = u[i];
  }
  ctl_bounds_move_inside(problem, inside);
  long entry = ctl_cache_find(local->cache, inside);
  if (entry >= 0) return entry;
  memcpy(local->wanted, inside, (size_t)problem->n * sizeof *inside);
  local->wants = true;
  return -1;
}

static bool good(const CtlLocal *local, long entry) { return local->cache->records[entry].status == SIM_OK; }

double ctl_local_J(const CtlLocal *local, long entry) { return ctl_cache_J(local->cache, entry); }

double ctl_local_merit(const CtlLocal *local, long entry) {
  double J = ctl_local_J(local, entry), value = INFINITY;
  if (good(local, entry))
    value = ctl_penalty_merit(&local->penalty, local->problem, J, ctl_cache_x(local->cache, entry),
                              ctl_cache_v(local->cache, entry));
  return isfinite(value) ? value : J + local->penalty.rho[0] * CTL_LOCAL_FAILED;
}

static int given(int d, const double *target) {
  int count = 0;
  for (int i = 0; i < d; i++) count += !isnan(target[i]);
  return count;
}

int ctl_local_misses(const CtlProblem *problem) {
  return given(problem->d, problem->position) + given(problem->d, problem->velocity);
}

static double *subtract(int d, const double *y, const double *target, double *misses) {
  for (int i = 0; i < d; i++) {
    if (isnan(target[i])) continue;
    double miss = y ? y[i] - target[i] : NAN;
    *misses++ = isfinite(miss) ? miss : CTL_LOCAL_FAILED;
  }
  return misses;
}

void ctl_local_miss(const CtlLocal *local, long entry, double *misses) {
  const CtlProblem *problem = local->problem;
  const double *x = good(local, entry) ? ctl_cache_x(local->cache, entry) : NULL;
  const double *v = good(local, entry) ? ctl_cache_v(local->cache, entry) : NULL;
  misses = subtract(problem->d, x, problem->position, misses);
  subtract(problem->d, v, problem->velocity, misses);
}
