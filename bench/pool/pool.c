/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-pool measures a search's own work, the costs of messages, and the efficiency of the pool with evaluations that
 * only wait. A model with these costs predicts the efficiency with many workers. */
#include "bench/pool/costs.h"
#include "bench/pool/proof.h"
#include "bench/pool/run.h"
#include "bench/tools/table.h"
#include "control/base/clock.h"
#include "control/certify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: mpirun -n 4 bench-pool [--quick] [--csv | --markdown]\n"
    "Six tables: a search's own work per point; costs of messages; efficiency of the pool with 1, 2, 3 workers\n"
    "(and 15, 63 if evaluations sleep and there are enough ranks) and evaluations of 10 us to 10 ms, with the\n"
    "model's efficiency; the model's efficiency for 16 to 4096 workers; costs of proofs; and the model's\n"
    "efficiency of sweeps and certificates for 16 to 65,536 workers, which shows the limits of one coordinator.\n"
    "Evaluations of 1 ms and more sleep, so that workers may outnumber cores; shorter ones poll the clock and let\n"
    "other ranks run. Efficiency: time of all points / (ranks that evaluate x wall clock). bound: upper limit for\n"
    "points that cannot be split.\n"
    "--quick  each measurement once, and only those that take less than a tenth of a second\n";

static const long sizes[] = {64, 256, 1744};
enum { SIZES = sizeof sizes / sizeof *sizes, SIMPLEXES = 20, FEW_WORKERS = 3, MOST_WORKERS = 63 };

static const double SLEEP_FROM = 1e-3; /* evaluations longer than this, s, sleep, so that there may be more workers
                                        * than cores */

typedef struct Bench {
  TextTableForm form;
  bool quick;
  int ranks;
  PoolCosts costs;
} Bench;

static TextTable *new_table(const Bench *bench, const char *title, int columns, const char *const *heads) {
  if (bench->form != TABLE_CSV) printf("%s\n", title);
  return text_table_create(columns, heads);
}

static void finish_table(const Bench *bench, TextTable *t) {
  table_print(t, bench->form, stdout);
  text_table_destroy(t);
  printf("\n");
  fflush(stdout);
}

static void own_work(const Bench *bench) {
  static const char *const heads[] = {
      "controls", "s", "create (us)", "ask (us/point)", "tell (us/point)", "move (us/point)", "all (us/point)"};
  TextTable *t = new_table(bench, "The search's own work, 20 simplexes", 7, heads);
  for (int n = 3; n <= POOL_CONTROLS_MAX; n += 5)
    for (int k = 0; k < SIZES; k++) {
      SearchCosts c = search_costs(n, sizes[k]);
      text_table_number(t, "%.0f", n);
      text_table_number(t, "%.0f", (double)sizes[k]);
      text_table_number(t, "%.0f", 1e6 * c.create);
      text_table_number(t, "%.3f", 1e6 * c.ask);
      text_table_number(t, "%.3f", 1e6 * c.tell);
      text_table_number(t, "%.3f", 1e6 * c.move);
      text_table_number(t, "%.3f", 1e6 * c.point);
    }
  finish_table(bench, t);
}

static void table_messages(Bench *bench) {
  static const char *const heads[] = {"round trip (us)", "a batch (us)", "a point (us)", "a look (ns/slot)",
                                      "latency (us)"};
  double round_trip;
  bench->costs = pool_costs(MPI_COMM_WORLD, &round_trip);
  TextTable *t = new_table(bench, "Messages: the coordinator's work, and what a batch takes there and back", 5, heads);
  text_table_number(t, "%.2f", 1e6 * round_trip);
  text_table_number(t, "%.2f", 1e6 * bench->costs.batch);
  text_table_number(t, "%.3f", 1e6 * bench->costs.point);
  text_table_number(t, "%.2f", 1e9 * bench->costs.poll);
  text_table_number(t, "%.2f", 1e6 * bench->costs.latency);
  finish_table(bench, t);
}

