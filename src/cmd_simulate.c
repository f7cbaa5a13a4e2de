#include "control/clock.h"
#include "src/commands.h"
#include "src/exit_code.h"
#include "src/problem_file.h"
#include "src/replay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* u1,u2,... with exactly p entries. */
static int parse_control(const char *text, int p, double *u) {
  const char *from = text;
  for (int i = 0; i < p; i++) {
    char *end;
    u[i] = strtod(from, &end);
    bool last = i == p - 1;
    if (end == from || *end != (last ? 0 : ',') || !(u[i] - u[i] == 0)) {
      fprintf(stderr, "stiction simulate: --control: expected a results directory or %d finite number%s, not '%s'\n", p,
              p == 1 ? "" : "s separated by commas", text);
      return EXIT_USAGE;
    }
    from = end + 1;
  }
  return 0;
}

static int read_control(const char *given, int p, double *u) {
  struct stat info;
  if (stat(given, &info) == 0 && S_ISDIR(info.st_mode)) return summary_read_control(given, p, u);
  return parse_control(given, p, u);
}

static void print_outcome(const Problem *problem, const Summary *s, const Results *results) {
  const char *const names[] = {"x(T)", "v(T)"};
  const double *const states[] = {s->x, s->v};
  for (int k = 0; k < 2 && problem->sim.d <= TRAJECTORY_SMALL; k++) {
    printf("%s =", names[k]);
    for (int i = 0; i < problem->sim.d; i++) printf(" %.10g", states[k][i]);
    printf("\n");
  }
  double closure = summary_closure(&s->energy);
  if (isfinite(closure))
    printf("energy: work %.6g J = stored %.6g + dissipated %.6g + numerical %.3g; closing error %.1e J\n",
           s->energy.work, s->energy.stored, s->energy.dissipated, s->energy.numerical, closure);
  else
    printf("energy: overflowed\n");
  printf("results in %s\n", results->directory);
}

/* The control to apply, and that its directory is not the one to be written. */
static int find_control(const Options *options, const Problem *problem, double *u) {
  if (!options->control) return 0;
  int code = read_control(options->control, problem->sim.n_control, u);
  if (code || !results_is(options->output, options->argument, options->control)) return code;
  fprintf(stderr, "stiction simulate: %s is what is replayed: its results would be lost (-o DIR takes another place)\n",
          options->control);
  return EXIT_USAGE;
}

/* After the rollout, on the rank that talks. */
static int finish(const Options *options, const Problem *problem, const Summary *summary, const Results *results) {
  if (summary_write(results, summary)) return EXIT_INTERNAL;
  if (summary->final->status != SIM_OK) {
    fprintf(stderr, "stiction simulate: %s; the results in %s end there\n", sim_status_text(summary->final->status),
            results->directory);
    return EXIT_UNSOLVED;
  }
  if (!options->quiet) print_outcome(problem, summary, results);
  return 0;
}

/* The first rank finds the control; all learn how that went, and it. */
static int share_control(const Options *options, const Problem *problem, const Sharing *sharing, double *u) {
  int code = sharing_agree(sharing, sharing_rank(sharing) == 0 ? find_control(options, problem, u) : 0);
  if (!code && sharing->comm != MPI_COMM_NULL) MPI_Bcast(u, problem->sim.n_control, MPI_DOUBLE, 0, sharing->comm);
  return code;
}

/* The first rank makes the directory; all learn how that went, and its name. */
static int share_results(const Options *options, const Problem *problem, const Sharing *sharing, Results *results) {
  int code = 0;
  if (sharing_rank(sharing) == 0) {
    code = results_create(results, options->output, options->argument, options->force);
    if (!code) code = trajectory_check_room(results, problem);
  }
  code = sharing_agree(sharing, code);
  if (!code && sharing->comm != MPI_COMM_NULL) MPI_Bcast(results, sizeof *results, MPI_BYTE, 0, sharing->comm);
  return code;
}

static int simulate(const Options *options, const Problem *problem, const Sharing *sharing, double *u) {
  Results results = {0};
  Replay replay;
  bool first = sharing_rank(sharing) == 0;
  Summary summary = {.problem = problem,
                     .ranks = sim_group_size(sharing->group),
                     .kernel = sim_kernel_name(0),
                     .u = options->control ? u : NULL};
  double start = ctl_seconds();
  int code = share_control(options, problem, sharing, u);
  if (!code) code = replay_prepare_shared(&replay, &problem->sim, sharing, first ? stderr : NULL);
  if (code) return code;
  code = share_results(options, problem, sharing, &results);
  if (!code) code = replay_run(&replay, &results, problem, u, &summary);
  summary.wall = ctl_seconds() - start;
  if (!code) code = sharing_agree(sharing, first ? finish(options, problem, &summary, &results) : 0);
  replay_release(&replay);
  return code;
}

static int run_shared(const Options *options, const Sharing *sharing) {
  Problem problem;
  int code = problem_file_read_shared(options->argument, options->settings, options->n_settings, false, sharing, stderr,
                                      &problem);
  if (code) return code;
  double *u = calloc((size_t)problem.sim.n_control + 1, sizeof *u);
  code = sharing_agree(sharing, u ? 0 : EXIT_INTERNAL);
  if (!code) code = simulate(options, &problem, sharing, u);
  free(u);
  problem_clear(&problem);
  return code;
}

/* A sparse model is simulated by all ranks together, any other by the first one. */
static int run(const Options *options) {
  int ranks = command_ranks();
  ModelStorage storage;
  Sharing sharing = sharing_alone();
  int code = command_storage(options, &storage);
  bool together = storage != MODEL_DENSE;
  if (!code && together && !sharing_create(ranks > 1 ? MPI_COMM_WORLD : MPI_COMM_NULL, &sharing)) code = EXIT_INTERNAL;
  if (!code && (together || command_rank() == 0)) code = run_shared(options, &sharing);
  sharing_clear(&sharing);
  if (ranks > 1) MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one program, one exit code */
  return code;
}

const Command command_simulate = {
    .name = "simulate",
    .summary = "solve one initial value problem: trajectory, stick and slip intervals, energy balance",
    .argument = "FILE",
    .letters = "ofscqP",
    .help = "usage: stiction simulate FILE [options]\n"
            "       mpirun -n P stiction simulate FILE [options]\n\n"
            "Solves the motion once, without control, with a given one, or replaying an optimum, and writes\n"
            "the trajectory, energy.csv, events.csv and summary.json. A model with sparse matrices (a string) is\n"
            "simulated by all ranks together.\n",
    .run = run,
};
