/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-event compares the scheme `event` with time-stepping schemes, as error over time, and measures its time over
 * the size of the model. */
#include "bench/tools/measure.h"
#include "bench/tools/table.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-event [--quick] [--csv | --markdown]\n"
    "Error over microseconds per initial value problem: `event` at tolerances 1e-4 to 1e-12, `centered`\n"
    "(unregularized) and `moreau` at the file's step and 8 halvings, one after another (`ref`) and in vector\n"
    "lanes, alternating, median of 7 rounds. 64 random controls; error: the largest deviation of an entry of\n"
    "x(T), v(T) from `event` at 1e-13, median over the controls.\n"
    "Then `event` at 1e-10 for full random systems of d = 1 to 64 degrees of freedom, mean of 8; events: their\n"
    "mean number. Then one sparse chain of springs, d = 4 to 1000 masses, median of 3 rounds.\n"
    "--quick  few levels and rounds\n";

enum { CONTROLS = 64, D_MAX = 3, HALVINGS = 8, SYSTEMS = 8, SIZE_MAX_LOG = 6, ROUNDS = 7, MASSES = 1000 };
static const int chain_sizes[] = {4, 8, 16, 32, 64, 128, 256, 512, MASSES};

static const char *const heads[] = {"problem",   "d",     "scheme", "kernel", "steps",
                                    "tolerance", "error", "us/IVP", "events", "us/event"};

static Diagnostics *diagnostics_here(void) {
  static Diagnostics diagnostics = {.origin = "bench-event", .report = diagnostic_print, .to = NULL};
  diagnostics.to = stderr;
  return &diagnostics;
}

