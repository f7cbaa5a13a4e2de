/* The saved form of a search: its own size, its format, the sources and the method that it is of, the method's state, the
 * objective's, the outcomes known before the round under way, and those of that round told so far. The round itself is not
 * saved: it follows from the rest. */
#include "control/search/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FORMAT = 2 }; /* 1: without a format number */

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

static bool under_way(const CtlSearch *search) { return search->objective.state.reason == CTL_RUNNING; }

/* What was known when the round was laid out; at the end of a search, all. */
static long known_before(const CtlSearch *search) {
  return under_way(search) ? search->objective.first : search->objective.cache.count;
}

static void put_outcomes(CtlWriter *writer, const CtlSearch *search) {
  const CtlObjective *objective = &search->objective;
  long before = known_before(search), told = under_way(search) ? search->told : 0;
  ctl_put_integer(writer, before);
  ctl_put_integer(writer, told);
  if (!writer->to) {
    writer->size += (size_t)before * outcome_size(objective->problem);
    writer->size += (size_t)told * (sizeof(int64_t) + outcome_size(objective->problem));
    return;
  }
  for (long entry = 0; entry < before; entry++) put_outcome(writer, &objective->cache, entry);
  for (long place = 0; told && place < objective->fresh; place++) {
    if (!objective->cache.records[objective->first + place].known) continue;
    ctl_put_integer(writer, place);
    put_outcome(writer, &objective->cache, objective->first + place);
  }
}

static void put(CtlWriter *writer, const CtlSearch *search, size_t size) {
  ctl_put_integer(writer, (int64_t)size);
  ctl_put_integer(writer, FORMAT);
  ctl_put_word(writer, ctl_source_hash());
  ctl_put_word(writer, search->run->method->name);
  search->run->method->save(search->run, writer);
  ctl_objective_save(&search->objective, writer);
  put_outcomes(writer, search);
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
  outcome.iterations = ctl_get_integer(reader, 0, CTL_COUNT_MAX);
  ctl_get_numbers(reader, u, (size_t)problem->n);
  ctl_get_numbers(reader, states, 2 * (size_t)problem->d);
  return outcome;
}

static bool is_finite(int n, const double *u) {
  for (int i = 0; i < n; i++)
    if (!isfinite(u[i])) return false;
  return true;
}

static void get_known(CtlReader *reader, CtlObjective *objective, long count, double *u, double *states) {
  for (long k = 0; k < count && !reader->bad; k++) {
    bool added = false;
    CtlOutcome outcome = get_outcome(reader, objective->problem, u, states);
    bool good = !reader->bad && is_finite(objective->problem->n, u);
    long entry = good ? ctl_cache_entry(&objective->cache, u, &added) : 0;
    if (added)
      ctl_cache_store(&objective->cache, entry, ctl_cost(objective->problem, u), &outcome);
    else
      reader->bad = true;
  }
}

/* Each place must want just this point. */
static void get_evaluated(CtlReader *reader, CtlSearch *search, long count, double *u, double *states) {
  CtlObjective *objective = &search->objective;
  CtlCache *cache = &objective->cache;
  for (long k = 0; k < count && !reader->bad; k++) {
    long place = ctl_get_integer(reader, 0, objective->fresh - 1), entry = objective->first + place;
    CtlOutcome outcome = get_outcome(reader, objective->problem, u, states);
    if (reader->bad || cache->records[entry].known ||
        memcmp(u, ctl_cache_u(cache, entry), (size_t)cache->n * sizeof *u)) {
      reader->bad = true;
      return;
    }
    ctl_cache_store(cache, entry, ctl_cost(objective->problem, u), &outcome);
    search->told++;
    search->unasked--;
  }
}

/* Tells why a saved search is refused, if it is, before anything else of it is looked at. */
static void get_header(CtlReader *reader, const CtlMethod *method, size_t size, const SimReport *report) {
  char text[256] = "", sources[CTL_WORD_SIZE] = "", name[CTL_WORD_SIZE] = "";
  ctl_get_integer(reader, (long)size, (long)size);
  long format = ctl_get_integer(reader, INT32_MIN, INT32_MAX);
  bool same = !reader->bad && format == FORMAT;
  if (same) ctl_get_word(reader, sources);
  if (same) ctl_get_word(reader, name);
  if (reader->bad)
    snprintf(text, sizeof text, "no whole saved search");
  else if (format != FORMAT)
    snprintf(text, sizeof text, "a saved search of format %ld (expected %d)", format, FORMAT);
  else if (strcmp(sources, ctl_source_hash()))
    snprintf(text, sizeof text, "saved by a build from other sources (%s; this is %s), whose answer might differ",
             sources, ctl_source_hash());
  else if (!ctl_method_named(name))
    snprintf(text, sizeof text, "of a method that this build does not know: %s", name);
  else if (strcmp(name, method->name))
    snprintf(text, sizeof text, "of the method %s (expected %s)", name, method->name);
  if (!*text) return;
  reader->bad = true;
  if (report) report->complain(report->context, "search", text);
}

/* u: [n + 2d] for outcomes on their way. Returns false when out of memory. */
static bool get(CtlReader *reader, CtlSearch *search, double *u) {
  CtlObjective *objective = &search->objective;
  CtlRun *run = search->run;
  double *states = u + objective->problem->n;
  if (reader->bad) return true;
  if (!run->method->load(run, reader)) return false;
  if (reader->bad) return true;
  ctl_objective_load(objective, reader);
  search->seconds_before = objective->state.seconds;
  long before = ctl_get_integer(reader, 0, objective->cache.capacity);
  long told = ctl_get_integer(reader, 0, objective->room);
  if (reader->bad) return true;
  ctl_cache_empty(&objective->cache);
  get_known(reader, objective, before, u, states);
  objective->fresh = search->told = search->unasked = 0;
  if (reader->bad || !under_way(search)) return true;
  long points = run->method->next(run);
  if (!points) reader->bad = true;
  if (reader->bad) return true;
  ctl_search_plan(search, points);
  /* a round all of whose outcomes had come would have been over */
  if (objective->first != before || told > objective->fresh || (told && told == objective->fresh)) reader->bad = true;
  if (!reader->bad) get_evaluated(reader, search, told, u, states);
  return true;
}

SimStatus ctl_search_load(const CtlProblem *problem, const void *bytes, size_t size, const SimReport *report,
                          CtlSearch **result) {
  CtlReader reader = {.from = bytes, .left = size};
  CtlSearch *search;
  SimStatus status = ctl_search_create(problem, &search);
  *result = NULL;
  if (status != SIM_OK) return status;
  double *room = malloc(((size_t)problem->n + 2 * (size_t)problem->d) * sizeof *room);
  get_header(&reader, ctl_method(problem->method), size, report);
  bool refused = reader.bad;
  if (!room || !get(&reader, search, room)) status = SIM_NO_MEMORY;
  free(room);
  if (status == SIM_OK && (reader.bad || reader.left)) status = SIM_BAD_PROBLEM;
  if (status == SIM_OK) {
    *result = search;
    return status;
  }
  if (status == SIM_BAD_PROBLEM && !refused && report)
    report->complain(report->context, "search", "no state of a search of this problem");
  ctl_search_destroy(search);
  return status;
}
