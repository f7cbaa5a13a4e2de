/* SPDX-License-Identifier: BSD-2-Clause */
/* Serialised form of a search. It contains its own size, the format, the hash of the sources, the method, the states of
 * method and objective, the outcomes known before the current round, and the outcomes of this round so far. The points
 * of the round follow from these data and are not saved. */
#include "control/base/argument.h"
#include "control/base/saved.h"
#include "control/search/internal.h"

#include "control/outcome/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FORMAT = 9 };

static bool under_way(const CtlSearch *search) { return search->objective.state.reason == CTL_RUNNING; }

/* Returns the number of outcomes that were known when the current round was set up. Between rounds and at the end of a
 * search all outcomes are included. */
static long known_before(const CtlSearch *search) {
  return under_way(search) && !search->works ? search->objective.first : search->objective.cache.count;
}

/* Returns the number of outcomes of the current round that are saved. Points outside the cache (CtlObjective.cached)
 * are not saved but simulated again. */
static long known_now(const CtlSearch *search) {
  const CtlObjective *objective = &search->objective;
  long known = 0;
  for (long place = 0; under_way(search) && place < objective->cached; place++)
    known += objective->cache.records[objective->first + place].known;
  return known;
}

/* Writes or reads an outcome and its control u. u, x(T) and v(T) are contiguous. The effort J is not saved but computed
 * from u. */
static void serialize_outcome(CtlBytes *bytes, const CtlProblem *problem, CtlOutcome *outcome, double *control) {
  outcome->status = (SimStatus)ctl_bytes_integer(bytes, outcome->status, SIM_OK, SIM_TOO_LONG);
  outcome->iterations = ctl_bytes_integer(bytes, outcome->iterations, 0, CTL_COUNT_MAX);
  ctl_bytes_numbers(bytes, control, (size_t)problem->n + 2 * (size_t)problem->d);
}

static void put_outcome(CtlBytes *bytes, const CtlObjective *objective, long entry) {
  const CtlRecord *record = &objective->cache.records[entry];
  CtlOutcome outcome = {.status = (SimStatus)record->status, .iterations = record->iterations};
  serialize_outcome(bytes, objective->problem, &outcome,
                    /* writing does not change the entry, so that the cast is safe */
                    (double *)ctl_cache_control(&objective->cache, entry));
}

/* Reads an outcome. control: [n + 2d], which is filled. */
static CtlOutcome get_outcome(CtlBytes *bytes, const CtlProblem *problem, double *control) {
  CtlOutcome outcome = {.x = control + problem->n, .v = control + problem->n + problem->d};
  serialize_outcome(bytes, problem, &outcome, control);
  for (int i = 0; i < problem->n; i++) bytes->bad |= !isfinite(control[i]);
  return outcome;
}

static void put_outcomes(CtlBytes *bytes, const CtlSearch *search, long before, long known) {
  const CtlObjective *objective = &search->objective;
  for (long entry = 0; entry < before; entry++) put_outcome(bytes, objective, entry);
  for (long place = 0; known && place < objective->cached; place++) {
    if (!objective->cache.records[objective->first + place].known) continue;
    ctl_bytes_integer(bytes, place, 0, place);
    put_outcome(bytes, objective, objective->first + place);
  }
}

static void get_known(CtlBytes *bytes, CtlObjective *objective, long count, double *control) {
  for (long k = 0; k < count && !bytes->bad; k++) {
    bool added = false;
    CtlOutcome outcome = get_outcome(bytes, objective->problem, control);
    long entry = bytes->bad ? 0 : ctl_cache_entry(&objective->cache, control, &added);
    if (added)
      ctl_cache_store(&objective->cache, entry, ctl_outcome_cost(objective->problem, control, &outcome), &outcome);
    bytes->bad |= !added;
  }
}

/* Reads the outcomes of the current round. Each must belong to a point of the round. */
static void get_current(CtlBytes *bytes, CtlSearch *search, long count, double *control) {
  CtlObjective *objective = &search->objective;
  CtlCache *cache = &objective->cache;
  for (long k = 0; k < count && !bytes->bad; k++) {
    long entry = objective->first + ctl_bytes_integer(bytes, 0, 0, objective->cached - 1);
    CtlOutcome outcome = get_outcome(bytes, objective->problem, control);
    bytes->bad |= cache->records[entry].known ||
                  memcmp(control, ctl_cache_control(cache, entry), (size_t)cache->n * sizeof *control) != 0;
    if (bytes->bad) return;
    ctl_cache_store(cache, entry, ctl_outcome_cost(objective->problem, control, &outcome), &outcome);
    search->known++;
    search->unasked--;
  }
}

/* Reads the outcomes known before the round, and those of the round. before, known: their numbers. Returns false when
 * out of memory. */