/* Returns a random number in (-1, 1) by a linear congruential generator. */
static double random_number(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

static int check_status(const SimFinal *final, int n) {
  for (int i = 0; i < n; i++)
    if (final[i].status != SIM_OK)
      return diagnostics_error(diagnostics_here(), EXIT_UNSOLVED, "%s", stiction_status_text(final[i].status));
  return 0;
}

/* Error over time ------------------------------------------------------------------------------------------------ */

/* Runs of all controls by one scheme with one step or tolerance. */
typedef struct Run {
  Problem problem;
  RolloutContext rollout;
  const double *controls; /* [CONTROLS][p] controls */
  double tolerance;       /* tolerance of the scheme event; otherwise NAN */
  int kernel;
  double x[CONTROLS][D_MAX], v[CONTROLS][D_MAX];
  SimFinal final[CONTROLS];
} Run;

static void run_all(void *context) {
  Run *run = context;
  stiction_batch(run->rollout.model, run->rollout.work, CONTROLS, run->controls, run->final);
}

/* Opens a run. finer: factor of the file's number of steps. */
static int run_open(Run *run, const char *file, char *scheme, long finer, int kernel) {
  char path[512], time[96], *settings[] = {scheme, time};
  snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", file);
  int code = problem_file_read(path, settings, 1, false, diagnostics_here(), &run->problem);
  if (code) return code;
  snprintf(time, sizeof time, "time={end: %.17g, steps: %ld}", run->problem.sim.end, finer * run->problem.sim.steps);
  problem_clear(&run->problem);
  code = problem_file_read(path, settings, 2, false, diagnostics_here(), &run->problem);
  if (!code) code = rollout_context_prepare(&run->rollout, &run->problem.sim, diagnostics_here());
  if (code) return code;
  sim_workspace_set_kernel(run->rollout.work, kernel);
  for (int i = 0; i < CONTROLS; i++) run->final[i] = (SimFinal){.x = run->x[i], .v = run->v[i]};
  run->kernel = kernel;
  return 0;
}

static void run_close(Run *run) {
  rollout_context_release(&run->rollout);
  problem_clear(&run->problem);
}

static double median_error(const Run *run, const Run *exact) {
  double errors[CONTROLS];
  for (int i = 0; i < CONTROLS; i++) {
    errors[i] = 0;
    for (int k = 0; k < run->problem.sim.d; k++) {
      errors[i] = fmax(errors[i], fabs(run->x[i][k] - exact->x[i][k]));
      errors[i] = fmax(errors[i], fabs(run->v[i][k] - exact->v[i][k]));
    }
  }
  sort_values(CONTROLS, errors);
  return quantile(CONTROLS, errors, 0.5);
}

static void add_run(TextTable *table, const char *file, const Run *run, const Run *exact, double seconds) {
  const SimProblem *p = &run->problem.sim;
  double events = 0;
  for (int i = 0; i < CONTROLS; i++) events += (double)run->final[i].iterations / CONTROLS;
  text_table_word(table, "%s", file);
  text_table_number(table, "%g", p->d);
  text_table_word(table, "%s", sim_scheme_name(p->scheme));
  text_table_word(table, "%s", sim_batch_kernel(run->rollout.model, run->rollout.work));
  text_table_number(table, "%g", isnan(run->tolerance) ? (double)p->steps : NAN);
  text_table_number(table, "%.0e", run->tolerance);
  text_table_number(table, "%.1e", median_error(run, exact));
  text_table_number(table, "%.2f", 1e6 * seconds / CONTROLS);
  text_table_number(table, "%.1f", isnan(run->tolerance) ? NAN : events);
  text_table_number(table, "%.2f", isnan(run->tolerance) ? NAN : 1e6 * seconds / CONTROLS / events);
}

static int widest_kernel(void) {
  int widest = 0;
  for (int k = 0; sim_kernel_name(k); k++)
    if (sim_kernel_runs(k)) widest = k;
  return widest;
}

/* Opens all runs of a problem, the exact one first. *n: their number. */
static int open_all(Run *runs, const char *file, const double *controls, bool quick, int *n) {
  static char stepping[2][64] = {"scheme={name: centered, multiplier: unregularized}", "scheme={name: moreau}"};
  int code = 0, kernels[2] = {0, widest_kernel()};
  *n = 0;
  for (int k = 13; k >= (quick ? 12 : 4) && !code; k--) {
    char scheme[64];
    snprintf(scheme, sizeof scheme, "scheme={name: event, tolerance: 1e-%d}", k);
    runs[*n] = (Run){.controls = controls, .tolerance = pow(10, -k)};
    code = run_open(&runs[(*n)++], file, scheme, 1, 0);
  }
  for (int s = 0; s < 2; s++)
    for (int kernel = 0; kernel < 2; kernel++)
      for (int level = 0; level <= (quick ? 1 : HALVINGS) && !code; level++) {
        runs[*n] = (Run){.controls = controls, .tolerance = NAN};
        code = run_open(&runs[(*n)++], file, stepping[s], 1L << level, kernels[kernel]);
      }
  return code;
}

static int add_problem(const char *file, bool quick, TextTable *table) {
  static Run runs[MEASURE_TASKS_MAX];
  static double controls[CONTROLS * D_MAX];
  MeasureTask tasks[MEASURE_TASKS_MAX];
  Measured measured[MEASURE_TASKS_MAX];
  unsigned seed = 1;
  int n;
  for (int i = 0; i < CONTROLS * D_MAX; i++) controls[i] = 20 * random_number(&seed);
  int code = open_all(runs, file, controls, quick, &n);
  for (int k = 0; k < n; k++) tasks[k] = (MeasureTask){run_all, &runs[k]};
  if (!code) measure_in_turn(n, tasks, quick ? 1 : ROUNDS, 0, measured);
  for (int k = 0; k < n && !code; k++) {
    code = check_status(runs[k].final, CONTROLS);
    if (!code && k > 0) add_run(table, file, &runs[k], &runs[0], measured[k].median);
  }
  for (int k = 0; k < n; k++) run_close(&runs[k]);
  return code;
}

/* Time over the size --------------------------------------------------------------------------------------------- */

/* Adds scale R R' / d to a full matrix, where R is a random matrix. */
static void add_square(unsigned *seed, int d, double scale, double *matrix) {
  double *root = malloc((size_t)d * (size_t)d * sizeof *root);
  if (!root) exit(EXIT_INTERNAL);
  for (int i = 0; i < d * d; i++) root[i] = random_number(seed);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < d; k++) matrix[i * d + j] += scale * root[i * d + k] * root[j * d + k] / d;
  free(root);
}

