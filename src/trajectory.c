#include "src/trajectory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Trajectory {
  const Results *results;
  const SimProblem *problem;
  long every;
  FILE *states; /* NULL beyond TRAJECTORY_SIZE_MAX */
  FILE *events;
  signed char *slip;    /* [d] of the interval under way */
  double *since;        /* [d] s */
  bool contact;         /* of the mass of a dash-pot with its support */
  double contact_since; /* s */
  double time;          /* of the last step seen */
  SimEnergy energy;
  SimObserver observer;
};

/* x, v and, where it is a result, lambda: d columns each; then what else the kind of model tells. */
static int vectors(SimKind kind) { return sim_kind_has_multiplier(kind) ? 3 : 2; }

static void write_header(FILE *file, const SimProblem *problem) {
  static const char *const columns[] = {"x", "v", "lambda"};
  const char *const *names;
  int extras = sim_kind_extras(problem->kind, &names);
  fputs("t", file);
  for (int c = 0; c < vectors(problem->kind); c++)
    for (int i = 1; i <= problem->d; i++) fprintf(file, ",%s%d", columns[c], i);
  for (int i = 0; i < extras; i++) fprintf(file, ",%s", names[i]);
  fputc('\n', file);
}

static void write_row(FILE *file, const SimProblem *problem, const SimStep *step) {
  const double *const columns[] = {step->x, step->v, step->lambda};
  const char *const *names;
  int extras = sim_kind_extras(problem->kind, &names);
  fprintf(file, "%.17g", step->t);
  for (int c = 0; c < vectors(problem->kind); c++)
    for (int i = 0; i < problem->d; i++) fprintf(file, ",%.17g", columns[c][i]);
  for (int i = 0; i < extras; i++) fprintf(file, ",%.17g", step->extra[i]);
  fputc('\n', file);
}

/* Nothing for an interval without length: a dof that stuck at one instant alone has not stuck. */
static void write_interval(Trajectory *trajectory, int dof, double to) {
  static const char *const states[] = {"slip-", "stick", "slip+"};
  if (to > trajectory->since[dof])
    fprintf(trajectory->events, "%d,%.17g,%.17g,%s\n", dof + 1, trajectory->since[dof], to,
            states[1 + trajectory->slip[dof]]);
}

static void write_contact(const Trajectory *trajectory, double to) {
  fprintf(trajectory->events, "1,%.17g,%.17g,contact\n", trajectory->contact_since, to);
}

static void follow_contact(Trajectory *trajectory, const SimStep *step) {
  if (step->contact == trajectory->contact) return;
  if (trajectory->contact) write_contact(trajectory, step->t);
  trajectory->contact = step->contact;
  trajectory->contact_since = step->t;
}

static bool has_friction(const SimProblem *problem, int dof) { return sim_problem_threshold(problem, dof) > 0; }

/* What slips at t_n has moved since t_{n-1}: a stick interval ends there, so that nothing moves within it. */
static void follow_events(Trajectory *trajectory, const SimStep *step) {
  for (int i = 0; i < trajectory->problem->d; i++) {
    if (!has_friction(trajectory->problem, i)) continue;
    if (step->n > 0 && step->slip[i] == trajectory->slip[i]) continue;
    double since = step->n > 0 && trajectory->slip[i] == 0 ? trajectory->time : step->t;
    if (step->n > 0) write_interval(trajectory, i, since);
    trajectory->since[i] = since;
    trajectory->slip[i] = step->slip[i];
  }
}

static void see(void *context, const SimStep *step) {
  Trajectory *trajectory = context;
  trajectory->energy = *step->energy;
  if (trajectory->states && (step->n % trajectory->every == 0 || step->n == trajectory->problem->steps))
    write_row(trajectory->states, trajectory->problem, step);
  follow_events(trajectory, step);
  follow_contact(trajectory, step);
  trajectory->time = step->t;
}

/* Without its files. NULL after telling. */
static Trajectory *create(const Results *results, const SimProblem *problem, long every) {
  size_t d = (size_t)problem->d;
  Trajectory *trajectory = calloc(1, sizeof *trajectory);
  if (!trajectory) {
    fprintf(stderr, "stiction: out of memory\n");
    return NULL;
  }
  *trajectory = (Trajectory){.results = results, .problem = problem, .every = every > 0 ? every : 1};
  trajectory->observer = (SimObserver){trajectory, see};
  trajectory->slip = calloc(d, sizeof *trajectory->slip);
  trajectory->since = calloc(d, sizeof *trajectory->since);
  if (!trajectory->slip || !trajectory->since) {
    fprintf(stderr, "stiction: out of memory\n");
    trajectory_close(trajectory);
    return NULL;
  }
  return trajectory;
}

