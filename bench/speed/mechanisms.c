/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-mechanisms compares the scheme `event` for mechanisms with integrators of smooth equations that have their own
 * events, on the same graph of expressions. */
#include "bench/speed/modes_motion.h"
#include "bench/tools/measure.h"
#include "bench/tools/table.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <string.h>

static const char usage[] =
    "usage: bench-mechanisms [--quick] [--csv | --markdown]\n"
    "Microseconds of a motion, and its error, by `event`, DOP853 and CVODE with roots, on the same graph. batch: by\n"
    "`event`, of 32 controls together. ratio: time beside that of DOP853 at the same tolerance. error: the largest\n"
    "entry of x(T), v(T) off `event` at 1e-14. evaluations: of the equations. Least time of 100 rounds of 10 motions\n"
    "(or batches) each, in turn.\n"
    "--quick  one round\n";

enum { ROUNDS = 100, MOTIONS = 10, SEGMENTS_MAX = 20, BATCH_SIZE = 32 };
/* Lowest tolerance, and that of the reference. */
static const double BEST = 1e-13, EXACT = 1e-14;

/* A problem: a file with settings, and the control u_kj = middle_j + amplitude_j cos(2.1 (k n + j)^2 + 0.4) of segment
 * k, with n entries. In a batch the amplitudes of control i are 1, 0.99, 1.01, 0.98, .. times as large. */
typedef struct Case {
  const char *name, *file;
  const char *settings[3]; /* NULL ends the list */
  double amplitude[MODES_D], middle[MODES_D];
} Case;

static const Case cases[] = {
    {"two links as points", "bench/speed/two-points", {NULL}, {5, 2}, {19.4, 4.68}},
    {"two links as links",
     "jobs/problems/two-links",
     {"model.friction={upper: 3, fore: 1}", "model.x0={fore: 0.3}",
      "control.signal={kind: piecewise_constant, segments: 8}"},
     {5, 2},
     {19.4, 4.68}},
    {"Puma 560", "jobs/problems/puma", {NULL}, {30, 60, 20, 3, 2, 2}, {0, 31.6, 6}},
    {"cart-pole", "jobs/problems/cart-pole", {NULL}, {12}, {0}},
};

typedef enum Method { EVENT, BATCH, DOP853, CVODE } Method;
static const char *const method_names[] = {"event", "batch", "DOP853", "CVODE"};

/* Motions of one problem by one method with one tolerance. */
typedef struct Run {
  Method method;
  double tolerance;
  Problem problem;
  double control[BATCH_SIZE * SEGMENTS_MAX * MODES_D]; /* of each motion; all but the first one are for a batch */
  double ends[BATCH_SIZE * MODES_N];
  SimFinal finals[BATCH_SIZE];
  RolloutContext rollout; /* of event */
  Modes modes;            /* of the others */
  double y[MODES_N];
  bool good;
} Run;

static Diagnostics *diagnostics_here(void) {
  static Diagnostics diagnostics = {.origin = "bench-mechanisms", .report = diagnostic_print, .to = NULL};
  diagnostics.to = stderr;
  return &diagnostics;
}

static void move(Run *run) {
  if (run->method == EVENT) {
    stiction_rollout(run->rollout.model, run->rollout.work, run->control, NULL, &run->rollout.final);
    run->good = run->rollout.final.status == SIM_OK;
  } else if (run->method == BATCH) {
    stiction_batch(run->rollout.model, run->rollout.work, BATCH_SIZE, run->control, run->finals);
    run->good = true;
    for (int i = 0; i < BATCH_SIZE; i++) run->good = run->good && run->finals[i].status == SIM_OK;
  } else if (run->method == DOP853) {
    run->good = modes_dop853(&run->modes, run->tolerance, run->y);
#ifdef BENCH_CVODE
  } else {
    run->good = modes_cvode(&run->modes, run->tolerance, run->y);
#endif
  }
}

/* Moves MOTIONS times, so that caches and predictions of branches are those of the method. */
static void move_again(void *context) {
  for (int k = 0; k < MOTIONS; k++) move(context);
}

/* Returns coordinate or velocity i at the end. */
static double state_of(const Run *run, int i) {
  int d = run->modes.d;
  if (run->method == BATCH) return run->ends[i];
  if (run->method != EVENT) return run->y[i];
  return i < d ? run->rollout.final.x[i] : run->rollout.final.v[i - d];
}

/* Sets the controls, and the places of the results of a batch. */
static void set_controls(const Case *c, const SimProblem *p, Run *run) {
  for (int i = 0, n = p->segments * p->n_control; i < BATCH_SIZE; i++) {
    double *ends = run->ends + 2 * i * p->d, factor = 1 + 0.01 * (i % 2 ? -1 : 1) * ((i + 1) / 2);
    run->finals[i] = (SimFinal){.x = ends, .v = ends + p->d};
    for (int k = 0; k < n; k++)
      run->control[i * n + k] =
          c->middle[k % p->n_control] + factor * c->amplitude[k % p->n_control] * cos(2.1 * k * k + 0.4);
  }
}

