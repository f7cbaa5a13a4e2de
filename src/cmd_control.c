#include "control/clock.h"
#include "control/pool.h"
#include "control/pool_group.h"
#include "src/commands.h"
#include "src/elastic.h"
#include "src/exit_code.h"
#include "src/problem_file.h"
#include "src/progress.h"
#include "src/replay.h"
#include "src/search_log.h"

#include <stdlib.h>
#include <unistd.h>

/* What rank 0 holds while it leads a search. */
typedef struct Lead {
  const Options *options;
  Problem problem;
  Results results;
  Replay replay; /* the model: for rank 0's own evaluations and for the trajectory of the optimum */
  CtlSearch *search;
  SearchLog log;
  Progress progress;
  int busy; /* ranks with work in hand, lately */
  CtlTimes times;
  int ranks;
  double start;
} Lead;

static int on_simplex(void *context, const CtlState *state, double seconds) {
  Lead *lead = context;
  progress_draw(&lead->progress, state, seconds, lead->busy);
  return search_log_row(&lead->log, state, seconds) ? EXIT_INTERNAL : 0;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  Lead *lead = context;
  lead->busy = busy;
  search_log_tick(&lead->log, seconds);
  if (!lead->progress.shown) return;
  CtlState state;
  ctl_search_state(search, &state);
  progress_draw(&lead->progress, &state, seconds, busy);
}

/* Everything that can fail before the first evaluation, but for the directory. */
static int lead_prepare(Lead *lead) {
  const Options *options = lead->options;
  const Sharing alone = {.comm = MPI_COMM_NULL, .copies = 1, .workers = lead->ranks - 1};
  int code = problem_file_read_shared(options->argument, options->settings, options->n_settings, true, &alone, stderr,
                                      &lead->problem);
  if (!code) code = replay_prepare(&lead->replay, &lead->problem.sim, stderr);
  if (!code) code = replay_set_kernel(&lead->replay, options->kernel);
  if (code) return code;
  if (ctl_search_create(&lead->problem.control, &lead->search) == SIM_OK) return 0;
  fprintf(stderr, "stiction control: out of memory\n");
  return EXIT_INTERNAL;
}

static int lead_open(Lead *lead) {
  const Options *options = lead->options;
  int code = results_create(&lead->results, options->output, options->argument, options->force);
  if (!code) code = trajectory_check_room(&lead->results, &lead->problem);
  return code ? code : search_log_open(&lead->log, &lead->results);
}

static void lead_release(Lead *lead) {
  ctl_search_destroy(lead->search);
  replay_release(&lead->replay);
  problem_clear(&lead->problem);
}

static void warn_of_scheme_size(const Lead *lead, int workers) {
  long size = ctl_problem_scheme_size(&lead->problem.control), n = lead->problem.control.n;
  if (workers > size)
    fprintf(stderr, "stiction control: %d workers but only %ld points a simplex: some will idle (search.scheme_size)\n",
            workers, size);
  if (size < 3 * n)
    fprintf(stderr,
            "stiction control: search.scheme_size: %ld is less than 3 points a control: a slow search is likely\n",
            size);
}

static bool target_met(const Lead *lead, const CtlState *s) {
  double accept = lead->problem.control.accept;
  return s->E1 <= accept && s->E2 <= accept;
}

static void print_outcome(const Lead *lead, const CtlState *s) {
  const CtlTimes *t = &lead->times;
  printf("%s (%s) after %ld simplexes: %ld evaluations, %ld of them simulated, %ld restarts\n",
         target_met(lead, s) ? "target met" : "target not met", ctl_reason_text(s->reason), s->simplexes,
         s->evaluations, s->ivps, s->restarts);
  printf("u* =");
  for (int i = 0; i < lead->problem.control.n; i++) printf(" %.8g", s->u[i]);
  printf("\nJ(u*) = %.10g   E1 = %.2e   E2 = %.2e\n", s->J, s->E1, s->E2);
  printf("%.2f s on %d rank%s, %.0f simulations a second\n", t->wall, lead->ranks, lead->ranks == 1 ? "" : "s",
         t->wall > 0 ? (double)s->ivps / t->wall : 0);
  printf("results in %s\n", lead->results.directory);
}

static void warn_of_late(const Lead *lead) {
  const CtlTimes *t = &lead->times;
  if (t->overdue)
    fprintf(stderr, "stiction control: a rank did not answer in time: %ld evaluation%s went to other ranks\n",
            t->overdue, t->overdue == 1 ? "" : "s");
  if (t->timed_out)
    fprintf(stderr, "stiction control: %ld evaluation%s timed out twice (search.evaluation_timeout)\n", t->timed_out,
            t->timed_out == 1 ? "" : "s");
}

