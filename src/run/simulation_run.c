/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/simulation_run.h"

#include "control/base/clock.h"
#include "src/base/progress.h"
#include "src/file/sections/understood.h"
#include "src/process/stop_signal.h"
#include "src/results/motion_failure.h"
#include "src/results/trajectory.h"
#include "src/run/given_control.h"
#include "src/run/motion_effort.h"
#include "src/run/plan_replay.h"
#include "src/run/rollout_context.h"
#include "src/run/rollout_state.h"
#include "src/run/storage.h"
#include "src/run/verification.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_outcome(const Problem *problem, const Summary *s, const Verification *verification,
                          const Results *results) {
  const char *const names[] = {"x(T)", "v(T)"};
  const double *const states[] = {s->x, s->v};
  for (int k = 0; k < 2 && problem->sim.d <= TRAJECTORY_SMALL; k++) {
    printf("%s =", names[k]);
    for (int i = 0; i < problem->sim.d; i++) printf(" %.10g", states[k][i]);
    printf("\n");
  }
  if (problem->has_control && s->control) misses_print(problem, "J(u)", s->J, s->misses);
  if (verification) verification_print(verification, &problem->labels);
  double closure = summary_closure(&s->energy);
  char driven[48] = "", struck[48] = "";
  if (problem->sim.surface_pieces) snprintf(driven, sizeof driven, " + surface %.6g", s->energy.surface);
  if (problem->sim.stops.present) {
    snprintf(struck, sizeof struck, " + impacts %.6g", s->energy.impacts);
    printf("impacts: %ld, settled: %ld\n", s->final->impacts, s->final->settled);
  }
  if (isnan(s->energy.work))
    printf("energy: not computed by the scheme %s\n", sim_scheme_name(problem->sim.scheme));
  else if (isfinite(closure))
    printf("energy: work %.6g %s%s = stored %.6g + dissipated %.6g%s + numerical %.3g; closing error %.1e %s\n",
           s->energy.work, problem->labels.energy, driven, s->energy.stored, s->energy.dissipated, struck,
           s->energy.numerical, closure, problem->labels.energy);
  else
    printf("energy: overflowed\n");
  printf("results in %s\n", results->directory);
}

/* Sends the path of the directory from the first rank to all ranks. Only the first rank holds the lock. */
static void share_directory(const SimGroup *group, Results *results) {
  sim_group_share(group, results->directory, sizeof results->directory);
  if (stiction_group_rank(group) > 0) results->lock = -1;
}

/* On the first rank, creates the directory and checks the free space of the disk. All ranks receive the exit code and
 * the path. */
static int share_results(const Options *options, const Problem *problem, const SimGroup *group, Results *results) {
  int code = 0;
  if (options->unwritten) return 0;
  if (stiction_group_rank(group) == 0) {
    code = results_create(results, options->output, options->argument, options->force);
    if (!code) code = trajectory_check_room(results, problem);
  }
  code = sim_group_agree(group, code);
  if (!code) share_directory(group, results);
  return code;
}

/* State of a simulation, on each rank that shares its rows. */
typedef struct Simulation {
  const Options *options;
  Diagnostics *diagnostics;
  const Problem *problem;
  SimGroup *group;
  SimRows rows;
  const double *control; /* control of the motion; NULL: 0 */
  Results results;
  RolloutContext rollout;
  Trajectory *trajectory;
  /* Record of the run, on the first rank. It exists if the run was resumed, or has taken so long that it may be
   * resumed. */
  RunRecord record;
  bool recorded;
  Verification verification; /* used if options->verify */
  Progress progress;
  double begun;            /* time of the start (ctl_seconds), moved back by the time that earlier parts of the run
                            * took */
  json_t **summary_wanted; /* destination of the summary; NULL: the caller does not need it */
} Simulation;

static int no_memory(const Simulation *s) {
  if (stiction_group_rank(s->group) == 0)
    diagnostics_error(s->diagnostics, EXIT_INTERNAL, "out of memory for a checkpoint");
  return EXIT_INTERNAL;
}