typedef struct Pushes {
  int d;
  double amplitude[MASSES], frequency[MASSES], phase[MASSES];
} Pushes;

static void push_at(void *context, double t, double *f) {
  const Pushes *pushes = context;
  for (int i = 0; i < pushes->d; i++) f[i] = pushes->amplitude[i] * sin(pushes->frequency[i] * t + pushes->phase[i]);
}

/* Sets random thresholds in middle - spread .. middle + spread, N; random starts, a third of them at rest; and
 * sinusoidal forces up to t = 5 s. */
static SimStatus fill_motion(unsigned seed, int d, double middle, double spread, SimProblem *p) {
  static Pushes pushes;
  double where;
  pushes.d = d;
  for (int i = 0; i < d; i++) {
    p->friction[i] = middle + spread * random_number(&seed);
    p->x0[i] = random_number(&seed);
    p->v0[i] = i % 3 == 0 ? 0 : random_number(&seed);
    pushes.amplitude[i] = 4 + random_number(&seed);
    pushes.frequency[i] = 4 + 2 * random_number(&seed);
    pushes.phase[i] = 3 * random_number(&seed);
  }
  p->end = 5;
  p->steps = 1;
  p->step = 5;
  return stiction_problem_set_pieces(p, &(SimLoad){.context = &pushes, .at = push_at}, 0, NULL, &where);
}

/* Makes a random system: M, A and D are full; sinusoidal forces of 3..5 N; thresholds c of 1..4 N; a third of the dofs
 * are at rest at first. */
static SimStatus random_system(int d, unsigned seed, SimProblem *p) {
  SimStatus status = sim_problem_init(p, SIM_FRICTION, d, 0);
  if (status == SIM_OK) status = sim_problem_set_scheme(p, "event");
  if (status != SIM_OK) return status;
  add_square(&seed, d, 3, p->system.mass);
  add_square(&seed, d, 15, p->system.stiffness);
  add_square(&seed, d, 1, p->system.damping);
  for (int i = 0; i < d; i++) p->system.mass[i * d + i] += 0.5;
  return fill_motion(seed, d, 2.5, 1.5, p);
}

/* Fills a tridiagonal matrix of d rows. */
static SimStatus fill_tridiagonal(int d, double diagonal, double off, SimMatrix *matrix) {
  SimStatus status = sim_matrix_alloc(matrix, d, 3L * d - 2);
  int n = 0;
  for (int i = 0; i < d && status == SIM_OK; i++) {
    for (int j = i > 0 ? i - 1 : 0; j < d && j <= i + 1; j++, n++) {
      matrix->column[n] = j;
      matrix->value[n] = i == j ? diagonal : off;
    }
    matrix->start[i + 1] = n;
  }
  return status;
}

static SimStatus fill_diagonal(int d, double diagonal, SimMatrix *matrix) {
  SimStatus status = sim_matrix_alloc(matrix, d, d);
  for (int i = 0; i < d && status == SIM_OK; i++) {
    matrix->column[i] = i;
    matrix->value[i] = diagonal;
    matrix->start[i + 1] = i + 1;
  }
  return status;
}

/* Makes a chain of masses of 1 kg, with springs of 1 N/m to both neighbours and 0.2 N/m to the ground, thresholds of
 * 1..3 N, and forces as in fill_motion. */
static SimStatus make_chain(int d, unsigned seed, SimProblem *p) {
  SimStatus status = sim_problem_init_sparse(p, NULL, d, 0, d, 0);
  if (status == SIM_OK) status = sim_problem_set_scheme(p, "event");
  if (status == SIM_OK) status = fill_diagonal(d, 1, &p->system.sparse.mass);
  if (status == SIM_OK) status = fill_tridiagonal(d, 2.2, -1, &p->system.sparse.stiffness);
  if (status != SIM_OK) return status;
  return fill_motion(seed, d, 2, 1, p);
}

typedef SimStatus (*MakeSystem)(int d, unsigned seed, SimProblem *p);

