#include "src/search/search_run.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/process/stop_signal.h"
#include "src/run/misses.h"
#include "src/run/refinement.h"
#include "src/run/verification.h"
#include "src/search/certification.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind the saved search, and the proof, if one is under way. */
typedef struct Tail {
  uint64_t proof; /* bytes of it */
  ResultsMark mark;
} Tail;

static bool is_out_of_memory(const CtlSearch *search) {
  CtlState reached;
  ctl_search_state(search, &reached);
  return reached.no_memory;
}

/* The rows of search.csv that it relies on go to the disk before it. None where memory has ended a search: `resume` goes on from the
 * one before. */
int search_run_save(SearchRun *run, double now) {
  if (run->options->unwritten) return 0;
  if (is_out_of_memory(run->search) || (run->proof && is_out_of_memory(run->proof))) return 0;
  size_t state = ctl_search_saved_size(run->search);
  Tail tail = {.proof = run->proof ? ctl_search_saved_size(run->proof) : 0};
  size_t size = state + tail.proof + sizeof tail;
  char *bytes = malloc(size);
  if (!bytes)
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "out of memory for a checkpoint of %zu bytes", size);
  int code = search_log_sync(&run->log, now - run->start) ? EXIT_INTERNAL : 0;
  tail.mark = run->log.mark;
  ctl_search_save(run->search, bytes);
  if (tail.proof) ctl_search_save(run->proof, bytes + state);
  memcpy(bytes + state + tail.proof, &tail, sizeof tail);
  if (!code) code = run_record_save(&run->record, bytes, size, now);
  free(bytes);
  return code;
}

/* What a row of search.csv is, and what several are. */
static const char *row_name(const SearchRun *run, bool several) {
  return ctl_method_round(ctl_problem_method(&run->problem.control), several);
}

static void draw_progress(SearchRun *run, const CtlState *state, double seconds) {
  progress_draw(&run->progress, seconds, "%s %ld  best %.8g  E1 %.2e  edge %.2e  %.0f evaluations/s  %d of %d busy",
                row_name(run, false), state->rounds, state->best, state->E1, state->edge,
                seconds > 0 ? (double)state->evaluations / seconds : 0, run->busy, run->evaluators);
}

static int on_simplex(void *context, const CtlState *state, double seconds) {
  SearchRun *run = context;
  draw_progress(run, state, state->seconds);
  if (run->options->unwritten) return 0;
  if (search_log_row(&run->log, state, seconds)) return EXIT_INTERNAL;
  double now = ctl_seconds();
  return ctl_checkpoint_due(&run->record.checkpoint, now) ? search_run_save(run, now) : 0;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  SearchRun *run = context;
  run->busy = busy;
  search_log_tick(&run->log, seconds);
  if (!run->progress.stream) return;
  CtlState state;
  ctl_search_state(search, &state);
  draw_progress(run, &state, run->seconds_before + seconds);
}

/* A checkpoint at once: whoever has sent the signal (mpirun, on TERM or INT) may not wait for the evaluations under way.
 */
bool search_run_stopped(SearchRun *run) {
  bool seen = stop_signal_seen();
  if (seen && !run->warned) search_run_save(run, ctl_seconds());
  run->warned = seen;
  return seen;
}

static bool on_question(void *context) { return search_run_stopped(context); }

CtlListener search_run_listener(SearchRun *run) {
  return (CtlListener){.context = run,
                       .simplex = on_simplex,
                       .tick = on_tick,
                       .stopped = on_question,
                       .grace = run->problem.checkpoint_grace};
}

static void refuse(void *context, const char *key, const char *text) {
  const SearchRun *run = context;
  diagnostics_error(run->diagnostics, EXIT_USAGE, "%s/checkpoint: %s: %s", run->results.directory, key, text);
}

/* Of a checkpoint, behind its search: the mark of its search.csv, and the proof that was under way. Returns the size of the search, or
 * -1: no memory. */
static ptrdiff_t take_tail(SearchRun *run, const char *bytes, size_t size) {
  Tail tail;
  if (size < sizeof tail) return 0;
  size -= sizeof tail;
  memcpy(&tail, bytes + size, sizeof tail);
  run->log.mark = tail.mark;
  if (!tail.proof || tail.proof > size) return (ptrdiff_t)size;
  size -= tail.proof;
  run->proof_saved = malloc(tail.proof);
  if (!run->proof_saved) return -1;
  memcpy(run->proof_saved, bytes + size, tail.proof);
  run->proof_size = tail.proof;
  return (ptrdiff_t)size;
}

