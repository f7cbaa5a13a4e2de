#include "src/search/search_run.h"

#include "control/base/clock.h"
#include "control/pool.h"
#include "src/base/exit_code.h"
#include "src/process/stop_signal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Writes a checkpoint. The rows of search.csv that it relies on go to the disk before it. */
static int save(Lead *lead, double now) {
  size_t size = ctl_search_saved_size(lead->search);
  void *bytes = malloc(size);
  if (!bytes)
    return diagnostics_error(lead->diagnostics, EXIT_INTERNAL, "out of memory for a checkpoint of %zu bytes", size);
  ctl_search_save(lead->search, bytes);
  int code =
      search_log_sync(&lead->log, now - lead->start) ? EXIT_INTERNAL : run_record_save(&lead->record, bytes, size, now);
  free(bytes);
  return code;
}

/* What a row of search.csv is, and what several are. */
static const char *row_name(const Lead *lead, bool several) {
  int method = lead->problem.control.method;
  if (strcmp(ctl_method_name(method), "hybrid") == 0) return several ? "rounds" : "round"; /* of either */
  if (ctl_method_has_simplexes(method)) return several ? "simplexes" : "simplex";
  return several ? "points" : "point";
}

static void draw_progress(Lead *lead, const CtlState *state, double seconds) {
  progress_draw(&lead->progress, seconds, "%s %ld  best %.8g  E1 %.2e  edge %.2e  %.0f evaluations/s  %d of %d busy",
                row_name(lead, false), state->simplexes, state->best, state->E1, state->edge,
                seconds > 0 ? (double)state->evaluations / seconds : 0, lead->busy, lead->evaluators);
}

static int on_simplex(void *context, const CtlState *state, double seconds) {
  Lead *lead = context;
  draw_progress(lead, state, state->seconds);
  if (search_log_row(&lead->log, state, seconds)) return EXIT_INTERNAL;
  double now = ctl_seconds();
  return ctl_checkpoint_due(&lead->record.checkpoint, now) ? save(lead, now) : 0;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  Lead *lead = context;
  lead->busy = busy;
  search_log_tick(&lead->log, seconds);
  if (!lead->progress.stream) return;
  CtlState state;
  ctl_search_state(search, &state);
  draw_progress(lead, &state, lead->seconds_before + seconds);
}

/* A checkpoint at once: whoever has sent the signal (mpirun, on TERM or INT) may not wait for the evaluations under way.
 */
static bool on_question(void *context) {
  Lead *lead = context;
  bool seen = stop_signal_seen();
  if (seen && !lead->warned) save(lead, ctl_seconds());
  lead->warned = seen;
  return seen;
}

CtlListener lead_listener(Lead *lead) {
  return (CtlListener){.context = lead,
                       .simplex = on_simplex,
                       .tick = on_tick,
                       .stopped = on_question,
                       .grace = lead->problem.checkpoint_grace};
}

static void refuse(void *context, const char *key, const char *text) {
  const Lead *lead = context;
  diagnostics_error(lead->diagnostics, EXIT_USAGE, "%s/checkpoint: %s: %s", lead->results.directory, key, text);
}

/* The search from its checkpoint, or from the start when there is none yet. */
static int prepare_search(Lead *lead) {
  void *bytes = NULL;
  size_t size = 0;
  int code = lead->resumed ? run_record_state(&lead->record, &bytes, &size) : 0;
  if (code) return code;
  const SimReport report = {lead, refuse};
  SimStatus status = bytes ? ctl_search_load(&lead->problem.control, bytes, size, &report, &lead->search)
                           : ctl_search_create(&lead->problem.control, &lead->search);
  free(bytes);
  if (status == SIM_OK) return 0;
  if (status == SIM_BAD_PROBLEM) return EXIT_USAGE;
  return diagnostics_no_memory(lead->diagnostics);
}

static void warn_of_kernel(const Lead *lead) {
  int kernel = lead->options->kernel;
  const char *serves = sim_batch_kernel(lead->replay.model, lead->replay.work);
  if (kernel < 0 || !strcmp(serves, sim_kernel_name(kernel))) return;
  diagnostics_warn(lead->diagnostics, "--batch-kernel %s has no lanes for this model and scheme: %s evaluates",
                   sim_kernel_name(kernel), serves);
}

