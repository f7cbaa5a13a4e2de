/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/papers/papers.h"

#include "src/results/table.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void keep_instant(Trace *t, long stride, const SimStep *step) {
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
  keep_instant(k->trace, k->stride, step);
}

int trace_make(const Case *c, long finer, long stride, const double *u, Trace *t) {
  Problem problem;
  RolloutContext run;
  *t = (Trace){0};
  int code = case_read_finer(c, finer, &problem);
  if (code) return code;
  code = rollout_context_prepare(&run, &problem.sim,
                                 &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr});
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
        stiction_rollout(run.model, run.work, u, &(SimObserver){.context = &keeper, .step = keep_step}, &run.final);
    t->iterations = run.final.iterations;
    if (status != SIM_OK) {
      fprintf(stderr, "%s, %s: %s\n", c->file, c->variant, stiction_status_text(status));
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

int trace_read(const char *directory, Trace *t) {
  char missing[TABLE_NAME_SIZE];
  Table table;
  Diagnostics diagnostics = {.origin = "bench", .report = diagnostic_print, .to = stderr};
  *t = (Trace){0};
  int code = table_read(&table, directory, "trajectory.csv", NULL, &diagnostics);
  if (code) return code;
  int d = table_count(&table, "x");
  const char *const symbols[] = {"x", "v", "lambda"};
  size_t size = (size_t)table.rows * (size_t)d;
  *t = (Trace){.d = d, .n = table.rows - 1, .x = malloc((3 * size + 1) * sizeof *t->x)};
  code = t->x && table.rows > 1 ? 0 : EXIT_INTERNAL;
  if (!code) t->step = table_at(&table, t->n, 0) / (double)t->n;
  for (int k = 0; k < 3 && !code; k++) {
    int from = table_find_dofs(&table, symbols[k], d, 1, missing);
    if (from < 0) code = EXIT_INTERNAL;
    for (size_t i = 0; i < size && !code; i++)
      t->x[(size_t)k * size + i] = table_at(&table, (long)i / d, from + (int)(i % (size_t)d));
  }
  t->v = t->x + size;
  t->lambda = t->v + size;
  table_clear(&table);
  return code;
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
