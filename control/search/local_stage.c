#include "control/search/internal.h"

#include <math.h>
#include <string.h>

void ctl_search_add_local(CtlSearch *search, CtlMethod method, const double *u, double step) {
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

void ctl_search_stop_local(CtlSearch *search) {
  for (int i = 0; i < search->n_locals; i++) ctl_local_destroy(search->locals[i]);
  search->n_locals = 0;
}

void ctl_search_start_local(CtlSearch *search) {
  ctl_search_stop_local(search);
  search->stage = CTL_STAGE_LOCAL;
  search->cut = false;
  ctl_search_add_local(search, search->problem->method, search->best.u, search->state.edge);
}

bool ctl_search_next_local(CtlSearch *search) {
  int left = 0;
  for (int i = 0; i < search->n_locals; i++) {
    CtlLocal *local = search->locals[i];
    ctl_local_run(local);
    search->state.no_memory |= local->no_memory;
    search->state.method_errors += local->failed;
    search->cut |= local->cut;
    search->lost |= local->lost;
    if (local->ended)
      ctl_local_destroy(local);
    else
      search->locals[left++] = local;
  }
  search->n_locals = left;
  bool full = search->cache.capacity - search->cache.count < left; /* emptied, the cache would not know their way */
  search->cut |= full;
  if (full) ctl_search_stop_local(search);
  return search->n_locals > 0;
}

bool ctl_search_restart_local(CtlSearch *search) {
  CtlState *state = &search->state;
  bool wants = false;
  while (!wants && !state->no_memory && !search->lost && state->restarts < search->problem->restarts) {
    state->restarts++;
    state->edge = search->problem->step * ldexp(1, -2 * (int)state->restarts);
    if (search->cut || search->cache.count == search->cache.capacity) ctl_cache_empty(&search->cache);
    ctl_search_start_local(search);
    wants = ctl_search_next_local(search);
  }
  return wants;
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