int lead_prepare(Lead *lead) {
  const Options *options = lead->options;
  if (lead->resumed) lead->results = lead->record.results;
  const Sharing alone = {.comm = MPI_COMM_NULL, .copies = 1, .workers = lead->ranks - 1};
  int code = problem_file_read_shared(options->argument, options->settings, options->n_settings, true, &alone,
                                      lead->diagnostics, &lead->problem);
  if (!code && lead->resumed) code = run_record_check(&lead->record, &lead->problem);
  if (!code) code = replay_prepare(&lead->replay, &lead->problem.sim, lead->diagnostics);
  if (!code) code = replay_set_kernel(&lead->replay, options->kernel);
  if (!code) warn_of_kernel(lead);
  return code ? code : prepare_search(lead);
}

static void warn_of_scheme_size(const Lead *lead, int workers) {
  int method = lead->problem.control.method;
  long size = ctl_problem_scheme_size(&lead->problem.control), n = lead->problem.control.n;
  if (!ctl_method_has_simplexes(method)) return;
  if (workers > size)
    diagnostics_warn(lead->diagnostics, "%d workers but only %ld points a simplex: some will idle (search.scheme_size)",
                     workers, size);
  if (size < 3 * n)
    diagnostics_warn(lead->diagnostics,
                     "search.scheme_size: %ld is less than 3 points a control: a slow search is likely", size);
}

static int open_again(Lead *lead) {
  CtlState state;
  ctl_search_state(lead->search, &state);
  lead->ivps_before = state.ivps;
  lead->seconds_before = state.seconds;
  if (!lead->options->quiet) printf("going on from %s %ld\n", row_name(lead, false), state.simplexes);
  if (state.simplexes == 0) return search_log_open(&lead->log, &lead->results);
  int code = search_log_reopen(&lead->log, &lead->results, state.simplexes);
  if (code) return code;
  const CtlListener listener = lead_listener(lead);
  return ctl_drive_resume(lead->search, &listener);
}

int lead_open(Lead *lead, int workers) {
  const Options *options = lead->options;
  const char *from = lead->problem.start_from;
  int code = 0;
  if (from && !lead->resumed && results_is(options->output, options->argument, from))
    return diagnostics_error(lead->diagnostics, EXIT_USAGE,
                             "%s is where control.start is from: its results would be lost (-o DIR takes another "
                             "place)",
                             from);
  if (!lead->resumed) code = results_create(&lead->results, options->output, options->argument, options->force);
  if (!code) code = trajectory_check_room(&lead->results, &lead->problem);
  if (!code && !lead->resumed)
    code = run_record_create(&lead->record, &lead->results, "control", options, &lead->problem, NULL);
  if (!code) code = lead->resumed ? open_again(lead) : search_log_open(&lead->log, &lead->results);
  if (!code) warn_of_scheme_size(lead, workers);
  return code;
}

void lead_release(Lead *lead) {
  run_record_close(&lead->record);
  ctl_search_destroy(lead->search);
  replay_release(&lead->replay);
  problem_clear(&lead->problem);
}

static bool target_met(const Lead *lead, const CtlState *s) {
  double accept = lead->problem.control.accept;
  return s->E1 <= accept && s->E2 <= accept;
}

/* What E1 or E2 is in: divided by max(1, ||target||), it is relative to targets of norm above 1. */
static const char *error_unit(int d, const double *target, double spacing, const char *unit) {
  double largest = 0, squares = 0;
  bool any = false;
  for (int i = 0; i < d; i++) {
    if (isnan(target[i])) continue;
    any = true;
    largest = fmax(largest, fabs(target[i]));
    squares += target[i] * target[i];
  }
  double norm = spacing > 0 ? sqrt(spacing * squares) : largest;
  return !any ? "no target" : norm > 1 ? "relative" : unit;
}

static void print_outcome(const Lead *lead, const CtlState *s) {
  const CtlTimes *t = &lead->times;
  printf("%s (%s) after %ld %s: %ld evaluations, %ld of them simulated, %ld restarts\n",
         target_met(lead, s) ? "target met" : "target not met", ctl_reason_text(s->reason), s->simplexes,
         row_name(lead, true), s->evaluations, s->ivps, s->restarts);
  printf("u* =");
  const CtlProblem *control = &lead->problem.control;
  for (int i = 0; i < control->n; i++) printf("%s %.8g", i && i % control->p == 0 ? " |" : "", s->u[i]);
  const int d = lead->problem.sim.d;
  printf("\nJ(u*) = %.10g   E1 = %.2e (position, %s)   E2 = %.2e (velocity, %s)\n", s->J, s->E1,
         error_unit(d, control->position, control->position_spacing, "m"), s->E2,
         error_unit(d, control->velocity, control->velocity_spacing, "m/s"));
  printf("%.2f s on %d rank%s, %.0f simulations a second\n", t->wall, lead->ranks, lead->ranks == 1 ? "" : "s",
         t->wall > 0 ? (double)(s->ivps - lead->ivps_before) / t->wall : 0);
  printf("results in %s\n", lead->results.directory);
}