/* The search from its checkpoint, or from the start when there is none yet. */
static int prepare_search(SearchRun *run) {
  void *bytes = NULL;
  size_t size = 0;
  int code = run->resumed ? run_record_state(&run->record, &bytes, &size) : 0;
  if (code) return code;
  const SimReport report = {run, refuse};
  SimStatus status = SIM_NO_MEMORY;
  ptrdiff_t own = bytes ? take_tail(run, bytes, size) : 0;
  if (own >= 0)
    status = bytes ? ctl_search_load(&run->problem.control, bytes, (size_t)own, &report, &run->search)
                   : ctl_search_create(&run->problem.control, &run->search);
  free(bytes);
  if (status == SIM_OK) return 0;
  if (status == SIM_BAD_PROBLEM) return EXIT_USAGE;
  return diagnostics_no_memory(run->diagnostics);
}

static void warn_of_kernel(const SearchRun *run) {
  int kernel = run->options->kernel;
  const char *serves = sim_batch_kernel(run->rollout.model, run->rollout.work);
  if (kernel < 0 || !strcmp(serves, sim_kernel_name(kernel))) return;
  diagnostics_warn(run->diagnostics, "--batch-kernel %s has no lanes for this model and scheme: %s evaluates",
                   sim_kernel_name(kernel), serves);
}

int search_run_prepare(SearchRun *run) {
  const Options *options = run->options;
  if (run->resumed) run->results = run->record.results;
  const ModelRanks alone = {
      .copies = 1, .workers = run->ranks - 1, .limits = options->limits, .progress_line = options->progress_line};
  int code = problem_read(options, true, &alone, run->diagnostics, &run->problem);
  if (!code && run->resumed) code = run_record_check(&run->record, &run->problem);
  if (!code) code = rollout_context_prepare(&run->rollout, &run->problem.sim, run->diagnostics);
  if (!code) code = rollout_context_set_kernel(&run->rollout, options->kernel);
  if (!code) warn_of_kernel(run);
  bool derivatives = ctl_problem_wants_derivatives(&run->problem.control);
  if (!code && (evaluated_model_prepare(&run->problem, derivatives, &run->evaluated) ||
                evaluated_model_simulation(&run->evaluated, &run->rollout, &run->simulation) != SIM_OK))
    code = diagnostics_no_memory(run->diagnostics);
  return code ? code : prepare_search(run);
}

static void warn_of_scheme_size(const SearchRun *run, int workers) {
  int method = ctl_problem_method(&run->problem.control);
  long size = ctl_problem_scheme_size(&run->problem.control), n = run->problem.control.n;
  if (!ctl_method_has_simplexes(method)) return;
  if (workers > size)
    diagnostics_warn(run->diagnostics, "%d workers but only %ld points a simplex: some will idle (search.scheme_size)",
                     workers, size);
  if (size < 3 * n)
    diagnostics_warn(run->diagnostics,
                     "search.scheme_size: %ld is less than 3 points a control: a slow search is likely", size);
}

static int open_again(SearchRun *run) {
  CtlState state;
  ctl_search_state(run->search, &state);
  run->ivps_before = state.ivps;
  run->seconds_before = state.seconds;
  if (!run->options->quiet) printf("going on from %s %ld\n", row_name(run, false), state.rounds);
  const ResultsMark mark = run->log.mark;
  int code = mark.size ? search_log_reopen(&run->log, &run->results, &mark) : search_log_open(&run->log, &run->results);
  if (code || state.rounds == 0) return code;
  const CtlListener listener = search_run_listener(run);
  return ctl_drive_resume(run->search, &listener);
}

int search_run_open(SearchRun *run, int workers) {
  const Options *options = run->options;
  const char *from = run->problem.start_from;
  int code = 0;
  if (options->unwritten) return 0;
  if (from && !run->resumed && results_is(options->output, options->argument, from))
    return diagnostics_error(run->diagnostics, EXIT_USAGE,
                             "%s is where control.start is from: its results would be lost (-o DIR takes another "
                             "place)",
                             from);
  if (!run->resumed) code = results_create(&run->results, options->output, options->argument, options->force);
  if (!code) code = trajectory_check_room(&run->results, &run->problem);
  if (!code && !run->resumed)
    code = run_record_create(&run->record, &run->results, "control", options, &run->problem, NULL, NULL);
  if (!code) code = run->resumed ? open_again(run) : search_log_open(&run->log, &run->results);
  if (!code) warn_of_scheme_size(run, workers);
  const CtlProblem *control = &run->problem.control;
  int method = ctl_problem_method(control);
  if (!code && !options->quiet && method != control->method)
    printf("by %s, for there are no derivatives for %s\n", ctl_method_name(method), ctl_method_name(control->method));
  return code;
}

