/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/search_ranks.h"

#include "control/base/clock.h"
#include "control/pool.h"
#include "sim/group.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/spawned_workers.h"
#include "src/run/storage.h"
#include "src/search/messages.h"
#include "src/search/plan_search.h"
#include "src/search/search_end.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* The first message from rank 0 to all ranks. */
typedef struct Announcement {
  uint64_t problem_size; /* size in bytes of the problem, which follows; 0: the model is sparse, and each rank reads it
                          * from the file */
  int64_t ranks_per_evaluation;
  int64_t code; /* 0, or the exit code with which all ranks end; then nothing follows */
} Announcement;
_Static_assert(sizeof(Announcement) == 24, "without padding: it is sent as bytes");

/* Sends the evaluated model from rank 0 to all ranks. Other ranks get it in *evaluated, and ranks_per_evaluation. code:
 * exit code of rank 0. Collective. Returns the code of rank 0 on all ranks. If a rank has no memory, all processes are
 * ended. */
static int share_problem(int code, EvaluatedModel *evaluated, long *ranks_per_evaluation, Diagnostics *diagnostics) {
  const SimGroup *all = process_group();
  bool first = process_rank() == 0;
  bool dense = first && !code && sim_problem_packed_size(evaluated->problem) > 0;
  Announcement head = {.problem_size = dense ? evaluated_model_packed_size(evaluated) : 0,
                       .ranks_per_evaluation = *ranks_per_evaluation,
                       .code = code};
  sim_group_share(all, &head, sizeof head);
  *ranks_per_evaluation = (long)head.ranks_per_evaluation;
  if (head.code || !head.problem_size) return (int)head.code;
  void *bytes = malloc(head.problem_size);
  if (!bytes) process_end_without_memory(diagnostics);
  if (first) evaluated_model_pack(evaluated, bytes);
  sim_group_share(all, bytes, head.problem_size);
  if (!first && evaluated_model_unpack(bytes, head.problem_size, evaluated)) process_end_without_memory(diagnostics);
  free(bytes);
  return 0;
}

/* The division of the ranks into groups that evaluate points. The workers 1, 2, .. form groups of ranks_per_evaluation
 * ranks; ranks that do not fill a group are not used. group: communicator of the group of this rank; pool: communicator
 * of rank 0 and of the first rank of each group. A communicator is MPI_COMM_NULL on ranks that do not belong to it. */
typedef struct Partition {
  MPI_Comm group, pool;
} Partition;

static const Partition undivided = {MPI_COMM_NULL, MPI_COMM_NULL};

/* Divides the ranks, and makes the communicators of the groups and of the pool. Collective over all ranks. */
static Partition divide(long ranks_per_evaluation) {
  Partition partition;
  int rank = process_rank(), groups = (int)((process_ranks() - 1) / ranks_per_evaluation);
  int mine = rank ? (int)((rank - 1) / ranks_per_evaluation) : groups;
  bool works = rank && mine < groups, leads = rank == 0 || (works && (rank - 1) % ranks_per_evaluation == 0);
  MPI_Comm_split(MPI_COMM_WORLD, works ? mine : MPI_UNDEFINED, rank, &partition.group);
  MPI_Comm_split(MPI_COMM_WORLD, leads ? 0 : MPI_UNDEFINED, rank, &partition.pool);
  return partition;
}

static void partition_free(Partition *partition) {
  if (partition->group != MPI_COMM_NULL) MPI_Comm_free(&partition->group);
  if (partition->pool != MPI_COMM_NULL) MPI_Comm_free(&partition->pool);
}

/* Functions for rank 0 --------------------------------------------------------------------------------------------- */

/* The processes that evaluate points: the other ranks, workers that rank 0 has started, or rank 0 alone. */
typedef struct Evaluators {
  bool ranks; /* whether there are other ranks */
  Partition partition;
  CtlPoolOptions options;
  CtlPool *pool; /* pool of the ranks that evaluate; NULL: rank 0 evaluates alone */
} Evaluators;

/* Checks the number of groups: reports an error and returns EXIT_USAGE if there are too few ranks for one group.
 * Otherwise returns 0, with a warning if ranks are left over. */
