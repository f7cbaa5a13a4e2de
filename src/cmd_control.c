#include "control/clock.h"
#include "src/commands.h"
#include "src/exit_code.h"
#include "src/lead.h"
#include "src/stop_signal.h"

#include <stdlib.h>
#include <unistd.h>

static void give_up(int rank) {
  fprintf(stderr, "stiction control: rank %d is out of memory\n", rank);
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
}

/* Sends the simulation problem to all ranks, as bytes. Collective: every rank of MPI_COMM_WORLD. problem:
 * rank 0's, in; the others', out. Rank 0 sends code first; if that is not 0, no problem follows. Returns the
 * code all have. */
static int share_problem(int rank, int code, SimProblem *problem) {
  unsigned long size = rank == 0 && !code ? sim_problem_packed_size(problem) : 0;
  unsigned long head[2] = {(unsigned long)code, size};
  MPI_Bcast(head, 2, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  if (head[0]) return (int)head[0];
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

/* Rank 0 up to the first evaluation, in step with work_run's: share, agree that all can simulate, agree that rank 0 can
 * write. */
static int lead_begin(Lead *lead) {
  int code = lead_prepare(lead);
  if (lead->ranks > 1) {
    code = share_problem(0, code, &lead->problem.sim);
    if (!code && (code = agree(0)) != 0)
      fprintf(stderr, "stiction control: a worker could not build the model (out of memory?)\n");
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

static int lead_run(Lead *lead, bool evaluates) {
  int code = lead_begin(lead);
  if (!code) {
    const CtlListener listener = lead_listener(lead);
    const CtlPoolOptions pool = {.batch = lead->options->batch, .evaluates = evaluates};
    CtlSimulation simulation = {lead->replay.model, lead->replay.work};
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    int ranks = lead->ranks;
    lead->progress = progress_start(lead->options->progress, lead->options->quiet, ranks > 1 ? ranks - !evaluates : 1);
    int drive = ranks > 1 ? ctl_drive_pool(lead->search, &evaluator, &pool, MPI_COMM_WORLD, &listener, &lead->times)
                          : ctl_drive_serial(lead->search, &evaluator, &listener, &lead->times);
    code = lead_finish(lead, drive);
    if (drive == CTL_DRIVE_ABANDONED) MPI_Abort(MPI_COMM_WORLD, code);
  }
  lead_release(lead);
  return code;
}

static int work_run(int rank) {
  SimProblem problem = {0};
  Replay replay = {0};
  int code = share_problem(rank, 0, &problem);
  if (code) return code; /* rank 0 has told why */
  code = agree(replay_prepare(&replay, &problem, NULL));
  if (!code) code = agree(0);
  if (!code) {
    CtlSimulation simulation = {replay.model, replay.work};
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    if (ctl_pool_serve(&evaluator, MPI_COMM_WORLD, stop_signal_seen)) give_up(rank);
  }
  replay_release(&replay);
  sim_problem_clear(&problem);
  return code;
}

/* record: rank 0's, of a run to go on with; NULL for a new one. */
static int run_all(const Options *options, const RunRecord *record) {
  int rank = command_rank(), ranks = command_ranks();
  bool evaluates = ranks > 1 && cores_for_all();
  if (options->coordinator_evaluates != CHOICE_AUTO) evaluates = options->coordinator_evaluates == CHOICE_YES;
  Lead lead = {.options = options, .ranks = ranks, .start = ctl_seconds(), .resumed = record != NULL};
  if (record) lead.record = *record;
  stop_signal_watch();
  int code = rank == 0 ? lead_run(&lead, evaluates) : work_run(rank);
  if (ranks > 1) MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one program, one exit code */
  return code;
}

int control_resume(const Options *options, const RunRecord *record) { return run_all(options, record); }

static int run(const Options *options) { return run_all(options, NULL); }

const Command command_control = {
    .name = "control",
    .summary = "find the control of least effort that steers the system to its target",
    .letters = "ofsbepq",
    .help = "usage: stiction control FILE [options]\n"
            "       mpirun -n P stiction control FILE [options]\n\n"
            "Parallel direct search over the controls: ranks 1.. simulate, rank 0 coordinates and simulates in "
            "between. Writes "
            "search.csv,\n"
            "the trajectory of the optimum and summary.json. The results are the same for any number of ranks.\n",
    .run = run,
};