/* Systems of one size, simulated with one tolerance. */
typedef struct Systems {
  int n;
  SimProblem problems[SYSTEMS];
  RolloutContext rollouts[SYSTEMS];
} Systems;

static void run_systems(void *context) {
  Systems *systems = context;
  for (int k = 0; k < systems->n; k++) {
    RolloutContext *rollout = &systems->rollouts[k];
    stiction_rollout(rollout->model, rollout->work, NULL, NULL, &rollout->final);
  }
}

static int systems_open(Systems *systems, MakeSystem make, int n, int d, double tolerance) {
  int code = 0;
  systems->n = n;
  for (int k = 0; k < n && !code; k++) {
    SimStatus status = make(d, 1 + (unsigned)(k + SYSTEMS * d), &systems->problems[k]);
    if (status == SIM_OK) status = sim_problem_set(&systems->problems[k], "tolerance", tolerance);
    if (status == SIM_OK) status = stiction_problem_finalize(&systems->problems[k], NULL);
    if (status != SIM_OK)
      return diagnostics_error(diagnostics_here(), EXIT_INTERNAL, "%s", stiction_status_text(status));
    code = rollout_context_prepare(&systems->rollouts[k], &systems->problems[k], diagnostics_here());
  }
  return code;
}

static void systems_close(Systems *systems) {
  for (int k = 0; k < systems->n; k++) {
    rollout_context_release(&systems->rollouts[k]);
    sim_problem_clear(&systems->problems[k]);
  }
}

static int add_size(const char *name, MakeSystem make, int n, int d, int rounds, TextTable *table) {
  static const double TOLERANCE = 1e-10;
  static Systems exact, systems;
  double error[SYSTEMS] = {0}, events = 0;
  int code = systems_open(&exact, make, n, d, 1e-13);
  if (!code) code = systems_open(&systems, make, n, d, TOLERANCE);
  if (code) return code;
  run_systems(&exact);
  double seconds = measure((MeasureTask){run_systems, &systems}, rounds, 0).median;
  for (int k = 0; k < n && !code; k++) {
    const SimFinal *final = &systems.rollouts[k].final, *truth = &exact.rollouts[k].final;
    code = check_status(final, 1) ? EXIT_UNSOLVED : check_status(truth, 1);
    events += (double) final->iterations / n;
    for (int i = 0; i < d; i++)
      error[k] = fmax(error[k], fmax(fabs(final->x[i] - truth->x[i]), fabs(final->v[i] - truth->v[i])));
  }
  sort_values(n, error);
  text_table_word(table, "%s", name);
  text_table_number(table, "%g", d);
  text_table_word(table, "event");
  text_table_word(table, "ref");
  text_table_number(table, "%g", NAN);
  text_table_number(table, "%.0e", TOLERANCE);
  text_table_number(table, "%.1e", quantile(n, error, 0.5));
  text_table_number(table, "%.2f", 1e6 * seconds / n);
  text_table_number(table, "%.1f", events);
  text_table_number(table, "%.2f", 1e6 * seconds / n / events);
  systems_close(&systems);
  systems_close(&exact);
  return code;
}

int main(int argc, char **argv) {
  static const char *const files[] = {"tp1", "tp2"};
  TextTableForm form = TABLE_TEXT;
  bool quick = false;
  int code = 0;
  if (!table_arguments(argc, argv, "bench-event", usage, &form, &quick, &code)) return code;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < 2 && !code; k++) code = add_problem(files[k], quick, table);
  for (int k = 0; k <= (quick ? 2 : SIZE_MAX_LOG) && !code; k++)
    code = add_size("random", random_system, SYSTEMS, 1 << k, quick ? 1 : ROUNDS, table);
  for (size_t k = 0; k < (quick ? 3 : sizeof chain_sizes / sizeof *chain_sizes) && !code; k++)
    code = add_size("chain", make_chain, 1, chain_sizes[k], quick ? 1 : 3, table);
  if (!code) table_print(table, form, stdout);
  text_table_destroy(table);
  return code ? code : EXIT_DONE;
}
