#include "control/local/local.h"

#include "control/problem/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The local methods: for another, a row here, its name in src/problem/search.c, and where it is run. */
static const struct {
  void (*run)(CtlLocal *local);
  bool constrained, petsc;
} methods[] = {
    [CTL_METHOD_COBYLA] = {.run = ctl_local_nlopt, .constrained = true},
    [CTL_METHOD_BOBYQA] = {.run = ctl_local_nlopt},
    [CTL_METHOD_SBPLX] = {.run = ctl_local_nlopt},
    [CTL_METHOD_AUGLAG] = {.run = ctl_local_nlopt, .constrained = true},
    [CTL_METHOD_POUNDERS] = {.run = ctl_local_tao, .constrained = true, .petsc = true},
    [CTL_METHOD_HYBRID] = {.petsc = true},
};

bool ctl_method_wants_petsc(CtlMethod method) { return methods[method].petsc; }
bool ctl_local_is_constrained(CtlMethod method) { return methods[method].constrained; }

static bool may_vary(const CtlProblem *problem) {
  for (int i = 0; i < problem->n; i++)
    if (problem->lower[i] < problem->upper[i]) return true;
  return false;
}

/* Every method looks at its start first; here, so that where nothing may vary it has been looked at, too. */
static void body(void *context) {
  CtlLocal *local = context;
  long entry = ctl_local_look(local, local->start);
  if (entry >= 0 && isfinite(ctl_local_J(local, entry)) && may_vary(local->problem)) methods[local->method].run(local);
}

void ctl_local_run(CtlLocal *local) {
  if (!local->run) local->run = ctl_coroutine_create(body, local, CTL_LOCAL_SECONDS);
  local->no_memory |= !local->run;
  CtlTurn turn = local->run ? ctl_coroutine_resume(local->run) : CTL_TURN_ENDED;
  local->lost = turn == CTL_TURN_LOST;
  local->failed |= local->lost;
  local->ended = turn != CTL_TURN_WAITS;
}

CtlLocal *ctl_local_create(const CtlProblem *problem, CtlCache *cache, CtlMethod method) {
  CtlLocal *local = malloc(sizeof *local);
  if (local) *local = (CtlLocal){.problem = problem, .cache = cache, .method = method, .newest = -1};
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
  /* a run that is begun anew finds what it has met, in that order; one that goes round finds nothing new */
  if (entry >= 0) {
    if (entry > local->newest) {
      local->newest = entry;
      ctl_coroutine_progress(local->run);
    }
    return entry;
  }
  memcpy(local->wanted, inside, (size_t)problem->n * sizeof *inside);
  if (ctl_coroutine_wait(local->run)) entry = ctl_cache_find(local->cache, inside);
  local->over = entry < 0;
  return entry;
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
