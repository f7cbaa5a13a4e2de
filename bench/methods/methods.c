/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-methods measures the effort of each search method to meet the target from many random starts, and counts its
 * failures. */
#include "bench/methods/cases.h"
#include "bench/methods/methods_profile.h"
#include "bench/tools/directory.h"
#include "bench/tools/measure.h"
#include "bench/tools/table.h"
#include "control/base/clock.h"
#include "control/pool.h"
#include "sim/group.h"
#include "src/process/settings.h"

#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: [mpirun -n 3] bench-methods [--quick] [--problem NAME] [--method NAME] [--csv | --markdown] [-o DIR]\n"
    "tp1, tp2, tp2-springs, signal-2x8 (16 variables): penalty P in three norms; 20 starts in -20..20 N; to E1,\n"
    "E2 <= 1e-7 (stop_at, so hybrid has no second part). -moreau, -event: by that scheme, norm 2; -event to 1e-9\n"
    "and to the J that all starts should reach. -zero: from u = 0 alone, to the search's own end.\n"
    "tp1-x2, tp1-x1-v1, signal-2x8-least, block-20: the target leaves freedom, or most of u has no effect. The\n"
    "same starts, norm 2; a search fails unless it reaches the least J within 0.1 %.\n"
    "plateau: 30 random problems, each from u = 0, where everything sticks; norm 2, as the first four.\n"
    "Schemes of 3 points per variable; budgets of 2000 to 20000 evaluations. Per method: failed runs; over all\n"
    "runs, with failures counted as infinite: median and worst evaluations, median and worst J, median cost of\n"
    "the evaluations in units of those without derivatives (the ratio is measured for each problem); median and\n"
    "sum of the wall clock, failures included, on one rank and, under mpirun, on all, in alternating order. Both\n"
    "must find the same bits.\n"
    "-o DIR     also writes DIR/methods.csv, the table, and the performance profile, DIR/profile.csv and\n"
    "           DIR/profile.svg: the fraction of all runs that a method solves at `ratio` times the cost of the\n"
    "           best\n"
    "--problem  only this problem\n"
    "--method   only this method\n"
    "--quick    norm 2 and three runs, of tp1 unless another problem is named\n";

static const struct {
  const char *name;
  CtlNorm norm;
} norms[] = {{"2", CTL_NORM_2}, {"1", CTL_NORM_1}, {"inf", CTL_NORM_INF}};
enum { NORMS = sizeof norms / sizeof *norms, QUICK_RUNS = 3 };
static_assert(CASES * NORMS * CASE_RUNS_MAX <= (int)PROFILE_RUNS_MAX, "its room");
/* ACCEPT: E1 and E2 at which the target is met. COST_RATIO_MAX: largest accepted ratio of J to the least J */
static const double ACCEPT = 1e-7, COST_RATIO_MAX = 1.001;

typedef struct Bench {
  TextTableForm form;
  bool quick;
  const char *only, *directory; /* only: name of a problem, NULL: all; directory: of the files, NULL: none */
  const char *only_method;      /* name of a method; NULL: all */
  int rank, ranks;
  bool wanted[CASES];
  CtlPool *pool; /* pool of rank 0; NULL: rank 0 is alone */
  TextTable *table;
  Profile profile;
} Bench;

/* Result of a search. */
typedef struct Found {
  CtlReason reason;
  long evaluations;
  double J, E1, E2, u[CTL_CONTROLS_MAX];
  double seconds;
  double plain; /* total cost as a number of evaluations without derivatives; only on one rank */
} Found;

/* An evaluator that counts its points with derivatives. */
typedef struct Counted {
  const CtlEvaluator *evaluator;
  long with_derivatives;
} Counted;

static void evaluate_counted(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                             double *rows) {
  Counted *c = context;
  if (want.derivatives) c->with_derivatives += count;
  c->evaluator->evaluate(c->evaluator->context, want, count, controls, final, rows);
}

static _Noreturn void give_up(void) {
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  exit(EXIT_INTERNAL);
}

