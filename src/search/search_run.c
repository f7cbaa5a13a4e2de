#include "src/search/search_run.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/process/stop_signal.h"
#include "src/run/misses.h"
#include "src/run/refinement.h"
#include "src/run/verification.h"
#include "src/search/certification.h"
#include "src/search/search_checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
  return ctl_checkpoint_due(&run->record.checkpoint, now) ? search_checkpoint_save(run, now) : 0;
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
  if (seen && !run->warned) search_checkpoint_save(run, ctl_seconds());
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

/* Whether the control is for a statistic of the scenarios. */
static bool is_robust(const SearchRun *run) { return run->problem.control.statistic != CTL_NOMINAL; }

/* The problem that is searched. */
static const CtlProblem *searched(const SearchRun *run) {
  return is_robust(run) ? &run->stacked : &run->problem.control;
}

static void warn_of_kernel(const SearchRun *run) {
  int kernel = run->options->kernel;
  const char *serves = sim_batch_kernel(run->rollout.model, run->rollout.work);
  if (kernel < 0 || !strcmp(serves, sim_kernel_name(kernel))) return;
  diagnostics_warn(run->diagnostics, "--batch-kernel %s has no lanes for this model and scheme: %s evaluates",
                   sim_kernel_name(kernel), serves);
}

/* What evaluates points here, and is sent to other ranks. */
static int prepare_evaluator(SearchRun *run) {
  EvaluatedModel *evaluated = &run->evaluated;
  const CtlProblem *control = &run->problem.control;
  int code = evaluated_model_prepare(&run->problem, ctl_problem_wants_derivatives(control), evaluated);
  if (!code && is_robust(run)) {
    evaluated->scenarios = run->scenarios.problems;
    evaluated->n_scenarios = (int)run->problem.scenarios->count;
    code = ctl_problem_stack(control, evaluated->n_scenarios, &run->stacked) == SIM_OK ? 0 : EXIT_INTERNAL;
  }
  if (!code && model_evaluator_open(evaluated, &run->rollout, run->options->kernel, &run->evaluator) != SIM_OK)
    code = EXIT_INTERNAL;
  return code ? diagnostics_no_memory(run->diagnostics) : 0;
}

int search_run_prepare(SearchRun *run) {
  const Options *options = run->options;
  if (run->resumed) run->results = run->record.results;
  const ModelRanks alone = {
      .copies = 1, .workers = run->ranks - 1, .limits = options->limits, .progress_line = options->progress_line};
  int code = problem_read(options, true, &alone, run->diagnostics, &run->problem);
  if (!code && run->resumed) code = run_record_check(&run->record, &run->problem);
  if (!code && run->problem.scenarios)
    code = scenario_set_open(&run->scenarios, &run->problem, options, NULL, run->diagnostics);
  if (!code) code = rollout_context_prepare(&run->rollout, &run->problem.sim, run->diagnostics);
  if (!code) code = rollout_context_set_kernel(&run->rollout, options->kernel);
  if (!code) warn_of_kernel(run);
  if (!code) code = prepare_evaluator(run);
  return code ? code : search_checkpoint_open(run, searched(run));
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
    code = run_record_create(&run->record, &run->results, run->problem.external ? "search" : "control", options,
                             &run->problem, NULL, NULL);
  if (!code) code = run->resumed ? open_again(run) : search_log_open(&run->log, &run->results);
  if (!code) warn_of_scheme_size(run, workers);
  const CtlProblem *control = &run->problem.control;
  int method = ctl_problem_method(control);
  if (!code && !options->quiet && is_robust(run))
    printf("by %s, over %ld scenarios\n", ctl_method_name(method), run->problem.scenarios->count);
  else if (!code && !options->quiet && method != control->method)
    printf("by %s, for there are no derivatives for %s\n", ctl_method_name(method), ctl_method_name(control->method));
  return code;
}

void search_run_release(SearchRun *run) {
  run_record_close(&run->record);
  ctl_search_destroy(run->search);
  ctl_problem_clear(&run->stacked);
  model_evaluator_close(&run->evaluator);
  scenario_set_close(&run->scenarios);
  free(run->proof_saved);
  evaluated_model_clear(&run->evaluated);
  rollout_context_release(&run->rollout);
  problem_clear(&run->problem);
  json_decref(run->summary);
}

/* Of a statistic: whether its search has come to its end. */
static bool target_met(const SearchRun *run, const CtlState *s) {
  if (is_robust(run)) return s->reason == CTL_REASON_TOLERANCE || s->reason == CTL_REASON_STOP_AT;
  double accept = run->problem.control.accept;
  return s->E1 <= accept && s->E2 <= accept;
}

/* What follows on a search. */
typedef struct Sequel {
  Verification verification;
  Refinement refinement;
  ScenarioOutcome scenarios;
  Certificate certificate;
} Sequel;