static bool get_outcomes(CtlBytes *bytes, CtlSearch *search, long before, long known, double *control) {
  CtlObjective *objective = &search->objective;
  CtlState *state = &objective->state;
  search->seconds_before = state->seconds;
  ctl_cache_empty(&objective->cache);
  get_known(bytes, objective, before, control);
  objective->fresh = objective->cached = search->known = search->unasked = 0;
  if (bytes->bad || !under_way(search) || search->works) return true;
  bool no_memory = state->no_memory; /* value in the saved search, which is restored after the round has been set up */
  state->no_memory = false;
  long points = search->run->ops->next(search->run);
  if (state->no_memory) return false;
  state->no_memory = no_memory;
  bytes->bad |= !points;
  if (bytes->bad) return true;
  ctl_search_plan(search, points);
  /* the bytes are invalid if all outcomes of the round are known, since the round would have ended */
  bytes->bad |= objective->first != before || known > objective->cached || (known && known == objective->fresh);
  get_current(bytes, search, known, control);
  return true;
}

/* Writes or reads the serialised form except the header. control: [n + 2d], buffer for reading outcomes. Returns false
 * when out of memory. */
static bool serialize_search(CtlBytes *bytes, CtlSearch *search, double *control) {
  CtlObjective *objective = &search->objective;
  if (!search->run->ops->serialize(search->run, bytes)) return false;
  if (bytes->bad) return true;
  ctl_objective_serialize(objective, bytes);
  search->works = ctl_bytes_integer(bytes, search->works, 0, search->run->ops->work != NULL);
  long before = ctl_bytes_integer(bytes, known_before(search), 0, objective->cache.capacity);
  /* when reading begins, no outcomes of the round are known yet */
  long known = ctl_bytes_integer(bytes, bytes->from ? 0 : known_now(search), 0, objective->room);
  if (bytes->bad) return true;
  if (bytes->from) return get_outcomes(bytes, search, before, known, control);
  put_outcomes(bytes, search, before, known);
  return true;
}

static void write_search(CtlBytes *bytes, const CtlSearch *search, size_t size) {
  char method[CTL_WORD_SIZE];
  snprintf(method, sizeof method, "%s", search->run->method->name);
  ctl_bytes_integer(bytes, (long)size, 0, (long)size);
  ctl_saved_header(bytes, FORMAT, "search", NULL);
  ctl_bytes_word(bytes, method);
  serialize_search(bytes, (CtlSearch *)search, NULL); /* writing does not change the search, so that the cast is safe */
}

size_t stiction_asktell_saved_size(const CtlSearch *search) {
  if (!search) return 0;
  CtlBytes bytes = {0};
  write_search(&bytes, search, 0);
  return bytes.done;
}

void stiction_asktell_save(const CtlSearch *search, void *to) {
  if (!search || !to) return;
  CtlBytes bytes = {.to = to};
  write_search(&bytes, search, stiction_asktell_saved_size(search));
}

/* Reads and checks the header, and reports why a saved search is refused. */
static void get_header(CtlBytes *bytes, const CtlMethod *method, const SimReport *report) {
  char text[256] = "", name[CTL_WORD_SIZE] = "";
  long size = (long)bytes->left;
  ctl_bytes_integer(bytes, 0, size, size);
  ctl_saved_header(bytes, FORMAT, "search", report);
  if (bytes->bad) return;
  ctl_bytes_word(bytes, name);
  if (!ctl_method_named(name))
    snprintf(text, sizeof text, "saved by a method that this build does not have: %s", name);
  else if (strcmp(name, method->name))
    snprintf(text, sizeof text, "saved by the method %s (expected %s)", name, method->name);
  if (!*text) return;
  bytes->bad = true;
  if (report) report->complain(report->context, "search", text);
}

CtlStatus stiction_asktell_load(const CtlProblem *problem, const void *from, size_t size, const SimReport *report,
                                CtlSearch **result) {
  CONTROL_ARGUMENT(result != NULL, "search", "is NULL");
  *result = NULL;
  CONTROL_ARGUMENT(from != NULL, "bytes", "is NULL");
  CtlBytes bytes = {.from = from, .left = size};
  CtlSearch *search;
  CtlStatus status = stiction_asktell_create(problem, &search);
  if (status != CTL_OK) return status;
  double *control = malloc(((size_t)problem->n + 2 * (size_t)problem->d) * sizeof *control);
  get_header(&bytes, ctl_method(ctl_problem_method(problem)), report);
  bool refused = bytes.bad;
  if (!control || (!refused && !serialize_search(&bytes, search, control))) status = CTL_NO_MEMORY;
  free(control);
  if (status == CTL_OK && (bytes.bad || bytes.left)) status = CTL_BAD_PROBLEM;
  if (status == CTL_OK) {
    *result = search;
    return status;
  }
  if (status == CTL_BAD_PROBLEM && !refused && report)
    report->complain(report->context, "search", "not a saved search of this problem");
  stiction_asktell_destroy(search);
  return status;
}
