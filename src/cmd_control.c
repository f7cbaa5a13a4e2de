#include "control/clock.h"
#include "control/evaluator.h"
#include "src/commands.h"
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
  int code = problem_file_read(options->argument, options->settings, options->n_settings, true, stderr, &lead->problem);
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
  return code ? code : search_log_open(&lead->log, &lead->results);
}

static void lead_release(Lead *lead) {
  ctl_search_destroy(lead->search);
  replay_release(&lead->replay);
  problem_clear(&lead->problem);
}

static void warn_of_scheme_size(const Lead *lead) {
  long size = ctl_problem_scheme_size(&lead->problem.control), n = lead->problem.control.n;
  if (lead->ranks - 1 > size)
    fprintf(stderr, "stiction control: %d workers but only %ld points a simplex: some will idle (search.scheme_size)\n",
            lead->ranks - 1, size);
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

/* Exit code of a search that ran to its end. */
static int verdict(const Lead *lead, const CtlState *s) {
  if (lead->replay.final.status != SIM_OK) {
    fprintf(stderr, "stiction control: the optimum's trajectory: %s\n", sim_status_text(lead->replay.final.status));
    return EXIT_UNSOLVED;
  }
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

static int lead_run(const Options *options, int ranks, bool evaluates) {
  Lead lead = {.options = options, .ranks = ranks, .start = ctl_seconds()};
  int code = lead_begin(&lead);
  if (!code) {
    const CtlListener listener = {&lead, on_simplex, on_tick};
    const CtlPoolOptions pool = {.batch = options->batch, .evaluates = evaluates};
    CtlSimulation simulation = {lead.replay.model, lead.replay.work};
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    lead.progress = progress_start(options->progress, options->quiet, ranks > 1 ? ranks - !evaluates : 1);
    warn_of_scheme_size(&lead);
    code = ranks > 1 ? ctl_drive_pool(lead.search, &evaluator, &pool, MPI_COMM_WORLD, &listener, &lead.times)
                     : ctl_drive_serial(lead.search, &evaluator, &listener, &lead.times);
    code = lead_finish(&lead, code);
  }
  lead_release(&lead);
  return code;
}

static int work_run(const Options *options, int rank) {
  SimProblem problem = {0};
  Replay replay = {0};
  int code = share_problem(rank, 0, &problem);
  if (code) return code; /* rank 0 has told why */
  code = replay_prepare(&replay, &problem, NULL);
  if (!code) code = replay_set_kernel(&replay, options->kernel);
  code = agree(code);
  if (!code) code = agree(0);
  if (!code) {
    CtlSimulation simulation = {replay.model, replay.work};
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    if (ctl_pool_serve(&evaluator, MPI_COMM_WORLD)) give_up(rank);
  }
  replay_release(&replay);
  sim_problem_clear(&problem);
  return code;
}

static int run(const Options *options) {
  int rank = command_rank(), ranks = command_ranks();
  bool evaluates = ranks > 1 && cores_for_all();
  if (options->coordinator_evaluates != CHOICE_AUTO) evaluates = options->coordinator_evaluates == CHOICE_YES;
  int code = rank == 0 ? lead_run(options, ranks, evaluates) : work_run(options, rank);
  if (ranks > 1) MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one program, one exit code */
  return code;
}

const Command command_control = {
    .name = "control",
    .summary = "find the control of least effort that steers the system to its target",
    .letters = "ofsbkepq",
    .help = "usage: stiction control FILE [options]\n"
            "       mpirun -n P stiction control FILE [options]\n\n"
            "Parallel direct search over the controls: ranks 1.. simulate, rank 0 coordinates and simulates in "
            "between. Writes "
            "search.csv,\n"
            "the trajectory of the optimum and summary.json. The results are the same for any number of ranks.\n",
    .run = run,
};