static int count_groups(const SearchRun *run) {
  long together = run->problem.ranks_per_evaluation, workers = run->ranks - 1, idle = workers % together;
  if (workers < together)
    return diagnostics_error(run->diagnostics, EXIT_USAGE,
                             "search.ranks_per_evaluation: %ld, but there are %ld workers (expected mpirun -n %ld)",
                             together, workers, together + 1);
  if (idle)
    diagnostics_warn(run->diagnostics, "%ld of %ld workers idle: no full group of search.ranks_per_evaluation = %ld",
                     idle, workers, together);
  return 0;
}

static int groups_of(const SearchRun *run) { return (int)((run->ranks - 1) / run->problem.ranks_per_evaluation); }

/* Prepares the search up to its first evaluation, while the other ranks are in run_worker. After the model has been
 * sent, all ranks check together that all of them can simulate, and that rank 0 can write. */
static int begin(SearchRun *run, Evaluators *evaluators) {
  long *together = &run->problem.ranks_per_evaluation;
  int code = search_run_read(run);
  if (!code) code = search_run_prepare(run);
  stop_signal_spare();
  if (!code && *together > 1) code = count_groups(run);
  if (evaluators->ranks) {
    code = share_problem(code, &run->evaluated, together, run->diagnostics);
    if (!code) evaluators->partition = divide(*together);
    if (!code && (code = sim_group_agree(process_group(), 0)) != 0)
      diagnostics_error(run->diagnostics, code,
                        "a worker could not build the model (out of memory, or a processor without the "
                        "--batch-kernel?)");
  }
  /* The results of a group of ranks differ from those of rank 0 in the last bits. If both evaluated points, the answer
   * would depend on their timing. */
  evaluators->options.evaluates = evaluators->options.evaluates && *together == 1;
  if (!code && run->options->elastic)
    code = spawned_workers_start(run->options, &evaluators->options, &evaluators->pool, run->diagnostics);
  if (code) return code;
  code = search_run_open(run, groups_of(run));
  if (!evaluators->ranks) return code;
  code = sim_group_agree(process_group(), code);
  if (!code && ctl_pool_create(evaluators->partition.pool, &evaluators->options, &evaluators->pool) != SIM_OK)
    process_end_without_memory(run->diagnostics);
  return code;
}

static void *pack(const void *run, size_t *size) { return search_run_message(run, size); }

static int drive(SearchRun *run, const CtlEvaluator *evaluator) {
  const CtlListener listener = search_run_listener(run);
  const SearchDrive how = {.pool = run->pool,
                           .search = run->search,
                           .evaluator = evaluator,
                           .listener = &listener,
                           .timeout = run->problem.control.evaluation_timeout,
                           .pack = run->options->elastic ? pack : NULL,
                           .owner = run};
  return search_drive(&how, &run->times);
}

static int run_first(SearchRun *run, bool evaluates) {
  const Options *options = run->options;
  Evaluators evaluators = {.ranks = run->ranks > 1 && !options->elastic,
                           .partition = undivided,
                           .options = {.batch = options->batch, .evaluates = evaluates}};
  int code = begin(run, &evaluators);
  if (!code) {
    CtlEvaluator evaluator = model_evaluator(&run->evaluator);
    run->evaluators = evaluators.pool ? groups_of(run) + evaluators.options.evaluates : 1;
    run->progress = (Progress){.stream = options->progress_line};
    run->pool = evaluators.pool;
    code = search_run_finish(run, drive(run, &evaluator));
  }
  if (evaluators.pool && !ctl_pool_close(evaluators.pool))
    process_end_all(code, run->diagnostics,
                    "a rank does not answer: all are ended by MPI_Abort; the results are complete");
  partition_free(&evaluators.partition);
  search_run_release(run);
  return code;
}

/* Functions for the other ranks ------------------------------------------------------------------------------------ */

/* The model on another rank. It is made from the bytes that rank 0 has sent or, if it is sparse, read together with the
 * group of this rank. */
typedef struct RankModel {
  Problem problem; /* the problem, if the model is sparse */
  SimGroup *group;
  EvaluatedModel evaluated;
  RolloutContext rollout;
  ModelEvaluator evaluator;
} RankModel;