/* Exit code of a search that ran to its end. */
static int verdict(const Lead *lead, const CtlState *s) {
  if (lead->replay.final.status != SIM_OK) {
    fprintf(stderr, "stiction control: the optimum's trajectory: %s\n", sim_status_text(lead->replay.final.status));
    return EXIT_UNSOLVED;
  }
  warn_of_late(lead);
  if (s->non_finite) {
    fprintf(stderr, "stiction control: %ld evaluation%s failed or gave no finite value; the answer may be harmed\n",
            s->non_finite, s->non_finite == 1 ? "" : "s");
    return EXIT_UNSOLVED;
  }
  if (s->reason == CTL_REASON_FAILED) return EXIT_UNSOLVED;
  if (s->no_memory) {
    fprintf(stderr, "stiction control: out of memory for a restart\n");
    return EXIT_INTERNAL;
  }
  if (target_met(lead, s)) return EXIT_DONE;
  fprintf(stderr, "stiction control: the target was not met: E1 = %.2e, E2 = %.2e (search.accept: %g)\n", s->E1, s->E2,
          lead->problem.control.accept);
  return EXIT_NOT_MET;
}

/* After the drive: the optimum's trajectory and the summary. */
static int lead_finish(Lead *lead, int code) {
  progress_clear(&lead->progress);
  if (search_log_close(&lead->log, &lead->results)) return EXIT_INTERNAL;
  if (code) {
    fprintf(stderr, "stiction control: stopped: %s\n", code < 0 ? "out of memory" : "search.csv cannot be written");
    return EXIT_INTERNAL;
  }
  CtlState state;
  ctl_search_state(lead->search, &state);
  Summary summary = {.problem = &lead->problem,
                     .ranks = lead->ranks,
                     .kernel = sim_batch_kernel(lead->replay.model, lead->replay.work),
                     .u = state.u,
                     .search = &state,
                     .times = &lead->times};
  code = replay_run(&lead->replay, &lead->results, &lead->problem, state.u, &summary);
  summary.wall = ctl_seconds() - lead->start;
  if (code || summary_write(&lead->results, &summary)) return EXIT_INTERNAL;
  if (!lead->options->quiet) print_outcome(lead, &state);
  return verdict(lead, &state);
}

static void give_up(int rank) {
  fprintf(stderr, "stiction control: rank %d is out of memory\n", rank);
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
}

/* Sends the simulation problem to all ranks, as bytes; of a sparse model, which everyone reads himself, none follow.
 * Collective: every rank of MPI_COMM_WORLD. problem: rank 0's, in; the others', out. together: ranks per evaluation,
 * likewise. Rank 0 sends code first; if that is not 0, no problem follows. Returns the code all have. */
