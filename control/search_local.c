#include "control/search_inside.h"

#include <math.h>
#include <string.h>

/* How often hybrid leaves PDS for local methods: after these it is PDS alone. */
enum { HANDOVERS = 4 };

/* The first time it leaves after so many simplexes, if none has contracted before. */
enum { SIMPLEXES_FIRST = 4 };

static void start(CtlSearch *search, CtlMethod method, const double *u, double step) {
  CtlLocal *local = &search->locals[search->n_locals++];
  *local = (CtlLocal){
      .problem = search->problem, .cache = &search->cache, .method = method, .penalty = search->penalty, .step = step};
  memcpy(local->start, u, (size_t)search->problem->n * sizeof *u);
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
    if (merit >= least || distance(search->problem->n, ctl_cache_u(&search->cache, entry), search->best_u) < apart)
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
  start(search, CTL_METHOD_POUNDERS, search->best_u, edge);
  if (second >= 0) start(search, CTL_METHOD_COBYLA, ctl_cache_u(&search->cache, second), edge);
  search->handovers++;
}

void ctl_search_start_local(CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  search->stage = CTL_STAGE_LOCAL;
  search->n_locals = 0;
  if (problem->method == CTL_METHOD_HYBRID)
    start_side_by_side(search);
  else
    start(search, problem->method, search->best_u, problem->step * ldexp(1, -2 * (int)search->state.restarts));
}

bool ctl_search_next_local(CtlSearch *search) {
  bool enough = false;
  int left = 0;
  for (int i = 0; i < search->n_locals; i++) {
    CtlLocal *local = &search->locals[i];
    ctl_local_run(local);
    search->state.no_memory |= local->no_memory;
    enough |= local->ended && ctl_search_target_met(search);
    if (!local->ended) search->locals[left++] = *local;
  }
  search->n_locals = left;
  enough |= search->cache.capacity - search->cache.count < left; /* emptied, the cache would not know their way */
  return left > 0 && !enough;
}

void ctl_search_finish_local(CtlSearch *search) {
  ctl_search_begin(search);
  search->state.simplexes++;
  ctl_search_take_stock(search);
  long winner = -1;
  double least = search->state.best;
  for (long k = 0; k < search->points; k++)
    if (search->merits[k] < least) {
      least = search->merits[k];
      winner = k;
    }
  if (winner < 0) return;
  ctl_search_adopt(search, search->entries[winner]);
  ctl_search_centre(search);
}

bool ctl_search_hands_over(const CtlSearch *search) {
  bool found = search->contracted || (search->handovers == 0 && search->state.simplexes >= SIMPLEXES_FIRST);
  return search->problem->method == CTL_METHOD_HYBRID && found && !search->proving && search->handovers < HANDOVERS &&
         isfinite(search->state.best);
}
