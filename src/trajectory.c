#include "src/trajectory.h"

#include <stdlib.h>

struct Trajectory {
  const Results *results;
  const SimProblem *problem;
  long every;
  FILE *states; /* NULL beyond TRAJECTORY_SIZE_MAX */
  FILE *events;
  signed char *slip; /* [d] of the interval under way */
  double *since;     /* [d] s */
  double time;       /* of the last step seen */
  SimEnergy energy;
  SimObserver observer;
};

static void write_header(FILE *file, int d) {
  static const char *const columns[] = {"x", "v", "lambda"};
  fputs("t", file);
  for (int c = 0; c < 3; c++)
    for (int i = 1; i <= d; i++) fprintf(file, ",%s%d", columns[c], i);
  fputc('\n', file);
}

static void write_row(FILE *file, int d, const SimStep *step) {
  const double *const columns[] = {step->x, step->v, step->lambda};
  fprintf(file, "%.17g", step->t);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < d; i++) fprintf(file, ",%.17g", columns[c][i]);
  fputc('\n', file);
}

static void write_interval(Trajectory *trajectory, int dof, double to) {
  static const char *const states[] = {"slip-", "stick", "slip+"};
  fprintf(trajectory->events, "%d,%.17g,%.17g,%s\n", dof + 1, trajectory->since[dof], to,
          states[1 + trajectory->slip[dof]]);
}

static void follow_events(Trajectory *trajectory, const SimStep *step) {
  for (int i = 0; i < trajectory->problem->d; i++) {
    if (!(trajectory->problem->friction[i] > 0)) continue;
    if (step->n > 0 && step->slip[i] == trajectory->slip[i]) continue;
    if (step->n > 0) write_interval(trajectory, i, step->t);
    trajectory->since[i] = step->t;
    trajectory->slip[i] = step->slip[i];
  }
}

static void see(void *context, const SimStep *step) {
  Trajectory *trajectory = context;
  trajectory->energy = *step->energy;
  trajectory->time = step->t;
  if (trajectory->states && (step->n % trajectory->every == 0 || step->n == trajectory->problem->steps))
    write_row(trajectory->states, trajectory->problem->d, step);
  follow_events(trajectory, step);
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
  trajectory->events = results_open(results, "events.csv");
  bool opened = trajectory->events && (trajectory->states || !small);
  if (!opened) {
    trajectory_close(trajectory);
    return NULL;
  }
  if (trajectory->states) write_header(trajectory->states, problem->d);
  fputs("dof,from,to,state\n", trajectory->events);
  return trajectory;
}

const SimObserver *trajectory_observer(const Trajectory *trajectory) { return &trajectory->observer; }

SimEnergy trajectory_energy(const Trajectory *trajectory) { return trajectory->energy; }

int trajectory_close(Trajectory *trajectory) {
  if (trajectory->events && trajectory->time > 0)
    for (int i = 0; i < trajectory->problem->d; i++)
      if (trajectory->problem->friction[i] > 0) write_interval(trajectory, i, trajectory->time);
  int failed = results_close(trajectory->results, "trajectory.csv", trajectory->states);
  failed |= results_close(trajectory->results, "events.csv", trajectory->events);
  free(trajectory->slip);
  free(trajectory->since);
  free(trajectory);
  return failed ? -1 : 0;
}
