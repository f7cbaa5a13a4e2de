#include "bench/papers/papers.h"

#include "control/evaluator.h"
#include "src/base/exit_code.h"
#include "src/run/evaluated_model.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void keep(Trace *t, long stride, const SimStep *step) {
  if (step->n % stride) return;
  size_t at = (size_t)(step->n / stride) * (size_t)t->d, size = (size_t)t->d * sizeof(double);
  memcpy(t->x + at, step->x, size);
  memcpy(t->v + at, step->v, size);
  memcpy(t->lambda + at, step->lambda, size);
}

typedef struct Keeper {
  Trace *trace;
  long stride;
} Keeper;

static void keep_step(void *context, const SimStep *step) {
  const Keeper *k = context;
  keep(k->trace, k->stride, step);
}

int trace_make(const Case *c, long finer, long stride, const double *u, Trace *t) {
  Problem problem;
  RolloutContext run;
  *t = (Trace){0};
  int code = case_read_finer(c, finer, &problem);
  if (code) return code;
  code = rollout_context_prepare(&run, &problem.sim,
                                 &(Diagnostics){.origin = "bench", .tell = diagnostic_print, .to = stderr});
  if (!code) {
    *t = (Trace){.d = problem.sim.d, .n = problem.sim.steps / stride, .step = problem.sim.step * (double)stride};
    size_t size = (size_t)(t->n + 1) * (size_t)t->d;
    t->x = malloc(3 * size * sizeof *t->x);
    code = t->x ? 0 : EXIT_INTERNAL;
    t->v = t->x + size;
    t->lambda = t->v + size;
  }
  if (!code) {
    Keeper keeper = {t, stride};
    SimStatus status =
        sim_rollout(run.model, run.work, u, &(SimObserver){.context = &keeper, .step = keep_step}, &run.final);
    t->iterations = run.final.iterations;
    if (status != SIM_OK) {
      fprintf(stderr, "%s, %s: %s\n", c->file, c->variant, sim_status_text(status));
      code = EXIT_UNSOLVED;
    }
  }
  rollout_context_release(&run);
  problem_clear(&problem);
  return code;
}

int trace_exact(const char *file, const char *setting, long finer, const double *u, Trace *trace) {
  return trace_make(&(Case){.file = file, .variant = "the motion itself", .settings = {PAPERS_EVENT, setting}}, finer,
                    1, u, trace);
}

void trace_release(Trace *trace) {
  free(trace->x);
  *trace = (Trace){0};
}

double trace_farthest(const Trace *t, const double *a, const double *b, int first, int count) {
  double most = 0;
  for (long n = 0; n <= t->n; n++)
    for (int i = first; i < first + count; i++) most = fmax(most, fabs(a[n * t->d + i] - b[n * t->d + i]));
  return most;
}

double trace_norm(const Trace *t, const double *a, const double *b, double s) {
  double sum = 0;
  for (long i = t->d; i < (t->n + 1) * t->d; i++) sum += t->step * pow(fabs(a[i] - b[i]), s);
  return pow(sum, 1 / s);
}

double trace_variation(const Trace *t, long from, long stride) {
  double sum = 0;
  for (long n = from + stride; n <= t->n; n += stride)
    for (int i = 0; i < t->d; i++) sum += fabs(t->lambda[n * t->d + i] - t->lambda[(n - stride) * t->d + i]);
  return sum;
}

/* (4.1), (4.2) of the motion itself under u. */
static int true_miss(const char *file, const CtlProblem *control, const double *u, double *E1, double *E2) {
  Trace t;
  int code = trace_exact(file, NULL, 1, u, &t);
  if (code) return code;
  const double *targets[] = {control->position, control->velocity}, *reached[] = {t.x + t.n * t.d, t.v + t.n * t.d};
  double *errors[] = {E1, E2};
  for (int k = 0; k < 2; k++) {
    double miss = 0, size = 1;
    for (int i = 0; i < t.d; i++) {
      if (isnan(targets[k][i])) continue;
      miss = fmax(miss, fabs(reached[k][i] - targets[k][i]));
      size = fmax(size, fabs(targets[k][i]));
    }
    *errors[k] = miss / size;
  }
  trace_release(&t);
  return 0;
}

static int go_on(void *context, const CtlState *state, double seconds) {
  (void)context;
  (void)state;
  (void)seconds;
  return 0;
}

static void fill_row(const CtlState *state, const CtlTimes *times, double *row) {
  row[SEARCH_SIMPLEXES] = (double)state->rounds;
  row[SEARCH_EVALUATIONS] = (double)state->evaluations;
  row[SEARCH_IVPS] = (double)state->ivps;
  row[SEARCH_ITERATIONS] = (double)state->iterations;
  row[SEARCH_E1] = state->E1;
  row[SEARCH_E2] = state->E2;
  row[SEARCH_J] = state->J;
  row[SEARCH_SECONDS] = times->wall;
  memcpy(row + SEARCH_U, state->control, 3 * sizeof *row);
}

int papers_search(const Case *c, long finer, double *row) {
  Problem problem;
  RolloutContext run;
  EvaluatedModel model = {0};
  CtlSimulation simulation = {0};
  CtlSearch *search = NULL;
  CtlTimes times;
  CtlState state;
  int code = case_read_finer(c, finer, &problem);
  if (code) return code;
  code = rollout_context_prepare(&run, &problem.sim,
                                 &(Diagnostics){.origin = "bench", .tell = diagnostic_print, .to = stderr});
  if (!code && ctl_search_create(&problem.control, &search) != SIM_OK) code = EXIT_INTERNAL;
  if (!code) code = evaluated_model_prepare(&problem, ctl_problem_wants_derivatives(&problem.control), &model);
  if (!code && evaluated_model_simulation(&model, &run, &simulation) != SIM_OK) code = EXIT_INTERNAL;
  CtlEvaluator evaluator = {0};
  if (!code) evaluator = ctl_simulator(&simulation);
  if (!code && ctl_drive_serial(search, &evaluator, &(CtlListener){.simplex = go_on}, &times) != 0)
    code = EXIT_INTERNAL;
  if (!code) {
    ctl_search_state(search, &state);
    fill_row(&state, &times, row);
    if (state.non_finite || state.reason == CTL_REASON_FAILED) {
      fprintf(stderr, "%s, %s: %ld evaluations failed\n", c->file, c->variant, state.non_finite);
      code = EXIT_UNSOLVED;
    }
  }
  if (!code) code = true_miss(c->file, &problem.control, row + SEARCH_U, &row[SEARCH_TRUE_E1], &row[SEARCH_TRUE_E2]);
  ctl_search_destroy(search);
  ctl_simulation_clear(&simulation);
  evaluated_model_clear(&model);
  rollout_context_release(&run);
  problem_clear(&problem);
  return code;
}
