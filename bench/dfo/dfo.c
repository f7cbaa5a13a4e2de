/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-dfo compares derivative-free search methods with those of NLopt and TAO, on More and Wild's 53 least-squares
 * problems. */
#include "bench/dfo/profile.h"
#include "bench/tools/directory.h"
#include "bench/tools/table.h"
#include "control/base/clock.h"
#include "sim/group.h"
#include "src/process/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-dfo [--quick] [--csv | --markdown] [-o DIR]\n"
    "More and Wild's 53 problems: smooth, nondifferentiable, with deterministic and with stochastic noise.\n"
    "Methods: pds (schemes of 3n points, or as many as ranks if these are more; and always of 64), auto, which is\n"
    "hybrid here, and those of NLopt and TAO. They begin at the standard start with a first step of max(1,\n"
    "|x0|_inf), for at most 100 (n+1) rounds. A round is one point, or for pds and hybrid as many as ranks. The\n"
    "table has the fraction of problems solved to tau within multiples of n+1 rounds, on one rank; then the\n"
    "fewest ranks on which pds solves more than each other method, `-` if on none of 1, 4, 16, 64, 256, 1024.\n"
    "Solved: f <= f_L + tau (f(x0) - f_L), f_L the lowest value found by any method.\n"
    "-o DIR   also writes DIR/dfo.csv, the table; runs.csv, a row per search; profile.csv, the data profiles;\n"
    "         ranks.csv, fractions solved over ranks\n"
    "--quick  problems of two and three variables, on 1, 4 and 16 ranks\n"
    "Exit code 1: a search has ended above its start, or a problem was not solved by any search.\n";

typedef struct Bench {
  TextTableForm form;
  bool quick;
  const char *directory; /* directory of the files that are written; NULL: none */
  TextTable *table;
  Results results;
  FILE *runs, *profiles, *ranks;
  bool broken;
} Bench;

static const char runs_name[] = "runs.csv", profiles_name[] = "profile.csv", ranks_name[] = "ranks.csv",
                  table_name[] = "dfo.csv";
static DfoRuns runs;

static _Noreturn void no_memory(void) {
  fputs("bench-dfo: out of memory\n", stderr);
  exit(EXIT_INTERNAL);
}

/* Runs the searches of all methods on a problem. */
static void search_problem(Bench *bench, int k) {
  const DfoProblem *problem = &dfo_problems[k];
  double start[DFO_N_MAX];
  dfo_start(problem, start);
  runs.first[k] = runs.least[k] = dfo_value(problem, runs.form, start);
  for (int method = 0; method < DFO_METHODS; method++)
    for (int rank = 0; rank < (dfo_methods[method].several ? runs.ranks : 1); rank++) {
      DfoHistory *history = &runs.histories[k][method][rank];
      SimStatus status = dfo_search(problem, runs.form, &dfo_methods[method], dfo_ranks[rank], history);
      if (status == SIM_NO_MEMORY) no_memory();
      if (status != SIM_OK) exit(EXIT_INTERNAL); /* dfo_search has reported the error */
      double least = history->count ? history->steps[history->count - 1].f : INFINITY;
      if (!(least <= runs.first[k])) {
        fprintf(stderr, "bench-dfo: %s, problem %d by %s: %g, above its start\n", dfo_form_names[runs.form], k + 1,
                dfo_methods[method].name, least);
        bench->broken = true;
      }
      runs.least[k] = fmin(runs.least[k], least);
    }
}

static void search_form(Bench *bench, DfoForm form) {
  double begin = ctl_seconds();
  runs = (DfoRuns){.form = form, .ranks = bench->quick ? 3 : DFO_RANKS};
  fprintf(stderr, "%s ...", dfo_form_names[form]);
  for (int k = 0; k < DFO_PROBLEMS; k++) {
    runs.wanted[k] = !bench->quick || dfo_problems[k].n <= 3;
    if (runs.wanted[k]) search_problem(bench, k);
  }
  fprintf(stderr, " %.1f s\n", ctl_seconds() - begin);
}

static void release_runs(void) {
  for (int k = 0; k < DFO_PROBLEMS; k++)
    for (int method = 0; method < DFO_METHODS; method++)
      for (int rank = 0; rank < DFO_RANKS; rank++) free(runs.histories[k][method][rank].steps);
}

/* Returns whether a method evaluates one point at a time. */
static bool is_rival(int method) { return !dfo_methods[method].several; }

