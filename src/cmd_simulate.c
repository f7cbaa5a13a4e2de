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
  printf("x(T) =");
  for (int i = 0; i < problem->sim.d && i < TRAJECTORY_SIZE_MAX; i++) printf(" %.10g", s->x[i]);
  printf("\nv(T) =");
  for (int i = 0; i < problem->sim.d && i < TRAJECTORY_SIZE_MAX; i++) printf(" %.10g", s->v[i]);
  double closure = summary_closure(&s->energy);
  if (isfinite(closure))
    printf("\nenergy: work %.6g J = stored %.6g + dissipated %.6g + numerical %.3g; closing error %.1e J\n",
           s->energy.work, s->energy.stored, s->energy.dissipated, s->energy.numerical, closure);
  else
    printf("\nenergy: overflowed\n");
  printf("results in %s\n", results->directory);
}

static int simulate(const Options *options, const Problem *problem, double *u) {
  Results results;
  Summary summary = {.problem = problem, .ranks = 1, .kernel = sim_kernel_name(0), .u = options->control ? u : NULL};
  Replay replay;
  double start = ctl_seconds();
  if (options->control && read_control(options->control, problem->sim.n_control, u)) return EXIT_USAGE;
  if (options->control && results_is(options->output, options->argument, options->control)) {
    fprintf(stderr,
            "stiction simulate: %s is what is replayed: its results would be lost (-o DIR takes another place)\n",
            options->control);
    return EXIT_USAGE;
  }
  int code = replay_prepare(&replay, &problem->sim, stderr);
  if (code) return code;
  code = results_create(&results, options->output, options->argument, options->force);
  if (!code) code = replay_run(&replay, &results, problem, u, &summary);
  if (!code) {
    summary.wall = ctl_seconds() - start;
    if (summary_write(&results, &summary))
      code = EXIT_INTERNAL;
    else if (summary.final->status != SIM_OK) {
      fprintf(stderr, "stiction simulate: %s; the results in %s end there\n", sim_status_text(summary.final->status),
              results.directory);
      code = EXIT_UNSOLVED;
    } else if (!options->quiet)
      print_outcome(problem, &summary, &results);
  }
  replay_release(&replay);
  return code;
}

static int run(const Options *options) {
  if (command_rank() != 0) return EXIT_DONE;
  Problem problem;
  int code = problem_file_read(options->argument, options->settings, options->n_settings, false, stderr, &problem);
  if (code) return code;
  double *u = calloc((size_t)problem.sim.n_control + 1, sizeof *u);
  code = u ? simulate(options, &problem, u) : EXIT_INTERNAL;
  free(u);
  problem_clear(&problem);
  return code;
}

const Command command_simulate = {
    .name = "simulate",
    .summary = "solve one initial value problem: trajectory, stick and slip intervals, energy balance",
    .letters = "ofscq",
    .help = "usage: stiction simulate FILE [options]\n\n"
            "Solves the motion once, without control, with a given one, or replaying an optimum, and writes\n"
            "trajectory.csv, events.csv and summary.json.\n",
    .run = run,
};
