/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/papers/sweeps.h"

#include "src/results/table.h"
#include "src/search/messages.h"
#include "src/study/study.h"

#include <math.h>
#include <string.h>

/* Copies texts up to a NULL. They are not changed. Returns their number. */
static int copy_texts(const char *const *texts, char **to) {
  int n = 0;
  for (; n < PAPERS_TEXTS_MAX && texts[n]; n++) to[n] = (char *)texts[n];
  return n;
}

void papers_sweep(const Papers *p, const PapersSweep *sweep) {
  char file[512], directory[1024];
  Options options = {.argument = file,
                     .output = directory,
                     .control = sweep->control,
                     .kernel = -1,
                     .sweep = sweep->control ? SWEEP_SIMULATE : SWEEP_CONTROL,
                     .keep = sweep->keep_exact,
                     .verify = sweep->keep_exact,
                     .force = true,
                     .quiet = true};
  snprintf(file, sizeof file, "%s/jobs/problems/%s.yaml", STICTION_ROOT, sweep->problem);
  papers_path(p, sweep->name, "", directory, sizeof directory);
  options.n_settings = copy_texts(sweep->settings, options.settings);
  options.n_varies = copy_texts(sweep->varies, options.varies);
  options.n_columns = copy_texts(sweep->columns, options.columns);
  Diagnostics diagnostics = {.origin = "bench"};
  const MessageReader reader = {.options = &options, .diagnostics = &diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  int code = sweep_command(&options, &builder, &swept_searches, NULL, &diagnostics);
  if (code != EXIT_DONE && code != EXIT_NOT_MET) { /* a search that did not meet its target is no failure here, as it
                                                    * appears in the tables */
    if (p->rank == 0) diagnostics_print(&diagnostics, stderr);
    papers_give_up(code);
  }
  diagnostics_clear(&diagnostics);
}

void papers_sweep_read(const Papers *p, const PapersSweep *sweep, long runs, Table *results) {
  char directory[1024];
  Diagnostics diagnostics = {.origin = "bench", .report = diagnostic_print, .to = stderr};
  papers_path(p, sweep->name, "", directory, sizeof directory);
  int code = sweep_results_read(results, directory, &diagnostics);
  if (code || results->rows != runs) papers_give_up(code ? code : EXIT_INTERNAL);
}

double papers_cell(const Table *results, long run, const char *column) {
  int c = table_find(results, column);
  return c < 0 ? NAN : table_at(results, run, c);
}

/* Reads times.csv, the only file that differs between equal runs. */
static void read_seconds(const Papers *p, const PapersSweep *sweep, int n, double (*rows)[SEARCH_WIDTH]) {
  char directory[1024];
  Table times = {0};
  Diagnostics diagnostics = {.origin = "bench", .report = diagnostic_print, .to = stderr};
  papers_path(p, sweep->name, "", directory, sizeof directory);
  int code = table_read(&times, directory, "times.csv", NULL, &diagnostics),
      simulating = code ? -1 : table_find(&times, "simulating");
  if (simulating < 0 || times.rows != n) papers_give_up(code ? code : EXIT_INTERNAL);
  for (int k = 0; k < n; k++) rows[k][SEARCH_SECONDS] = table_at(&times, k, simulating);
  table_clear(&times);
}

static const char *const search_columns[SEARCH_WIDTH] = {[SEARCH_SIMPLEXES] = "rounds",
                                                         [SEARCH_EVALUATIONS] = "evaluations",
                                                         [SEARCH_IVPS] = "ivps",
                                                         [SEARCH_E1] = "E1",
                                                         [SEARCH_E2] = "E2",
                                                         [SEARCH_J] = "J",
                                                         [SEARCH_TRUE_E1] = "exact.E1",
                                                         [SEARCH_TRUE_E2] = "exact.E2",
                                                         [SEARCH_U] = "outcome.u[1]",
                                                         "outcome.u[2]",
                                                         "outcome.u[3]"};
static const char iterations[] = "counts.fixed_point_iterations", sweeps[] = "counts.solver_sweeps";

void papers_searches(const Papers *p, const PapersSweep *given, int n, double (*rows)[SEARCH_WIDTH]) {
  PapersSweep sweep = *given;
  Table results;
  int settings = 0;
  while (sweep.settings[settings]) settings++;
  sweep.settings[settings] = "search.refine=none";
  const char *const columns[] = {iterations, sweeps, "outcome.u[1]", "outcome.u[2]", "outcome.u[3]"};
  memcpy(sweep.columns, columns, sizeof columns);
  papers_sweep(p, &sweep);
  if (p->rank != 0) return;
  papers_sweep_read(p, &sweep, n, &results);
  for (int k = 0; k < n; k++) {
    for (int c = 0; c < SEARCH_WIDTH; c++)
      if (search_columns[c]) rows[k][c] = papers_cell(&results, k, search_columns[c]);
    double by_fixed_point = papers_cell(&results, k, iterations);
    rows[k][SEARCH_ITERATIONS] = isnan(by_fixed_point) ? papers_cell(&results, k, sweeps) : by_fixed_point;
  }
  table_clear(&results);
  read_seconds(p, &sweep, n, rows);
}
