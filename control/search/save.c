/* The saved form of a search: its own size, then where the search stands, the outcomes known before the simplex under
 * way, and those of that simplex told so far. The simplex itself is not saved: it follows from the rest. */
#include "control/base/bytes.h"
#include "control/search/internal.h"

#include <math.h>
#include <stdlib.h>

static const long COUNT_MAX = 1L << 53; /* far from overflow */

static size_t outcome_size(const CtlProblem *problem) {
  return 2 * sizeof(int64_t) + ((size_t)problem->n + 2 * (size_t)problem->d) * sizeof(double);
}

/* J follows from u. */
static void put_outcome(CtlWriter *writer, const CtlCache *cache, long entry) {
  const CtlRecord *record = &cache->records[entry];
  ctl_put_integer(writer, record->status);
  ctl_put_integer(writer, record->iterations);
  ctl_put_numbers(writer, ctl_cache_u(cache, entry), (size_t)cache->n);
  const double zero = 0; /* for what was never set */
  if (record->status == SIM_OK)
    ctl_put_numbers(writer, ctl_cache_x(cache, entry), 2 * (size_t)cache->d); /* v lies behind x */
  else
    for (int i = 0; i < 2 * cache->d; i++) ctl_put_numbers(writer, &zero, 1);
}

static void put_penalty(CtlWriter *writer, const CtlPenalty *penalty) {
  ctl_put_numbers(writer, penalty->rho, 3);
  ctl_put_integer(writer, penalty->norm);
  ctl_put_numbers(writer, &penalty->centre_J, 1);
  ctl_put_numbers(writer, &penalty->centre_G, 1);
}

/* Where it stands follows from the outcomes known. */
static void put_local(CtlWriter *writer, const CtlLocal *local) {
  ctl_put_integer(writer, local->method);
  put_penalty(writer, &local->penalty);
  ctl_put_numbers(writer, &local->step, 1);
  ctl_put_numbers(writer, local->start, (size_t)local->problem->n);
}

static void put_found(CtlWriter *writer, const CtlProblem *problem, const CtlFound *found) {
  ctl_put_numbers(writer, found->u, (size_t)problem->n + 2 * (size_t)problem->d); /* x and v lie behind u */
  ctl_put_numbers(writer, &found->J, 1);
}

static void put_place(CtlWriter *writer, const CtlSearch *search) {
  const CtlPds *pds = &search->pds;
  size_t n = (size_t)pds->first.n;
  ctl_put_integer(writer, search->proving);
  ctl_put_integer(writer, search->scheme->size);
  ctl_put_numbers(writer, pds->first.vertex, n);
  ctl_put_numbers(writer, pds->first.edges, n * n);
  ctl_put_numbers(writer, pds->z, n);
  ctl_put_numbers(writer, &pds->scale, 1);
  for (size_t k = 0; k <= n; k++) ctl_put_integer(writer, pds->label[k]);
  put_penalty(writer, &search->penalty);
  put_found(writer, search->problem, &search->best);
  if (search->proving) put_found(writer, search->problem, &search->answer);
  ctl_put_integer(writer, search->begun);
  ctl_put_integer(writer, search->stage);
  ctl_put_integer(writer, search->handovers);
  ctl_put_integer(writer, search->patience);
  ctl_put_integer(writer, search->n_locals);
  for (int i = 0; i < search->n_locals; i++) put_local(writer, search->locals[i]);
}

/* What tells of the best point follows from it. */
static void put_state(CtlWriter *writer, const CtlState *state) {
  const long counts[] = {state->simplexes, state->evaluations, state->ivps,       state->non_finite,
                         state->timed_out, state->restarts,    state->iterations, state->method_errors};
  ctl_put_integer(writer, state->reason);
  ctl_put_integer(writer, state->no_memory);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) ctl_put_integer(writer, counts[i]);
  ctl_put_numbers(writer, &state->seconds, 1);
  ctl_put_numbers(writer, &state->edge, 1);
}

static bool under_way(const CtlSearch *search) { return search->state.reason == CTL_RUNNING; }

/* What was known when the simplex was laid out; at the end of a search, all. */
static long known_before(const CtlSearch *search) { return under_way(search) ? search->first : search->cache.count; }

static void put(CtlWriter *writer, const CtlSearch *search, size_t size) {
  const CtlCache *cache = &search->cache;
  long before = known_before(search), told = under_way(search) ? search->told : 0;
  ctl_put_integer(writer, (int64_t)size);
  put_place(writer, search);
  put_state(writer, &search->state);
  ctl_put_integer(writer, before);
  ctl_put_integer(writer, told);
  if (!writer->to) {
    writer->size += (size_t)before * outcome_size(search->problem);
    writer->size += (size_t)told * (sizeof(int64_t) + outcome_size(search->problem));
    return;
  }
  for (long entry = 0; entry < before; entry++) put_outcome(writer, cache, entry);
  for (long place = 0; told && place < search->wanted; place++) {
    if (!cache->records[search->first + place].known) continue;
    ctl_put_integer(writer, place);
    put_outcome(writer, cache, search->first + place);
  }
}

