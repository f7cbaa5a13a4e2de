#include "src/results/events.h"

#include "src/results/slips.h"

#include <stdlib.h>
#include <string.h>

typedef struct Interval {
  signed char slip; /* of the interval under way */
  double since;     /* s */
} Interval;

struct Events {
  const Results *results;
  const Labels *labels;
  const SimRows *rows;
  const bool *has_friction;
  FILE *file;           /* NULL: another rank writes */
  ResultsMark mark;     /* of it */
  Interval *intervals;  /* [d]; NULL beyond INTERVALS_MAX: counts are written */
  Slips *slips;         /* then */
  bool contact;         /* of the mass of a dash-pot with its support */
  double contact_since; /* s */
  double time;          /* of the last step seen */
};

static void write_row(const Events *events, int dof, double from, double to, const char *state) {
  fprintf(events->file, "%d,%.17g,%.17g,%s", dof + 1, from, to, state);
  if (events->labels->names) fprintf(events->file, ",%s", events->labels->names[dof]);
  fputc('\n', events->file);
}

/* Nothing for an interval without length: a dof that stuck at one instant alone has not stuck. */
static void write_interval(const Events *events, int dof, double to) {
  static const char *const states[] = {"slip-", "stick", "slip+"};
  const Interval *interval = &events->intervals[dof];
  if (to > interval->since) write_row(events, dof, interval->since, to, states[1 + interval->slip]);
}

static void write_contact(const Events *events, double to) {
  write_row(events, 0, events->contact_since, to, "contact");
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

static void write_counts(const Events *events, const SimStep *step, const double *force) {
  double counts[4] = {0}; /* slip-, stick, slip+, slips that wait */
  for (int i = 0; i < events->rows->count; i++)
    if (events->has_friction[i]) counts[1 + step->slip[i]]++;
  counts[3] = (double)slips_observe(events->slips, step, force);
  sim_group_sum(events->rows->group, counts, 4);
  if (events->file)
    fprintf(events->file, "%ld,%.17g,%.0f,%.0f,%.0f\n", step->n, step->t, counts[1], counts[2], counts[0]);
  slips_gather(events->slips, counts[3]);
}

/* What a saved state has before the intervals: each since and slip. */
typedef struct Saved {
  double time, contact_since;
  ResultsMark file;
  long contact; /* no padding: its bytes are a checkpoint's */
} Saved;

enum { INTERVAL_SIZE = sizeof(double) + sizeof(signed char) };

size_t events_saved_size(int d) {
  return sizeof(Saved) + (d <= INTERVALS_MAX ? (size_t)d * INTERVAL_SIZE : slips_saved_size(d));
}

int events_save(Events *events, void *bytes) {
  int failed = results_sync(events->file, &events->mark);
  const Saved saved = {
      .time = events->time, .contact_since = events->contact_since, .file = events->mark, .contact = events->contact};
  char *to = bytes;
  if (to) memcpy(to, &saved, sizeof saved);
  if (events->slips && slips_save(events->slips, to ? to + sizeof saved : NULL)) failed = -1;
  for (int i = 0; to && events->intervals && i < events->rows->d; i++) {
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
  const char *columns = events->labels->names ? "dof,from,to,state,name\n" : "dof,from,to,state\n";
  if (file) fputs(events->intervals ? columns : "step,t,stick,slip+,slip-\n", file);
  return file;
}

/* NULL after telling. */
static Events *create(const Results *results, const Labels *labels, const SimRows *rows, const bool *has_friction) {
  Events *events = calloc(1, sizeof *events);
  bool few = rows->d <= INTERVALS_MAX;
  if (events) *events = (Events){.results = results, .labels = labels, .rows = rows, .has_friction = has_friction};
  if (events && few) events->intervals = calloc((size_t)rows->d, sizeof *events->intervals);
  if (events && (events->intervals || !few)) return events;
  diagnostics_no_memory(results->diagnostics);
  free(events);
  return NULL;
}

Events *events_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                    bool resumed, const void *saved) {
  bool first = sim_group_rank(rows->group) == 0;
  Events *events = create(results, &problem->labels, rows, has_friction);
  if (events && first) events->file = open_file(events, saved);
  int failed = sim_group_agree(rows->group, !events || (first && !events->file));
  if (!failed && !events->intervals) {
    const char *rest = saved ? (const char *)saved + sizeof(Saved) : NULL;
    events->slips = slips_open(results, problem, rows, has_friction, resumed, rest);
    failed = !events->slips;
  }
  if (!failed) return events;
  events_close(events, false);
  return NULL;
}

void events_observe(Events *events, const SimStep *step, const double *force) {
  if (events->slips) {
    write_counts(events, step, force);
  } else {
    follow_intervals(events, step);
    note_contact(events, step->t, step->contact);
  }
  events->time = step->t;
}

int events_close(Events *events, bool ended) {
  if (!events) return 0;
  if (events->intervals && events->file && events->time > 0) {
    for (int i = 0; i < events->rows->d; i++)
      if (events->has_friction[i]) write_interval(events, i, events->time);
    if (events->contact) write_contact(events, events->time);
  }
  int failed = slips_close(events->slips, ended);
  failed |= results_close(events->results, "events.csv", events->file);
  free(events->intervals);
  free(events);
  return failed;
}