static void print_outcome(const SearchRun *run, const CtlState *s, const Sequel *sequel) {
  const CtlTimes *t = &run->times;
  const char *const met[2][2] = {{"target not met", "target met"}, {"not converged", "converged"}};
  printf("%s (%s) after %ld %s: %ld evaluations, %ld of them simulated, %ld restarts\n",
         met[is_robust(run)][target_met(run, s)], ctl_reason_text(s->reason), s->rounds, row_name(run, true),
         s->evaluations, s->ivps, s->restarts);
  printf("u* =");
  const CtlProblem *control = &run->problem.control;
  for (int i = 0; i < control->n; i++) printf("%s %.8g", i && i % control->p == 0 ? " |" : "", s->control[i]);
  printf("\n");
  if (is_robust(run))
    printf("J(u*) = %.10g\n", s->J);
  else
    misses_print(&run->problem, "J(u*)", s->J, (const double[]){s->E1, s->E2});
  if (run->problem.output_verify) verification_print(&sequel->verification, &run->problem.labels);
  refinement_print(&sequel->refinement);
  if (run->problem.scenarios) scenario_outcome_print(&sequel->scenarios);
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
static int verdict(const SearchRun *run, const CtlState *s, const Sequel *sequel) {
  if (run->rollout.final.status != SIM_OK)
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the optimum's trajectory: %s",
                             sim_status_text(run->rollout.final.status));
  warn_of_late(run, s);
  if (run->problem.scenarios) scenario_outcome_warn(&sequel->scenarios, run->diagnostics);
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
  if (target_met(run, s) || refinement_met(&sequel->refinement)) return EXIT_DONE;
  if (s->no_memory) return EXIT_INTERNAL;
  if (is_robust(run))
    return diagnostics_error(run->diagnostics, EXIT_NOT_MET, "the search has not converged (%s)",
                             ctl_reason_text(s->reason));
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
  int code = search_checkpoint_save(run, ctl_seconds());
  if (search_log_close(&run->log, &run->results)) code = EXIT_INTERNAL;
  ctl_search_state(run->search, &state);
  state.reason = CTL_REASON_SIGNAL;
  Summary summary = summary_of(run, &state);
  if (!is_robust(run)) { /* else they are of all scenarios */
    summary.x = state.x;
    summary.v = state.v;
  }
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
  if (is_robust(run))
    return 0; /* refined it would meet the target with the file's own numbers, which is not what it is for */
  int code = refinement_run(&run->problem, &run->rollout, state, &run->progress, run->diagnostics, refinement);
  if (code != EXIT_STOPPED || run->options->unwritten || !run_record_replay_stopped(&run->record)) return code;
  refinement_give_up(refinement);
  return 0;
}

/* What the scenarios make of it; one stopped in the midst of this does it anew when it goes on. */
static int try_scenarios(SearchRun *run, const CtlState *state, ScenarioOutcome *outcome) {
  if (!run->problem.scenarios) return 0;
  return scenario_outcome_find(&run->scenarios, state->control, &run->progress, run->diagnostics, outcome);
}

/* The optimum's trajectory, the scenarios, and the summary. */
static int write_results(SearchRun *run, const CtlState *state, const Sequel *sequel) {
  Summary summary = summary_of(run, state);
  const SimProblem *sim = &run->problem.sim;
  if (rollout_context_run(&run->rollout, &run->results, &run->problem, state->control, &summary)) return EXIT_INTERNAL;
  if (run->problem.scenarios && scenario_outcome_write(&sequel->scenarios, &run->results)) return EXIT_INTERNAL;
  if (run->problem.output_verify) summary.exact = verification_exact(&sequel->verification, sim);
  summary.optimality = refinement_optimality(&sequel->refinement);
  summary.refined = refinement_answer(&sequel->refinement, sim);
  if (run->problem.scenarios) summary.scenarios = scenario_outcome_json(&sequel->scenarios);
  summary.certifying = sequel->certificate.seconds;
  summary.certificate = certificate_json(&sequel->certificate, sim);
  summary.wall = ctl_seconds() - run->start;
  int failed = summary_write(&run->results, &summary);
  if (run->told) run->summary = summary_json(&summary);
  json_decref(summary.scenarios);
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
  if (!code) code = try_scenarios(run, state, &sequel->scenarios);
  if (!code) code = certification_run(run, state, &sequel->refinement, &sequel->certificate);
  if (code == EXIT_STOPPED) return leave_off(run);
  if (search_log_close(&run->log, &run->results) || code) return EXIT_INTERNAL;
  code = write_results(run, state, sequel);
  if (code) return code;
  if (!run->options->quiet) print_outcome(run, state, sequel);
  code = verdict(run, state, sequel);
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
  scenario_outcome_clear(&sequel.scenarios);
  certificate_clear(&sequel.certificate);
  return code;
}
