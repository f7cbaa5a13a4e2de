/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/events.h"

#include "src/results/slips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The current intervals of a degree of freedom (dof): one with constant friction state, and one with constant contact
 * with a stop. */
typedef struct Interval {
  double since, end_since; /* times at which the two intervals began, in s */
  double slid_since;       /* time at which the slip before the current stick began, in s; see `slid` */
  signed char slip;
  /* direction of the slip before the current stick if this slip is not written yet; otherwise 0. If the stick began
   * only in the last time step, it may turn out to be an instant within a slip that continues */
  signed char slid;
  /* State at a stop. 0: no contact; SIM_TOUCHES or SIM_SETTLES: at the upper stop; -SIM_TOUCHES or -SIM_SETTLES: at the
   * lower one. */
  signed char end;
  signed char at_end; /* whether x was at a stop after the last step; used for schemes with time steps */
} Interval;

struct Events {
  const Results *results;
  const Labels *labels;
  const SimRows *rows;
  const bool *has_friction;
  const SimStops *stops; /* stops of the model, if its scheme has time steps and so does not report events; otherwise
                          * NULL */
  TableFile *file;       /* events.csv; NULL: another rank writes the file */
  ResultsMark mark;      /* state of the file when it was last saved */
  Interval *intervals;   /* [d] current intervals; NULL: there are more than INTERVALS_MAX dofs, so only the numbers of
                          * dofs in each state are written */
  Slips *slips;          /* record of slips (slips.h), if there are more than INTERVALS_MAX dofs; otherwise NULL */
  bool contact;          /* whether the mass of a dash-pot touches its support */
  double contact_since;  /* time at which this contact began, in s */
  double time;           /* time of the last step, in s */
};

const char *const event_states[] = {"slip-",    "stick",    "slip+",    "contact",  "impact-", "impact+",
                                    "contact-", "contact+", "settled-", "settled+", NULL};

static const TableColumn intervals[] = {{.name = "dof", .kind = COLUMN_COUNT},
                                        {.name = "from"},
                                        {.name = "to"},
                                        {.name = "state", .kind = COLUMN_WORD, .words = event_states},
                                        /* the column `name` exists only if the dofs have names */
                                        {.name = "name", .kind = COLUMN_WORD}},
                         counts[] = {{.name = "step", .kind = COLUMN_COUNT},
                                     {.name = "t"},
                                     {.name = "stick", .kind = COLUMN_COUNT},
                                     {.name = "slip+", .kind = COLUMN_COUNT},
                                     {.name = "slip-", .kind = COLUMN_COUNT}};
enum { COLUMNS = sizeof intervals / sizeof *intervals };

static void write_row(const Events *events, int dof, double from, double to, int state) {
  const double number = dof + 1, word = state, name = dof;
  table_append(events->file, (const double *const[COLUMNS]){&number, &from, &to, &word, &name});
}

/* Writes the current interval of a dof. An interval of length 0 is not written: the dof did not stick if it stuck only
 * for an instant. */
static void write_interval(const Events *events, int dof, double to) {
  const Interval *interval = &events->intervals[dof];
  if (to > interval->since) write_row(events, dof, interval->since, to, STATE_STICK + interval->slip);
}

/* Writes the slip before the current stick, if it has not been written yet. */
static void write_slid(const Events *events, int dof) {
  Interval *interval = &events->intervals[dof];
  if (interval->slid && interval->since > interval->slid_since)
    write_row(events, dof, interval->slid_since, interval->since, STATE_STICK + interval->slid);
  interval->slid = 0;
}

/* Writes an interval at a stop: the upper stop if what > 0, otherwise the lower one. */
static void write_end(const Events *events, int dof, double from, double to, int what) {
  write_row(events, dof, from, to, STATE_STOPS + 2 * (abs(what) - SIM_BOUNCES) + (what > 0));
}