size_t ctl_search_saved_size(const CtlSearch *search) {
  CtlWriter writer = {0};
  put(&writer, search, 0);
  return writer.size;
}

void ctl_search_save(const CtlSearch *search, void *bytes) {
  CtlWriter writer = {.to = bytes};
  put(&writer, search, ctl_search_saved_size(search));
}

/* Reads one outcome: u, and x and v behind it. */
static CtlOutcome get_outcome(CtlReader *reader, const CtlProblem *problem, double *u, double *states) {
  CtlOutcome outcome = {.x = states, .v = states + problem->d};
  outcome.status = (SimStatus)ctl_get_integer(reader, SIM_OK, SIM_BAD_PROBLEM);
  outcome.iterations = ctl_get_integer(reader, 0, COUNT_MAX);
  ctl_get_numbers(reader, u, (size_t)problem->n);
  ctl_get_numbers(reader, states, 2 * (size_t)problem->d);
  return outcome;
}

static void get_penalty(CtlReader *reader, CtlPenalty *penalty) {
  ctl_get_numbers(reader, penalty->rho, 3);
  penalty->norm = (CtlNorm)ctl_get_integer(reader, CTL_NORM_1, CTL_NORM_INF);
  ctl_get_numbers(reader, &penalty->centre_J, 1);
  ctl_get_numbers(reader, &penalty->centre_G, 1);
}

/* Returns false when out of memory. */
static bool get_local(CtlReader *reader, CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  CtlMethod method = (CtlMethod)ctl_get_integer(reader, CTL_METHOD_PDS, CTL_METHOD_HYBRID);
  bool hybrid = problem->method == CTL_METHOD_HYBRID;
  if (hybrid ? !ctl_hybrid_takes(problem, method) : method != problem->method) reader->bad = true;
  CtlLocal *local = ctl_local_create(problem, &search->cache, method);
  if (!local) return false;
  search->locals[search->n_locals++] = local;
  get_penalty(reader, &local->penalty);
  ctl_get_numbers(reader, &local->step, 1);
  ctl_get_numbers(reader, local->start, (size_t)problem->n);
  return true;
}

static void get_found(CtlReader *reader, const CtlProblem *problem, CtlFound *found) {
  ctl_get_numbers(reader, found->u, (size_t)problem->n + 2 * (size_t)problem->d);
  ctl_get_numbers(reader, &found->J, 1);
}

/* Returns false when out of memory. */
static bool get_place(CtlReader *reader, CtlSearch *search) {
  CtlPds *pds = &search->pds;
  const CtlProblem *problem = search->problem;
  size_t n = (size_t)problem->n;
  ctl_get_numbers(reader, pds->first.vertex, n);
  ctl_get_numbers(reader, pds->first.edges, n * n);
  ctl_get_numbers(reader, pds->z, n);
  ctl_get_numbers(reader, &pds->scale, 1);
  bool seen[CTL_CONTROLS_MAX + 1] = {false};
  for (size_t k = 0; k <= n; k++) {
    pds->label[k] = (int)ctl_get_integer(reader, 0, (long)n);
    if (seen[pds->label[k]]) reader->bad = true;
    seen[pds->label[k]] = true;
  }
  get_penalty(reader, &search->penalty);
  get_found(reader, problem, &search->best);
  if (search->proving) get_found(reader, problem, &search->answer);
  search->begun = ctl_get_integer(reader, 0, 1);
  bool local = ctl_search_has_local(problem) && !search->proving;
  search->stage =
      (CtlStage)ctl_get_integer(reader, ctl_method_has_simplexes(problem->method) ? CTL_STAGE_OPENING : CTL_STAGE_LOCAL,
                                local ? CTL_STAGE_LOCAL : CTL_STAGE_SIMPLEX);
  search->handovers = (int)ctl_get_integer(reader, 0, INT32_MAX);
  search->patience = (int)ctl_get_integer(reader, 0, INT32_MAX);
  ctl_search_stop_local(search);
  int most = !local ? 0 : problem->method == CTL_METHOD_HYBRID ? ctl_hybrid_starts(search) : 1;
  int n_locals = (int)ctl_get_integer(reader, 0, most);
  while (search->n_locals < n_locals && !reader->bad)
    if (!get_local(reader, search)) return false;
  return true;
}

