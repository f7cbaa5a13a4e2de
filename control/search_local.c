#include "control/search_inside.h"

#include <math.h>
#include <string.h>

/* How often hybrid leaves PDS for local methods. */
enum { HANDOVERS = 4 };

static void start(CtlSearch *search, CtlMethod method, const double *u, double step) {
  CtlLocal *local = ctl_local_create(search->problem, &search->cache, method);
  if (!local) {
    search->state.no_memory = true;
    return;
  }
  local->penalty = search->penalty;
  local->step = step;
  memcpy(local->start, u, (size_t)search->problem->n * sizeof *u);
  search->locals[search->n_locals++] = local;
}

static double distance(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* The best known point at least `apart` from the best; -1 when there is none. */
static long second_best(const CtlSearch *search, double apart) {
  long found = -1;
  double least = INFINITY;
  for (long entry = 0; entry < search->cache.count; entry++) {
    double merit = ctl_search_merit(search, entry);
    if (merit >= least || distance(search->problem->n, ctl_cache_u(&search->cache, entry), search->best.u) < apart)
      continue;
    least = merit;
    found = entry;
  }
  return found;
}

/* Hybrid: least squares from the best point, constrained minimisation from the next. */
static void start_side_by_side(CtlSearch *search) {
  double edge = search->state.edge;
  long second = second_best(search, edge);
  start(search, CTL_METHOD_POUNDERS, search->best.u, edge);
  if (second >= 0) start(search, CTL_METHOD_COBYLA, ctl_cache_u(&search->cache, second), edge);
  search->handovers++;
}

void ctl_search_stop_local(CtlSearch *search) {
  for (int i = 0; i < search->n_locals; i++) ctl_local_destroy(search->locals[i]);
  search->n_locals = 0;
}

void ctl_search_start_local(CtlSearch *search) {
  CtlMethod method = search->problem->method;
  ctl_search_stop_local(search);
  search->stage = CTL_STAGE_LOCAL;
  if (method == CTL_METHOD_HYBRID)
    start_side_by_side(search);
  else
    start(search, method, search->best.u, search->state.edge);
}

bool ctl_search_next_local(CtlSearch *search) {
  int left = 0;
  for (int i = 0; i < search->n_locals; i++) {
    CtlLocal *local = search->locals[i];
    ctl_local_run(local);
    search->state.no_memory |= local->no_memory;
    search->state.method_errors += local->failed;
    if (local->ended)
      ctl_local_destroy(local);
    else
      search->locals[left++] = local;
  }
  search->n_locals = left;
  bool full = search->cache.capacity - search->cache.count < left; /* emptied, the cache would not know their way */
  if (full) ctl_search_stop_local(search);
  return search->n_locals > 0;
}

void ctl_search_finish_local(CtlSearch *search) {
  ctl_search_begin(search);
  search->state.simplexes++;
  ctl_search_take_stock(search);
  long winner = -1;
  double least = search->merit;
  for (long k = 0; k < search->points; k++)
    if (search->merits[k] < least) {
      least = search->merits[k];
      winner = k;
    }
  if (winner < 0) return;
  ctl_search_adopt(search, search->entries[winner]);
  ctl_search_centre(search);
}

bool ctl_search_may_hand_over(const CtlSearch *search) {
  return search->problem->method == CTL_METHOD_HYBRID && !search->proving && search->handovers < HANDOVERS &&
         !search->state.method_errors && isfinite(search->merit);
}
