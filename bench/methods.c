/* bench-methods: what each search method needs to meet the target from many random starts, and how often it does not. */
#include "bench/measure.h"
#include "bench/table.h"
#include "control/pool.h"
#include "sim/group.h"
#include "src/exit_code.h"
#include "src/problem_file.h"
#include "src/replay.h"

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: [mpirun -n 3] bench-methods [--quick] [--problem NAME] [--csv | --markdown] [--profile FILE]\n"
    "Test problems 1, 2 and 2 with its springs' stiffness, penalty P in three norms, and, in norm 2, a signal of 2 x "
    "8\n"
    "variables; 20 starts in -20..20 N; schemes of 3 points a variable; to E1, E2 <= 1e-7 or 2000 evaluations (of the\n"
    "signal pds 10000, hybrid 500, local methods alone 60: these take milliseconds for each then).\n"
    "Per method: starts that failed; "
    "of all starts, failures counted as infinite,\n"
    "median and worst evaluations; median and sum of the wall clock.\n"
    "--profile  the performance profile: method,ratio,fraction. A fraction of all runs needs at most `ratio` times "
    "the\n"
    "           evaluations of the run's best method\n"
    "--problem  this one alone: tp1, tp2, tp2-springs or signal-2x8\n"
    "--quick    problem 1, norm 2, three starts\n";

typedef struct Trials {
  const char *problem;
  int norms;                          /* how many of norms[] */
  long most, most_hybrid, most_alone; /* evaluations: of pds, hybrid, and local methods alone */
} Trials;
static const Trials problems[] = {{"tp1", 3, 2000, 2000, 2000},
                                  {"tp2", 3, 2000, 2000, 2000},
                                  {"tp2-springs", 3, 2000, 2000, 2000},
                                  {"signal-2x8", 1, 10000, 500, 60}};
static const char *const norms[] = {"2", "1", "inf"};
static const struct {
  const char *name;
  CtlMethod method;
} methods[] = {
    {"pds", CTL_METHOD_PDS},           {"nlopt:cobyla", CTL_METHOD_COBYLA}, {"nlopt:bobyqa", CTL_METHOD_BOBYQA},
    {"nlopt:sbplx", CTL_METHOD_SBPLX}, {"nlopt:auglag", CTL_METHOD_AUGLAG}, {"tao:pounders", CTL_METHOD_POUNDERS},
    {"hybrid", CTL_METHOD_HYBRID}};
enum { PROBLEMS = sizeof problems / sizeof *problems, NORMS = 3, METHODS = sizeof methods / sizeof *methods };
enum { STARTS = 20, TRIALS = PROBLEMS * NORMS * STARTS };
static const double SPREAD = 20; /* N */

typedef struct Bench {
  TableForm form;
  int rank, ranks, starts;
  const char *profile, *only; /* NULL: none; all problems */
  Table *table;
  int trials;
  double evaluations[METHODS][TRIALS]; /* infinite: failed */
  CtlEvaluator evaluator;
} Bench;

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

/* Rank 0: by all ranks. */
static int drive(const Bench *bench, CtlSearch *search, const CtlListener *listener, CtlTimes *times) {
  const CtlPoolOptions options = {0};
  const CtlJob job = {.search = search, .evaluator = &bench->evaluator, .listener = listener};
  CtlPool *pool;
  if (ctl_pool_create(MPI_COMM_WORLD, &options, &pool) != SIM_OK) return CTL_DRIVE_NO_MEMORY;
  int code = ctl_pool_drive(pool, &job, times);
  return ctl_pool_close(pool) ? code : CTL_DRIVE_ABANDONED;
}

