/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/local/local.h"

#include "control/outcome/values.h"
#include "control/problem/bounds.h"

#include <math.h>
#include <stdlib.h>

static bool petsc_left; /* whether a thread has been abandoned inside PETSc; PETSc's state is global */

static bool may_vary(const CtlProblem *problem) {
  for (int i = 0; i < problem->n; i++)
    if (problem->lower[i] < problem->upper[i]) return true;
  return false;
}

/* Runs the method. The start is evaluated first, so that its value is known even if all variables are fixed. */
static void run_method(void *context) {
  CtlLocal *local = context;
  const CtlLocalSolver *solver = local->method->own;
  double f;
  if (!ctl_local_value(local, local->start, &f, NULL, NULL) || !isfinite(f) || !may_vary(local->problem)) return;
  if (petsc_left && local->method->petsc)
    local->failed = true;
  else
    solver->minimise(local);
}

void ctl_local_run(CtlLocal *local, double seconds) {
  if (!local->run) local->run = ctl_coroutine_create(run_method, local, CTL_LOCAL_SECONDS);
  local->no_memory |= !local->run;
  if (local->run) ctl_coroutine_limit(local->run, seconds);
  CtlTurn turn = local->run ? ctl_coroutine_resume(local->run) : CTL_TURN_ENDED;
  local->late = turn == CTL_TURN_LATE;
  local->hung = turn == CTL_TURN_HUNG || local->late;
  local->failed = (local->failed || local->hung) && !local->late;
  local->ended = turn != CTL_TURN_WAITS;
}

CtlLocal *ctl_local_create(const CtlMethod *method, const CtlProblem *problem, CtlCache *cache) {
  size_t n = (size_t)problem->n;
  CtlLocal *local = malloc(sizeof *local);
  double *block = calloc(6 * n, sizeof *block);
  if (!local || !block) {
    free(local);
    free(block);
    return NULL;
  }
  *local = (CtlLocal){.method = method,
                      .problem = problem,
                      .cache = cache,
                      .start = block,
                      .wanted = block + n,
                      .inside = block + 2 * n,
                      .scratch = block + 3 * n,
                      .newest = -1};
  return local;
}

static void local_free(CtlLocal *local) {
  free(local->start);
  free(local);
}

void ctl_local_destroy(CtlLocal *local) {
  if (!local) return;
  if (ctl_coroutine_destroy(local->run))
    local_free(local);
  else
    petsc_left |= local->method->petsc;
}

/* Returns the cache entry of a point, which is first moved into the bounds; -1 if the run must end. */
static long look_up(CtlLocal *local, const double *control) {
  const CtlProblem *problem = local->problem;
  double *inside = local->inside;
  for (int i = 0; i < problem->n; i++) {
    /* a coordinate that is not finite shows that the method has diverged; the run then ends */
    local->over |= !isfinite(control[i]);
    inside[i] = control[i];
  }
  if (local->over) return -1;
  ctl_bounds_move_inside(problem, inside);
  long entry = ctl_cache_find(local->cache, inside);
  /* Finding an entry later than `newest` counts as progress. A method that is run again finds its entries in the order
   * in which it added them, so it makes progress; a method that cycles finds no later entry than before, so that its
   * time limit ends it. */
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

static double *subtract_target(int d, const double *y, const double *target, double *misses) {
  for (int i = 0; i < d; i++) {
    if (isnan(target[i])) continue;
    double miss = y ? y[i] - target[i] : NAN;
    *misses++ = isfinite(miss) ? miss : CTL_LOCAL_FAILED;
  }
  return misses;
}

/* Returns the value that replaces each number of a failed evaluation. User-defined values may have any size, so it
 * exceeds all values of earlier evaluations. It is the same at each lookup of the entry. */
static double failed_size(const CtlLocal *local, long entry) {
  const CtlCache *cache = local->cache;
  double size = CTL_LOCAL_FAILED, most = 1e100; /* the square of 1e100 is still finite */
  if (!local->problem->roles) return size;
  for (long e = 0; e < entry; e++) {
    if (!cache->records[e].known || cache->records[e].status != SIM_OK || !isfinite(ctl_cache_J(cache, e))) continue;
    size = fmax(size, 2 * fabs(ctl_cache_J(cache, e)));
    for (int i = 0; i < cache->d; i++) size = fmax(size, 2 * fabs(ctl_cache_x(cache, e)[i]));
  }
  return fmin(size, most);
}

/* Returns the penalty function P or Pi_K of an evaluation; always finite. J: effort; x, v: final state, NULL if the
 * evaluation failed; failed: replaces each error of a failed evaluation. */
static double local_merit(const CtlLocal *local, double J, const double *x, const double *v, double failed) {
  double value = x ? ctl_penalty_merit(&local->penalty, local->problem, J, x, v) : INFINITY;
  return isfinite(value) ? value : J + local->penalty.rho[0] * failed;
}

static void take_outcome(const CtlLocal *local, long entry, double *f, double *misses, double *residuals) {
  const CtlProblem *problem = local->problem;
  bool good = local->cache->records[entry].status == SIM_OK;
  const double *x = good ? ctl_cache_x(local->cache, entry) : NULL;
  const double *v = good ? ctl_cache_v(local->cache, entry) : NULL;
  double J = ctl_cache_J(local->cache, entry);
  double failed = good && isfinite(J) ? CTL_LOCAL_FAILED : failed_size(local, entry);
  *f = isfinite(J) ? J : failed;
  if (!local->method->constrained) *f = local_merit(local, *f, isfinite(J) ? x : NULL, v, failed);
  if (misses && problem->roles) ctl_values_constraints(problem, x, failed, misses);
  if (misses && !problem->roles)
    subtract_target(problem->d, v, problem->velocity, subtract_target(problem->d, x, problem->position, misses));
  if (residuals) ctl_values_residuals(problem, x, failed, residuals);
}

bool ctl_local_value(CtlLocal *local, const double *control, double *f, double *misses, double *residuals) {
  bool wanted = ctl_coroutine_enter(local->run);
  long entry = wanted ? look_up(local, control) : -1;
  local->over |= entry < 0;
  if (entry >= 0) take_outcome(local, entry, f, misses, residuals);
  ctl_coroutine_leave(local->run);
  return entry >= 0;
}

void ctl_local_pass(CtlLocal *local) {
  ctl_coroutine_enter(local->run);
  ctl_coroutine_leave(local->run);
}

bool stiction_thread_left(void) { return ctl_coroutine_any_left(); }