static void get_state(CtlReader *reader, const CtlProblem *problem, CtlState *state) {
  state->reason = (CtlReason)ctl_get_integer(reader, CTL_RUNNING, CTL_REASON_FAILED);
  state->no_memory = ctl_get_integer(reader, 0, 1);
  state->simplexes = ctl_get_integer(reader, 0, COUNT_MAX);
  state->evaluations = ctl_get_integer(reader, 0, COUNT_MAX);
  state->ivps = ctl_get_integer(reader, 0, state->evaluations);
  state->cache_hits = state->evaluations - state->ivps;
  state->non_finite = ctl_get_integer(reader, 0, state->ivps);
  state->timed_out = ctl_get_integer(reader, 0, state->non_finite);
  state->restarts = ctl_get_integer(reader, 0, problem->restarts);
  state->iterations = ctl_get_integer(reader, 0, COUNT_MAX);
  state->method_errors = ctl_get_integer(reader, 0, COUNT_MAX);
  ctl_get_numbers(reader, &state->seconds, 1);
  ctl_get_numbers(reader, &state->edge, 1);
  if (!(state->seconds >= 0 && isfinite(state->seconds))) reader->bad = true;
}

static bool is_finite(int n, const double *u) {
  for (int i = 0; i < n; i++)
    if (!isfinite(u[i])) return false;
  return true;
}

static void get_known(CtlReader *reader, CtlSearch *search, long count, double *u, double *states) {
  CtlCache *cache = &search->cache;
  for (long k = 0; k < count && !reader->bad; k++) {
    bool added = false;
    CtlOutcome outcome = get_outcome(reader, search->problem, u, states);
    long entry = !reader->bad && is_finite(search->problem->n, u) ? ctl_cache_entry(cache, u, &added) : 0;
    if (added)
      ctl_cache_store(cache, entry, ctl_cost(search->problem, u), &outcome);
    else
      reader->bad = true;
  }
}

/* Each place must want just this point. */
static void get_told(CtlReader *reader, CtlSearch *search, long count, double *u, double *states) {
  CtlCache *cache = &search->cache;
  for (long k = 0; k < count && !reader->bad; k++) {
    long place = ctl_get_integer(reader, 0, search->wanted - 1), entry = search->first + place;
    CtlOutcome outcome = get_outcome(reader, search->problem, u, states);
    if (reader->bad || cache->records[entry].known ||
        memcmp(u, ctl_cache_u(cache, entry), (size_t)cache->n * sizeof *u)) {
      reader->bad = true;
      return;
    }
    ctl_cache_store(cache, entry, ctl_cost(search->problem, u), &outcome);
    search->told++;
    search->unasked--;
  }
}

/* What it is equipped with: as at its first start, or PDS alone; a restart may have widened the scheme. Returns false
 * when out of memory. */
static bool get_equipment(CtlReader *reader, CtlSearch *search) {
  const CtlProblem *problem = search->problem;
  search->proving = ctl_get_integer(reader, 0, problem->method == CTL_METHOD_HYBRID);
  if (search->proving && !ctl_search_equip(search, ctl_problem_scheme_size(problem), false)) return false;
  long least = search->scheme->size, most = ctl_search_size_max(search);
  long size = ctl_get_integer(reader, least, most > least ? most : least);
  return reader->bad || size == least || ctl_search_resize(search, size);
}

/* u: [n + 2d] for outcomes on their way. Returns false when out of memory. */
static bool get(CtlReader *reader, CtlSearch *search, double *u) {
  double *states = u + search->problem->n;
  if (!get_equipment(reader, search) || reader->bad || !get_place(reader, search)) return reader->bad;
  get_state(reader, search->problem, &search->state);
  ctl_search_centre(search);
  search->seconds_before = search->state.seconds;
  long before = ctl_get_integer(reader, 0, search->cache.capacity);
  long told = ctl_get_integer(reader, 0, search->scheme->size);
  if (reader->bad) return true;
  ctl_cache_empty(&search->cache);
  get_known(reader, search, before, u, states);
  search->wanted = search->told = search->unasked = 0;
  if (reader->bad || !under_way(search)) return true;
  if (search->stage == CTL_STAGE_LOCAL && !ctl_search_next_local(search)) reader->bad = true;
  if (reader->bad) return true;
  ctl_search_plan(search);
  /* a simplex all of whose outcomes had come would have been over */
  if (search->first != before || told > search->wanted || (told && told == search->wanted)) reader->bad = true;
  if (!reader->bad) get_told(reader, search, told, u, states);
  return true;
}

SimStatus ctl_search_load(const CtlProblem *problem, const void *bytes, size_t size, CtlSearch **result) {
  CtlReader reader = {.from = bytes, .left = size};
  CtlSearch *search;
  SimStatus status = ctl_search_create(problem, &search);
  *result = NULL;
  if (status != SIM_OK) return status;
  double *room = malloc(((size_t)problem->n + 2 * (size_t)problem->d) * sizeof *room);
  ctl_get_integer(&reader, (long)size, (long)size);
  if (!room || !get(&reader, search, room)) status = SIM_NO_MEMORY;
  free(room);
  if (status == SIM_OK && (reader.bad || reader.left)) status = SIM_BAD_PROBLEM;
  if (status == SIM_OK)
    *result = search;
  else
    ctl_search_destroy(search);
  return status;
}