void search_run_release(SearchRun *run) {
  run_record_close(&run->record);
  ctl_search_destroy(run->search);
  free(run->proof_saved);
  ctl_simulation_clear(&run->simulation);
  evaluated_model_clear(&run->evaluated);
  rollout_context_release(&run->rollout);
  problem_clear(&run->problem);
  json_decref(run->summary);
}

static bool target_met(const SearchRun *run, const CtlState *s) {
  double accept = run->problem.control.accept;
  return s->E1 <= accept && s->E2 <= accept;
}

/* What follows on a search. */
typedef struct Sequel {
  Verification verification;
  Refinement refinement;
  Certificate certificate;
} Sequel;

static void print_outcome(const SearchRun *run, const CtlState *s, const Sequel *sequel) {
  const CtlTimes *t = &run->times;
  printf("%s (%s) after %ld %s: %ld evaluations, %ld of them simulated, %ld restarts\n",
         target_met(run, s) ? "target met" : "target not met", ctl_reason_text(s->reason), s->rounds,
         row_name(run, true), s->evaluations, s->ivps, s->restarts);
  printf("u* =");
  const CtlProblem *control = &run->problem.control;
  for (int i = 0; i < control->n; i++) printf("%s %.8g", i && i % control->p == 0 ? " |" : "", s->control[i]);
  printf("\n");
  misses_print(&run->problem, "J(u*)", s->J, (const double[]){s->E1, s->E2});
  if (run->problem.output_verify) verification_print(&sequel->verification, &run->problem.labels);
  refinement_print(&sequel->refinement);
  certificate_print(&sequel->certificate);
  printf("%.2f s on %d rank%s, %.0f simulations a second\n", t->wall, run->ranks, run->ranks == 1 ? "" : "s",
         t->wall > 0 ? (double)(s->ivps - run->ivps_before) / t->wall : 0);
  printf("results in %s\n", run->results.directory);
}

static void warn_of_late(const SearchRun *run, const CtlState *s) {
  long overdue = run->times.overdue, timed_out = s->timed_out;
  if (overdue)
    diagnostics_warn(run->diagnostics, "a rank did not answer in time: %ld evaluation%s went to other ranks", overdue,
                     overdue == 1 ? "" : "s");
  if (timed_out)
    diagnostics_warn(run->diagnostics, "%ld evaluation%s timed out twice (search.evaluation_timeout)", timed_out,
                     timed_out == 1 ? "" : "s");
}

/* Exit code of a search that ran to its end. */
static int verdict(const SearchRun *run, const CtlState *s, const Refinement *refinement) {
  if (run->rollout.final.status != SIM_OK)
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the optimum's trajectory: %s",
                             sim_status_text(run->rollout.final.status));
  warn_of_late(run, s);
  if (s->method_errors)
    diagnostics_warn(run->diagnostics, "%ld run%s of local methods failed in NLopt or PETSc, or did not end there",
                     s->method_errors, s->method_errors == 1 ? "" : "s");
  if (s->non_finite) {
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED,
                             "%ld evaluation%s failed or gave no finite value; the answer may be harmed", s->non_finite,
                             s->non_finite == 1 ? "" : "s");
  }
  if (s->no_memory)
    diagnostics_error(run->diagnostics, EXIT_INTERNAL,
                      "out of memory: the search has ended before its time; `stiction resume %s` goes on",
                      run->results.directory);
  if (s->reason == CTL_REASON_FAILED) return s->no_memory ? EXIT_INTERNAL : EXIT_UNSOLVED;
  if (target_met(run, s) || refinement_met(refinement)) return EXIT_DONE;
  if (s->no_memory) return EXIT_INTERNAL;
  return diagnostics_error(run->diagnostics, EXIT_NOT_MET,
                           "the target was not met: E1 = %.2e, E2 = %.2e (search.accept: %g)", s->E1, s->E2,
                           run->problem.control.accept);
}

/* x(T), v(T), energy and wall clock are to follow. state: borrowed. */
static Summary summary_of(const SearchRun *run, const CtlState *state) {
  return (Summary){.problem = &run->problem,
                   .ranks = run->ranks,
                   .kernel = sim_batch_kernel(run->rollout.model, run->rollout.work),
                   .control = state->control,
                   .search = state,
                   .times = &run->times};
}