static int share_problem(int rank, int code, SimProblem *problem, long *together) {
  unsigned long size = rank == 0 && !code ? sim_problem_packed_size(problem) : 0;
  unsigned long head[3] = {(unsigned long)code, size, (unsigned long)*together};
  MPI_Bcast(head, 3, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  *together = (long)head[2];
  if (head[0] || !head[1]) return (int)head[0];
  void *bytes = malloc(head[1]);
  if (!bytes) give_up(rank);
  if (rank == 0) sim_problem_pack(problem, bytes);
  enum { PIECE = 1 << 30 }; /* MPI counts are ints */
  for (unsigned long at = 0; at < head[1]; at += PIECE)
    MPI_Bcast((char *)bytes + at, head[1] - at < PIECE ? (int)(head[1] - at) : PIECE, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank != 0 && sim_problem_unpack(problem, bytes, head[1])) give_up(rank);
  free(bytes);
  return 0;
}

/* All ranks together: go on only if every one of them can. */
static int agree(int code) {
  int all;
  MPI_Allreduce(&code, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/* The workers 1, 2, .. in groups of `together`, those that make no full group left out, and the pool of rank 0 and the
 * groups' leaders. Collective over MPI_COMM_WORLD. Either is MPI_COMM_NULL for a rank that is not in it. */
typedef struct Teams {
  MPI_Comm group, pool;
} Teams;

static Teams make_teams(int rank, int ranks, long together) {
  Teams teams;
  int groups = (int)((ranks - 1) / together), mine = rank ? (int)((rank - 1) / together) : groups;
  bool works = rank && mine < groups, leads = rank == 0 || (works && (rank - 1) % together == 0);
  MPI_Comm_split(MPI_COMM_WORLD, works ? mine : MPI_UNDEFINED, rank, &teams.group);
  MPI_Comm_split(MPI_COMM_WORLD, leads ? 0 : MPI_UNDEFINED, rank, &teams.pool);
  return teams;
}

static void free_teams(Teams *teams) {
  if (teams->group != MPI_COMM_NULL) MPI_Comm_free(&teams->group);
  if (teams->pool != MPI_COMM_NULL) MPI_Comm_free(&teams->pool);
}

/* Tells too few ranks for one group, and those left over. */
static int count_groups(const Lead *lead) {
  long together = lead->problem.ranks_per_evaluation, workers = lead->ranks - 1, idle = workers % together;
  if (workers < together) {
    fprintf(stderr,
            "stiction control: search.ranks_per_evaluation: %ld, but there are %ld workers (expected mpirun -n %ld)\n",
            together, workers, together + 1);
    return EXIT_USAGE;
  }
  if (idle)
    fprintf(stderr, "stiction control: %ld of %ld workers idle: no full group of search.ranks_per_evaluation = %ld\n",
            idle, workers, together);
  return 0;
}

/* Rank 0 up to the first evaluation, in step with work_run's: share, agree that all can simulate, agree that rank 0 can
 * write. */
static int lead_begin(Lead *lead, Teams *teams) {
  int code = lead_prepare(lead);
  if (lead->ranks > 1) {
    if (!code) code = count_groups(lead);
    code = share_problem(0, code, &lead->problem.sim, &lead->problem.ranks_per_evaluation);
    if (!code) *teams = make_teams(0, lead->ranks, lead->problem.ranks_per_evaluation);
    if (!code && (code = agree(0)) != 0)
      fprintf(stderr, "stiction control: a worker could not build the model (out of memory, or a processor without the "
                      "--batch-kernel?)\n");
  }
  if (code) return code;
  code = lead_open(lead);
  return lead->ranks > 1 ? agree(code) : code;
}

/* Whether rank 0 evaluates, too, by default: if each rank of its node has a core. Collective: every rank of
 * MPI_COMM_WORLD. */
static bool cores_for_all(void) {
  MPI_Comm node;
  int here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &here);
  MPI_Comm_free(&node);
  return here <= sysconf(_SC_NPROCESSORS_ONLN);
}

/* MPI_Finalize would wait for ever for a rank that does not answer. */
static void end_all(int code) {
  fprintf(stderr, "stiction control: a rank does not answer: all are ended by MPI_Abort; the results are complete\n");
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, code);
}

/* The search on all ranks. */
static int lead_pool(Lead *lead, const CtlEvaluator *evaluator, const CtlListener *listener, CtlPool *pool) {
  CtlJob job = {.search = lead->search,
                .evaluator = evaluator,
                .listener = listener,
                .timeout = lead->problem.control.evaluation_timeout};
  void *model = NULL;
  if (lead->options->elastic) {
    job.model = model = elastic_model(&lead->problem.sim, &job.model_size);
    if (!model) return -1;
  }
  int code = ctl_pool_drive(pool, &job, &lead->times);
  free(model);
  return code;
}

static int lead_run(const Options *options, int ranks, bool evaluates) {
  Lead lead = {.options = options, .ranks = ranks, .start = ctl_seconds()};
  Teams teams = {MPI_COMM_NULL, MPI_COMM_NULL};
  CtlPool *pool = NULL;
  int code = lead_begin(&lead, &teams);
  if (!code && options->elastic) {
    lead.ranks = ranks = 1 + options->elastic;
    code = elastic_pool(options, &(CtlPoolOptions){.batch = options->batch, .evaluates = evaluates}, &pool);
  }
  if (!code) {
    long together = lead.problem.ranks_per_evaluation;
    int groups = (int)((ranks - 1) / together);
    const CtlListener listener = {&lead, on_simplex, on_tick};
    /* a group's answers have other last bits than rank 0's own: whose they are would depend on time */
    const CtlPoolOptions options_of_pool = {.batch = options->batch, .evaluates = evaluates && together == 1};
    CtlSimulation simulation = {lead.replay.model, lead.replay.work};
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    lead.progress =
        progress_start(options->progress, options->quiet, ranks > 1 ? groups + options_of_pool.evaluates : 1);
    warn_of_scheme_size(&lead, groups);
    if (ranks > 1 && !pool && ctl_pool_create(teams.pool, &options_of_pool, &pool) != SIM_OK) give_up(0);
    code = pool ? lead_pool(&lead, &evaluator, &listener, pool)
                : ctl_drive_serial(lead.search, &evaluator, &listener, &lead.times);
    code = lead_finish(&lead, code);
    if (pool && !ctl_pool_close(pool)) end_all(code);
  }
  free_teams(&teams);
  lead_release(&lead);
  return code;
}

/* A worker's model: from the bytes that rank 0 has sent, or, of a sparse one, read with its group. */
typedef struct Worker {
  Problem read;
  Sharing sharing;
  Replay replay;
} Worker;

static int worker_prepare(Worker *worker, const Options *options, ModelStorage storage, MPI_Comm group) {
  int code = 0;
  if (storage != MODEL_DENSE) {
    if (!sharing_create(group, &worker->sharing)) return EXIT_INTERNAL;
    worker->sharing.copies = 0; /* rank 0 has counted them all */
    code = problem_file_read_shared(options->argument, options->settings, options->n_settings, true, &worker->sharing,
                                    stderr, &worker->read);
  }
  if (!code) code = replay_prepare_shared(&worker->replay, &worker->read.sim, &worker->sharing, NULL);
  return code ? code : replay_set_kernel(&worker->replay, options->kernel);
}

/* Evaluates what rank 0 hands out, alone or with a group. */
static SimStatus serve(const Worker *worker, const Teams *teams, long together) {
  CtlSimulation simulation = {worker->replay.model, worker->replay.work};
  CtlEvaluator evaluator = ctl_simulator(&simulation);
  CtlBuilder builder = ctl_builder_of(&evaluator);
  if (together == 1) return ctl_pool_serve(&builder, teams->pool);
  CtlGroup *group = ctl_group_create(simulation.model, simulation.work, teams->group);
  SimStatus status = group ? SIM_OK : SIM_NO_MEMORY;
  if (group && teams->pool == MPI_COMM_NULL) {
    ctl_group_follow(group);
  } else if (group) {
    evaluator = ctl_group_evaluator(group);
    status = ctl_pool_serve(&builder, teams->pool);
    ctl_group_dismiss(group);
  }
  ctl_group_destroy(group);
  return status;
}

static int work_run(const Options *options, ModelStorage storage, int rank, int ranks) {
  Worker worker = {.sharing = sharing_alone()};
  long together = 1;
  int code = share_problem(rank, 0, &worker.read.sim, &together);
  if (code) return code; /* rank 0 has told why */
  Teams teams = make_teams(rank, ranks, together);
  bool works = teams.group != MPI_COMM_NULL;
  code = agree(works ? worker_prepare(&worker, options, storage, teams.group) : 0);
  if (!code) code = agree(0);
  if (!code && works && serve(&worker, &teams, together)) give_up(rank);
  replay_release(&worker.replay);
  sharing_clear(&worker.sharing);
  problem_clear(&worker.read);
  free_teams(&teams);
  return code;
}

static int elastic_check(const Options *options, ModelStorage storage, int ranks) {
  int with_mpi;
  MPI_Initialized(&with_mpi);
  if (with_mpi && ranks == 1 && storage == MODEL_DENSE) return 0;
  if (command_rank() == 0)
    fprintf(stderr, "stiction control: --elastic %d expects %s\n", options->elastic,
            storage == MODEL_DENSE ? "mpirun -n 1 --enable-recovery: it starts the workers itself" : "a dense model");
  return EXIT_USAGE;
}

static int run(const Options *options) {
  int rank = command_rank(), ranks = command_ranks();
  bool evaluates = ranks > 1 && cores_for_all();
  ModelStorage storage;
  if (elastic_spawned()) elastic_work(options);
  int code = command_storage(options, &storage);
  if (!code && options->elastic) code = elastic_check(options, storage, ranks);
  if (options->coordinator_evaluates != CHOICE_AUTO) evaluates = options->coordinator_evaluates == CHOICE_YES;
  if (!code) code = rank == 0 ? lead_run(options, ranks, evaluates) : work_run(options, storage, rank, ranks);
  if (ranks > 1) MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one program, one exit code */
  return code;
}

const Command command_control = {
    .name = "control",
    .summary = "find the control of least effort that steers the system to its target",
    .argument = "FILE",
    .letters = "ofsbkeEpqP",
    .help = "usage: stiction control FILE [options]\n"
            "       mpirun -n P stiction control FILE [options]\n\n"
            "Parallel direct search over the controls: ranks 1.. simulate, rank 0 coordinates and simulates in "
            "between. Writes "
            "search.csv,\n"
            "the trajectory of the optimum and summary.json. The results are the same for any number of ranks.\n",
    .run = run,
};
