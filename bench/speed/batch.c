/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-batch measures the time of an initial value problem in each kernel of stiction_batch, and of single steps. */
#include "bench/speed/peak.h"
#include "bench/tools/measure.h"
#include "bench/tools/table.h"
#include "control/base/clock.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-batch [--quick] [--csv | --markdown]\n"
    "Microseconds per initial value problem in each kernel that this processor supports, 512 controls per batch,\n"
    "the kernels alternating, the best of at least 15 rounds. ratio: ref to kernel in the same run. flops:\n"
    "multiplications, additions, comparisons per IVP by the formula in the README, if there is one. roof: their\n"
    "rate relative to a loop of independent multiplications and additions in vectors of the same width on the\n"
    "same core.\n"
    "Then models with different thresholds, each in its own lane, and one after another.\n"
    "Then single steps of one rollout: median, 99.99 %, worst, and dt / worst.\n"
    "--quick  few rounds\n";

enum { CONTROLS = 512, MODELS = 256, MAX_KERNELS = 8, MAX_D = 8 };

typedef struct BenchCase {
  const char *file;
  char *settings[4];
} BenchCase;

static const BenchCase cases[] = {
    {"tp1", {"scheme={name: centered, multiplier: unregularized}"}},
    {"tp1", {"scheme={name: centered, multiplier: regularized}"}},
    {"tp1", {"scheme={name: centered, multiplier: unregularized, solver: fixed_point, tolerance: 1e-8}"}},
    {"tp1", {"scheme={name: centered, multiplier: regularized, solver: fixed_point, tolerance: 1e-8}"}},
    {"tp1", {"scheme={name: moreau}"}},
    {"tp2", {"scheme={name: centered, multiplier: unregularized}"}},
    {"tp2", {"scheme={name: centered, multiplier: regularized}"}},
    {"tp2", {"scheme={name: centered, multiplier: unregularized, solver: fixed_point, tolerance: 1e-8}"}},
    {"tp2", {"scheme={name: centered, multiplier: regularized, solver: fixed_point, tolerance: 1e-8}"}},
    {"tp2", {"scheme={name: moreau}"}},
    {"tp1", {"scheme={name: lie}", "scheme.elastic_substeps=5"}},
    {"shiau-6.2", {"time.end=4"}},
    {"shiau-6.2", {"time.end=4", "scheme.solver=fixed_point"}},
};
enum { N_CASES = sizeof cases / sizeof *cases };

typedef struct Batch {
  RolloutContext rollout;
  double *controls; /* [CONTROLS][p] controls */
  double x[CONTROLS][MAX_D], v[CONTROLS][MAX_D];
  SimFinal final[CONTROLS];
} Batch;

typedef struct KernelRun {
  Batch *batch;
  int kernel;
} KernelRun;

static void run_batch(void *context) {
  KernelRun *run = context;
  sim_workspace_set_kernel(run->batch->rollout.work, run->kernel);
  stiction_batch(run->batch->rollout.model, run->batch->rollout.work, CONTROLS, run->batch->controls,
                 run->batch->final);
}

static int batch_open(const BenchCase *c, Problem *problem, Batch *batch) {
  char path[256];
  int n = 0;
  while (c->settings[n]) n++;
  snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", c->file);
  char *settings[4];
  memcpy(settings, c->settings, sizeof settings);
  int code = problem_file_read(path, settings, n, false,
                               &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr}, problem);
  if (!code)
    code = rollout_context_prepare(&batch->rollout, &problem->sim,
                                   &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr});
  if (code) return code;
  int p = problem->sim.n_control;
  batch->controls = malloc((size_t)(CONTROLS * p + 1) * sizeof(double));
  if (!batch->controls) return EXIT_INTERNAL;
  unsigned seed = 1;
  for (int i = 0; i < CONTROLS * p; i++) {
    seed = seed * 1664525u + 1013904223u;
    batch->controls[i] = 20 * ((double)(seed >> 8) / (1 << 23) - 1);
  }
  for (int i = 0; i < CONTROLS; i++) batch->final[i] = (SimFinal){.x = batch->x[i], .v = batch->v[i]};
  return 0;
}

/* Returns the number of floating-point operations of an initial value problem (README, Benchmarks). sweeps: mean number
 * per step. */