/* Writes a checkpoint: the state of the rollout, then that of the trajectory. */
static int save(Simulation *s) {
  bool first = stiction_group_rank(s->group) == 0;
  if (s->options->unwritten) return 0;
  size_t size = rollout_state_size(s->rollout.model, &s->rows), total = size + trajectory_saved_size(s->problem);
  char *bytes = first ? malloc(total) : NULL;
  int code = first && !bytes ? no_memory(s) : 0;
  if (!code && first && !s->recorded)
    code = run_record_create(&s->record, &s->results, "simulate", s->options, s->problem, s->control, NULL)
               ? EXIT_INTERNAL
               : 0;
  code = sim_group_agree(s->group, code);
  s->recorded = s->recorded || !code;
  if (!code && rollout_state_save(s->rollout.model, s->rollout.work, &s->rows, bytes) != SIM_OK) code = no_memory(s);
  if (!code && trajectory_save(s->trajectory, first ? bytes + size : NULL)) {
    if (first)
      diagnostics_error(s->diagnostics, EXIT_USAGE, "the trajectory could not be written in full (is the disk full?)");
    code = EXIT_INTERNAL;
  }
  if (!code && first) code = run_record_save(&s->record, bytes, total, ctl_seconds());
  free(bytes);
  return sim_group_agree(s->group, code);
}

static bool is_due(const Simulation *s, double now) {
  if (stiction_group_rank(s->group) > 0) return false; /* only the first rank decides, as clocks of ranks differ */
  if (s->recorded) return ctl_checkpoint_due(&s->record.checkpoint, now);
  return now - s->begun >= s->problem->checkpoint_seconds;
}

static void draw_progress(Simulation *s) {
  const SimProblem *sim = &s->problem->sim;
  long n = sim_rollout_position(s->rollout.work);
  progress_draw(&s->progress, "step %ld of %ld  t = %.6g s of %.6g s  %.0f %%", n, sim->steps, (double)n * sim->step,
                sim->end, 100.0 * (double)n / (double)sim->steps);
}

/* Advances the rollout to its end, in parts of about PIECE_SECONDS. Between two parts checkpoints are written, and a
 * signal stops the run. Returns 0, EXIT_STOPPED or EXIT_INTERNAL. */
static int run_steps(Simulation *s) {
  static const double PIECE_SECONDS = 0.05;
  const SimObserver *observer = trajectory_observer(s->trajectory);
  long steps = s->problem->sim.steps, piece = 1;
  double before = ctl_seconds();
  for (;;) {
    long n = sim_rollout_position(s->rollout.work), until = steps - n < piece ? steps : n + piece;
    SimStatus status = sim_rollout_run_to(s->rollout.model, s->rollout.work, observer, until);
    /* A signal arrived during a part that takes long. This part is lost, and the last checkpoint remains valid. */
    if (status == SIM_CANCELLED) return EXIT_STOPPED;
    if (status != SIM_OK || until == steps) return 0;
    enum { STOPPED, DUE, SECONDS, N_WORDS };
    double now = ctl_seconds(), words[N_WORDS] = {stop_signal_seen(), is_due(s, now), now - before};
    sim_group_max(s->group, words, N_WORDS); /* all ranks must make the same decision */
    bool stopped = words[STOPPED] > 0;
    int code = stopped || words[DUE] > 0 ? save(s) : 0;
    if (code || stopped) return code ? code : EXIT_STOPPED;
    if (words[SECONDS] > PIECE_SECONDS && piece > 1) piece /= 2;
    if (words[SECONDS] < PIECE_SECONDS / 4) piece *= 2;
    draw_progress(s);
    before = ctl_seconds();
  }
}

/* Begins the rollout at t = 0. */
static int begin(Simulation *s) {
  s->trajectory = trajectory_open(&s->results, s->problem);
  if (!s->trajectory) return EXIT_INTERNAL;
  sim_rollout_begin(s->rollout.model, s->rollout.work, s->control, trajectory_observer(s->trajectory));
  return 0;
}

