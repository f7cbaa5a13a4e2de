/* bench-methods: what each search method needs to meet the target from many random starts, and how often it does not. */
#include "bench/methods/methods_profile.h"
#include "bench/tools/directory.h"
#include "bench/tools/table.h"
#include "control/base/clock.h"
#include "control/pool.h"
#include "src/base/exit_code.h"
#include "src/converge/measure.h"
#include "src/problem/file.h"
#include "src/process/settings.h"
#include "src/run/rollout_context.h"

#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: [mpirun -n 3] bench-methods [--quick] [--problem NAME] [--csv | --markdown] [-o DIR]\n"
    "Test problems 1, 2 and 2 with its springs' stiffness, and a signal of 2 x 8 variables, penalty P in three norms;\n"
    "20 starts in -20..20 N; schemes of 3 points a variable; to E1, E2 <= 1e-7 (stop_at, so that hybrid has no\n"
    "second part), or 2000 evaluations (the signal: 10000). Per method: starts that failed; of all starts, failures "
    "counted\n"
    "as infinite, median (the 11th) and worst evaluations, median J; median and sum of the wall clock, of failures to\n"
    "their end, on one rank and, under mpirun, on all, each search by the one and then by the others. Both must find\n"
    "the same bits.\n"
    "-o DIR     also writes DIR/methods.csv, the table, and the performance profile, DIR/profile.csv and\n"
    "           DIR/profile.svg: the fraction of all runs that a method solves at `ratio` times the cost of the best\n"
    "--problem  this one alone: tp1, tp2, tp2-springs or signal-2x8\n"
    "--quick    norm 2 and three starts, of tp1 if no other is named\n";

static const struct {
  const char *name;
  long budget; /* evaluations, of every method */
} problems[] = {{"tp1", 2000}, {"tp2", 2000}, {"tp2-springs", 2000}, {"signal-2x8", 10000}};
static const struct {
  const char *name;
  CtlNorm norm;
} norms[] = {{"2", CTL_NORM_2}, {"1", CTL_NORM_1}, {"inf", CTL_NORM_INF}};
enum { PROBLEMS = sizeof problems / sizeof *problems, NORMS = sizeof norms / sizeof *norms };
enum { STARTS = 20, QUICK_STARTS = 3 };
static_assert(PROBLEMS * NORMS * STARTS <= (int)PROFILE_RUNS_MAX, "its room");
static const double SPREAD = 20; /* N */

/* One problem, which every rank can evaluate. */
typedef struct Case {
  bool wanted;
  Problem problem;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator;
} Case;

typedef struct Bench {
  TextTableForm form;
  bool quick;
  const char *only, *directory; /* NULL: all problems; nothing written */
  int rank, ranks, starts, norms;
  Case cases[PROBLEMS];
  CtlPool *pool; /* rank 0's; NULL if it is alone */
  TextTable *table;
  Profile profile;
} Bench;

/* What a search has come to. */
typedef struct Found {
  CtlReason reason;
  long evaluations;
  double J, E1, E2, u[CTL_CONTROLS_MAX];
  double seconds;
} Found;

static _Noreturn void give_up(void) {
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  exit(EXIT_INTERNAL);
}