static int prepare(RankModel *model, const Options *options, ModelStorage storage, MPI_Comm group,
                   Diagnostics *diagnostics) {
  int code = 0;
  if (storage != MODEL_DENSE) {
    if (stiction_group_create(group, &model->group) != SIM_OK) return diagnostics_no_memory(diagnostics);
    const ModelRanks ranks = {.group = model->group}; /* .copies is 0, as rank 0 has already checked that the copies of
                                                       * all ranks fit in memory */
    code = problem_read(options, true, &ranks, diagnostics, &model->problem);
    if (!code)
      code = evaluated_model_prepare(&model->problem, ctl_problem_wants_derivatives(&model->problem.control),
                                     &model->evaluated);
  }
  if (!code) code = rollout_context_prepare(&model->rollout, model->evaluated.problem, NULL);
  if (!code) code = rollout_context_set_kernel(&model->rollout, options->kernel);
  bool good =
      !code && model_evaluator_open(&model->evaluated, &model->rollout, options->kernel, &model->evaluator) == SIM_OK;
  return code || good ? code : EXIT_INTERNAL;
}

/* Evaluates the points that rank 0 sends, on this rank alone or with its group. */
static SimStatus serve(RankModel *model, const Options *options, const Partition *partition,
                       long ranks_per_evaluation) {
  CtlEvaluator evaluator = model_evaluator(&model->evaluator);
  const MessageReader reader = {.options = options, .own = &evaluator};
  const CtlBuilder builder = messages_builder(&reader);
  if (ranks_per_evaluation == 1) return ctl_pool_serve(&builder, partition->pool);
  CtlGroupEvaluator *group = ctl_group_create(&model->evaluator.simulation, model->group);
  SimStatus status = group ? SIM_OK : SIM_NO_MEMORY;
  if (group && partition->pool == MPI_COMM_NULL) {
    ctl_group_follow(group);
  } else if (group) {
    evaluator = ctl_group_evaluator(group);
    status = ctl_pool_serve(&builder, partition->pool);
    ctl_group_dismiss(group);
  }
  ctl_group_destroy(group);
  return status;
}

static int run_worker(const Options *options, ModelStorage storage, Diagnostics *diagnostics) {
  const SimGroup *all = process_group();
  RankModel model = {0};
  long together = 1;
  int code = share_problem(0, &model.evaluated, &together, diagnostics);
  if (code) return code; /* rank 0 reports the error */
  stop_signal_spare();
  Partition partition = divide(together);
  bool works = partition.group != MPI_COMM_NULL;
  code = sim_group_agree(all, works ? prepare(&model, options, storage, partition.group, diagnostics) : 0);
  if (!code) code = sim_group_agree(all, 0);
  if (!code && works && serve(&model, options, &partition, together)) process_end_without_memory(diagnostics);
  model_evaluator_close(&model.evaluator);
  rollout_context_release(&model.rollout);
  evaluated_model_clear(&model.evaluated);
  stiction_group_destroy(model.group);
  problem_clear(&model.problem);
  partition_free(&partition);
  return code;
}

/* Functions for all ranks ------------------------------------------------------------------------------------------ */

/* Returns the default of whether rank 0 evaluates points, too. It does so only if the machine of rank 0 has a core for
 * each rank that runs there. Collective over all ranks. */
static bool cores_for_all(void) {
  MPI_Comm node;
  int here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &here);
  MPI_Comm_free(&node);
  return here <= sysconf(_SC_NPROCESSORS_ONLN);
}

int search_ranks_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics) {
  int ranks = process_ranks();
  bool evaluates = ranks > 1 && cores_for_all();
  ModelStorage storage;
  SearchRun run = {.options = options,
                   .diagnostics = diagnostics,
                   .results.diagnostics = diagnostics,
                   .ranks = options->elastic ? 1 + options->elastic : ranks,
                   .start = ctl_seconds(),
                   .resumed = record != NULL};
  if (record) run.record = *record;
  int code = storage_choose(options, &storage, diagnostics);
  if (!code && plan_search_is_asked(options)) return plan_search_run(options, record, diagnostics);
  if (!code && options->elastic) code = spawned_workers_check(options, storage, diagnostics);
  if (options->coordinator_evaluates != WHEN_AUTO) evaluates = options->coordinator_evaluates == WHEN_YES;
  if (!code) code = process_rank() == 0 ? run_first(&run, evaluates) : run_worker(options, storage, diagnostics);
  sim_group_share(process_group(), &code, sizeof code); /* all ranks must return the same exit code */
  return code;
}