/* Returns the number of simplexes, at least one, that take about half a second. */
static long simplexes_for(const PoolTrial *trial) {
  double each = (double)trial->scheme_size * trial->evaluation / trial->workers;
  return each > 0.025 ? (long)ceil(0.5 / each) : SIMPLEXES;
}

static void real_row(const Bench *bench, TextTable *t, PoolTrial trial) {
  static PoolResult result, again;
  trial.simplexes = simplexes_for(&trial);
  double least = (double)(trial.scheme_size * trial.simplexes) * trial.evaluation / trial.workers;
  if (bench->quick && least > 0.1) return;
  /* The best of some runs counts, since other programs may use this machine. */
  double start = ctl_seconds();
  pool_lead(&trial, MPI_COMM_WORLD, &result);
  while (!bench->quick && ctl_seconds() - start < 0.5) {
    pool_lead(&trial, MPI_COMM_WORLD, &again);
    if (again.times.wall < result.times.wall) result = again;
  }
  int evaluators = result.times.evaluators;
  double wall = result.times.wall, nominal = (double)result.state.ivps * trial.evaluation;
  PoolJob job = {evaluators, 1, trial.evaluation, result.rounds, result.points, trial.scheme_size, 0};
  text_table_number(t, "%g", 1e6 * trial.evaluation);
  text_table_number(t, "%.0f", (double)trial.scheme_size);
  text_table_number(t, "%.0f", trial.workers);
  text_table_word(t, "%s", trial.evaluates ? "yes" : "no");
  text_table_number(t, "%.0f", (double)result.times.batches / (double)result.state.rounds);
  text_table_number(t, "%.3f", nominal / (evaluators * wall));
  text_table_number(t, "%.3f", result.times.ivps / (evaluators * wall));
  text_table_number(t, "%.3f",
                    trial.evaluates ? NAN : pool_model_efficiency(&job, pool_model_wall(&bench->costs, &job, NULL)));
  text_table_number(t, "%.3f", pool_model_efficiency(&job, pool_model_bound(&job)));
}

static void real_pool(const Bench *bench) {
  static const char *const heads[] = {
      "evaluation (us)", "s",     "workers", "rank 0 evaluates", "batches/simplex", "efficiency",
      "measured",        "model", "bound"};
  static const double evaluations[] = {1e-5, 1e-4, 1e-3, 1e-2};
  TextTable *t =
      new_table(bench,
                "The pool. measured: with the measured time of evaluations (a sleep lasts longer, a core may be "
                "taken away)",
                9, heads);
  for (int e = 0; e < 4; e++)
    for (int k = 0; k < SIZES; k++)
      for (int w = 1; w < bench->ranks && w <= MOST_WORKERS; w = w < FEW_WORKERS ? w + 1 : 4 * w + 3)
        if (w <= FEW_WORKERS || evaluations[e] >= SLEEP_FROM)
          for (int evaluates = 0; evaluates < (w == 1 ? 2 : 1); evaluates++)
            real_row(bench, t,
                     (PoolTrial){.workers = w,
                                 .evaluates = evaluates,
                                 .n = 3,
                                 .scheme_size = sizes[k],
                                 .evaluation = evaluations[e]});
  finish_table(bench, t);
}

