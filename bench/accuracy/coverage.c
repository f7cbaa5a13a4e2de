/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-identify measures how often the true value is within two standard errors of the result of `identify`, for
 * motions with 1 % of noise. */
#include "bench/tools/random.h"
#include "bench/tools/table.h"
#include "sim/group.h"
#include "src/process/settings.h"
#include "src/study/evaluation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: bench-identify [--quick] [--csv | --markdown]\n"
    "Simulates motions with known parameters, adds noise of 1 % of the largest position and velocity by 200\n"
    "seeds, and fits the parameters by least squares from one guess. covered: how often the true value is within\n"
    "two standard errors (95.4 % for Gaussian noise); error: mean standard error; spread: standard deviation of\n"
    "the fitted values; simulations and milliseconds of processor time per fit; lost: fits that do not reach the\n"
    "least sum. Exit code 1: fewer than 90 % or more than 99 % of the other fits are covered, or more than 5 %\n"
    "are lost.\n"
    "--quick  20 seeds of the second case, of which 75 % must be covered\n";

enum { SEEDS = 200, QUICK_SEEDS = 20, PATHS_MAX = 8, ROWS = 480 };
static const double NOISE = 0.01, COVERAGE_MIN = 0.90, COVERAGE_MAX = 0.99, QUICK_COVERAGE_MIN = 0.75, LOST_MAX = 0.05,
                    CONVERGED_OFFSET = 0.01;

/* A case: the problem file with guesses, the names of columns, and the true values in the order of the parameters. */
typedef struct Case {
  const char *name, *columns, *text;
  double end;
  double truth[PATHS_MAX];
} Case;

static const Case cases[] = {
    {"block",
     "x1,v1",
     "model: {kind: friction, mass: 1.3, stiffness: 10, damping: 0.2, friction: 1.5, force: \"8*sin(2*t) + "
     "3*sin(5*t)\",\n"
     "  stribeck: {law: sqrt, beta: 0.3, epsilon: 0.3}}\n"
     "time: {end: 6, step: 0.025}\n"
     "scheme: {name: event}\n"
     "identify:\n"
     "  model.friction: {lower: 0.2, upper: 6}\n"
     "  model.damping: {lower: 0, upper: 3}\n"
     "  model.mass: {lower: 0.3, upper: 3}\n"
     "  model.stribeck.beta: {lower: 0.02, upper: 0.9}\n"
     "  model.stribeck.epsilon: {lower: 0.02, upper: 1}\n",
     6,
     {2, 0.4, 1, 0.4, 0.2}},
    {"carriages",
     "x1,x2,v1,v2",
     "model: {kind: friction, mass: [1, 2], stiffness: {springs: [20, 30, 0]}, damping: [0.5, 0.5], friction: [3, 3],\n"
     "  force: [\"15*sin(2*t)\", \"8*sin(3*t)\"]}\n"
     "time: {end: 6, step: 0.025}\n"
     "scheme: {name: event}\n"
     "identify:\n"
     "  model.friction: {lower: 0.5, upper: 8}\n"
     "  model.damping: {lower: 0, upper: 3}\n"
     "  model.mass[2]: {lower: 0.5, upper: 5}\n",
     6,
     {3.4, 2.3, 0.9, 0.6, 1.6}}};
enum { CASES = sizeof cases / sizeof *cases };

/* Counts over all fits of a case. */
typedef struct Tally {
  int n, covered[PATHS_MAX], lost; /* lost: number of fits that did not converge */
  double error[PATHS_MAX], sum[PATHS_MAX], squares[PATHS_MAX];
  long simulations;
  double seconds;
} Tally;

static Diagnostics *diagnostics_here(void) {
  static Diagnostics diagnostics = {.origin = "bench-identify", .report = diagnostic_print, .to = NULL};
  diagnostics.to = stderr;
  return &diagnostics;
}

static void no_memory(void) { exit(diagnostics_no_memory(diagnostics_here())); }

static double gaussian(uint64_t *seed) {
  double radius = sqrt(-2 * log(random_uniform(seed)));
  return radius * cos(6.283185307179586 * random_uniform(seed));
}

/* Writes the two files of a case into a folder, opens the case, and removes the files. Its measured data are zeros
 * until make_truth. */
static void open_case(const Case *c, Evaluation *e, Problem *problem) {
  char folder[] = "/tmp/bench-identify-XXXXXX", path[64], data[64];
  if (!mkdtemp(folder)) exit(diagnostics_error(diagnostics_here(), EXIT_INTERNAL, "%s cannot be made", folder));
  snprintf(path, sizeof path, "%s/case.yaml", folder);
  snprintf(data, sizeof data, "%s/case.csv", folder);
  FILE *file = fopen(path, "w"), *rows = fopen(data, "w");
  if (!file || !rows) exit(diagnostics_error(diagnostics_here(), EXIT_INTERNAL, "%s cannot be written", folder));
  fprintf(file, "%smeasured: {file: case.csv}\n", c->text);
  fprintf(rows, "t,%s\n", c->columns);
  for (int k = 1; k <= ROWS; k++) {
    fprintf(rows, "%.17g", c->end * k / ROWS);
    for (const char *at = c->columns; at; at = strchr(at + 1, ',')) fputs(",0", rows);
    fputc('\n', rows);
  }
  int failed = fclose(file) | fclose(rows);
  int code = failed ? EXIT_INTERNAL : problem_file_read(path, NULL, 0, false, diagnostics_here(), problem);
  if (!code) code = identification_check(problem->identification, diagnostics_here());
  if (!code) code = evaluation_open_identification(e, problem, diagnostics_here());
  unlink(path);
  unlink(data);
  rmdir(folder);
  if (code) exit(code);
}