/* Restores a state of `size` bytes, which the first rank has. */
static int restore(Simulation *s, const char *bytes, size_t size) {
  size_t state = rollout_state_size(s->rollout.model, &s->rows), last = trajectory_saved_size(s->problem);
  SimStatus status = SIM_BAD_PROBLEM;
  if (size == state + last) status = rollout_state_load(s->rollout.model, s->rollout.work, &s->rows, bytes, state);
  if (status == SIM_NO_MEMORY) return no_memory(s);
  if (status != SIM_OK) {
    if (bytes) results_refuse(&s->results, "checkpoint", "not the state of a simulation");
    return EXIT_USAGE;
  }
  s->trajectory = trajectory_reopen(&s->results, s->problem, bytes ? bytes + state : NULL);
  if (!s->trajectory) return EXIT_USAGE;
  if (bytes && !s->options->quiet)
    printf("going on from t = %g s\n", (double)sim_rollout_position(s->rollout.work) * s->problem->sim.step);
  return 0;
}

/* Begins the rollout at the checkpoint in the record or, if there is none, at t = 0. */
static int begin_from_record(Simulation *s) {
  void *bytes = NULL;
  size_t size = 0;
  int code = stiction_group_rank(s->group) == 0 ? run_record_state(&s->record, &bytes, &size) : 0;
  code = sim_group_agree(s->group, code);
  bool found = bytes != NULL;
  sim_group_share(s->group, &found, sizeof found);
  sim_group_share(s->group, &size, sizeof size);
  if (!code) code = found ? restore(s, bytes, size) : begin(s);
  free(bytes);
  return code;
}

/* Writes the results so far of a simulation that a signal has stopped. */
static int finish_stopped(Simulation *s, const Summary *summary) {
  bool first = stiction_group_rank(s->group) == 0;
  if (trajectory_close(s->trajectory, false) || (first && summary_write(&s->results, summary))) return EXIT_INTERNAL;
  if (!first) return EXIT_STOPPED;
  double t = (double)sim_rollout_position(s->rollout.work) * s->problem->sim.step;
  if (!s->recorded)
    return diagnostics_error(s->diagnostics, EXIT_STOPPED,
                             "stopped on a signal after t = %g s, before the first checkpoint: nothing to go on with",
                             t);
  run_record_note_seconds(&s->record, summary->wall);
  return diagnostics_error(s->diagnostics, EXIT_STOPPED,
                           "stopped on a signal at t = %g s; `stiction resume %s` goes on", t, s->results.directory);
}

/* Ends the run after the rollout, on the rank that writes results and prints. */
static int finish(Simulation *s, Summary *summary) {
  int code = 0;
  if (s->options->verify) summary->verify = verification_difference(&s->verification, &s->problem->sim);
  bool failed = summary_write(&s->results, summary) != 0;
  if (s->summary_wanted) *s->summary_wanted = summary_json(summary);
  json_decref(summary->verify);
  if (failed) return EXIT_INTERNAL;
  if (summary->final->status != SIM_OK) {
    char why[MOTION_FAILURE_SIZE];
    motion_failure_text(&summary->problem->labels, summary->final, why);
    bool nowhere = results_nowhere(&s->results);
    code = diagnostics_error(s->diagnostics, EXIT_UNSOLVED, "%s%s%s%s", why, nowhere ? "" : "; the results in ",
                             nowhere ? "" : s->results.directory, nowhere ? "" : " end there");
  } else if (*s->verification.distrust)
    code = verification_refuse(&s->verification, s->diagnostics);
  if (s->recorded && run_record_end(&s->record, code)) return EXIT_INTERNAL;
  if (!code && !s->options->quiet)
    print_outcome(s->problem, summary, s->options->verify ? &s->verification : NULL, &s->results);
  return code;
}

/* Runs the verification. If it is stopped by a signal, it is repeated when the run is resumed, but only once. */
static int verify(Simulation *s) {
  int code = verification_run(s->problem, s->control, true, 0, &s->results, &s->progress, &s->verification);
  if (code != EXIT_STOPPED) return code;
  code = save(s);
  if (code) return code;
  bool before = stiction_group_rank(s->group) == 0 && run_record_replay_stopped(&s->record);
  if (!sim_group_agree(s->group, before)) return EXIT_STOPPED;
  verification_give_up(&s->verification);
  return 0;
}