/* Sets the state of a dof at a stop from time t on. what: the new state, as Interval.end. */
static void turn_end(Events *events, int dof, double t, int what) {
  Interval *interval = &events->intervals[dof];
  if (interval->end) write_end(events, dof, interval->end_since, t, interval->end);
  interval->end = (signed char)what;
  interval->end_since = t;
}

static void note_end(Events *events, int dof, double t, int what) {
  if (!events->intervals) return;
  if (abs(what) == SIM_BOUNCES)
    write_end(events, dof, t, t, what);
  else
    turn_end(events, dof, t, what == SIM_PARTS ? 0 : what);
}

/* Updates the contact of a dof with stops after a time step. A contact begins at the end of the first step after which
 * the dof rests at a rigid stop or presses on a compliant one. It ends at the beginning of the first step after which
 * this no longer holds. An impact is recorded if a stop exerts an impulse in a step but the dof continues to move. */
static void follow_end(Events *events, const SimStep *step, int i) {
  const SimStops *stops = events->stops;
  Interval *interval = &events->intervals[i];
  double push = step->reaction[i];
  int side = push > 0 ? -1 : push < 0, at = step->x[i] == stops->lower[i] ? -1 : step->x[i] == stops->upper[i];
  bool rigid = isnan(stops->stiffness[i]);
  int rests = !rigid ? side : step->v[i] == 0 ? at : 0;
  bool settles = rigid && stops->restitution[i] > 0 && step->n > 0 && !interval->at_end;
  if ((rests != 0) != (interval->end != 0))
    turn_end(events, i, rests ? step->t : events->time, rests * (settles ? SIM_SETTLES : SIM_TOUCHES));
  if (side && !rests) write_end(events, i, events->time, step->t, side * SIM_BOUNCES);
  interval->at_end = at != 0;
}

static void write_contact(const Events *events, double to) {
  write_row(events, 0, events->contact_since, to, STATE_CONTACT);
}

static void note_contact(Events *events, double t, bool contact) {
  if (contact == events->contact) return;
  if (events->contact) write_contact(events, t);
  events->contact = contact;
  events->contact_since = t;
}

/* Updates stick and slip of a dof after a time step. A dof that slips at t_n has moved since t_{n-1}, so its stick ends
 * at t_{n-1}. A stick of a single step is thus only an instant. If the dof slips in the same direction before and after
 * it, both slips are written as one. */
static void follow_slip(Events *events, const SimStep *step, int i) {
  Interval *interval = &events->intervals[i];
  signed char slip = (signed char)step->slip[i];
  if (interval->slid && slip == interval->slid) {
    interval->slip = slip;
    interval->since = interval->slid_since;
    interval->slid = 0;
  }
  write_slid(events, i);
  if (slip == interval->slip) return;
  if (slip == 0) {
    interval->slid = interval->slip;
    interval->slid_since = interval->since;
    interval->since = step->t;
  } else {
    double since = interval->slip == 0 ? events->time : step->t;
    write_interval(events, i, since);
    interval->since = since;
  }
  interval->slip = slip;
}

/* Updates stick, slip and contacts of all dofs after a time step, and at the start. */
static void follow_intervals(Events *events, const SimStep *step) {
  for (int i = 0; i < events->rows->d; i++) {
    if (!events->has_friction[i]) continue;
    if (step->n > 0) {
      follow_slip(events, step, i);
    } else {
      events->intervals[i].since = step->t;
      events->intervals[i].slip = (signed char)step->slip[i];
    }
  }
  for (int i = 0; i < events->rows->d && events->stops; i++) follow_end(events, step, i);
}

void events_note(Events *events, double t, int dof, int slip) {
  if (slip == SIM_MEETS || slip == SIM_LEAVES) {
    note_contact(events, t, slip == SIM_MEETS);
    return;
  }
  if (sim_event_of_stop(slip)) {
    note_end(events, dof, t, slip);
    return;
  }
  if (!events->intervals || !events->has_friction[dof]) return;
  Interval *interval = &events->intervals[dof];
  write_slid(events, dof);
  if (t > 0) write_interval(events, dof, t);
  interval->slip = (signed char)slip;
  interval->since = t;
}