/* One search: evaluations, or infinity, and its wall clock. Collective. */
static double search(const Bench *bench, const CtlProblem *control, double *seconds) {
  const CtlListener listener = {.simplex = on_simplex};
  CtlSearch *s = NULL;
  CtlTimes times = {0};
  CtlState state = {0};
  *seconds = 0;
  if (bench->rank) {
    CtlEvaluator evaluator = bench->evaluator;
    const CtlBuilder builder = ctl_builder_of(&evaluator);
    if (ctl_pool_serve(&builder, MPI_COMM_WORLD) != SIM_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
    return 0;
  }
  if (ctl_search_create(control, &s) != SIM_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  int code =
      bench->ranks > 1 ? drive(bench, s, &listener, &times) : ctl_drive_serial(s, &bench->evaluator, &listener, &times);
  if (code) MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  ctl_search_state(s, &state);
  ctl_search_destroy(s);
  *seconds = times.wall;
  return state.reason == CTL_REASON_STOP_AT ? (double)state.evaluations : INFINITY;
}

/* A method from all starts: a row. */
static void row(Bench *bench, const Trials *trials, CtlProblem *control, int method) {
  double evaluations[STARTS], seconds[STARTS], sum = 0;
  int failures = 0;
  control->method = methods[method].method;
  control->max_evaluations = control->method == CTL_METHOD_PDS      ? trials->most
                             : control->method == CTL_METHOD_HYBRID ? trials->most_hybrid
                                                                    : trials->most_alone;
  for (int k = 0; k < bench->starts; k++) {
    draw(k, control->n, control->start);
    evaluations[k] = search(bench, control, &seconds[k]);
    bench->evaluations[method][bench->trials + k] = evaluations[k];
    failures += isinf(evaluations[k]) != 0;
    sum += seconds[k];
  }
  if (bench->rank) return;
  sort_values(bench->starts, evaluations);
  sort_values(bench->starts, seconds);
  table_text(bench->table, "%s", trials->problem);
  table_text(bench->table, "%s", norms[control->norm == CTL_NORM_2 ? 0 : control->norm == CTL_NORM_1 ? 1 : 2]);
  table_text(bench->table, "%s", methods[method].name);
  table_number(bench->table, "%.0f", bench->ranks);
  table_number(bench->table, "%.0f", failures);
  table_number(bench->table, "%.0f", evaluations[bench->starts / 2]);
  table_number(bench->table, "%.0f", evaluations[bench->starts - 1]);
  table_number(bench->table, "%.4f", quantile(bench->starts, seconds, 0.5));
  table_number(bench->table, "%.3f", sum);
}

static int run_problem(Bench *bench, const Trials *trials, int n_norms) {
  static const CtlNorm kinds[] = {CTL_NORM_2, CTL_NORM_1, CTL_NORM_INF};
  static const char *const heads[] = {"problem", "norm",  "method",          "ranks",  "failed",
                                      "median",  "worst", "seconds, median", "seconds"};
  Problem problem;
  Replay replay = {0};
  char file[512];
  char *settings[] = {"search.penalty=P", "search.scheme_size=auto"};
  snprintf(file, sizeof file, "%s/jobs/problems/%s.yaml", STICTION_ROOT, trials->problem);
  int code = problem_file_read(file, settings, 2, true, stderr, &problem);
  if (!code) code = replay_prepare(&replay, &problem.sim, stderr);
  if (!code) {
    CtlSimulation simulation = {replay.model, replay.work};
    CtlProblem *control = &problem.control;
    bench->evaluator = ctl_simulator(&simulation);
    control->stop_at = 1e-7;
    control->scheme_size = 3L * control->n;
    bench->table = table_create(9, heads);
    for (int k = 0; k < n_norms; k++, bench->trials += bench->starts) {
      control->norm = kinds[k];
      for (int method = 0; method < METHODS; method++) row(bench, trials, control, method);
    }
    if (bench->rank == 0) table_print(bench->table, bench->form, stdout);
    fflush(stdout);
    table_destroy(bench->table);
  }
  replay_release(&replay);
  problem_clear(&problem);
  return code;
}

/* The fraction of trials, for each ratio at which it grows. */
static int write_profile(const Bench *bench) {
  double ratio[TRIALS];
  FILE *file = fopen(bench->profile, "w");
  if (!file) {
    perror(bench->profile);
    return EXIT_USAGE;
  }
  fputs("method,ratio,fraction\n", file);
  for (int method = 0; method < METHODS; method++) {
    for (int trial = 0; trial < bench->trials; trial++) {
      double best = INFINITY;
      for (int other = 0; other < METHODS; other++) best = fmin(best, bench->evaluations[other][trial]);
      ratio[trial] = isinf(best) ? INFINITY : bench->evaluations[method][trial] / best;
    }
    sort_values(bench->trials, ratio);
    for (int k = 0; k < bench->trials && isfinite(ratio[k]); k++)
      fprintf(file, "%s,%.9g,%.9g\n", methods[method].name, ratio[k], (k + 1.0) / bench->trials);
  }
  bool failed = ferror(file) != 0;
  failed |= fclose(file) != 0;
  if (failed) fprintf(stderr, "bench-methods: %s could not be written\n", bench->profile);
  return failed ? EXIT_INTERNAL : 0;
}

static int run(Bench *bench, bool quick) {
  int code = 0;
  bench->starts = quick ? 3 : STARTS;
  for (int k = 0; k < (quick ? 1 : PROBLEMS) && !code; k++)
    if (!bench->only || !strcmp(bench->only, problems[k].problem))
      code = run_problem(bench, &problems[k], quick ? 1 : problems[k].norms);
  return code || bench->rank || !bench->profile ? code : write_profile(bench);
}

int main(int argc, char **argv) {
  static Bench bench;
  bool quick = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick")) {
      quick = true;
    } else if (!strcmp(argv[i], "--problem") && i + 1 < argc) {
      bench.only = argv[++i];
    } else if (!strcmp(argv[i], "--profile") && i + 1 < argc) {
      bench.profile = argv[++i];
    } else if (!table_form_option(argv[i], &bench.form)) {
      fputs(usage, stderr);
      return EXIT_USAGE;
    }
  }
  bool known = !bench.only;
  for (int k = 0; k < PROBLEMS; k++) known |= bench.only && !strcmp(bench.only, problems[k].problem);
  if (!known) {
    fputs(usage, stderr);
    return EXIT_USAGE;
  }
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS || sim_petsc_start(NULL) != SIM_OK) return EXIT_INTERNAL;
  MPI_Comm_rank(MPI_COMM_WORLD, &bench.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &bench.ranks);
  int code = run(&bench, quick);
  sim_petsc_stop();
  MPI_Finalize();
  return code;
}