/* A drive that has left off on a signal: checkpoint, and the best so far. */
static int leave_off(SearchRun *run) {
  CtlState state;
  if (run->options->unwritten) return EXIT_STOPPED;
  int code = search_run_save(run, ctl_seconds());
  if (search_log_close(&run->log, &run->results)) code = EXIT_INTERNAL;
  ctl_search_state(run->search, &state);
  state.reason = CTL_REASON_SIGNAL;
  Summary summary = summary_of(run, &state);
  summary.x = state.x;
  summary.v = state.v;
  summary.wall = ctl_seconds() - run->start;
  if (summary_write(&run->results, &summary)) code = EXIT_INTERNAL;
  if (!code)
    code = diagnostics_error(run->diagnostics, EXIT_STOPPED,
                             "stopped on a signal after %s %ld; `stiction resume %s` goes on", row_name(run, false),
                             state.rounds, run->results.directory);
  return code;
}

/* What the motion itself does. Returns 0, EXIT_STOPPED or EXIT_INTERNAL, as the next. */
static int verify(SearchRun *run, const CtlState *state, Verification *verification) {
  if (!run->problem.output_verify) return 0;
  int code = verification_run(&run->problem, state->control, false, &run->results, &run->progress, verification);
  if (code != EXIT_STOPPED || run->options->unwritten || !run_record_replay_stopped(&run->record)) return code;
  verification_give_up(verification);
  return 0;
}

static int refine(SearchRun *run, const CtlState *state, Refinement *refinement) {
  int code = refinement_run(&run->problem, &run->rollout, state, &run->progress, run->diagnostics, refinement);
  if (code != EXIT_STOPPED || run->options->unwritten || !run_record_replay_stopped(&run->record)) return code;
  refinement_give_up(refinement);
  return 0;
}

/* The optimum's trajectory, and the summary. */
static int write_results(SearchRun *run, const CtlState *state, const Sequel *sequel) {
  Summary summary = summary_of(run, state);
  const SimProblem *sim = &run->problem.sim;
  if (rollout_context_run(&run->rollout, &run->results, &run->problem, state->control, &summary)) return EXIT_INTERNAL;
  if (run->problem.output_verify) summary.exact = verification_exact(&sequel->verification, sim);
  summary.optimality = refinement_optimality(&sequel->refinement);
  summary.refined = refinement_answer(&sequel->refinement, sim);
  summary.certifying = sequel->certificate.seconds;
  summary.certificate = certificate_json(&sequel->certificate, sim);
  summary.wall = ctl_seconds() - run->start;
  int failed = summary_write(&run->results, &summary);
  if (run->told) run->summary = summary_json(&summary);
  json_decref(summary.exact);
  json_decref(summary.optimality);
  json_decref(summary.refined);
  json_decref(summary.certificate);
  return failed ? EXIT_INTERNAL : 0;
}

/* Once the search is over, with its log still open. */
static int finish(SearchRun *run, const CtlState *state, Sequel *sequel) {
  int code = verify(run, state, &sequel->verification);
  if (!code) code = refine(run, state, &sequel->refinement);
  if (!code) code = certification_run(run, state, &sequel->refinement, &sequel->certificate);
  if (code == EXIT_STOPPED) return leave_off(run);
  if (search_log_close(&run->log, &run->results) || code) return EXIT_INTERNAL;
  code = write_results(run, state, sequel);
  if (code) return code;
  if (!run->options->quiet) print_outcome(run, state, sequel);
  code = verdict(run, state, &sequel->refinement);
  if (code == EXIT_INTERNAL) return code; /* out of memory: where there is more, `resume` goes on */
  return !run->options->unwritten && run_record_end(&run->record, code) ? EXIT_INTERNAL : code;
}

int search_run_finish(SearchRun *run, int drive) {
  CtlState state;
  Sequel sequel = {.verification.failure = ""};
  progress_clear(&run->progress);
  if (drive == CTL_DRIVE_STOPPED || drive == CTL_DRIVE_ABANDONED) return leave_off(run);
  if (drive) {
    if (search_log_close(&run->log, &run->results)) return EXIT_INTERNAL;
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "stopped: %s",
                             drive == CTL_POOL_REFUSED
                                 ? "a worker could not build the model (out of memory, or another processor?)"
                             : drive < 0 ? "out of memory"
                                         : "search.csv or the checkpoint cannot be written");
  }
  ctl_search_state(run->search, &state);
  int code = finish(run, &state, &sequel);
  verification_clear(&sequel.verification);
  refinement_clear(&sequel.refinement);
  certificate_clear(&sequel.certificate);
  return code;
}
