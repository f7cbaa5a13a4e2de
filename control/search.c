#include "control/cache.h"
#include "control/pds.h"
#include "control/penalty.h"
#include "control/stop.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDEN = 4,                /* a restart's scheme is so many times larger */
  WIDEST_PER_CONTROL = 4096 /* but has no more points than this per control: beyond, only the depth grows */
};

struct CtlSearch {
  const CtlProblem *problem;
  CtlTemplate scheme;
  CtlPds pds;
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state; /* but for its pointers; counts and edge as of the last simplex */
  double seconds; /* the latest told */
  double *best_u; /* [n] v_0; owned, with the next two in one block */
  double *best_x; /* [d] NAN when it failed */
  double *best_v; /* [d] */
  double best_J;

  /* The points at work: the vertices of a first simplex (opening), or a simplex's scheme. A ticket is the number of a
   * simulation: state.ivps + its place among the wanted. */
  bool opening;
  long points;    /* n+1 when opening, else s */
  long *entries;  /* [points] cache entry of each point, OUTSIDE the bounds */
  double *merits; /* [points] */
  long inside;    /* points within the bounds */
  long first;     /* the entries to simulate are first .. first + wanted - 1, in the order of the points */
  long wanted, asked, told;
};

static const long OUTSIDE = -1;

static bool within_bounds(const CtlProblem *problem, const double *u) {
  for (int i = 0; i < problem->n; i++)
    if (!(u[i] >= problem->lower[i] && u[i] <= problem->upper[i])) return false;
  return true;
}

/* The cache entry of a point, wanted if it is new. */
static long look_up(CtlSearch *search, const double *u) {
  bool added;
  if (!within_bounds(search->problem, u)) return OUTSIDE;
  long entry = ctl_cache_entry(&search->cache, u, &added);
  search->wanted += added;
  search->inside++;
  return entry;
}

/* Lays out the points of the next simplex, or of the opening. */
static void plan(CtlSearch *search) {
  enum { BLOCK = 64 };
  double u[BLOCK * CTL_CONTROLS_MAX];
  int n = search->problem->n;
  search->points = search->opening ? search->problem->n + 1 : search->scheme.size;
  search->inside = search->wanted = search->asked = search->told = 0;
  if (search->cache.capacity - search->cache.count < search->points) ctl_cache_empty(&search->cache);
  search->first = search->cache.count;
  for (long k = 0; k < search->points; k += BLOCK) {
    int count = search->points - k < BLOCK ? (int)(search->points - k) : BLOCK;
    if (search->opening)
      for (int i = 0; i < count; i++) ctl_pds_vertex(&search->pds, (int)k + i, u + i * n);
    else
      ctl_pds_points(&search->pds, &search->scheme, k, count, u);
    for (int i = 0; i < count; i++) search->entries[k + i] = look_up(search, u + i * n);
  }
}

/* +inf for a failed simulation or a value that is not finite. */
static double merit(const CtlSearch *search, long entry) {
  const CtlCache *cache = &search->cache;
  if (cache->records[entry].status != SIM_OK) return INFINITY;
  double value = ctl_penalty_merit(&search->penalty, search->problem, ctl_cache_J(cache, entry),
                                   ctl_cache_x(cache, entry), ctl_cache_v(cache, entry));
  return isfinite(value) ? value : INFINITY;
}