Trajectory *trajectory_open(const Results *results, const SimProblem *problem, long every) {
  Trajectory *trajectory = create(results, problem, every);
  if (!trajectory) return NULL;
  bool small = problem->d <= TRAJECTORY_SIZE_MAX;
  if (small)
    trajectory->states = results_open(results, "trajectory.csv");
  else
    fprintf(stderr, "stiction: no trajectory.csv: %d degrees of freedom (at most %d)\n", problem->d,
            TRAJECTORY_SIZE_MAX);
  trajectory->events = results_open(results, "events.csv");
  bool opened = trajectory->events && (trajectory->states || !small);
  if (!opened) {
    trajectory_close(trajectory);
    return NULL;
  }
  if (trajectory->states) write_header(trajectory->states, problem);
  fputs("dof,from,to,state\n", trajectory->events);
  return trajectory;
}

/* What a saved state has besides since and slip. */
typedef struct Saved {
  double time, contact_since;
  SimEnergy energy;
  long contact, states_size, events_size; /* no padding: its bytes are a checkpoint's */
} Saved;

size_t trajectory_saved_size(const SimProblem *problem) {
  return sizeof(Saved) + (size_t)problem->d * (sizeof(double) + sizeof(signed char));
}

/* How long a file is once all of it is on the disk; -1 when it cannot be. */
static long size_on_disk(FILE *file) {
  if (!file) return 0;
  return fflush(file) || fsync(fileno(file)) ? -1 : ftell(file);
}

int trajectory_save(const Trajectory *trajectory, void *bytes) {
  size_t d = (size_t)trajectory->problem->d;
  char *to = bytes;
  const Saved saved = {.time = trajectory->time,
                       .contact_since = trajectory->contact_since,
                       .energy = trajectory->energy,
                       .contact = trajectory->contact,
                       .states_size = size_on_disk(trajectory->states),
                       .events_size = size_on_disk(trajectory->events)};
  memcpy(to, &saved, sizeof saved);
  memcpy(to + sizeof saved, trajectory->since, d * sizeof(double));
  memcpy(to + sizeof saved + d * sizeof(double), trajectory->slip, d);
  return saved.states_size < 0 || saved.events_size < 0 ? -1 : 0;
}

static FILE *reopen(const Results *results, const char *name, long size) {
  FILE *file = results_reopen(results, name);
  if (!file || results_cut(results, name, file, size) == 0) return file;
  fclose(file);
  return NULL;
}

Trajectory *trajectory_reopen(const Results *results, const SimProblem *problem, long every, const void *bytes) {
  size_t d = (size_t)problem->d;
  const char *from = bytes;
  Saved saved;
  Trajectory *trajectory = create(results, problem, every);
  if (!trajectory) return NULL;
  memcpy(&saved, from, sizeof saved);
  memcpy(trajectory->since, from + sizeof saved, d * sizeof(double));
  memcpy(trajectory->slip, from + sizeof saved + d * sizeof(double), d);
  bool good = true;
  for (size_t i = 0; i < d; i++) good = good && trajectory->slip[i] >= -1 && trajectory->slip[i] <= 1;
  if (!good) fprintf(stderr, "stiction: %s/checkpoint: not the state of a simulation\n", results->directory);
  trajectory->contact = saved.contact != 0;
  trajectory->contact_since = saved.contact_since;
  trajectory->energy = saved.energy;
  bool small = problem->d <= TRAJECTORY_SIZE_MAX;
  if (good && small) trajectory->states = reopen(results, "trajectory.csv", saved.states_size);
  if (good) trajectory->events = reopen(results, "events.csv", saved.events_size);
  if (!trajectory->events || (small && !trajectory->states)) {
    trajectory_close(trajectory);
    return NULL;
  }
  trajectory->time = saved.time;
  return trajectory;
}

const SimObserver *trajectory_observer(const Trajectory *trajectory) { return &trajectory->observer; }

SimEnergy trajectory_energy(const Trajectory *trajectory) { return trajectory->energy; }

int trajectory_close(Trajectory *trajectory) {
  if (trajectory->events && trajectory->time > 0) {
    for (int i = 0; i < trajectory->problem->d; i++)
      if (has_friction(trajectory->problem, i)) write_interval(trajectory, i, trajectory->time);
    if (trajectory->contact) write_contact(trajectory, trajectory->time);
  }
  int failed = results_close(trajectory->results, "trajectory.csv", trajectory->states);
  failed |= results_close(trajectory->results, "events.csv", trajectory->events);
  free(trajectory->slip);
  free(trajectory->since);
  free(trajectory);
  return failed ? -1 : 0;
}
