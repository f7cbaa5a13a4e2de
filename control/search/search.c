#include "control/problem/bounds.h"
#include "control/search/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL_ROOM = 512 }; /* points of local methods that the cache holds at least */

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
    memcpy(u + i * n, search->locals[first + i]->wanted, (size_t)n * sizeof *u);
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

/* By the penalty in force; +inf when it is not finite. */
static double merit_of(const CtlSearch *search, double J, const double *x, const double *v) {
  double value = ctl_penalty_merit(&search->penalty, search->problem, J, x, v);
  return isfinite(value) ? value : INFINITY;
}

/* +inf for a failed simulation, too. */
double ctl_search_merit(const CtlSearch *search, long entry) {
  const CtlCache *cache = &search->cache;
  if (cache->records[entry].status != SIM_OK) return INFINITY;
  return merit_of(search, ctl_cache_J(cache, entry), ctl_cache_x(cache, entry), ctl_cache_v(cache, entry));
}

/* Makes an entry the best point. */
void ctl_search_adopt(CtlSearch *search, long entry) {
  const CtlCache *cache = &search->cache;
  CtlFound *best = &search->best;
  int n = search->problem->n, d = search->problem->d;
  bool good = cache->records[entry].status == SIM_OK;
  memcpy(best->u, ctl_cache_u(cache, entry), (size_t)n * sizeof(double));
  for (int i = 0; i < d; i++) {
    best->x[i] = good ? ctl_cache_x(cache, entry)[i] : NAN;
    best->v[i] = good ? ctl_cache_v(cache, entry)[i] : NAN;
  }
  best->J = ctl_cache_J(cache, entry);
}

double ctl_search_found_merit(const CtlSearch *search, const CtlFound *found) {
  return merit_of(search, found->J, found->x, found->v);
}

static double position_error(const CtlProblem *p, const CtlFound *found) {
  return ctl_target_error(p->d, found->x, p->position, p->position_spacing);
}

static double velocity_error(const CtlProblem *p, const CtlFound *found) {
  return ctl_target_error(p->d, found->v, p->velocity, p->velocity_spacing);
}

bool ctl_search_meets(const CtlProblem *p, const CtlFound *found, double error) {
  return position_error(p, found) <= error && velocity_error(p, found) <= error;
}

double ctl_search_wanted_error(const CtlProblem *p) { return p->stop_at > 0 ? fmin(p->stop_at, p->accept) : p->accept; }

/* As if the point were the best, and so the penalty's centre. */
static double own_merit(const CtlSearch *search, const CtlFound *found) {
  const CtlProblem *problem = search->problem;
  CtlPenalty penalty = search->penalty;
  ctl_penalty_centre(&penalty, problem, found->J, found->x, found->v);
  return ctl_penalty_merit(&penalty, problem, found->J, found->x, found->v);
}

static const CtlFound *found(const CtlSearch *search) { return search->answer_best ? &search->answer : &search->best; }

/* Makes the best point the penalty's centre and re-forms its merit from its stored outcome. */
void ctl_search_centre(CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  const CtlFound *best = &search->best;
  CtlState *state = &search->state;
  ctl_penalty_centre(&search->penalty, problem, best->J, best->x, best->v);
  search->merit = ctl_search_found_merit(search, best);
  search->answer_best = ctl_hybrid_answer_is_better(search);
  state->best = search->answer_best ? own_merit(search, &search->answer) : search->merit;
  state->J = found(search)->J;
  state->E1 = position_error(problem, found(search));
  state->E2 = velocity_error(problem, found(search));
}

void ctl_search_begin(CtlSearch *search) {
  if (search->begun) return;
  search->begun = true;
  ctl_search_adopt(search, search->entries[0]);
  ctl_search_centre(search);
}

bool ctl_search_best_meets(const CtlSearch *search, double error) {
  return isfinite(search->merit) && ctl_search_meets(search->problem, &search->best, error);
}

/* Moves on within the local methods, or between stages. */
static void change_stage(CtlSearch *search) {
  if (search->stage == CTL_STAGE_LOCAL && ctl_search_next_local(search)) return;
  if (search->problem->method == CTL_METHOD_HYBRID)
    ctl_hybrid_change_stage(search);
  else if (search->stage == CTL_STAGE_LOCAL)
    search->state.edge = 0;
}

static CtlReason result(const CtlSearch *search) {
  double relative = search->stage == CTL_STAGE_LOCAL ? INFINITY : ctl_pds_relative_size(&search->pds);
  return ctl_stop_result(search->problem, &search->state, relative);
}

/* What follows a stage. */
typedef enum Step { STEP_END, STEP_ON, STEP_AGAIN, STEP_PROVE } Step;

/* A hybrid search whose first part has come to its end goes on with PDS alone; what has ended off the target starts
 * again, PDS alone by its own best point, whatever the answer is. */