static TextTable *begin_table(void) {
  char names[2 * DFO_METHODS][32];
  const char *heads[3 + 2 * DFO_METHODS] = {"form", "tau", "within"};
  int columns = 3;
  for (int method = 0; method < DFO_METHODS; method++) heads[columns++] = dfo_methods[method].name;
  for (int method = 0; method < DFO_METHODS; method++) {
    if (!is_rival(method)) continue;
    snprintf(names[method], sizeof names[method], "beats %s at", dfo_methods[method].name);
    heads[columns++] = names[method];
  }
  return text_table_create(columns, heads);
}

static void add_rows(TextTable *table) {
  for (int t = 0; t < DFO_TAUS; t++)
    for (int w = 0; w < DFO_WITHIN; w++) {
      text_table_word(table, "%s", dfo_form_names[runs.form]);
      text_table_word(table, "%g", dfo_taus[t]);
      text_table_number(table, "%.0f", dfo_within[w]);
      for (int method = 0; method < DFO_METHODS; method++)
        text_table_number(table, "%.2f", dfo_solved(&runs, method, 0, dfo_taus[t], dfo_within[w]));
      for (int method = 0; method < DFO_METHODS; method++) {
        if (!is_rival(method)) continue;
        int ranks = dfo_ranks_to_beat(&runs, 0, method, dfo_taus[t], dfo_within[w]);
        text_table_number(table, "%.0f", ranks ? (double)ranks : NAN);
      }
    }
}

static int open_files(Bench *bench) {
  if (!bench->directory) return 0;
  int code = directory_make(bench->directory);
  if (!code) code = results_take(&bench->results, bench->directory, NULL);
  if (code) return code;
  bench->runs = results_open(&bench->results, runs_name);
  bench->profiles = results_open(&bench->results, profiles_name);
  bench->ranks = results_open(&bench->results, ranks_name);
  if (!bench->runs || !bench->profiles || !bench->ranks) return EXIT_USAGE;
  dfo_write_runs(NULL, bench->runs);
  dfo_write_profiles(NULL, bench->profiles);
  dfo_write_ranks(NULL, bench->ranks);
  return 0;
}

static int close_files(Bench *bench) {
  if (!bench->directory) return 0;
  FILE *file = results_open(&bench->results, table_name);
  if (!file) return EXIT_USAGE;
  table_print(bench->table, TABLE_CSV, file);
  bool failed = results_close(&bench->results, table_name, file);
  failed |= results_close(&bench->results, runs_name, bench->runs);
  failed |= results_close(&bench->results, profiles_name, bench->profiles);
  failed |= results_close(&bench->results, ranks_name, bench->ranks);
  return failed ? EXIT_INTERNAL : 0;
}

static int run_form(Bench *bench) {
  int code = open_files(bench);
  if (code) return code;
  bench->table = begin_table();
  for (int form = 0; form < DFO_FORMS; form++) {
    search_form(bench, (DfoForm)form);
    add_rows(bench->table);
    if (bench->directory) {
      dfo_write_runs(&runs, bench->runs);
      dfo_write_profiles(&runs, bench->profiles);
      dfo_write_ranks(&runs, bench->ranks);
    }
    release_runs();
  }
  table_print(bench->table, bench->form, stdout);
  code = close_files(bench);
  text_table_destroy(bench->table);
  return code ? code : bench->broken ? EXIT_FAILURE : EXIT_DONE;
}

/* Parses the arguments. Returns whether to continue; otherwise *code is the exit code. */
static bool parse_arguments(int argc, char **argv, Bench *bench, int *code) {
  int rest = 1;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-o") != 0) {
      argv[rest++] = argv[i];
      continue;
    }
    bench->directory = i + 1 < argc ? argv[++i] : "";
    if (*bench->directory) continue;
    fprintf(stderr, "bench-dfo: no value behind '-o'\n%s", usage);
    *code = EXIT_USAGE;
    return false;
  }
  return table_arguments(rest, argv, "bench-dfo", usage, &bench->form, &bench->quick, code);
}

int main(int argc, char **argv) {
  static Diagnostics diagnostics = {.origin = "bench-dfo", .report = diagnostic_print};
  static Bench bench = {.results = {.diagnostics = &diagnostics}};
  int code;
  process_prepare();
  diagnostics.to = stderr;
  if (parse_arguments(argc, argv, &bench, &code))
    code = stiction_petsc_start(NULL) == SIM_OK ? run_form(&bench) : EXIT_INTERNAL;
  return process_end(code);
}