static void warn_of_late(const Lead *lead, const CtlState *s) {
  long overdue = lead->times.overdue, timed_out = s->timed_out;
  if (overdue)
    diagnostics_warn(lead->diagnostics, "a rank did not answer in time: %ld evaluation%s went to other ranks", overdue,
                     overdue == 1 ? "" : "s");
  if (timed_out)
    diagnostics_warn(lead->diagnostics, "%ld evaluation%s timed out twice (search.evaluation_timeout)", timed_out,
                     timed_out == 1 ? "" : "s");
}

/* Exit code of a search that ran to its end. */
static int verdict(const Lead *lead, const CtlState *s) {
  if (lead->replay.final.status != SIM_OK)
    return diagnostics_error(lead->diagnostics, EXIT_UNSOLVED, "the optimum's trajectory: %s",
                             sim_status_text(lead->replay.final.status));
  warn_of_late(lead, s);
  if (s->method_errors)
    diagnostics_warn(lead->diagnostics, "%ld run%s of local methods failed in NLopt or PETSc, or did not end there",
                     s->method_errors, s->method_errors == 1 ? "" : "s");
  if (s->non_finite) {
    return diagnostics_error(lead->diagnostics, EXIT_UNSOLVED,
                             "%ld evaluation%s failed or gave no finite value; the answer may be harmed", s->non_finite,
                             s->non_finite == 1 ? "" : "s");
  }
  if (s->reason == CTL_REASON_FAILED) return EXIT_UNSOLVED;
  if (s->no_memory)
    diagnostics_error(lead->diagnostics, EXIT_INTERNAL, "out of memory: the search has ended before its time");
  if (target_met(lead, s)) return EXIT_DONE;
  if (s->no_memory) return EXIT_INTERNAL;
  return diagnostics_error(lead->diagnostics, EXIT_NOT_MET,
                           "the target was not met: E1 = %.2e, E2 = %.2e (search.accept: %g)", s->E1, s->E2,
                           lead->problem.control.accept);
}

/* A drive that has left off on a signal: checkpoint, and the best so far. */
static int leave_off(Lead *lead) {
  CtlState state;
  int code = save(lead, ctl_seconds());
  if (search_log_close(&lead->log, &lead->results)) code = EXIT_INTERNAL;
  ctl_search_state(lead->search, &state);
  state.reason = CTL_REASON_SIGNAL;
  Summary summary = {.problem = &lead->problem,
                     .ranks = lead->ranks,
                     .kernel = sim_batch_kernel(lead->replay.model, lead->replay.work),
                     .u = state.u,
                     .x = state.x,
                     .v = state.v,
                     .search = &state,
                     .times = &lead->times,
                     .wall = ctl_seconds() - lead->start};
  if (summary_write(&lead->results, &summary)) code = EXIT_INTERNAL;
  if (!code)
    code = diagnostics_error(lead->diagnostics, EXIT_STOPPED,
                             "stopped on a signal after %s %ld; `stiction resume %s` goes on", row_name(lead, false),
                             state.simplexes, lead->results.directory);
  return code;
}

int lead_finish(Lead *lead, int drive) {
  CtlState state;
  progress_clear(&lead->progress);
  if (drive == CTL_DRIVE_STOPPED || drive == CTL_DRIVE_ABANDONED) return leave_off(lead);
  if (search_log_close(&lead->log, &lead->results)) return EXIT_INTERNAL;
  if (drive)
    return diagnostics_error(lead->diagnostics, EXIT_INTERNAL, "stopped: %s",
                             drive == CTL_POOL_REFUSED
                                 ? "a worker could not build the model (out of memory, or another processor?)"
                             : drive < 0 ? "out of memory"
                                         : "search.csv or the checkpoint cannot be written");
  ctl_search_state(lead->search, &state);
  Summary summary = {.problem = &lead->problem,
                     .ranks = lead->ranks,
                     .kernel = sim_batch_kernel(lead->replay.model, lead->replay.work),
                     .u = state.u,
                     .search = &state,
                     .times = &lead->times};
  int code = replay_run(&lead->replay, &lead->results, &lead->problem, state.u, &summary);
  summary.wall = ctl_seconds() - lead->start;
  if (code || summary_write(&lead->results, &summary)) return EXIT_INTERNAL;
  if (!lead->options->quiet) print_outcome(lead, &state);
  code = verdict(lead, &state);
  return run_record_end(&lead->record, code) ? EXIT_INTERNAL : code;
}