/* Makes an entry the best point. */
static void adopt(CtlSearch *search, long entry) {
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
static void centre(CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  const double *x = search->best_x, *v = search->best_v;
  ctl_penalty_centre(&search->penalty, problem, search->best_J, x, v);
  double value = ctl_penalty_merit(&search->penalty, problem, search->best_J, x, v);
  search->state.best = isfinite(value) ? value : INFINITY;
  search->state.J = search->best_J;
  search->state.E1 = ctl_target_error(problem->d, x, problem->position, problem->position_spacing);
  search->state.E2 = ctl_target_error(problem->d, v, problem->velocity, problem->velocity_spacing);
}

/* How large a stalled search's next scheme is: four times the last or the default, whichever is larger (a
 * scheme narrower than the default is why most searches stall); no more than the cache has room for. */
static long restart_size(const CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  long size = search->scheme.size, usual = ctl_scheme_auto(problem->n);
  long most = (long)WIDEST_PER_CONTROL * problem->n;
  if (most > CTL_SCHEME_MAX) most = CTL_SCHEME_MAX;
  if (most > search->cache.capacity - 1) most = search->cache.capacity - 1;
  long wider = WIDEN * (size > usual ? size : usual);
  if (wider > most) wider = most;
  return wider > size ? wider : size;
}

/* The arrays that go with the scheme. Returns false when out of memory; what was there stays as it was. */
static bool resize(CtlSearch *search, long size) {
  CtlTemplate scheme;
  if (ctl_template_init(&scheme, search->problem->n, size) != SIM_OK) return false;
  size_t points = (size_t)size; /* >= 2n >= n + 1: room for an opening, too */
  long *entries = malloc(points * sizeof *entries);
  double *merits = malloc(points * sizeof *merits);
  if (!entries || !merits) {
    free(entries);
    free(merits);
    ctl_template_clear(&scheme);
    return false;
  }
  ctl_template_clear(&search->scheme);
  free(search->entries);
  free(search->merits);
  search->scheme = scheme;
  search->entries = entries;
  search->merits = merits;
  return true;
}

static bool restart(CtlSearch *search, long size) {
  CtlSimplex simplex = search->pds.first;
  if (size != search->scheme.size && !resize(search, size)) return false;
  search->state.restarts++;
  ctl_simplex_restart(&simplex, search->best_u, (int)search->state.restarts);
  ctl_pds_start(&search->pds, &simplex);
  search->state.edge = ctl_pds_edge(&search->pds);
  search->opening = true;
  return true;
}

/* Goes on to the next simplex, a restart's if need be, or ends the search. */
static void proceed(CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  CtlReason reason = ctl_stop_result(problem, &search->state, ctl_pds_relative_size(&search->pds));
  bool again = reason == CTL_REASON_STALL && search->state.restarts < problem->restarts;
  long next = again ? restart_size(search) : search->scheme.size;
  if (reason == CTL_RUNNING || again) {
    CtlReason budget = ctl_stop_budget(problem, &search->state, search->seconds, again ? next + problem->n + 1 : next);
    if (budget != CTL_RUNNING)
      reason = budget;
    else if (again && restart(search, next))
      reason = CTL_RUNNING;
    else if (again)
      search->state.no_memory = true;
  }
  search->state.reason = reason;
  if (reason == CTL_RUNNING) plan(search);
}

/* Counts what has come and forms the merit of every point. */
static void take_stock(CtlSearch *search) {
  CtlState *state = &search->state;
  state->evaluations += search->inside;
  state->ivps += search->wanted;
  state->cache_hits = state->evaluations - state->ivps;
  long fresh = search->first; /* the next entry to be met for the first time */
  for (long k = 0; k < search->points; k++) {
    long entry = search->entries[k];
    search->merits[k] = entry == OUTSIDE ? INFINITY : merit(search, entry);
    if (entry != fresh) continue;
    state->iterations += search->cache.records[entry].iterations;
    state->non_finite += isinf(search->merits[k]) != 0;
    fresh++;
  }
}

/* The vertices of a first simplex are known: the best of them becomes v_0. The very first is the start. */
static void finish_opening(CtlSearch *search) {
  if (search->state.evaluations == 0) {
    adopt(search, search->entries[0]);
    centre(search);
  }
  take_stock(search);
  int best = 0;
  for (int l = 1; l < search->points; l++)
    if (search->merits[l] < search->merits[best]) best = l;
  ctl_pds_choose(&search->pds, best);
  adopt(search, search->entries[best]);
  centre(search);
  search->opening = false;
}

/* The points of a simplex are known: the move. */
static void finish_simplex(CtlSearch *search) {
  CtlState *state = &search->state;
  state->simplexes++;
  take_stock(search);
  /* A simplex that has brought nothing new contracts: parameters that change with the best point could
   * otherwise lead the search in a circle through known points for ever. */
  long winner = -1;
  if (search->wanted == 0)
    ctl_pds_contract(&search->pds, &search->scheme);
  else
    winner = ctl_pds_move(&search->pds, &search->scheme, state->best, search->merits);
  if (winner >= 0) adopt(search, search->entries[winner]);
  state->edge = ctl_pds_edge(&search->pds);
  if (winner >= 0 || isfinite(state->best))
    ctl_penalty_update_rho(&search->penalty, search->problem, search->best_x, search->best_v);
  centre(search);
}

/* All outcomes wanted are here. Returns whether a simplex has ended. */
static bool complete(CtlSearch *search) {
  bool simplex = !search->opening;
  if (simplex)
    finish_simplex(search);
  else
    finish_opening(search);
  proceed(search);
  return simplex;
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
  assert(within_bounds(problem, problem->start));
  search->problem = problem;
  search->best_u = malloc((n + 2 * d) * sizeof(double));
  long size = ctl_problem_scheme_size(problem);
  if (!search->best_u || !resize(search, size) ||
      ctl_cache_init(&search->cache, problem->n, problem->d, size + problem->n + 1) != SIM_OK) {
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
  centre(search);
  search->opening = true;
  plan(search);
  *result = search;
  return SIM_OK;
}

void ctl_search_destroy(CtlSearch *search) {
  if (!search) return;
  ctl_template_clear(&search->scheme);
  ctl_cache_clear(&search->cache);
  free(search->best_u);
  free(search->entries);
  free(search->merits);
  free(search);
}

int ctl_search_ask(CtlSearch *search, int max, long *tickets, double *controls) {
  size_t n = (size_t)search->problem->n;
  int count = 0;
  for (; count < max && search->asked < search->wanted; count++, search->asked++) {
    tickets[count] = search->state.ivps + search->asked;
    memcpy(controls + (size_t)count * n, ctl_cache_u(&search->cache, search->first + search->asked),
           n * sizeof *controls);
  }
  return count;
}

long ctl_search_unasked(const CtlSearch *search) { return search->wanted - search->asked; }

bool ctl_search_wants(const CtlSearch *search, long ticket) {
  long place = ticket - search->state.ivps;
  return place >= 0 && place < search->asked && !search->cache.records[search->first + place].known;
}

bool ctl_search_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, double seconds) {
  long place = ticket - search->state.ivps;
  assert(ctl_search_wants(search, ticket));
  long entry = search->first + place;
  double J = ctl_cost(search->problem, ctl_cache_u(&search->cache, entry));
  ctl_cache_store(&search->cache, entry, J, outcome);
  search->seconds = fmax(search->seconds, seconds);
  if (++search->told < search->wanted) return false;
  return complete(search) || ctl_search_advance(search);
}

void ctl_search_state(const CtlSearch *search, CtlState *state) {
  *state = search->state;
  state->scheme_size = search->scheme.size;
  memcpy(state->rho, search->penalty.rho, sizeof state->rho);
  state->u = search->best_u;
  state->x = search->best_x;
  state->v = search->best_v;
}
