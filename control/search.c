#include "control/bounds.h"
#include "control/search_inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PROOF_EDGES = 1024, /* the first edge about a local answer, in tolerances */
  LOCAL_ROOM = 512    /* points of local methods that the cache holds at least */
};

/* The cache entry of a point, wanted if it is new. */
static long look_up(CtlSearch *search, const double *u) {
  bool added;
  if (ctl_bounds_broken(search->problem, u) >= 0) return CTL_OUTSIDE;
  long entry = ctl_cache_entry(&search->cache, u, &added);
  search->wanted += added;
  search->inside++;
  return entry;
}

/* Points first .. first + count - 1 of those at work. */
static void give_points(const CtlSearch *search, long first, int count, double *u) {
  int n = search->problem->n;
  if (search->stage == CTL_STAGE_SIMPLEX) ctl_pds_points(&search->pds, search->scheme, first, count, u);
  for (int i = 0; i < count && search->stage == CTL_STAGE_OPENING; i++)
    ctl_pds_vertex(&search->pds, (int)first + i, u + i * n);
  for (int i = 0; i < count && search->stage == CTL_STAGE_LOCAL; i++)
    memcpy(u + i * n, search->locals[first + i].wanted, (size_t)n * sizeof *u);
}

static long count_points(const CtlSearch *search) {
  switch (search->stage) {
  case CTL_STAGE_OPENING: return search->problem->n + 1;
  case CTL_STAGE_SIMPLEX: return search->scheme->size;
  case CTL_STAGE_LOCAL: break;
  }
  return search->n_locals;
}

void ctl_search_plan(CtlSearch *search) {
  enum { BLOCK = 64 };
  double u[BLOCK * CTL_CONTROLS_MAX];
  int n = search->problem->n;
  search->points = count_points(search);
  search->inside = search->wanted = search->next = search->told = 0;
  if (search->cache.capacity - search->cache.count < search->points) ctl_cache_empty(&search->cache);
  search->first = search->cache.count;
  for (long k = 0; k < search->points; k += BLOCK) {
    int count = search->points - k < BLOCK ? (int)(search->points - k) : BLOCK;
    give_points(search, k, count, u);
    for (int i = 0; i < count; i++) search->entries[k + i] = look_up(search, u + i * n);
  }
  search->unasked = search->wanted;
}

/* +inf for a failed simulation or a value that is not finite. */
double ctl_search_merit(const CtlSearch *search, long entry) {
  const CtlCache *cache = &search->cache;
  if (cache->records[entry].status != SIM_OK) return INFINITY;
  double value = ctl_penalty_merit(&search->penalty, search->problem, ctl_cache_J(cache, entry),
                                   ctl_cache_x(cache, entry), ctl_cache_v(cache, entry));
  return isfinite(value) ? value : INFINITY;
}

/* Makes an entry the best point. */
void ctl_search_adopt(CtlSearch *search, long entry) {
  const CtlCache *cache = &search->cache;
  int n = search->problem->n, d = search->problem->d;
  bool good = cache->records[entry].status == SIM_OK;
  memcpy(search->best_u, ctl_cache_u(cache, entry), (size_t)n * sizeof(double));
  for (int i = 0; i < d; i++) {
    search->best_x[i] = good ? ctl_cache_x(cache, entry)[i] : NAN;
    search->best_v[i] = good ? ctl_cache_v(cache, entry)[i] : NAN;
  }
  search->best_J = ctl_cache_J(cache, entry);
}

/* Makes the best point the penalty's centre and re-forms its merit from its stored outcome. */
void ctl_search_centre(CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  const double *x = search->best_x, *v = search->best_v;
  ctl_penalty_centre(&search->penalty, problem, search->best_J, x, v);
  double value = ctl_penalty_merit(&search->penalty, problem, search->best_J, x, v);
  search->state.best = isfinite(value) ? value : INFINITY;
  search->state.J = search->best_J;
  search->state.E1 = ctl_target_error(problem->d, x, problem->position, problem->position_spacing);
  search->state.E2 = ctl_target_error(problem->d, v, problem->velocity, problem->velocity_spacing);
}