static Step next_step(const CtlSearch *search, CtlReason reason) {
  const CtlProblem *problem = search->problem;
  if (reason == CTL_RUNNING) return STEP_ON;
  if (reason == CTL_REASON_STOP_AT) return STEP_END;
  if (problem->method == CTL_METHOD_HYBRID && !search->proving) return STEP_PROVE;
  bool stalls = isfinite(search->merit) && !ctl_search_best_meets(search, problem->accept);
  return stalls && search->state.restarts < problem->restarts ? STEP_AGAIN : STEP_END;
}

/* Points that a step looks at before anything can stop it again. size: of its simplexes. */
static long step_points(const CtlSearch *search, Step step, long size) {
  if (search->stage == CTL_STAGE_LOCAL && step != STEP_PROVE) return search->n_locals + (step == STEP_AGAIN);
  bool opens = step != STEP_ON || search->stage == CTL_STAGE_OPENING;
  return size + (opens ? search->problem->n + 1 : 0);
}

bool ctl_search_equip(CtlSearch *search, long size, bool with_locals) {
  const CtlProblem *p = search->problem;
  if ((!search->scheme || search->scheme->size != size) && !ctl_search_resize(search, size)) return false;
  ctl_cache_clear(&search->cache);
  return ctl_cache_init(&search->cache, p->n, p->d, size + p->n + 1 + (with_locals ? LOCAL_ROOM : 0)) == SIM_OK;
}

/* Points of the simplexes that a step makes. */
static long step_size(const CtlSearch *search, Step step) {
  if (step == STEP_PROVE) return ctl_problem_scheme_size(search->problem);
  bool restarts = step == STEP_AGAIN && search->stage != CTL_STAGE_LOCAL;
  return restarts ? ctl_search_restart_size(search) : search->scheme->size;
}

/* Returns whether there are points to go on with. */
static bool take_step(CtlSearch *search, Step step, long size) {
  if (step == STEP_ON) return true;
  if (step == STEP_AGAIN && search->stage == CTL_STAGE_LOCAL) return ctl_search_restart_local(search);
  bool good = step == STEP_PROVE ? ctl_hybrid_prove(search, size) : ctl_search_restart(search, size);
  search->state.no_memory |= !good;
  return good;
}

/* Of a search that is over: local methods that were cut have not come to their end. */
static CtlReason last_reason(const CtlSearch *search) {
  CtlReason reason = search->state.reason;
  bool ended = reason == CTL_REASON_TOLERANCE || reason == CTL_REASON_STALL;
  return ended && search->stage == CTL_STAGE_LOCAL && search->cut ? CTL_REASON_BUDGET : reason;
}

/* Goes on to the next points, or ends the search. */
static void proceed(CtlSearch *search) {
  CtlState *state = &search->state;
  state->reason = result(search);
  if (state->reason == CTL_RUNNING) {
    change_stage(search);
    state->reason = result(search);
  }
  Step step = next_step(search, state->reason);
  long size = step_size(search, step);
  CtlReason budget = CTL_RUNNING;
  if (step != STEP_END)
    budget = ctl_stop_budget(search->problem, state, state->seconds, step_points(search, step, size));
  if (budget != CTL_RUNNING) {
    state->reason = budget;
  } else if (step != STEP_END && take_step(search, step, size)) {
    state->reason = CTL_RUNNING;
    ctl_search_plan(search);
  } else {
    state->reason = last_reason(search);
  }
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

static bool found_create(CtlFound *found, size_t n, size_t d) {
  found->u = calloc(n + 2 * d, sizeof(double));
  if (!found->u) return false;
  found->x = found->u + n;
  found->v = found->x + d;
  return true;
}

SimStatus ctl_search_create(const CtlProblem *problem, CtlSearch **result) {
  size_t n = (size_t)problem->n, d = (size_t)problem->d;
  CtlSearch *search = calloc(1, sizeof *search);
  *result = NULL;
  if (!search) return SIM_NO_MEMORY;
  assert(ctl_bounds_broken(problem, problem->start) < 0);
  search->problem = problem;
  bool good = found_create(&search->best, n, d);
  good = good && (problem->method != CTL_METHOD_HYBRID || found_create(&search->answer, n, d));
  good = good && ctl_search_equip(search, ctl_problem_first_size(problem), ctl_search_has_local(problem));
  if (good) ctl_search_start_pds(search);
  if (good && !ctl_method_has_simplexes(problem->method)) {
    search->state.edge = problem->step;
    ctl_search_start_local(search);
    good = ctl_search_next_local(search); /* each wants its start at least */
  }
  if (!good) {
    ctl_search_destroy(search);
    return SIM_NO_MEMORY;
  }
  ctl_search_plan(search);
  *result = search;
  return SIM_OK;
}

void ctl_search_destroy(CtlSearch *search) {
  if (!search) return;
  ctl_search_stop_local(search);
  ctl_template_give(search->scheme);
  ctl_cache_clear(&search->cache);
  free(search->best.u);
  free(search->answer.u);
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
  state->u = found(search)->u;
  state->x = found(search)->x;
  state->v = found(search)->v;
}