static int open_run(const Case *c, Run *run) {
  char path[512], tolerance[64], *settings[4] = {tolerance};
  int n = 1;
  for (int k = 0; k < 3 && c->settings[k]; k++) settings[n++] = (char *)c->settings[k]; /* not changed */
  snprintf(path, sizeof path, STICTION_ROOT "/%s.yaml", c->file);
  snprintf(tolerance, sizeof tolerance, "scheme={name: event, tolerance: %g}", run->tolerance);
  int code = problem_file_read(path, settings, n, true, diagnostics_here(), &run->problem);
  if (code) return code;
  const SimProblem *p = &run->problem.sim;
  set_controls(c, p, run);
  if (!modes_create(p, &run->modes)) return diagnostics_error(diagnostics_here(), EXIT_INTERNAL, "no memory");
  run->modes.control = run->control;
  return run->method <= BATCH ? rollout_context_prepare(&run->rollout, p, diagnostics_here()) : 0;
}

static void close_run(Run *run) {
  rollout_context_release(&run->rollout);
  modes_clear(&run->modes);
  problem_clear(&run->problem);
}

/* Returns the largest difference of x(T), v(T) between two runs. */
static double error_of(const Run *run, const Run *exact) {
  double error = 0;
  for (int i = 0; i < 2 * run->modes.d; i++) error = fmax(error, fabs(state_of(run, i) - state_of(exact, i)));
  return error;
}

/* Checks that a run has succeeded, and that the reference agrees with the best motion by DOP853, which shares only the
 * graph with it. */
static int check_run(const Case *c, const Run *run, const Run *exact) {
  static const double AGREES = 1e-9;
  const char *method = method_names[run->method];
  if (!run->good) return diagnostics_error(diagnostics_here(), EXIT_UNSOLVED, "%s: no motion by %s", c->name, method);
  if (run->method != DOP853 || run->tolerance > BEST || error_of(run, exact) <= AGREES) return 0;
  return diagnostics_error(diagnostics_here(), EXIT_UNSOLVED, "%s: %s differs by %g", c->name, method,
                           error_of(run, exact));
}

static void add_run(TextTable *table, const char *name, const Run *run, const Run *exact, double seconds,
                    double beside) {
  bool event = run->method <= BATCH;
  const SimFinal *final = run->method == BATCH ? &run->finals[0] : &run->rollout.final;
  text_table_word(table, "%s", name);
  text_table_word(table, "%s", method_names[run->method]);
  text_table_number(table, "%.0e", run->tolerance);
  text_table_number(table, "%.1f", 1e6 * seconds);
  text_table_number(table, "%.3f", seconds / beside);
  text_table_number(table, "%.1e", error_of(run, exact));
  text_table_number(table, "%g", event ? (double) final->iterations : (double)run->modes.events);
  text_table_number(table, "%g", event ? NAN : (double)run->modes.evaluations);
}

static int add_case(const Case *c, int rounds, TextTable *table) {
  enum { METHODS = CVODE + 1, RUNS_MAX = 1 + 4 * METHODS };
  const double tolerances[] = {1e-6, 1e-8, 1e-10, BEST};
  static Run runs[RUNS_MAX];
  MeasureTask tasks[RUNS_MAX];
  Measured measured[RUNS_MAX];
  int n = 0, code = 0;
  runs[n++] = (Run){.method = EVENT, .tolerance = EXACT};
  for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++)
    for (int method = EVENT; method < METHODS; method++) {
#ifndef BENCH_CVODE
      if (method == CVODE) continue;
#endif
      runs[n++] = (Run){.method = (Method)method, .tolerance = tolerances[k]};
    }
  for (int k = 0; k < n && !code; k++) {
    code = open_run(c, &runs[k]);
    tasks[k] = (MeasureTask){move_again, &runs[k]};
  }
  if (!code) measure_in_turn(n, tasks, rounds, 0, measured);
  for (int k = 0; k < n && !code; k++) code = check_run(c, &runs[k], &runs[0]);
  double beside = 0;
  for (int k = 1; k < n && !code; k++) {
    for (int j = 1; j < n; j++)
      if (runs[j].method == DOP853 && runs[j].tolerance == runs[k].tolerance) beside = measured[j].best;
    int motions = runs[k].method == BATCH ? MOTIONS * BATCH_SIZE : MOTIONS;
    add_run(table, c->name, &runs[k], &runs[0], measured[k].best / motions, beside / MOTIONS);
  }
  for (int k = 0; k < n; k++) close_run(&runs[k]);
  return code;
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"problem", "method", "tolerance", "us",
                                      "ratio",   "error",  "events",    "evaluations"};
  TextTableForm form = TABLE_TEXT;
  bool quick = false;
  int code = 0;
  if (!table_arguments(argc, argv, "bench-mechanisms", usage, &form, &quick, &code)) return code;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (size_t k = 0; k < sizeof cases / sizeof *cases && !code; k++)
    code = add_case(&cases[k], quick ? 1 : ROUNDS, table);
  if (!code) table_print(table, form, stdout);
  text_table_destroy(table);
  return code ? code : EXIT_DONE;
}
