#include "control/local.h"

#include "control/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every method looks at its start first; here, so that one that finds nothing to vary has looked at it, too. */
static void body(void *context) {
  CtlLocal *local = context;
  long entry = ctl_local_look(local, local->start);
  if (entry < 0 || !isfinite(ctl_local_J(local, entry))) return;
  if (local->method == CTL_METHOD_POUNDERS)
    ctl_local_tao(local);
  else
    ctl_local_nlopt(local);
}

void ctl_local_run(CtlLocal *local) {
  if (!local->run) local->run = ctl_coroutine_create(body, local);
  local->no_memory |= !local->run;
  CtlTurn turn = local->run ? ctl_coroutine_resume(local->run) : CTL_TURN_ENDED;
  local->failed |= turn == CTL_TURN_LOST;
  local->ended = turn != CTL_TURN_WAITS;
}

CtlLocal *ctl_local_create(const CtlProblem *problem, CtlCache *cache, CtlMethod method) {
  CtlLocal *local = malloc(sizeof *local);
  if (local) *local = (CtlLocal){.problem = problem, .cache = cache, .method = method};
  return local;
}

void ctl_local_destroy(CtlLocal *local) {
  if (local && ctl_coroutine_destroy(local->run)) free(local);
}

long ctl_local_look(CtlLocal *local, const double *u) {
  const CtlProblem *problem = local->problem;
  double inside[CTL_CONTROLS_MAX];
  for (int i = 0; i < problem->n; i++) {
    local->over |= !isfinite(u[i]); /* a method gone astray */
    inside[i] = u[i];
  }
  if (local->over) return -1;
  ctl_bounds_move_inside(problem, inside);
  long entry = ctl_cache_find(local->cache, inside);
  if (entry >= 0) return entry;
  memcpy(local->wanted, inside, (size_t)problem->n * sizeof *inside);
  local->over = !ctl_coroutine_wait(local->run);
  return local->over ? -1 : ctl_cache_find(local->cache, inside);
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

bool ctl_local_is_constrained(CtlMethod method) {
  return method == CTL_METHOD_COBYLA || method == CTL_METHOD_AUGLAG || method == CTL_METHOD_POUNDERS;
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