/* A start's entries, evenly spread, the first ones the same for every problem. */
static void draw(int start, int n, double *u) {
  uint64_t x = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(start + 1);
  for (int i = 0; i < n; i++) {
    for (int turn = 0; turn < 4; turn++) { /* xorshift64 */
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
    u[i] = SPREAD * (2 * ldexp((double)(x >> 11), -53) - 1);
  }
}

static int on_simplex(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

/* One search of case k, by this rank alone (pool NULL) or by the pool. */
static Found search(const Bench *bench, int k, CtlPool *pool) {
  const CtlListener listener = {.simplex = on_simplex};
  const CtlProblem *control = &bench->cases[k].problem.control;
  const CtlEvaluator *evaluator = &bench->cases[k].evaluator;
  CtlSearch *s;
  CtlTimes times;
  CtlState state;
  if (ctl_search_create(control, &s) != SIM_OK) {
    fprintf(stderr, "bench-methods: %s: no search\n", problems[k].name);
    give_up();
  }
  const CtlJob job = {.search = s, .evaluator = evaluator, .listener = &listener, .model = &k, .model_size = sizeof k};
  int code = pool ? ctl_pool_drive(pool, &job, &times) : ctl_drive_serial(s, evaluator, &listener, &times);
  if (code) {
    fprintf(stderr, "bench-methods: %s: the search was broken off (%d)\n", problems[k].name, code);
    give_up();
  }
  ctl_search_state(s, &state);
  Found found = {state.reason, state.evaluations, state.J, state.E1, state.E2, {0}, times.wall};
  memcpy(found.u, state.control, (size_t)control->n * sizeof *found.u);
  ctl_search_destroy(s);
  return found;
}

static bool same_bits(const Found *a, const Found *b) {
  const double x[] = {a->J, a->E1, a->E2}, y[] = {b->J, b->E1, b->E2};
  return a->reason == b->reason && a->evaluations == b->evaluations && !memcmp(x, y, sizeof x) &&
         !memcmp(a->u, b->u, sizeof a->u);
}

/* found[0]: by one rank; found[1]: by all. They take turns in going first. */
static void search_both(const Bench *bench, int k, int method, int start, Found *found) {
  for (int turn = 0; turn < 2; turn++) {
    int all = (start + turn) % 2;
    if (!all || bench->pool) found[all] = search(bench, k, all ? bench->pool : NULL);
  }
  if (!bench->pool || same_bits(&found[0], &found[1])) return;
  fprintf(stderr, "\nbench-methods: %s, start %d: not the same bits on 1 rank and on %d:\n", ctl_method_name(method),
          start, bench->ranks);
  for (int all = 0; all < 2; all++)
    fprintf(stderr, "%s, %ld evaluations, J = %.17g, E1 = %.17g, E2 = %.17g\n", ctl_reason_text(found[all].reason),
            found[all].evaluations, found[all].J, found[all].E1, found[all].E2);
  give_up();
}

/* A method from all starts: a row. */
static void row(Bench *bench, int k, int norm, int method) {
  double evaluations[STARTS], costs[STARTS], seconds[2][STARTS], sum[2] = {0};
  CtlProblem *control = &bench->cases[k].problem.control;
  Profile *profile = &bench->profile;
  int n = bench->starts, failures = 0;
  control->norm = norms[norm].norm;
  control->method = method;
  for (int start = 0; start < n; start++) {
    Found found[2] = {{.seconds = NAN}, {.seconds = NAN}};
    int run = profile->n_runs + start;
    draw(start, control->n, control->start);
    search_both(bench, k, method, start, found);
    bool failed = found[0].reason != CTL_REASON_STOP_AT;
    failures += failed;
    evaluations[start] = failed ? INFINITY : (double)found[0].evaluations;
    costs[start] = failed ? INFINITY : found[0].J;
    for (int all = 0; all < 2; all++) sum[all] += seconds[all][start] = found[all].seconds;
    profile->cost[PROFILE_EVALUATIONS][method][run] = evaluations[start];
    profile->cost[PROFILE_SECONDS][method][run] = failed ? INFINITY : found[0].seconds;
  }
  sort_values(n, evaluations);
  sort_values(n, costs);
  text_table_word(bench->table, "%s", problems[k].name);
  text_table_word(bench->table, "%s", norms[norm].name);
  text_table_word(bench->table, "%s", ctl_method_name(method));
  text_table_number(bench->table, "%.0f", failures);
  text_table_number(bench->table, "%.0f", evaluations[n / 2]);
  text_table_number(bench->table, "%.0f", evaluations[n - 1]);
  text_table_number(bench->table, "%.1f", costs[n / 2]);
  for (int all = 0; all < 2; all++) {
    if (!isnan(sum[all])) sort_values(n, seconds[all]);
    text_table_number(bench->table, "%.5f", isnan(sum[all]) ? NAN : seconds[all][n / 2]);
    text_table_number(bench->table, "%.3f", sum[all]);
  }
}

/* Rank 0: all searches. On stderr how far they are. */
static void measure_all(Bench *bench) {
  int n = 0, done = 0;
  for (int k = 0; k < PROBLEMS; k++) n += bench->cases[k].wanted * bench->norms;
  int methods = 0;
  for (; methods < PROFILE_METHODS_MAX && ctl_method_name(methods); methods++)
    bench->profile.methods[methods] = ctl_method_name(methods);
  bench->profile.n_methods = methods;
  for (int k = 0; k < PROBLEMS; k++) {
    if (!bench->cases[k].wanted) continue;
    for (int norm = 0; norm < bench->norms; norm++) {
      double begin = ctl_seconds();
      fprintf(stderr, "%d of %d: %s, norm %s ...", ++done, n, problems[k].name, norms[norm].name);
      for (int method = 0; method < methods; method++) row(bench, k, norm, method);
      bench->profile.n_runs += bench->starts;
      fprintf(stderr, " %.1f s\n", ctl_seconds() - begin);
    }
  }
}

static int write_files(const Bench *bench) {
  static const char name[] = "methods.csv";
  Diagnostics diagnostics = {.origin = "bench-methods", .tell = diagnostic_print, .to = stderr};
  Results results = {.diagnostics = &diagnostics};
  int code = results_take(&results, bench->directory, NULL);
  if (code) return code;
  FILE *file = results_open(&results, name);
  if (!file) return EXIT_USAGE;
  table_print(bench->table, TABLE_CSV, file);
  if (results_close(&results, name, file)) return EXIT_INTERNAL;
  return profile_write(&bench->profile, &results);
}

static int lead(Bench *bench) {
  char ranks[2][32] = {"n ranks (s)", "n ranks: sum"};
  const CtlPoolOptions options = {0};
  if (bench->ranks > 1) {
    snprintf(ranks[0], sizeof ranks[0], "%d ranks (s)", bench->ranks);
    snprintf(ranks[1], sizeof ranks[1], "%d ranks: sum", bench->ranks);
    if (ctl_pool_create(MPI_COMM_WORLD, &options, &bench->pool) != SIM_OK) give_up();
  }
  const char *const heads[] = {"problem", "norm",       "method",      "failed", "median", "worst",
                               "J",       "1 rank (s)", "1 rank: sum", ranks[0], ranks[1]};
  bench->table = text_table_create(sizeof heads / sizeof *heads, heads);
  measure_all(bench);
  if (bench->pool && !ctl_pool_close(bench->pool)) give_up();
  table_print(bench->table, bench->form, stdout);
  int code = bench->directory ? write_files(bench) : 0;
  text_table_destroy(bench->table);
  return code;
}

/* A worker has every model already: it is sent which one is meant. */
static SimStatus build(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  const Bench *bench = context;
  int k;
  if (size != sizeof k) return SIM_BAD_PROBLEM;
  memcpy(&k, bytes, sizeof k);
  *evaluator = bench->cases[k].evaluator;
  return SIM_OK;
}

static void release(void *context, CtlEvaluator *evaluator) { (void)context, (void)evaluator; }

static int prepare(Case *c, const char *name, long budget) {
  Diagnostics diagnostics = {.origin = "bench-methods", .tell = diagnostic_print, .to = stderr};
  char *settings[] = {"search.penalty=P", "search.scheme_size=auto"};
  char file[512];
  snprintf(file, sizeof file, "%s/jobs/problems/%s.yaml", STICTION_ROOT, name);
  int code = problem_file_read(file, settings, 2, true, &diagnostics, &c->problem);
  if (!code) code = rollout_context_prepare(&c->rollout, &c->problem.sim, &diagnostics);
  if (code) return code;
  CtlProblem *control = &c->problem.control;
  control->stop_at = 1e-7;
  control->scheme_size = 3L * control->n;
  control->max_evaluations = budget;
  c->simulation = (CtlSimulation){.model = c->rollout.model, .work = c->rollout.work};
  c->evaluator = ctl_simulator(&c->simulation);
  return 0;
}

static int run(Bench *bench) {
  int code = bench->rank == 0 && bench->directory ? directory_make(bench->directory) : 0;
  const char *only = bench->only ? bench->only : bench->quick ? problems[0].name : NULL;
  bench->starts = bench->quick ? QUICK_STARTS : STARTS;
  bench->norms = bench->quick ? 1 : NORMS;
  for (int k = 0; k < PROBLEMS && !code; k++) {
    bench->cases[k].wanted = !only || !strcmp(only, problems[k].name);
    if (bench->cases[k].wanted) code = prepare(&bench->cases[k], problems[k].name, problems[k].budget);
  }
  MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (!code && bench->rank == 0) code = lead(bench);
  if (!code && bench->rank && ctl_pool_serve(&(CtlBuilder){bench, build, release, NULL}, MPI_COMM_WORLD) != SIM_OK)
    give_up();
  for (int k = 0; k < PROBLEMS; k++) {
    rollout_context_release(&bench->cases[k].rollout);
    problem_clear(&bench->cases[k].problem);
  }
  return code;
}

static bool is_problem(const char *name) {
  bool found = false;
  for (int k = 0; k < PROBLEMS; k++) found |= !strcmp(name, problems[k].name);
  return found;
}

/* Returns whether to go on; otherwise *code is what to exit with. */
static bool arguments(int argc, char **argv, Bench *bench, int *code) {
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
    } else if (!strcmp(argv[i], "-o") && i + 1 < argc && *argv[i + 1]) {
      bench->directory = argv[++i];
    } else if (!strcmp(argv[i], "--problem") || !strcmp(argv[i], "-o")) {
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
  if (arguments(argc, argv, &bench, &code)) {
    if (process_petsc_start(NULL) != SIM_OK) give_up();
    code = run(&bench);
  }
  return process_end(code);
}
