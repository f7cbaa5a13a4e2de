#include "control/clock.h"
#include "src/commands.h"
#include "src/exit_code.h"
#include "src/problem_file.h"
#include "src/replay.h"
#include "src/run_record.h"
#include "src/stop_signal.h"

#include <errno.h>
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
  printf("\nenergy: work %.6g J = stored %.6g + dissipated %.6g + numerical %.3g; closing error %.1e J\n",
         s->energy.work, s->energy.stored, s->energy.dissipated, s->energy.numerical, summary_closure(&s->energy));
  printf("results in %s\n", results->directory);
}

/* A simulation under way. */
typedef struct Session {
  const Options *options;
  const Problem *problem;
  const double *u; /* NULL: 0 */
  Results results;
  Replay replay;
  Trajectory *trajectory;
  RunRecord record;
  bool recorded; /* the record is there: only those that take long leave one */
  double begun;  /* s, of ctl_seconds */
} Session;

/* Writes a checkpoint: the workspace, then the trajectory. */
static int save(Session *s) {
  size_t size = sim_workspace_saved_size(s->replay.model);
  size_t total = size + trajectory_saved_size(&s->problem->sim);
  char *bytes = malloc(total);
  int code = bytes ? 0 : EXIT_INTERNAL;
  if (!code && !s->recorded)
    code = run_record_create(&s->record, &s->results, "simulate", s->options, s->problem, s->u);
  if (!code) {
    s->recorded = true;
    sim_workspace_save(s->replay.model, s->replay.work, bytes);
    if (trajectory_save(s->trajectory, bytes + size)) {
      fprintf(stderr, "stiction simulate: the trajectory could not be written in full (is the disk full?)\n");
      code = EXIT_INTERNAL;
    }
  }
  if (!code) code = run_record_save(&s->record, bytes, total, ctl_seconds());
  free(bytes);
  return code;
}

static bool is_due(const Session *s, double now) {
  if (s->recorded) return ctl_checkpoint_due(&s->record.checkpoint, now);
  return now - s->begun >= s->problem->checkpoint_seconds;
}

/* Steps to the end, in pieces of about PIECE_SECONDS. Returns 0, EXIT_STOPPED or EXIT_INTERNAL. */
static int run_steps(Session *s) {
  static const double PIECE_SECONDS = 0.05;
  const SimObserver *observer = trajectory_observer(s->trajectory);
  long steps = s->problem->sim.steps, piece = 1;
  SimStatus status = SIM_OK;
  for (double before = ctl_seconds(), now; status == SIM_OK; before = now) {
    long n = sim_rollout_position(s->replay.work);
    if (n >= steps) break;
    status = sim_rollout_run_to(s->replay.model, s->replay.work, observer, steps - n < piece ? steps : n + piece);
    now = ctl_seconds();
    if (status != SIM_OK || sim_rollout_position(s->replay.work) >= steps) break;
    bool stopped = stop_signal_seen();
    int code = stopped || is_due(s, now) ? save(s) : 0;
    if (code || stopped) return code ? code : EXIT_STOPPED;
    if (now - before > PIECE_SECONDS && piece > 1) piece /= 2;
    if (now - before < PIECE_SECONDS / 4) piece *= 2;
  }
  return 0;
}

/* A new one, n = 0. */
static int begin(Session *s) {
  int code = results_create(&s->results, s->options->output, s->options->argument, s->options->force);
  if (code) return code;
  s->trajectory = trajectory_open(&s->results, &s->problem->sim, s->problem->output_every);
  if (!s->trajectory) return EXIT_INTERNAL;
  sim_rollout_begin(s->replay.model, s->replay.work, s->u, trajectory_observer(s->trajectory));
  return 0;
}