static double flops_per_ivp(const SimProblem *p, double sweeps) {
  bool centered = !strcmp(sim_scheme_name(p->scheme), "centered"),
       moreau = !strcmp(sim_scheme_name(p->scheme), "moreau");
  if (sim_problem_get(p, "solver") != SIM_EXACT || !(centered || moreau)) return NAN;
  bool regularized = sim_problem_get(p, "multiplier") == SIM_REGULARIZED;
  double d = p->d, step = 4 * d * d + (moreau ? 6 : 4) * d + d * (d - 1) + (regularized ? 6 * d : 0),
         sweep = d * (d - 1) + (regularized ? 7 : 5) * d, check = d * (d - 1) + 7 * (d - 1);
  return (double)p->steps * (step + sweeps * (sweep + check));
}

static int add_case(const BenchCase *c, bool quick, TextTable *table) {
  static Batch batch;
  Problem problem;
  KernelRun runs[MAX_KERNELS];
  MeasureTask tasks[MAX_KERNELS];
  Measured measured[MAX_KERNELS];
  int code = batch_open(c, &problem, &batch), n = 0;
  if (code) return code;
  for (int k = 0; sim_kernel_name(k) && n < MAX_KERNELS; k++) {
    if (!sim_kernel_runs(k)) continue;
    runs[n] = (KernelRun){&batch, k};
    tasks[n] = (MeasureTask){run_batch, &runs[n]};
    n++;
  }
  measure_in_turn(n, tasks, quick ? 1 : 15, quick ? 0 : 0.1, measured);
  double iterations = 0;
  for (int i = 0; i < CONTROLS; i++) iterations += (double)batch.final[i].iterations / CONTROLS;
  iterations /= (double)problem.sim.steps;
  for (int k = 0; k < n; k++) {
    const SimProblem *p = &problem.sim;
    const char *kernel = sim_kernel_name(runs[k].kernel);
    double flops = flops_per_ivp(p, iterations), seconds = measured[k].best / CONTROLS;
    text_table_word(table, "%s", c->file);
    text_table_word(table, "%s", sim_scheme_name(p->scheme));
    text_table_word(table, "%s", sim_problem_word(p, "multiplier"));
    text_table_word(table, "%s", sim_problem_word(p, "solver"));
    text_table_word(table, "%s", kernel);
    text_table_number(table, "%.2f", iterations);
    text_table_number(table, "%.2f", 1e6 * seconds);
    text_table_number(table, "%.1f", measured[0].best / measured[k].best);
    text_table_number(table, "%.0f", flops);
    text_table_number(table, "%.0f", peak_flops(kernel) > 0 ? 100 * flops / (seconds * peak_flops(kernel)) : NAN);
  }
  free(batch.controls);
  rollout_context_release(&batch.rollout);
  problem_clear(&problem);
  return 0;
}

/* Models that differ in their thresholds, each with a run of its own. */
typedef struct Fleet {
  SimRun run[MODELS];
  SimModel *model[MODELS];
  SimFinal *final;
} Fleet;

static void run_together(void *context) {
  const Fleet *fleet = context;
  sim_batch_models(MODELS, fleet->run, fleet->final);
}

static void run_alone(void *context) {
  const Fleet *fleet = context;
  for (int i = 0; i < MODELS; i++)
    stiction_rollout(fleet->run[i].model, fleet->run[i].work, fleet->run[i].control, NULL, &fleet->final[i]);
}

static int fleet_open(Fleet *fleet, const SimProblem *problem, Batch *batch) {
  double friction[MAX_D];
  SimProblem own = *problem;
  own.friction = friction;
  fleet->final = batch->final;
  for (int i = 0; i < MODELS; i++) {
    SimRun *run = &fleet->run[i];
    for (int j = 0; j < problem->d; j++) friction[j] = problem->friction[j] * (0.8 + 0.4 * i / MODELS);
    if (stiction_problem_finalize(&own, NULL) != SIM_OK) return EXIT_INTERNAL;
    if (stiction_model_create(&own, NULL, &fleet->model[i]) != SIM_OK) return EXIT_INTERNAL;
    if (stiction_workspace_create(fleet->model[i], &run->work) != SIM_OK) return EXIT_INTERNAL;
    run->model = fleet->model[i];
    run->control = batch->controls;
  }
  return 0;
}

static void fleet_close(Fleet *fleet) {
  for (int i = 0; i < MODELS; i++) {
    stiction_workspace_destroy(fleet->run[i].work);
    stiction_model_destroy(fleet->model[i]);
  }
}

/* Returns whether the friction law of a case allows to evaluate such models together, one in each vector lane. */
static bool is_swept(const BenchCase *c) {
  const char *scheme = c->settings[0];
  return !strstr(scheme, "fixed_point") && (strstr(scheme, "moreau") || strstr(scheme, "centered"));
}

