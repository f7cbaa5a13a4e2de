#include "bench/accuracy/models.h"

#include "src/base/exit_code.h"
#include "src/run/rollout_context.h"

#include <stdlib.h>
#include <string.h>

enum { SETTING_SIZE = 96 };

int case_read(const Case *c, long steps, Problem *problem) {
  char path[512], time[SETTING_SIZE], substeps[SETTING_SIZE], *settings[CASE_SETTINGS_MAX + 2];
  int n = 0;
  snprintf(path, sizeof path, "%s/jobs/problems/%s.yaml", STICTION_ROOT, c->file);
  for (; n < CASE_SETTINGS_MAX && c->settings[n]; n++) settings[n] = (char *)c->settings[n];
  int code = problem_file_read(path, settings, n, false,
                               &(Diagnostics){.origin = "bench", .tell = diagnostic_print, .to = stderr}, problem);
  if (code || (steps == 0 && !c->shrink_friction)) return code;
  double end = problem->sim.end;
  if (steps == 0) steps = problem->sim.steps;
  problem_clear(problem);
  snprintf(time, sizeof time, "time={end: %.17g, steps: %ld}", end, steps);
  settings[n++] = time;
  if (c->shrink_friction) { /* half a step in substeps of step^2 */
    snprintf(substeps, sizeof substeps, "scheme.friction_substeps=%ld", lround((double)steps / (2 * end)));
    settings[n++] = substeps;
  }
  return problem_file_read(path, settings, n, false,
                           &(Diagnostics){.origin = "bench", .tell = diagnostic_print, .to = stderr}, problem);
}

int case_read_finer(const Case *c, long finer, Problem *problem) {
  int code = case_read(c, 0, problem);
  if (code || finer == 1) return code;
  long steps = finer * problem->sim.steps;
  problem_clear(problem);
  return case_read(c, steps, problem);
}

/* lambda, or what a dash-pot has for it: f_d. */
static double multiplier(const SimProblem *p, const SimStep *step, int i) {
  return p->kind == SIM_DASHPOT ? step->extra[0] : step->lambda[i];
}

/* The run that stands for the solution: rows of x, v, lambda, d each. */
typedef struct Record {
  const SimProblem *problem;
  double *rows;
} Record;

static void keep(void *context, const SimStep *step) {
  Record *r = context;
  int d = r->problem->d;
  double *row = r->rows + (size_t)step->n * 3 * (size_t)d;
  for (int i = 0; i < d; i++) {
    row[i] = step->x[i];
    row[d + i] = step->v[i];
    row[2 * d + i] = multiplier(r->problem, step, i);
  }
}

/* The solution at one instant after another. */
typedef struct Truth {
  const Case *c;
  const SimProblem *problem;
  const double *rows; /* of a Record, `row_count` over [0, T]; linear between them */
  size_t row_count;
  ChainExact chain;
  DashpotExact dashpot;
  double x[EXACT_NODES], v[EXACT_NODES], lambda[EXACT_NODES]; /* now */
} Truth;

static void truth_start(Truth *truth) {
  const Case *c = truth->c;
  const SimProblem *p = truth->problem;
  if (c->load) truth->chain = chain_exact_start(p, c->load->amplitude, c->load->omega);
  if (!c->push) return;
  truth->dashpot = dashpot_exact_start(p->dashpot.law, c->push, p->x0[0]);
  truth->dashpot.position = p->dashpot.support_position;
  truth->dashpot.stiffness = p->dashpot.support_stiffness;
}

static void truth_by_rows(Truth *truth, double t) {
  size_t d = (size_t)truth->problem->d, last = truth->row_count - 1;
  double place = fmin(t / truth->problem->end, 1) * (double)last, *now[] = {truth->x, truth->v, truth->lambda};
  size_t below = (size_t)place < last ? (size_t)place : last - 1;
  const double *row = truth->rows + below * 3 * d;
  for (size_t k = 0; k < 3 * d; k++) now[k / d][k % d] = row[k] + (place - (double)below) * (row[3 * d + k] - row[k]);
}

static void truth_to(Truth *truth, double t) {
  size_t size = (size_t)truth->problem->d * sizeof(double);
  if (truth->c->exact) {
    Exact e = truth->c->exact(t);
    memcpy(truth->x, e.x, size);
    memcpy(truth->v, e.v, size);
    memcpy(truth->lambda, e.lambda, size);
  } else if (truth->c->load) {
    chain_exact_to(&truth->chain, t);
    memcpy(truth->x, truth->chain.x, size);
    memcpy(truth->v, truth->chain.v, size);
    for (int i = 0; i < truth->problem->d; i++) truth->lambda[i] = chain_exact_lambda(&truth->chain, i);
  } else if (truth->c->push) {
    dashpot_exact_to(&truth->dashpot, t);
    truth->x[0] = truth->dashpot.x;
    truth->v[0] = truth->dashpot.v;
    truth->lambda[0] = dashpot_exact_f_d(&truth->dashpot);
  } else {
    truth_by_rows(truth, t);
  }
}