/* Simulates in parts, with checkpoints between them. */
static int roll_in_pieces(Simulation *s, Summary *summary) {
  int code = s->recorded ? begin_from_record(s) : begin(s);
  if (stiction_group_rank(s->group) == 0) s->progress.stream = s->options->progress_line;
  if (!code) code = run_steps(s);
  progress_clear(&s->progress);
  if (!code && s->options->verify) code = verify(s);
  summary->wall = ctl_seconds() - s->begun;
  if (code == EXIT_STOPPED) return finish_stopped(s, summary);
  if (!code) return rollout_context_end(&s->rollout, s->problem, s->trajectory, summary);
  if (s->trajectory) trajectory_close(s->trajectory, false);
  return code;
}

static int simulate(Simulation *s, double *control) {
  bool first = stiction_group_rank(s->group) == 0;
  Summary summary = {.problem = s->problem, .ranks = stiction_group_size(s->group), .kernel = sim_kernel_name(0)};
  int code = s->recorded ? 0 : given_control(s->options, s->problem, s->group, control, s->diagnostics);
  if (s->options->control) s->control = control;
  summary.control = s->control;
  if (!code) code = rollout_context_prepare(&s->rollout, &s->problem->sim, first ? s->diagnostics : NULL);
  if (!code) code = rollout_context_examine(&s->rollout, s->problem, s->diagnostics);
  if (code) return code;
  if (s->control && s->problem->has_control) summary.J = motion_effort(s->problem, &s->problem->sim, s->control);
  if (!s->recorded) code = share_results(s->options, s->problem, s->group, &s->results);
  if (!code) code = roll_in_pieces(s, &summary);
  summary.wall = ctl_seconds() - s->begun;
  if (!code) code = sim_group_agree(s->group, first ? finish(s, &summary) : 0);
  rollout_context_release(&s->rollout);
  verification_clear(&s->verification);
  return code;
}

/* Opens the record of a run that is resumed, on the first rank. All ranks receive its directory and its control. */
static int open_record(Simulation *s, double *control) {
  bool given = false;
  int code = 0, p = stiction_problem_variables(&s->problem->sim);
  if (stiction_group_rank(s->group) == 0) {
    code = run_record_check(&s->record, s->problem);
    if (!code) code = run_record_control(&s->record, p, control, &given);
    s->results = s->record.results;
    s->begun -= run_record_seconds(&s->record);
  }
  code = sim_group_agree(s->group, code);
  share_directory(s->group, &s->results);
  sim_group_share(s->group, &given, sizeof given);
  sim_group_share(s->group, control, (size_t)p * sizeof *control);
  s->control = given ? control : NULL;
  return code;
}

int simulation_run(const Options *options, Problem *given, SimGroup *group, const RunRecord *record, json_t **summary,
                   Diagnostics *diagnostics) {
  Problem own = {0}, *problem = given ? given : &own;
  const ModelRanks ranks = {.group = group,
                            .by_pattern = storage_by_pattern(options),
                            .copies = 1,
                            .limits = options->limits,
                            .progress_line = stiction_group_rank(group) == 0 ? options->progress_line : NULL};
  Simulation simulation = {.options = options,
                           .diagnostics = diagnostics,
                           .results.diagnostics = diagnostics,
                           .problem = problem,
                           .group = group,
                           .begun = ctl_seconds(),
                           .summary_wanted = summary};
  if (record) simulation.record = *record;
  simulation.recorded = record != NULL;
  int code = given ? 0 : problem_read(options, false, &ranks, diagnostics, problem);
  stop_signal_spare();
  if (!code && !summary && stiction_group_rank(group) == 0) {
    understood_warn_of_work(problem, diagnostics);
    trajectory_warn_of_size(problem, diagnostics);
  }
  if (!code) given_control_segments(options, problem);
  if (!code && (code = plan_replay(options, problem, diagnostics)) != 0) problem_clear(problem);
  if (!code) {
    double *control = calloc((size_t)stiction_problem_variables(&problem->sim) + 1, sizeof *control);
    simulation.rows = sim_problem_rows(&problem->sim);
    code = sim_group_agree(group, control ? 0 : EXIT_INTERNAL);
    if (code && stiction_group_rank(group) == 0) diagnostics_no_memory(diagnostics);
    if (!code && record) code = open_record(&simulation, control);
    if (!code) code = simulate(&simulation, control);
    free(control);
    problem_clear(problem);
  }
  if (simulation.recorded) run_record_close(&simulation.record);
  return code;
}