void ctl_search_begin(CtlSearch *search) {
  if (search->state.evaluations > 0) return;
  ctl_search_adopt(search, search->entries[0]);
  ctl_search_centre(search);
}

bool ctl_search_target_met(const CtlSearch *search) {
  const CtlState *state = &search->state;
  return isfinite(state->best) && fmax(state->E1, state->E2) <= search->problem->accept;
}

/* Local methods that have nothing more to ask: alone, the result is theirs; hybrid goes back to PDS. */
static void end_local(CtlSearch *search) {
  CtlState *state = &search->state;
  if (search->problem->method != CTL_METHOD_HYBRID) {
    state->edge = 0;
    return;
  }
  search->proving = ctl_search_target_met(search);
  ctl_search_reopen(search, search->proving ? PROOF_EDGES * search->problem->tolerance : state->edge);
}

/* Moves on between stages. */
static void change_stage(CtlSearch *search) {
  if (search->stage != CTL_STAGE_LOCAL && ctl_search_hands_over(search)) ctl_search_start_local(search);
  if (search->stage == CTL_STAGE_LOCAL && !ctl_search_next_local(search)) end_local(search);
}

static CtlReason result(const CtlSearch *search) {
  double relative = search->stage == CTL_STAGE_LOCAL ? INFINITY : ctl_pds_relative_size(&search->pds);
  return ctl_stop_result(search->problem, &search->state, relative);
}

/* Again after a stall. Returns false when out of memory. */
static bool restart(CtlSearch *search, long size) {
  if (search->stage != CTL_STAGE_LOCAL) return ctl_search_restart(search, size);
  search->state.restarts++;
  search->state.edge = search->problem->step;
  ctl_search_start_local(search);
  return true;
}

/* Goes on to the next points, a restart's if need be, or ends the search. */
static void proceed(CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  CtlReason reason = result(search);
  if (reason == CTL_RUNNING) {
    change_stage(search);
    reason = result(search);
  }
  bool again = reason == CTL_REASON_STALL && search->state.restarts < problem->restarts;
  bool local = search->stage == CTL_STAGE_LOCAL;
  long size = again && !local ? ctl_search_restart_size(search) : search->scheme->size;
  if (reason == CTL_RUNNING || again) {
    bool opens = !local && (again || search->stage == CTL_STAGE_OPENING);
    long next = local ? search->n_locals + again : opens ? size + problem->n + 1 : size;
    CtlReason budget = ctl_stop_budget(problem, &search->state, search->state.seconds, next);
    if (budget != CTL_RUNNING)
      reason = budget;
    else if (again && restart(search, size))
      reason = local && !ctl_search_next_local(search) ? CTL_REASON_STALL : CTL_RUNNING;
    else if (again)
      search->state.no_memory = true;
  }
  search->state.reason = reason;
  if (reason == CTL_RUNNING) ctl_search_plan(search);
}

/* Counts what has come and forms the merit of every point. */
void ctl_search_take_stock(CtlSearch *search) {
  CtlState *state = &search->state;
  state->evaluations += search->inside;
  state->ivps += search->wanted;
  state->cache_hits = state->evaluations - state->ivps;
  long fresh = search->first; /* the next entry to be met for the first time */
  for (long k = 0; k < search->points; k++) {
    long entry = search->entries[k];
    search->merits[k] = entry == CTL_OUTSIDE ? INFINITY : ctl_search_merit(search, entry);
    if (entry != fresh) continue;
    state->iterations += search->cache.records[entry].iterations;
    state->non_finite += isinf(search->merits[k]) != 0;
    state->timed_out += search->cache.records[entry].status == SIM_NOT_FINISHED;
    fresh++;
  }
}

/* All outcomes wanted are here. Returns whether a simplex has ended. */
static bool complete(CtlSearch *search) {
  CtlStage stage = search->stage;
  switch (stage) {
  case CTL_STAGE_OPENING: ctl_search_finish_opening(search); break;
  case CTL_STAGE_SIMPLEX: ctl_search_finish_simplex(search); break;
  case CTL_STAGE_LOCAL: ctl_search_finish_local(search); break;
  }
  proceed(search);
  return stage != CTL_STAGE_OPENING;
}