/* Adds rows for one control and models that differ from lane to lane. */
static int add_models(const BenchCase *c, bool quick, TextTable *table) {
  static Batch batch;
  Problem problem;
  Fleet fleet = {.final = NULL};
  Measured measured[2];
  int code = batch_open(c, &problem, &batch);
  if (!code) code = fleet_open(&fleet, &problem.sim, &batch);
  if (!code) {
    const SimProblem *p = &problem.sim;
    const MeasureTask tasks[] = {{run_together, &fleet}, {run_alone, &fleet}};
    measure_in_turn(2, tasks, quick ? 1 : 15, quick ? 0 : 0.1, measured);
    text_table_word(table, "%s", c->file);
    text_table_word(table, "%s", sim_scheme_name(p->scheme));
    text_table_word(table, "%s", sim_problem_word(p, "multiplier"));
    text_table_word(table, "%s", sim_batch_kernel(fleet.model[0], fleet.run[0].work));
    text_table_number(table, "%.2f", 1e6 * measured[0].best / MODELS);
    text_table_number(table, "%.2f", 1e6 * measured[1].best / MODELS);
    text_table_number(table, "%.1f", measured[1].best / measured[0].best);
  }
  fleet_close(&fleet);
  free(batch.controls);
  rollout_context_release(&batch.rollout);
  problem_clear(&problem);
  return code;
}

/* Times of the steps of a rollout. */
typedef struct Steps {
  double *seconds; /* [capacity] clock after each step, s */
  long n, capacity;
  double before;
} Steps;

static void see_step(void *context, const SimStep *step) {
  Steps *steps = context;
  double now = ctl_seconds();
  if (step->n > 0 && steps->n < steps->capacity) steps->seconds[steps->n++] = now - steps->before;
  steps->before = ctl_seconds();
}

static int add_steps(const BenchCase *c, bool quick, TextTable *table) {
  static Batch batch;
  Problem problem;
  int code = batch_open(c, &problem, &batch);
  if (code) return code;
  Steps steps = {.capacity = quick ? 1000 : 200000};
  steps.seconds = malloc((size_t)steps.capacity * sizeof(double));
  if (!steps.seconds) return EXIT_INTERNAL;
  for (int i = 0; steps.n < steps.capacity; i = (i + 1) % CONTROLS)
    stiction_rollout(batch.rollout.model, batch.rollout.work, batch.controls + i * problem.sim.n_control,
                     &(SimObserver){.context = &steps, .step = see_step}, &batch.final[i]);
  sort_values((int)steps.n, steps.seconds);
  double worst = steps.seconds[steps.n - 1];
  text_table_word(table, "%s", c->file);
  text_table_word(table, "%s", sim_scheme_name(problem.sim.scheme));
  text_table_word(table, "%s", sim_problem_word(&problem.sim, "solver"));
  text_table_number(table, "%.3f", 1e6 * quantile((int)steps.n, steps.seconds, 0.5));
  text_table_number(table, "%.3f", 1e6 * quantile((int)steps.n, steps.seconds, 0.9999));
  text_table_number(table, "%.1f", 1e6 * worst);
  text_table_number(table, "%.0f", problem.sim.step / worst);
  free(steps.seconds);
  free(batch.controls);
  rollout_context_release(&batch.rollout);
  problem_clear(&problem);
  return 0;
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"problem",     "scheme", "multiplier", "solver", "kernel",
                                      "sweeps/step", "us/IVP", "ratio",      "flops",  "roof %"};
  static const char *const model_heads[] = {"problem", "scheme", "multiplier", "kernel", "us/IVP", "alone", "ratio"};
  static const char *const step_heads[] = {"problem",    "scheme",   "solver",  "median us",
                                           "99.99 % us", "worst us", "dt/worst"};
  TextTableForm form = TABLE_TEXT;
  bool quick = false;
  int code = 0;
  if (!table_arguments(argc, argv, "bench-batch", usage, &form, &quick, &code)) return code;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < N_CASES && !code; k++) code = add_case(&cases[k], quick, table);
  if (!code) table_print(table, form, stdout);
  text_table_destroy(table);
  table = text_table_create(sizeof model_heads / sizeof *model_heads, model_heads);
  for (int k = 0; k < N_CASES && !code; k++)
    if (is_swept(&cases[k])) code = add_models(&cases[k], quick, table);
  if (!code) table_print(table, form, stdout);
  text_table_destroy(table);
  table = text_table_create(sizeof step_heads / sizeof *step_heads, step_heads);
  for (int k = 0; k < N_CASES && !code; k += k == 0 ? 2 : 1) code = add_steps(&cases[k], quick, table);
  if (!code) table_print(table, form, stdout);
  text_table_destroy(table);
  return code ? code : EXIT_DONE;
}