static void write_counts(const Events *events, const SimStep *step, const double *force) {
  double sums[4] = {0}; /* numbers of dofs that slip backward, that stick, and that slip forward; number of slips that
                         * have ended but have not been gathered on the first rank */
  for (int i = 0; i < events->rows->count; i++)
    if (events->has_friction[i]) sums[1 + step->slip[i]]++;
  sums[3] = (double)slips_observe(events->slips, step, force);
  sim_group_sum(events->rows->group, sums, 4);
  const double number = (double)step->n;
  if (events->file)
    table_append(events->file, (const double *const[COLUMNS]){&number, &step->t, &sums[1], &sums[2], &sums[0]});
  slips_gather(events->slips, sums[3]);
}

/* Header of a saved state. It is followed by the intervals, each stored as three doubles and four bytes. */
typedef struct Saved {
  double time, contact_since;
  ResultsMark file;
  long contact; /* whether `contact` holds; its type is long so that the struct has no padding, as its bytes are part of
                 * a checkpoint */
} Saved;

enum { INTERVAL_DOUBLES = 3 * sizeof(double), INTERVAL_BYTES = 4, INTERVAL_SIZE = INTERVAL_DOUBLES + INTERVAL_BYTES };

size_t events_saved_size(int d) {
  return sizeof(Saved) + (d <= INTERVALS_MAX ? (size_t)d * INTERVAL_SIZE : slips_saved_size(d));
}

int events_save(Events *events, void *bytes) {
  int failed = table_sync(events->file, &events->mark);
  const Saved saved = {
      .time = events->time, .contact_since = events->contact_since, .file = events->mark, .contact = events->contact};
  char *to = bytes;
  if (to) memcpy(to, &saved, sizeof saved);
  if (events->slips && slips_save(events->slips, to ? to + sizeof saved : NULL)) failed = -1;
  for (int i = 0; to && events->intervals && i < events->rows->d; i++) {
    char *at = to + sizeof saved + i * INTERVAL_SIZE;
    memcpy(at, &events->intervals[i].since, INTERVAL_DOUBLES);
    memcpy(at + INTERVAL_DOUBLES, &events->intervals[i].slip, INTERVAL_BYTES);
  }
  return failed;
}

/* Restores a saved state. Returns false if the bytes are invalid. */
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
    memcpy(&interval->since, at, INTERVAL_DOUBLES);
    memcpy(&interval->slip, at + INTERVAL_DOUBLES, INTERVAL_BYTES);
    int end = abs(interval->end);
    bool slides = interval->slip >= -1 && interval->slip <= 1 && interval->slid >= -1 && interval->slid <= 1;
    if (!slides || (end && end != SIM_TOUCHES && end != SIM_SETTLES)) return false;
  }
  return true;
}

static TableFile *open_file(Events *events, const void *saved) {
  const TableLayout layout = {.n_columns = COLUMNS - (events->intervals && !events->labels->names),
                              .columns = events->intervals ? intervals : counts,
                              .labels = events->labels};
  if (saved && !restore(events, saved)) {
    results_refuse(events->results, "checkpoint", "not the state of a simulation");
    return NULL;
  }
  return table_open(events->results, "events.csv", &layout, saved ? &events->mark : NULL);
}

/* Allocates the record of events. Returns NULL if there is no memory. */
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
  bool first = stiction_group_rank(rows->group) == 0;
  Events *events = create(results, &problem->labels, rows, has_friction);
  if (events && problem->sim.stops.present && !sim_force_in_pieces(&problem->sim)) events->stops = &problem->sim.stops;
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
      if (events->has_friction[i]) {
        write_slid(events, i);
        write_interval(events, i, events->time);
      }
    for (int i = 0; i < events->rows->d; i++) turn_end(events, i, events->time, 0);
    if (events->contact) write_contact(events, events->time);
  }
  int failed = slips_close(events->slips, ended);
  failed |= table_close(events->file, ended);
  free(events->intervals);
  free(events);
  return failed;
}