bool ctl_search_advance(CtlSearch *search) {
  while (search->state.reason == CTL_RUNNING && search->wanted == 0)
    if (complete(search)) return true;
  return false;
}

SimStatus ctl_search_create(const CtlProblem *problem, CtlSearch **result) {
  size_t n = (size_t)problem->n, d = (size_t)problem->d;
  CtlSimplex simplex;
  CtlSearch *search = calloc(1, sizeof *search);
  *result = NULL;
  if (!search) return SIM_NO_MEMORY;
  assert(ctl_bounds_broken(problem, problem->start) < 0);
  search->problem = problem;
  search->best_u = malloc((n + 2 * d) * sizeof(double));
  long size = ctl_problem_scheme_size(problem);
  bool local = problem->method != CTL_METHOD_PDS;
  if (local) search->locals = calloc(CTL_LOCALS, sizeof *search->locals);
  if (!search->best_u || (local && !search->locals) || !ctl_search_resize(search, size) ||
      ctl_cache_init(&search->cache, problem->n, problem->d, size + problem->n + 1 + (local ? LOCAL_ROOM : 0)) !=
          SIM_OK) {
    ctl_search_destroy(search);
    return SIM_NO_MEMORY;
  }
  search->best_x = search->best_u + n;
  search->best_v = search->best_x + d;
  memcpy(search->best_u, problem->start, n * sizeof(double));
  for (size_t i = 0; i < 2 * d; i++) search->best_x[i] = NAN;
  search->best_J = ctl_cost(problem, problem->start);
  ctl_penalty_start(&search->penalty, problem);
  ctl_simplex_first(problem, &simplex);
  ctl_pds_start(&search->pds, &simplex);
  search->state.edge = ctl_pds_edge(&search->pds);
  ctl_search_centre(search);
  if (problem->method == CTL_METHOD_PDS || problem->method == CTL_METHOD_HYBRID) {
    search->stage = CTL_STAGE_OPENING;
  } else {
    search->state.edge = problem->step;
    ctl_search_start_local(search);
    if (!ctl_search_next_local(search)) search->state.reason = CTL_REASON_FAILED; /* no control is free, say */
  }
  if (search->state.no_memory) {
    ctl_search_destroy(search);
    return SIM_NO_MEMORY;
  }
  ctl_search_plan(search);
  *result = search;
  return SIM_OK;
}

void ctl_search_destroy(CtlSearch *search) {
  if (!search) return;
  ctl_template_give(search->scheme);
  ctl_cache_clear(&search->cache);
  free(search->best_u);
  free(search->locals);
  free(search->entries);
  free(search->merits);
  free(search);
}

int ctl_search_ask(CtlSearch *search, int max, long *tickets, double *controls) {
  size_t n = (size_t)search->problem->n;
  int count = 0;
  for (; count < max && search->unasked; search->next++) {
    long entry = search->first + search->next;
    if (search->cache.records[entry].known) continue;
    tickets[count] = search->state.ivps + search->next;
    memcpy(controls + (size_t)count * n, ctl_cache_u(&search->cache, entry), n * sizeof *controls);
    count++;
    search->unasked--;
  }
  return count;
}

long ctl_search_unasked(const CtlSearch *search) { return search->unasked; }

bool ctl_search_wants(const CtlSearch *search, long ticket) {
  long place = ticket - search->state.ivps;
  return place >= 0 && place < search->next && !search->cache.records[search->first + place].known;
}

bool ctl_search_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, double seconds) {
  long place = ticket - search->state.ivps;
  assert(ctl_search_wants(search, ticket));
  long entry = search->first + place;
  double J = ctl_cost(search->problem, ctl_cache_u(&search->cache, entry));
  ctl_cache_store(&search->cache, entry, J, outcome);
  search->state.seconds = fmax(search->state.seconds, search->seconds_before + seconds);
  if (++search->told < search->wanted) return false;
  return complete(search) || ctl_search_advance(search);
}

void ctl_search_state(const CtlSearch *search, CtlState *state) {
  *state = search->state;
  state->scheme_size = search->scheme->size;
  memcpy(state->rho, search->penalty.rho, sizeof state->rho);
  state->u = search->best_u;
  state->x = search->best_x;
  state->v = search->best_v;
}