/* The sums over one run. */
typedef struct Comparison {
  Truth truth;
  double sum[ERRORS];
} Comparison;

static void compare(void *context, const SimStep *step) {
  Comparison *c = context;
  const Truth *truth = &c->truth;
  const SimProblem *p = truth->problem;
  if (step->n == 0) return;
  truth_to(&c->truth, step->t);
  for (int i = 0; i < p->d; i++) {
    c->sum[ERROR_X] += p->step * pow(step->x[i] - truth->x[i], 2);
    if (p->kind != SIM_CHAIN || p->chain.node_mass[i] > 0)
      c->sum[ERROR_V] += p->step * pow(step->v[i] - truth->v[i], 2);
    double miss = multiplier(p, step, i) - truth->lambda[i];
    c->sum[ERROR_LAMBDA] += p->step * fabs(miss);
    c->sum[ERROR_LAMBDA_L2] += p->step * miss * miss;
  }
}

/* One rollout without control. */
static int roll(const Case *c, const SimProblem *problem, const SimObserver *observer) {
  RolloutContext run;
  int code =
      rollout_context_prepare(&run, problem, &(Diagnostics){.origin = "bench", .tell = diagnostic_print, .to = stderr});
  if (code) return code;
  SimStatus status = sim_rollout(run.model, run.work, NULL, observer, &run.final);
  rollout_context_release(&run);
  if (status == SIM_OK) return 0;
  fprintf(stderr, "%s, %s: %ld steps: %s\n", c->file, c->variant, problem->steps, sim_status_text(status));
  return EXIT_UNSOLVED;
}

/* The run that stands for the solution: *rows is to be freed. */
static int reference(const Case *c, long steps, double **rows) {
  Problem problem;
  int code = case_read(c, steps, &problem);
  if (code) return code;
  *rows = malloc((size_t)(steps + 1) * 3 * (size_t)problem.sim.d * sizeof **rows);
  Record record = {&problem.sim, *rows};
  code = *rows ? roll(c, &problem.sim, &(SimObserver){.context = &record, .step = keep}) : EXIT_INTERNAL;
  problem_clear(&problem);
  return code;
}

static bool any_mass(const SimProblem *p) {
  return p->kind != SIM_CHAIN || p->chain.chain_case != SIM_CHAIN_QUASISTATIC;
}

/* A case and, where it has one, its reference. */
typedef struct Known {
  const Case *c;
  double *rows;
  size_t row_count;
} Known;

static int errors(void *context, long steps, double *error) {
  const Known *known = context;
  Problem problem;
  int code = case_read(known->c, steps, &problem);
  if (code) return code;
  Comparison sums = {
      .truth = {.c = known->c, .problem = &problem.sim, .rows = known->rows, .row_count = known->row_count}};
  truth_start(&sums.truth);
  code = roll(known->c, &problem.sim, &(SimObserver){.context = &sums, .step = compare});
  error[ERROR_X] = sqrt(sums.sum[ERROR_X]);
  error[ERROR_V] = any_mass(&problem.sim) ? sqrt(sums.sum[ERROR_V]) : NAN;
  error[ERROR_LAMBDA] = sums.sum[ERROR_LAMBDA];
  error[ERROR_LAMBDA_L2] = sqrt(sums.sum[ERROR_LAMBDA_L2]);
  problem_clear(&problem);
  return code;
}

const char *case_solution(const Case *c) { return c->exact ? "exact" : c->load || c->push ? "other" : "fine"; }

/* The file's steps, and the reference where the case needs one: known->rows is to be freed. */
static int prepare(const Case *c, Known *known, long *steps, double *end) {
  Problem problem;
  *known = (Known){.c = c};
  int code = case_read(c, 0, &problem);
  if (code) return code;
  *steps = problem.sim.steps;
  *end = problem.sim.end;
  problem_clear(&problem);
  long finer = *steps * CASE_REFERENCE_FINER;
  known->row_count = (size_t)finer + 1;
  return c->exact || c->load || c->push ? 0 : reference(c, finer, &known->rows);
}

int case_levels(const Case *c, int n, const long *finer, double *step, double (*error)[ERRORS]) {
  Known known;
  long steps;
  double end;
  int code = prepare(c, &known, &steps, &end);
  for (int i = 0; i < n && !code; i++) {
    step[i] = end / (double)(steps * finer[i]);
    code = errors(&known, steps * finer[i], error[i]);
  }
  free(known.rows);
  return code;
}

int case_orders(const Case *c, OrderResult *result) {
  Known known;
  long steps;
  double end;
  int code = prepare(c, &known, &steps, &end);
  OrderStudy study = {errors, &known, ERRORS, steps, CASE_LEVELS, c->grids > 0 ? c->grids : 1};
  if (!code) code = order_measure(&study, result);
  free(known.rows);
  return code;
}