/* From the record's checkpoint; anew when there is none. */
static int begin_again(Session *s) {
  void *bytes = NULL;
  size_t size = 0, first = sim_workspace_saved_size(s->replay.model);
  int code = run_record_state(&s->record, &bytes, &size);
  if (code) return code;
  if (!bytes) {
    s->trajectory = trajectory_open(&s->results, &s->problem->sim, s->problem->output_every);
    if (s->trajectory) sim_rollout_begin(s->replay.model, s->replay.work, s->u, trajectory_observer(s->trajectory));
    return s->trajectory ? 0 : EXIT_INTERNAL;
  }
  if (size != first + trajectory_saved_size(&s->problem->sim) ||
      sim_workspace_load(s->replay.model, s->replay.work, bytes, first) != SIM_OK) {
    fprintf(stderr, "stiction: %s/checkpoint: not the state of a simulation\n", s->results.directory);
    code = EXIT_USAGE;
  } else {
    s->trajectory = trajectory_reopen(&s->results, &s->problem->sim, s->problem->output_every, (char *)bytes + first);
    if (!s->trajectory) code = EXIT_USAGE;
  }
  if (!code && !s->options->quiet)
    printf("going on from t = %g s\n", (double)sim_rollout_position(s->replay.work) * s->problem->sim.step);
  free(bytes);
  return code;
}

/* The summary of one that has stopped on a signal. */
static int leave_off(Session *s, Summary *summary) {
  if (trajectory_close(s->trajectory) || summary_write(&s->results, summary)) return EXIT_INTERNAL;
  fprintf(stderr, "stiction simulate: stopped on a signal at t = %g s; `stiction resume %s` goes on\n",
          (double)sim_rollout_position(s->replay.work) * s->problem->sim.step, s->results.directory);
  return EXIT_STOPPED;
}

static int finish(Session *s, Summary *summary) {
  int code = 0;
  if (replay_end(&s->replay, s->trajectory, summary)) return EXIT_INTERNAL;
  summary->wall = ctl_seconds() - s->begun;
  if (summary_write(&s->results, summary)) return EXIT_INTERNAL;
  if (summary->final->status != SIM_OK) {
    fprintf(stderr, "stiction simulate: %s; the results in %s end there\n", sim_status_text(summary->final->status),
            s->results.directory);
    code = EXIT_UNSOLVED;
  }
  if (s->recorded && run_record_end(&s->record, code)) return EXIT_INTERNAL;
  if (!code && !s->options->quiet) print_outcome(s->problem, summary, &s->results);
  return code;
}

static int simulate(Session *s) {
  Summary summary = {.problem = s->problem, .ranks = 1, .u = s->u};
  int code = replay_prepare(&s->replay, &s->problem->sim, stderr);
  if (code) return code;
  stop_signal_watch();
  code = s->recorded ? begin_again(s) : begin(s);
  if (!code) {
    code = run_steps(s);
    summary.wall = ctl_seconds() - s->begun;
    if (code == 0)
      code = finish(s, &summary);
    else if (code == EXIT_STOPPED)
      code = leave_off(s, &summary);
    else
      trajectory_close(s->trajectory);
  }
  replay_release(&s->replay);
  if (s->recorded) run_record_close(&s->record);
  return code;
}

static int simulate_new(const Options *options, const Problem *problem, double *u) {
  Session session = {.options = options, .problem = problem, .u = options->control ? u : NULL, .begun = ctl_seconds()};
  if (options->control && read_control(options->control, problem->sim.n_control, u)) return EXIT_USAGE;
  if (options->control && results_is(options->output, options->argument, options->control)) {
    fprintf(stderr,
            "stiction simulate: %s is what is replayed: its results would be lost (-o DIR takes another place)\n",
            options->control);
    return EXIT_USAGE;
  }
  return simulate(&session);
}

static int run(const Options *options) {
  if (command_rank() != 0) return EXIT_DONE;
  Problem problem;
  int code = problem_file_read(options->argument, options->settings, options->n_settings, false, stderr, &problem);
  if (code) return code;
  double *u = calloc((size_t)problem.sim.n_control + 1, sizeof *u);
  code = u ? simulate_new(options, &problem, u) : EXIT_INTERNAL;
  free(u);
  problem_clear(&problem);
  return code;
}

int simulate_resume(const Options *options, const RunRecord *record) {
  Problem problem;
  Session session = {.options = options,
                     .problem = &problem,
                     .results = record->results,
                     .record = *record,
                     .recorded = true,
                     .begun = ctl_seconds()};
  bool given = false;
  int code = run_record_problem(&session.record, &problem);
  if (code) {
    run_record_close(&session.record);
    return code;
  }
  double *u = calloc((size_t)problem.sim.n_control + 1, sizeof *u);
  code = u ? run_record_control(&session.record, problem.sim.n_control, u, &given) : EXIT_INTERNAL;
  session.u = given ? u : NULL;
  if (!code)
    code = simulate(&session);
  else
    run_record_close(&session.record);
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
