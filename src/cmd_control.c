#include "control/base/clock.h"
#include "control/pool.h"
#include "src/base/exit_code.h"
#include "src/commands.h"
#include "src/process/stop_signal.h"
#include "src/search/model_message.h"
#include "src/search/search_run.h"
#include "src/search/spawned_workers.h"

#include <stdlib.h>
#include <unistd.h>

static void give_up(int rank, Diagnostics *diagnostics) {
  diagnostics_error(diagnostics, EXIT_INTERNAL, "rank %d is out of memory", rank);
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
}

/* Sends the simulation problem to all ranks, as bytes; of a sparse model, which everyone reads himself, none follow.
 * Collective: every rank of MPI_COMM_WORLD. problem: rank 0's, in; the others', out. together: ranks per evaluation,
 * likewise. Rank 0 sends code first; if that is not 0, no problem follows. Returns the code all have. */
static int share_problem(int rank, int code, SimProblem *problem, long *together, Diagnostics *diagnostics) {
  unsigned long size = rank == 0 && !code ? sim_problem_packed_size(problem) : 0;
  unsigned long head[3] = {(unsigned long)code, size, (unsigned long)*together};
  MPI_Bcast(head, 3, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  *together = (long)head[2];
  if (head[0] || !head[1]) return (int)head[0];
  void *bytes = malloc(head[1]);
  if (!bytes) give_up(rank, diagnostics);
  if (rank == 0) sim_problem_pack(problem, bytes);
  enum { PIECE = 1 << 30 }; /* MPI counts are ints */
  for (unsigned long at = 0; at < head[1]; at += PIECE)
    MPI_Bcast((char *)bytes + at, head[1] - at < PIECE ? (int)(head[1] - at) : PIECE, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank != 0 && sim_problem_unpack(problem, bytes, head[1])) give_up(rank, diagnostics);
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
  if (workers < together)
    return diagnostics_error(lead->diagnostics, EXIT_USAGE,
                             "search.ranks_per_evaluation: %ld, but there are %ld workers (expected mpirun -n %ld)",
                             together, workers, together + 1);
  if (idle)
    diagnostics_warn(lead->diagnostics, "%ld of %ld workers idle: no full group of search.ranks_per_evaluation = %ld",
                     idle, workers, together);
  return 0;
}

/* What rank 0 leads: the ranks that were there with it, in teams, or else, with --elastic, workers of its own. */
typedef struct Crew {
  bool ranks; /* others were there */
  Teams teams;
  CtlPoolOptions options;
  CtlPool *pool; /* NULL: none, rank 0 is alone */
} Crew;

/* Rank 0 up to the first evaluation, in step with work_run's: share, agree that all can simulate, agree that rank 0 can
 * write. */
static int lead_begin(Lead *lead, Crew *crew) {
  int code = lead_prepare(lead);
  if (!code && lead->problem.ranks_per_evaluation > 1) code = count_groups(lead);
  if (crew->ranks) {
    code = share_problem(0, code, &lead->problem.sim, &lead->problem.ranks_per_evaluation, lead->diagnostics);
    if (!code) crew->teams = make_teams(0, lead->ranks, lead->problem.ranks_per_evaluation);
    if (!code && (code = agree(0)) != 0)
      diagnostics_error(lead->diagnostics, code,
                        "a worker could not build the model (out of memory, or a processor without the "
                        "--batch-kernel?)");
  }
  /* a group's answers have other last bits than rank 0's own: whose they are would depend on time */
  crew->options.evaluates = crew->options.evaluates && lead->problem.ranks_per_evaluation == 1;
  if (!code && lead->options->elastic)
    code = elastic_pool(lead->options, &crew->options, &crew->pool, lead->diagnostics);
  if (code) return code;
  code = lead_open(lead, (int)((lead->ranks - 1) / lead->problem.ranks_per_evaluation));
  if (crew->ranks) code = agree(code);
  if (!code && crew->ranks && ctl_pool_create(crew->teams.pool, &crew->options, &crew->pool) != SIM_OK)
    give_up(0, lead->diagnostics);
  return code;
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
static void end_all(int code, Diagnostics *diagnostics) {
  diagnostics_error(diagnostics, code, "a rank does not answer: all are ended by MPI_Abort; the results are complete");
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, code);
}

/* The search by all. */
static int lead_pool(Lead *lead, const CtlEvaluator *evaluator, CtlPool *pool) {
  const CtlListener listener = lead_listener(lead);
  CtlJob job = {.search = lead->search,
                .evaluator = evaluator,
                .listener = &listener,
                .timeout = lead->problem.control.evaluation_timeout};
  void *model = NULL;
  if (lead->options->elastic) {
    job.model = model = sent_model_pack(&lead->problem, lead->options->argument, &job.model_size);
    if (!model) return CTL_DRIVE_NO_MEMORY;
  }
  int drive = ctl_pool_drive(pool, &job, &lead->times);
  free(model);
  return drive;
}

static int lead_alone(Lead *lead, const CtlEvaluator *evaluator) {
  const CtlListener listener = lead_listener(lead);
  return ctl_drive_serial(lead->search, evaluator, &listener, &lead->times);
}

static int lead_run(Lead *lead, bool evaluates) {
  const Options *options = lead->options;
  Crew crew = {.ranks = lead->ranks > 1 && !options->elastic,
               .teams = {MPI_COMM_NULL, MPI_COMM_NULL},
               .options = {.batch = options->batch, .evaluates = evaluates}};
  int code = lead_begin(lead, &crew);
  if (!code) {
    CtlSimulation simulation = {lead->replay.model, lead->replay.work};
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    int groups = (int)((lead->ranks - 1) / lead->problem.ranks_per_evaluation);
    lead->evaluators = crew.pool ? groups + crew.options.evaluates : 1;
    lead->progress = progress_start(options->progress, options->quiet, lead->diagnostics);
    code = lead_finish(lead, crew.pool ? lead_pool(lead, &evaluator, crew.pool) : lead_alone(lead, &evaluator));
  }
  if (crew.pool && !ctl_pool_close(crew.pool)) end_all(code, lead->diagnostics);
  free_teams(&crew.teams);
  lead_release(lead);
  return code;
}

/* A worker's model: from the bytes that rank 0 has sent, or, of a sparse one, read with its group. */
typedef struct Worker {
  Problem read;
  Sharing sharing;
  Replay replay;
} Worker;

static int worker_prepare(Worker *worker, const Options *options, ModelStorage storage, MPI_Comm group,
                          Diagnostics *diagnostics) {
  int code = 0;
  if (storage != MODEL_DENSE) {
    if (!sharing_create(group, &worker->sharing, diagnostics)) return EXIT_INTERNAL;
    worker->sharing.copies = 0; /* rank 0 has counted them all */
    code = problem_file_read_shared(options->argument, options->settings, options->n_settings, true, &worker->sharing,
                                    diagnostics, &worker->read);
  }
  if (!code) code = replay_prepare_shared(&worker->replay, &worker->read.sim, &worker->sharing, NULL);
  return code ? code : replay_set_kernel(&worker->replay, options->kernel);
}

/* Evaluates what rank 0 hands out, alone or with a group. */
static SimStatus serve(const Worker *worker, const Teams *teams, long together) {
  CtlSimulation simulation = {worker->replay.model, worker->replay.work};
  CtlEvaluator evaluator = ctl_simulator(&simulation);
  CtlBuilder builder = ctl_builder_of(&evaluator);
  builder.stopped = stop_signal_seen;
  if (together == 1) return ctl_pool_serve(&builder, teams->pool);
  CtlGroupEvaluator *group = ctl_group_create(simulation.model, simulation.work, worker->sharing.group);
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

static int work_run(const Options *options, ModelStorage storage, int rank, int ranks, Diagnostics *diagnostics) {
  Worker worker = {.sharing = sharing_alone()};
  long together = 1;
  int code = share_problem(rank, 0, &worker.read.sim, &together, diagnostics);
  if (code) return code; /* rank 0 has told why */
  Teams teams = make_teams(rank, ranks, together);
  bool works = teams.group != MPI_COMM_NULL;
  code = agree(works ? worker_prepare(&worker, options, storage, teams.group, diagnostics) : 0);
  if (!code) code = agree(0);
  if (!code && works && serve(&worker, &teams, together)) give_up(rank, diagnostics);
  replay_release(&worker.replay);
  sharing_clear(&worker.sharing);
  problem_clear(&worker.read);
  free_teams(&teams);
  return code;
}

/* record: rank 0's, of a run to go on with; NULL for a new one. */
static int run_all(const Options *options, const RunRecord *record, Diagnostics *diagnostics) {
  int rank = command_rank(), ranks = command_ranks();
  bool evaluates = ranks > 1 && cores_for_all();
  ModelStorage storage;
  Lead lead = {.options = options,
               .diagnostics = diagnostics,
               .results.diagnostics = diagnostics,
               .ranks = options->elastic ? 1 + options->elastic : ranks,
               .start = ctl_seconds(),
               .resumed = record != NULL};
  if (record) lead.record = *record;
  int code = command_storage(options, &storage, diagnostics);
  if (!code && options->elastic) code = elastic_check(options, storage, diagnostics);
  if (options->coordinator_evaluates != CHOICE_AUTO) evaluates = options->coordinator_evaluates == CHOICE_YES;
  if (!code) code = rank == 0 ? lead_run(&lead, evaluates) : work_run(options, storage, rank, ranks, diagnostics);
  if (ranks > 1) MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one program, one exit code */
  return code;
}

int control_resume(const Options *options, RunRecord *record, Diagnostics *diagnostics) {
  return run_all(options, record, diagnostics);
}

static int run(const Options *options, Diagnostics *diagnostics) {
  if (elastic_spawned()) elastic_work(options);
  return run_all(options, NULL, diagnostics);
}

const Command command_control = {
    .name = "control",
    .summary = "find the control of least effort that steers the system to its target",
    .argument = "FILE",
    .letters = "ofsbkeEpqP",
    .stops = true,
    .help = "usage: stiction control FILE [options]\n"
            "       mpirun -n P stiction control FILE [options]\n\n"
            "Searches the controls, by parallel direct search if the file names no other method: ranks 1.. simulate, "
            "rank 0 coordinates and simulates in "
            "between. Writes "
            "search.csv,\n"
            "the trajectory of the optimum and summary.json. The results are the same for any number of ranks.\n",
    .run = run,
};