/* Replaces the zeros by the true motion [m]. The standard deviations are 1 % of its largest position and velocity. */
static double *make_truth(const Case *c, Evaluation *e) {
  const CtlFit fit = evaluation_fit(e);
  Measured *measured = e->id->measured;
  double largest[2] = {0, 0}, *truth = calloc((size_t)fit.m, sizeof *truth);
  if (!truth) no_memory();
  if (!fit.evaluate(e, c->truth, truth, NULL))
    exit(diagnostics_error(diagnostics_here(), EXIT_UNSOLVED, "%s: no motion", c->name));
  for (int k = 0; k < fit.m; k++) {
    double *most = &largest[measured[k].velocity];
    truth[k] *= measured[k].deviation;
    *most = fmax(*most, fabs(truth[k]));
  }
  for (int k = 0; k < fit.m; k++) measured[k].deviation = NOISE * largest[measured[k].velocity];
  return truth;
}

static void fit_once(const Case *c, Evaluation *e, const double *truth, uint64_t seed, Tally *tally) {
  const CtlFit fit = evaluation_fit(e);
  static bool bound[PATHS_MAX];
  static double error[PATHS_MAX], correlation[PATHS_MAX * PATHS_MAX], combination[PATHS_MAX * PATHS_MAX];
  CtlFitStatistics s = {.bound = bound, .error = error, .correlation = correlation, .combination = combination};
  CtlFitEnd end;
  double p[PATHS_MAX], *r = calloc((size_t)fit.m * (size_t)(fit.n + 1), sizeof *r);
  if (!r) no_memory();
  for (int k = 0; k < fit.m; k++) {
    Measured *m = &e->id->measured[k];
    m->value = truth[k] + m->deviation * gaussian(&seed);
  }
  for (int k = 0; k < fit.n; k++) p[k] = e->id->parameters[k].start;
  e->simulations = 0;
  clock_t before = clock();
  bool good = ctl_fit_solve(&fit, p, &end) == SIM_OK && fit.evaluate(e, p, r, r + fit.m) &&
              ctl_fit_statistics(&fit, p, r, r + fit.m, fit.m, &s) == SIM_OK && s.offset <= CONVERGED_OFFSET;
  tally->seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
  tally->simulations += e->simulations;
  tally->n++;
  tally->lost += !good;
  for (int k = 0; k < fit.n && good; k++) {
    tally->covered[k] += fabs(p[k] - c->truth[k]) <= 2 * error[k];
    tally->error[k] += error[k];
    tally->sum[k] += p[k];
    tally->squares[k] += p[k] * p[k];
  }
  free(r);
}

/* Adds a row for each parameter. Returns whether the coverage is as expected. */
static bool add_rows(TextTable *table, const Case *c, const Evaluation *e, const Tally *t, double least, double most) {
  bool good = t->lost <= LOST_MAX * t->n;
  double n = t->n - t->lost;
  for (int k = 0; k < e->id->n; k++) {
    double part = t->covered[k] / n, mean = t->sum[k] / n;
    good = good && part >= least && part <= most;
    text_table_word(table, "%s", c->name);
    text_table_word(table, "%s", e->id->parameters[k].path);
    text_table_number(table, "%g", c->truth[k]);
    text_table_number(table, "%.2g", t->error[k] / n);
    text_table_number(table, "%.2g", sqrt(fmax(0, t->squares[k] / n - mean * mean)));
    text_table_number(table, "%.1f", 100 * part);
    text_table_number(table, "%.0f", t->lost);
    text_table_number(table, "%.1f", (double)t->simulations / t->n);
    text_table_number(table, "%.1f", 1e3 * t->seconds / t->n);
  }
  return good;
}

static bool run_case(const Case *c, int seeds, double least, double most, TextTable *table) {
  Evaluation e;
  Problem problem;
  Tally tally = {.n = 0};
  open_case(c, &e, &problem);
  double *truth = make_truth(c, &e);
  for (int k = 0; k < seeds; k++) fit_once(c, &e, truth, (uint64_t)(k + 1) << 32, &tally);
  bool good = add_rows(table, c, &e, &tally, least, most);
  free(truth);
  evaluation_close(&e);
  problem_clear(&problem);
  return good;
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"case",      "number", "truth",       "error", "spread",
                                      "covered %", "lost",   "simulations", "ms"};
  TextTableForm form = TABLE_TEXT;
  bool quick = false, good = true;
  int code;
  if (!table_arguments(argc, argv, "bench-identify", usage, &form, &quick, &code)) return code;
  process_prepare();
  if (stiction_petsc_start(NULL) != SIM_OK) return EXIT_INTERNAL;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = quick ? CASES - 1 : 0; k < CASES; k++)
    good = run_case(&cases[k], quick ? QUICK_SEEDS : SEEDS, quick ? QUICK_COVERAGE_MIN : COVERAGE_MIN,
                    quick ? 1 : COVERAGE_MAX, table) &&
           good;
  table_print(table, form, stdout);
  text_table_destroy(table);
  return process_end(good ? 0 : 1);
}
