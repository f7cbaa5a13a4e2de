#include "src/results/events.h"

#include <stdlib.h>
#include <string.h>

typedef struct Interval {
  signed char slip; /* of the interval under way */
  double since;     /* s */
} Interval;

struct Events {
  const Results *results;
  const SimRows *rows;
  const bool *has_friction;
  FILE *file;           /* NULL: another rank writes */
  ResultsMark mark;     /* of it */
  Interval *intervals;  /* [d]; NULL beyond INTERVALS_MAX: counts are written */
  bool contact;         /* of the mass of a dash-pot with its support */
  double contact_since; /* s */
  double time;          /* of the last step seen */
};

/* Nothing for an interval without length: a dof that stuck at one instant alone has not stuck. */
static void write_interval(const Events *events, int dof, double to) {
  static const char *const states[] = {"slip-", "stick", "slip+"};
  const Interval *interval = &events->intervals[dof];
  if (to > interval->since)
    fprintf(events->file, "%d,%.17g,%.17g,%s\n", dof + 1, interval->since, to, states[1 + interval->slip]);
}

static void write_contact(const Events *events, double to) {
  fprintf(events->file, "1,%.17g,%.17g,contact\n", events->contact_since, to);
}

static void note_contact(Events *events, double t, bool contact) {
  if (contact == events->contact) return;
  if (events->contact) write_contact(events, t);
  events->contact = contact;
  events->contact_since = t;
}

/* What slips at t_n has moved since t_{n-1}: a stick interval ends there, so that nothing moves within it. */
static void follow_intervals(Events *events, const SimStep *step) {
  for (int i = 0; i < events->rows->d; i++) {
    Interval *interval = &events->intervals[i];
    if (!events->has_friction[i] || (step->n > 0 && step->slip[i] == interval->slip)) continue;
    double since = step->n > 0 && interval->slip == 0 ? events->time : step->t;
    if (step->n > 0) write_interval(events, i, since);
    *interval = (Interval){step->slip[i], since};
  }
}

void events_note(Events *events, double t, int dof, int slip) {
  if (slip == SIM_MEETS || slip == SIM_LEAVES) {
    note_contact(events, t, slip == SIM_MEETS);
    return;
  }
  if (!events->intervals || !events->has_friction[dof]) return;
  Interval *interval = &events->intervals[dof];
  if (t > 0) write_interval(events, dof, t);
  *interval = (Interval){(signed char)slip, t};
}

static void write_counts(const Events *events, const SimStep *step) {
  double counts[3] = {0}; /* slip-, stick, slip+ */
  for (int i = 0; i < events->rows->count; i++)
    if (events->has_friction[i]) counts[1 + step->slip[i]]++;
  sim_group_sum(events->rows->group, counts, 3);
  if (events->file)
    fprintf(events->file, "%ld,%.17g,%.0f,%.0f,%.0f\n", step->n, step->t, counts[1], counts[2], counts[0]);
}

/* What a saved state has before the intervals: each since and slip. */
typedef struct Saved {
  double time, contact_since;
  ResultsMark file;
  long contact; /* no padding: its bytes are a checkpoint's */
} Saved;

enum { INTERVAL_SIZE = sizeof(double) + sizeof(signed char) };

size_t events_saved_size(int d) { return sizeof(Saved) + (d <= INTERVALS_MAX ? (size_t)d * INTERVAL_SIZE : 0); }

int events_save(Events *events, void *bytes) {
  int failed = results_sync(events->file, &events->mark);
  const Saved saved = {
      .time = events->time, .contact_since = events->contact_since, .file = events->mark, .contact = events->contact};
  char *to = bytes;
  memcpy(to, &saved, sizeof saved);
  for (int i = 0; events->intervals && i < events->rows->d; i++) {
    char *at = to + sizeof saved + i * INTERVAL_SIZE;
    memcpy(at, &events->intervals[i].since, sizeof(double));
    memcpy(at + sizeof(double), &events->intervals[i].slip, 1);
  }
  return failed;
}

/* False when the bytes cannot be such a state. */
static bool restore(Events *events, const char *from) {
  Saved saved;
  memcpy(&saved, from, sizeof saved);
  events->time = saved.time;
  events->contact = saved.contact != 0;
  events->contact_since = saved.contact_since;
  events->mark = saved.file;
  for (int i = 0; events->intervals && i < events->rows->d; i++) {
    const char *at = from + sizeof saved + i * INTERVAL_SIZE;
    Interval *interval = &events->intervals[i];
    memcpy(&interval->since, at, sizeof(double));
    memcpy(&interval->slip, at + sizeof(double), 1);
    if (interval->slip < -1 || interval->slip > 1) return false;
  }
  return true;
}

static FILE *open_file(Events *events, const void *saved) {
  if (saved)
    return restore(events, saved) ? results_reopen(events->results, "events.csv", &events->mark)
                                  : results_refuse(events->results, "checkpoint", "not the state of a simulation");
  FILE *file = results_open(events->results, "events.csv");
  if (file) fputs(events->intervals ? "dof,from,to,state\n" : "step,t,stick,slip+,slip-\n", file);
  return file;
}

Events *events_open(const Results *results, const SimRows *rows, const bool *has_friction, const void *saved) {
  Events *events = calloc(1, sizeof *events);
  if (!events) {
    diagnostics_no_memory(results->diagnostics);
    return NULL;
  }
  bool few = rows->d <= INTERVALS_MAX, first = sim_group_rank(rows->group) == 0;
  *events = (Events){.results = results, .rows = rows, .has_friction = has_friction};
  if (few) events->intervals = calloc((size_t)rows->d, sizeof *events->intervals);
  if (first && (!few || events->intervals)) events->file = open_file(events, saved);
  bool no_memory = few && !events->intervals;
  if (no_memory) diagnostics_no_memory(results->diagnostics);
  if (no_memory || (first && !events->file)) {
    events_close(events);
    return NULL;
  }
  return events;
}

void events_observe(Events *events, const SimStep *step) {
  if (!events->intervals) {
    write_counts(events, step);
  } else {
    follow_intervals(events, step);
    note_contact(events, step->t, step->contact);
  }
  events->time = step->t;
}

int events_close(Events *events) {
  if (!events) return 0;
  if (events->intervals && events->file && events->time > 0) {
    for (int i = 0; i < events->rows->d; i++)
      if (events->has_friction[i]) write_interval(events, i, events->time);
    if (events->contact) write_contact(events, events->time);
  }
  int failed = results_close(events->results, "events.csv", events->file);
  free(events->intervals);
  free(events);
  return failed;
}
