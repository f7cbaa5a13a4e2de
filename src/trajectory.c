#include "src/trajectory.h"

#include "src/summary.h"

#include <stdlib.h>

struct Trajectory {
  const Results *results;
  const SimProblem *problem;
  long every;
  FILE *states; /* NULL beyond TRAJECTORY_SIZE_MAX */
  FILE *energies;
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

static void write_energy(FILE *file, const SimStep *step) {
  const SimEnergy *e = step->energy;
  fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", step->t, e->work, e->stored, e->dissipated, e->numerical,
          summary_closure(e));
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
  if (step->n % trajectory->every == 0 || step->n == trajectory->problem->steps) {
    if (trajectory->states) write_row(trajectory->states, trajectory->problem, step);
    write_energy(trajectory->energies, step);
  }
  follow_events(trajectory, step);
  follow_contact(trajectory, step);
  trajectory->time = step->t;
}

Trajectory *trajectory_open(const Results *results, const SimProblem *problem, long every) {
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
  bool small = problem->d <= TRAJECTORY_SIZE_MAX;
  if (small)
    trajectory->states = results_open(results, "trajectory.csv");
  else
    fprintf(stderr, "stiction: no trajectory.csv: %d degrees of freedom (at most %d)\n", problem->d,
            TRAJECTORY_SIZE_MAX);
  trajectory->energies = results_open(results, "energy.csv");
  trajectory->events = results_open(results, "events.csv");
  bool opened = trajectory->energies && trajectory->events && (trajectory->states || !small);
  if (!opened) {
    trajectory_close(trajectory);
    return NULL;
  }
  if (trajectory->states) write_header(trajectory->states, problem);
  fputs("t,work,stored,dissipated,numerical,closure\n", trajectory->energies);
  fputs("dof,from,to,state\n", trajectory->events);
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
  failed |= results_close(trajectory->results, "energy.csv", trajectory->energies);
  failed |= results_close(trajectory->results, "events.csv", trajectory->events);
  free(trajectory->slip);
  free(trajectory->since);
  free(trajectory);
  return failed ? -1 : 0;
}
