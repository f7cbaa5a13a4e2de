#include "bench/models.h"

#include "src/exit_code.h"
#include "src/replay.h"

#include <stdlib.h>

enum { SETTING_SIZE = 96, KEPT_FINER = 48 }; /* least common multiple of case_finer */
const long case_finer[CASE_LEVELS] = {1, 2, 3, 4, 6, 8, 12, 16};

int case_read(const Case *c, long finer, Problem *problem) {
  char path[512], time[SETTING_SIZE], substeps[SETTING_SIZE], *settings[CASE_SETTINGS_MAX + 2];
  int n = 0;
  snprintf(path, sizeof path, "%s/jobs/problems/%s.yaml", STICTION_ROOT, c->file);
  for (; n < CASE_SETTINGS_MAX && c->settings[n]; n++) settings[n] = (char *)c->settings[n];
  int code = problem_file_read(path, settings, n, false, stderr, problem);
  if (code || (finer == 1 && !c->shrink_friction)) return code;
  double end = problem->sim.end;
  long steps = problem->sim.steps * finer;
  problem_clear(problem);
  snprintf(time, sizeof time, "time={end: %.17g, steps: %ld}", end, steps);
  settings[n++] = time;
  if (c->shrink_friction) { /* half a step in substeps of step^2 */
    snprintf(substeps, sizeof substeps, "scheme.friction_substeps=%ld", lround((double)steps / (2 * end)));
    settings[n++] = substeps;
  }
  return problem_file_read(path, settings, n, false, stderr, problem);
}

/* Every `stride`-th instant of a run: row n / stride of x, v, lambda, d each. */
typedef struct Record {
  int d;
  long stride;
  double *rows;
} Record;

static void keep(void *context, const SimStep *step) {
  Record *r = context;
  if (step->n % r->stride) return;
  double *row = r->rows + (size_t)(step->n / r->stride) * 3 * (size_t)r->d;
  for (int i = 0; i < r->d; i++) {
    row[i] = step->x[i];
    row[r->d + i] = step->v[i];
    row[2 * r->d + i] = step->lambda[i];
  }
}

/* The sums over one run, against `exact`, or, without, against rows that are `stride` to a step. */
typedef struct Comparison {
  const SimProblem *problem;
  ExactSolution *exact;
  const double *rows;
  long stride;
  Errors sum;
} Comparison;

static void add_instant(Comparison *c, const SimStep *step, const double *x, const double *v, const double *lambda) {
  const SimProblem *p = c->problem;
  for (int i = 0; i < p->d; i++) {
    c->sum.x += p->step * pow(step->x[i] - x[i], 2);
    if (p->kind != SIM_CHAIN || p->chain.node_mass[i] > 0) c->sum.v += p->step * pow(step->v[i] - v[i], 2);
    c->sum.lambda += p->step * fabs(step->lambda[i] - lambda[i]);
  }
}

static void compare(void *context, const SimStep *step) {
  Comparison *c = context;
  size_t d = (size_t)c->problem->d;
  if (step->n == 0) return;
  if (c->exact) {
    Exact e = c->exact(step->t);
    add_instant(c, step, e.x, e.v, e.lambda);
  } else {
    const double *row = c->rows + (size_t)(step->n * c->stride) * 3 * d;
    add_instant(c, step, row, row + d, row + 2 * d);
  }
}

/* One rollout without control. */
static int roll(const Case *c, const SimProblem *problem, const SimObserver *observer) {
  Replay run;
  int code = replay_prepare(&run, problem, stderr);
  if (code) return code;
  SimStatus status = sim_rollout(run.model, run.work, NULL, observer, &run.final);
  replay_release(&run);
  if (status == SIM_OK) return 0;
  fprintf(stderr, "%s, %s: %ld steps: %s\n", c->file, c->variant, problem->steps, sim_status_text(status));
  return EXIT_UNSOLVED;
}

/* The run that stands for the solution, at KEPT_FINER times the file's instants: *rows is to be freed. */
static int reference(const Case *c, double **rows) {
  Problem problem;
  int code = case_read(c, CASE_REFERENCE_FINER, &problem);
  if (code) return code;
  Record record = {.d = problem.sim.d, .stride = CASE_REFERENCE_FINER / KEPT_FINER};
  size_t n_rows = (size_t)(problem.sim.steps / record.stride + 1);
  *rows = record.rows = malloc(n_rows * 3 * (size_t)record.d * sizeof *record.rows);
  code = record.rows ? roll(c, &problem.sim, &(SimObserver){&record, keep}) : EXIT_INTERNAL;
  problem_clear(&problem);
  return code;
}

static bool any_mass(const SimProblem *p) {
  return p->kind != SIM_CHAIN || p->chain.chain_case != SIM_CHAIN_QUASISTATIC;
}

static int level_errors(const Case *c, int level, const double *rows, Result *result) {
  Problem problem;
  int code = case_read(c, case_finer[level], &problem);
  if (code) return code;
  Comparison sums = {
      .problem = &problem.sim, .exact = c->exact, .rows = rows, .stride = KEPT_FINER / case_finer[level]};
  code = roll(c, &problem.sim, &(SimObserver){&sums, compare});
  result->step[level] = problem.sim.step;
  result->error[level] = (Errors){.x = sqrt(sums.sum.x),
                                  .v = any_mass(&problem.sim) ? sqrt(sums.sum.v) : NAN,
                                  .lambda = sim_kind_has_multiplier(problem.sim.kind) ? sums.sum.lambda : NAN};
  problem_clear(&problem);
  return code;
}

int case_errors(const Case *c, Result *result) {
  double *rows = NULL;
  int code = c->exact ? 0 : reference(c, &rows);
  for (int level = 0; level < CASE_LEVELS && !code; level++) code = level_errors(c, level, rows, result);
  free(rows);
  return code;
}