static void table_model(const Bench *bench) {
  static const char *const heads[] = {"evaluation (us)", "s",    "workers", "efficiency", "bound", "of the bound",
                                      "with repeats",    "bound"};
  static const double evaluations[] = {1e-4, 1e-3, 1e-2, 1e-1, 1};
  static PoolResult results[SIZES];
  TextTable *t = new_table(
      bench, "The model: 20 simplexes without repeated points; with repeats: a search, initial simplex included", 8,
      heads);
  for (int k = 0; k < SIZES; k++)
    pool_lead(&(PoolTrial){.n = 3, .scheme_size = sizes[k], .simplexes = SIMPLEXES}, MPI_COMM_WORLD, &results[k]);
  for (int e = 0; e < 5; e++)
    for (int k = 0; k < SIZES; k++)
      for (int w = 16; w <= 4096; w *= 4) {
        long full[SIMPLEXES];
        for (int i = 0; i < SIMPLEXES; i++) full[i] = sizes[k];
        PoolJob job = {w, 1, evaluations[e], SIMPLEXES, full, sizes[k], 0};
        PoolJob search = {w, 1, evaluations[e], results[k].rounds, results[k].points, sizes[k], 0};
        double efficiency = pool_model_efficiency(&job, pool_model_wall(&bench->costs, &job, NULL));
        double bound = pool_model_efficiency(&job, pool_model_bound(&job));
        text_table_number(t, "%g", 1e6 * evaluations[e]);
        text_table_number(t, "%.0f", (double)sizes[k]);
        text_table_number(t, "%.0f", w);
        text_table_number(t, "%.4f", efficiency);
        text_table_number(t, "%.4f", bound);
        text_table_number(t, "%.3f", efficiency / bound);
        text_table_number(t, "%.4f", pool_model_efficiency(&search, pool_model_wall(&bench->costs, &search, NULL)));
        text_table_number(t, "%.4f", pool_model_efficiency(&search, pool_model_bound(&search)));
      }
  finish_table(bench, t);
}

/* A calculation of independent points in rounds. Each round ends when its last point is evaluated. */
typedef struct Campaign {
  const char *name;
  double evaluation; /* time of a point, s */
  double own;        /* time of the coordinator per point without messages, s */
  int rounds;
  const long *points; /* number of points in each round */
  int most;           /* most points of a batch, as in PoolJob */
} Campaign;

static void add_campaign(const Bench *bench, TextTable *t, const Campaign *c) {
  PoolCosts costs = bench->costs;
  long points = 0;
  costs.point += c->own;
  for (int i = 0; i < c->rounds; i++) points += c->points[i];
  for (int w = 16; w <= 65536; w *= 4) {
    long batches;
    PoolJob job = {w, 1, c->evaluation, c->rounds, c->points, 0, c->most};
    double wall = pool_model_wall(&costs, &job, &batches), efficiency = pool_model_efficiency(&job, wall);
    text_table_word(t, "%s", c->name);
    text_table_number(t, "%.3g", 1e6 * c->evaluation);
    text_table_number(t, "%.0f", (double)points);
    text_table_number(t, "%.0f", c->rounds);
    text_table_number(t, "%.0f", w);
    text_table_number(t, "%.4f", efficiency);
    text_table_number(t, "%.3f", efficiency / pool_model_efficiency(&job, pool_model_bound(&job)));
    text_table_number(t, "%.0f", (double)batches / wall);
    text_table_number(t, "%.3f", (double)batches / wall * bench->costs.batch);
  }
}

/* Measures the costs of proofs into [PROOFS]; with --quick only those of the first. Returns their number. */
static int measure_proofs(const Bench *bench, ProofCosts *costs) {
  static const char *const heads[] = {"a proof",
                                      "motions",
                                      "rounds",
                                      "tasks",
                                      "motions a task",
                                      "a motion (us)",
                                      "rank 0, a task (us)",
                                      "rank 0, a motion (us)",
                                      "numbers of a task",
                                      "of an answer"};
  TextTable *t =
      new_table(bench, "Proofs: times of motions for the ranks, and of tasks for the coordinator", 10, heads);
  int count = bench->quick ? 1 : PROOFS;
  for (int k = 0; k < count; k++) {
    ProofCosts *c = &costs[k];
    proof_costs(k, c);
    text_table_word(t, "%s", c->name);
    text_table_number(t, "%.0f", (double)c->motions);
    text_table_number(t, "%.0f", c->rounds);
    text_table_number(t, "%.0f", (double)c->tasks);
    text_table_number(t, "%.2f", (double)c->motions / (double)c->tasks);
    text_table_number(t, "%.2f", 1e6 * c->motion);
    text_table_number(t, "%.3f", 1e6 * c->own);
    text_table_number(t, "%.4f", 1e6 * c->own * (double)c->tasks / (double)c->motions);
    text_table_number(t, "%.0f", c->words[0]);
    text_table_number(t, "%.0f", c->words[1]);
  }
  finish_table(bench, t);
  return count;
}