static int on_simplex(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

/* Returns the number of runs of a case, over all norms. */
static int runs_of(const Bench *bench, int k) {
  int runs = case_runs(&cases[k]);
  return bench->quick && runs > QUICK_RUNS ? QUICK_RUNS : runs;
}
static int norms_of(const Bench *bench, int k) { return bench->quick || cases[k].one_norm ? 1 : NORMS; }

/* Runs one search of a case on the pool, or on this rank alone if pool is NULL. */
static Found search_case(const int of[2], CtlPool *pool) {
  const CtlListener listener = {.simplex = on_simplex};
  const CaseProblem *p = case_run(&cases[of[0]], of[1]);
  const CtlProblem *control = &p->problem.control;
  CtlSearch *s;
  CtlTimes times;
  CtlState state;
  Counted counted = {.evaluator = &p->evaluator};
  CtlEvaluator evaluator = p->evaluator;
  evaluator.evaluate = evaluate_counted;
  evaluator.context = &counted;
  if (stiction_asktell_create(control, &s) != CTL_OK) {
    fprintf(stderr, "bench-methods: %s: no search\n", cases[of[0]].name);
    give_up();
  }
  const CtlJob job = {
      .search = s, .evaluator = &p->evaluator, .listener = &listener, .model = of, .model_size = 2 * sizeof *of};
  int code = pool ? ctl_pool_drive(pool, &job, &times) : ctl_drive_serial(s, &evaluator, &listener, &times);
  if (code) {
    fprintf(stderr, "bench-methods: %s: the search was broken off (%d)\n", cases[of[0]].name, code);
    give_up();
  }
  stiction_asktell_state(s, &state);
  double plain = (double)state.evaluations + (p->dearer - 1) * (double)counted.with_derivatives;
  Found found = {state.reason, state.evaluations, state.J, state.E1, state.E2, {0}, times.wall, plain};
  memcpy(found.u, state.control, (size_t)control->n * sizeof *found.u);
  stiction_asktell_destroy(s);
  return found;
}

static bool same_bits(const Found *a, const Found *b) {
  const double x[] = {a->J, a->E1, a->E2}, y[] = {b->J, b->E1, b->E2};
  return a->reason == b->reason && a->evaluations == b->evaluations && !memcmp(x, y, sizeof x) &&
         !memcmp(a->u, b->u, sizeof a->u);
}

/* Runs a search on one rank (found[0]) and on all ranks (found[1]). The order alternates. */
static void search_both(const Bench *bench, int k, int method, int run, Found *found) {
  for (int turn = 0; turn < 2; turn++) {
    int all = (run + turn) % 2;
    if (!all || bench->pool) found[all] = search_case((const int[]){k, run}, all ? bench->pool : NULL);
  }
  if (!bench->pool || same_bits(&found[0], &found[1])) return;
  fprintf(stderr, "\nbench-methods: %s, run %d: not the same bits on 1 rank and on %d:\n", stiction_method_name(method),
          run, bench->ranks);
  for (int all = 0; all < 2; all++)
    fprintf(stderr, "%s, %ld evaluations, J = %.17g, E1 = %.17g, E2 = %.17g\n", stiction_reason_text(found[all].reason),
            found[all].evaluations, found[all].J, found[all].E1, found[all].E2);
  give_up();
}

static bool is_met(const Found *found) { return found->E1 <= ACCEPT && found->E2 <= ACCEPT; }

static bool has_failed(const Case *one, const Found *found) {
  bool met = one->stop_at > 0 ? found->reason == CTL_REASON_STOP_AT : is_met(found);
  return !met || (one->least > 0 && found->J > COST_RATIO_MAX * one->least);
}

/* Runs a method on all runs of a case, and adds a row. place: number of the method in the profile. */
static void add_row(Bench *bench, int k, int norm, int place) {
  double evaluations[CASE_RUNS_MAX], plain[CASE_RUNS_MAX], costs[CASE_RUNS_MAX], seconds[2][CASE_RUNS_MAX],
      sum[2] = {0};
  Profile *profile = &bench->profile;
  int n = runs_of(bench, k), failures = 0, method = ctl_method_find(profile->methods[place]);
  for (int run = 0; run < n; run++) {
    Found found[2] = {{.seconds = NAN}, {.seconds = NAN}};
    int at = profile->n_runs + run;
    CtlProblem *control = &case_run(&cases[k], run)->problem.control;
    control->norm = norms[norm].norm;
    control->method = method;
    search_both(bench, k, method, run, found);
    bool failed = has_failed(&cases[k], &found[0]);
    failures += failed;
    evaluations[run] = failed ? INFINITY : (double)found[0].evaluations;
    costs[run] = is_met(&found[0]) ? found[0].J : INFINITY;
    for (int all = 0; all < 2; all++) sum[all] += seconds[all][run] = found[all].seconds;
    plain[run] = failed ? INFINITY : found[0].plain;
    profile->cost[PROFILE_EVALUATIONS][place][at] = plain[run];
    profile->cost[PROFILE_SECONDS][place][at] = failed ? INFINITY : found[0].seconds;
  }
  sort_values(n, evaluations);
  sort_values(n, plain);
  sort_values(n, costs);
  text_table_word(bench->table, "%s", cases[k].name);
  text_table_word(bench->table, "%s", norms[norm].name);
  text_table_word(bench->table, "%s", stiction_method_name(method));
  text_table_number(bench->table, "%.0f", failures);
  text_table_number(bench->table, "%.0f", evaluations[n / 2]);
  text_table_number(bench->table, "%.0f", evaluations[n - 1]);
  text_table_number(bench->table, "%.6g", costs[n / 2]);
  text_table_number(bench->table, "%.6g", costs[n - 1]);
  text_table_number(bench->table, "%.0f", plain[n / 2]);
  for (int all = 0; all < 2; all++) {
    if (!isnan(sum[all])) sort_values(n, seconds[all]);
    text_table_number(bench->table, "%.5f", isnan(sum[all]) ? NAN : seconds[all][n / 2]);
    text_table_number(bench->table, "%.3f", sum[all]);
  }
}

/* Runs all searches on rank 0, with progress on stderr. */
static void measure_all(Bench *bench) {
  int n = 0, done = 0;
  for (int k = 0; k < CASES; k++) n += bench->wanted[k] * norms_of(bench, k);
  int methods = 0;
  for (int method = 0; methods < PROFILE_METHODS_MAX && stiction_method_name(method); method++)
    if (!ctl_method_of_scenarios(method) && (!bench->only_method || method == ctl_method_find(bench->only_method)))
      bench->profile.methods[methods++] = stiction_method_name(method);
  bench->profile.n_methods = methods;
  for (int k = 0; k < CASES; k++) {
    if (!bench->wanted[k]) continue;
    for (int norm = 0; norm < norms_of(bench, k); norm++) {
      double begin = ctl_seconds();
      fprintf(stderr, "%d of %d: %s, norm %s ...", ++done, n, cases[k].name, norms[norm].name);
      for (int method = 0; method < methods; method++) add_row(bench, k, norm, method);
      bench->profile.n_runs += runs_of(bench, k);
      fprintf(stderr, " %.1f s\n", ctl_seconds() - begin);
    }
  }
}

static int write_files(const Bench *bench) {
  static const char name[] = "methods.csv";
  Diagnostics diagnostics = {.origin = "bench-methods", .report = diagnostic_print, .to = stderr};
  Results results = {.diagnostics = &diagnostics};
  int code = results_take(&results, bench->directory, NULL);
  if (code) return code;
  FILE *file = results_open(&results, name);
  if (!file) return EXIT_USAGE;
  table_print(bench->table, TABLE_CSV, file);
  if (results_close(&results, name, file)) return EXIT_INTERNAL;
  return profile_write(&bench->profile, &results);
}

static int lead_ranks(Bench *bench) {
  char ranks[2][32] = {"n ranks (s)", "n ranks: sum"};
  const CtlPoolOptions options = {0};
  if (bench->ranks > 1) {
    snprintf(ranks[0], sizeof ranks[0], "%d ranks (s)", bench->ranks);
    snprintf(ranks[1], sizeof ranks[1], "%d ranks: sum", bench->ranks);
    if (ctl_pool_create(MPI_COMM_WORLD, &options, &bench->pool) != SIM_OK) give_up();
  }
  const char *const heads[] = {"problem", "norm",          "method",     "failed",      "median", "worst", "J",
                               "worst J", "in plain runs", "1 rank (s)", "1 rank: sum", ranks[0], ranks[1]};
  bench->table = text_table_create(sizeof heads / sizeof *heads, heads);
  measure_all(bench);
  if (bench->pool && !ctl_pool_close(bench->pool)) give_up();
  table_print(bench->table, bench->form, stdout);
  int code = bench->directory ? write_files(bench) : 0;
  text_table_destroy(bench->table);
  return code;
}

/* Finds the model that a message identifies. Workers already have all models. */
static SimStatus find_model(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  (void)context;
  int of[2]; /* number of the case and of the run */
  if (size != sizeof of) return SIM_BAD_PROBLEM;
  memcpy(of, bytes, sizeof of);
  *evaluator = case_run(&cases[of[0]], of[1])->evaluator;
  return SIM_OK;
}

static void release_model(void *context, CtlEvaluator *evaluator) { (void)context, (void)evaluator; }

static int run_bench(Bench *bench) {
  Diagnostics diagnostics = {.origin = "bench-methods", .report = diagnostic_print, .to = stderr};
  int code = bench->rank == 0 && bench->directory ? directory_make(bench->directory) : 0;
  const char *only = bench->only ? bench->only : bench->quick ? cases[0].name : NULL;
  for (int k = 0; k < CASES && !code; k++) {
    bench->wanted[k] = !only || !strcmp(only, cases[k].name);
    if (bench->wanted[k]) code = case_open(&cases[k], &diagnostics);
  }
  MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (!code && bench->rank == 0) code = lead_ranks(bench);
  if (!code && bench->rank &&
      ctl_pool_serve(&(CtlBuilder){bench, find_model, release_model, NULL}, MPI_COMM_WORLD) != SIM_OK)
    give_up();
  for (int k = 0; k < CASES; k++) case_close(&cases[k]);
  return code;
}

static bool is_problem(const char *name) {
  bool found = false;
  for (int k = 0; k < CASES; k++) found |= !strcmp(name, cases[k].name);
  return found;
}

/* Parses the arguments. Returns whether to continue; otherwise *code is the exit code. */
static bool parse_arguments(int argc, char **argv, Bench *bench, int *code) {
  const char *what = NULL, *which = NULL;
  bool help = false;
  for (int i = 1; i < argc && !what; i++) {
    which = argv[i];
    if (!strcmp(argv[i], "--help")) {
      help = true;
    } else if (!strcmp(argv[i], "--quick")) {
      bench->quick = true;
    } else if (!strcmp(argv[i], "--problem") && i + 1 < argc) {
      which = bench->only = argv[++i];
      if (!is_problem(which)) what = "unknown problem";
    } else if (!strcmp(argv[i], "--method") && i + 1 < argc) {
      which = bench->only_method = argv[++i];
      if (ctl_method_find(which) < 0) what = "unknown method";
    } else if (!strcmp(argv[i], "-o") && i + 1 < argc && *argv[i + 1]) {
      bench->directory = argv[++i];
    } else if (!strcmp(argv[i], "--problem") || !strcmp(argv[i], "--method") || !strcmp(argv[i], "-o")) {
      what = "no value behind";
    } else if (!table_form_option(argv[i], &bench->form)) {
      what = "unknown argument";
    }
  }
  *code = what ? EXIT_USAGE : EXIT_DONE;
  if (what && bench->rank == 0) fprintf(stderr, "bench-methods: %s '%s'\n%s", what, which, usage);
  if (help && !what && bench->rank == 0) fputs(usage, stdout);
  return !what && !help;
}

int main(int argc, char **argv) {
  static Bench bench;
  int code, threads;
  process_prepare();
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS) return EXIT_INTERNAL;
  MPI_Comm_rank(MPI_COMM_WORLD, &bench.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &bench.ranks);
  if (parse_arguments(argc, argv, &bench, &code)) {
    if (stiction_petsc_start(NULL) != SIM_OK) give_up();
    code = run_bench(&bench);
  }
  return process_end(code);
}