/* Adds rows for a proof as it was measured, and for one with as many rounds that are all full, with as many motions in
 * each task as possible. */
static void table_certificates(const Bench *bench, TextTable *t, const ProofCosts *costs) {
  enum { FULL = 4096 };
  static long full[POOL_ROUNDS_MAX];
  for (int i = 0; i < costs->rounds; i++) full[i] = FULL;
  double each = costs->motion * (double)costs->motions / (double)costs->tasks;
  add_campaign(bench, t, &(Campaign){costs->name, each, costs->own, costs->rounds, costs->points, 1});
  add_campaign(bench, t,
               &(Campaign){"full rounds", costs->motion * CTL_PROOF_MOTIONS, costs->own, costs->rounds, full, 1});
}

/* Adds rows for the cases of a bound, and for the whole bound, which includes relaxations on rank 0 alone. */
static void table_cases(const Bench *bench) {
  static const char *const heads[] = {"gap",     "cases",      "rounds",    "a case (ms)", "rank 0 alone (s)",
                                      "workers", "efficiency", "in all (s)"};
  static const double gaps[] = {0.03, 0.01, 0.005};
  TextTable *t = new_table(bench, "A lower bound of the arm: measured on one core, predicted for more", 8, heads);
  for (int k = 0; k < (bench->quick ? 1 : 3); k++) {
    ProofCosts c;
    double alone;
    bound_costs(gaps[k], &c, &alone);
    PoolCosts costs = bench->costs;
    costs.point += c.own;
    for (int w = 1; w <= 64; w *= 2) {
      PoolJob job = {w, 1, c.motion, c.rounds, c.points, 0, 1};
      double wall = pool_model_wall(&costs, &job, NULL);
      text_table_number(t, "%.3g", gaps[k]);
      text_table_number(t, "%.0f", (double)c.tasks);
      text_table_number(t, "%.0f", c.rounds);
      text_table_number(t, "%.2f", 1e3 * c.motion);
      text_table_number(t, "%.2f", alone);
      text_table_number(t, "%.0f", w);
      text_table_number(t, "%.3f", pool_model_efficiency(&job, wall));
      text_table_number(t, "%.2f", alone + wall);
    }
  }
  finish_table(bench, t);
}

static void table_campaigns(const Bench *bench) {
  static const char *const heads[] = {"what",       "a point (us)", "points",     "rounds",     "workers",
                                      "efficiency", "of the bound", "messages/s", "of the most"};
  static const long million[] = {1000000};
  static const Campaign sweeps[] = {{"a sweep of simulations", 1e-4, 0, 1, million, 1},
                                    {"a sweep of controls", 1e-2, 0, 1, million, 1},
                                    {"a sweep of long controls", 1, 0, 1, million, 1}};
  static ProofCosts costs[PROOFS];
  int count = measure_proofs(bench, costs);
  TextTable *t =
      new_table(bench, "The model: sweeps and certificates, and the messages that one coordinator carries", 9, heads);
  for (size_t k = 0; k < sizeof sweeps / sizeof *sweeps; k++) add_campaign(bench, t, &sweeps[k]);
  table_certificates(bench, t, &costs[count - 1]);
  finish_table(bench, t);
}

static int parse_arguments(int argc, char **argv, Bench *bench) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      bench->quick = true;
    else if (!table_form_option(argv[i], &bench->form))
      return EXIT_USAGE;
  }
  return EXIT_DONE;
}

int main(int argc, char **argv) {
  Bench bench = {.form = TABLE_TEXT};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &bench.ranks);
  int code = parse_arguments(argc, argv, &bench);
  if (code || bench.ranks < 2) {
    if (rank == 0) fputs(usage, stderr);
    code = EXIT_USAGE;
  } else if (rank == 0) {
    own_work(&bench);
    table_messages(&bench);
    real_pool(&bench);
    table_model(&bench);
    table_cases(&bench);
    table_campaigns(&bench);
    pool_dismiss(MPI_COMM_WORLD);
  } else
    pool_follow(MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}
