#include "src/search/search_end.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/process/interruption.h"
#include "src/process/stop_signal.h"
#include "src/results/motion_failure.h"
#include "src/run/misses.h"
#include "src/run/verification.h"
#include "src/search/bound_tasks.h"
#include "src/search/miss_advice.h"
#include "src/search/more_starts.h"
#include "src/search/scenario_tasks.h"
#include "src/search/search_checkpoint.h"

#include <math.h>
#include <stdlib.h>

struct Sequel {
  CtlState state;  /* of the search, which has ended */
  CtlSearch *more; /* the search with more starts that it is of; NULL: it is of the run's */
  Verification verification;
  Refinement refinement;
  ScenarioOutcome scenarios;
  LowerBound bound;
  Certificate certificate;
  Summary summary; /* its texts are owned */
};

/* All that is of one answer, but for the bound, which holds of any. */
static void clear_answer(Sequel *sequel) {
  Summary *summary = &sequel->summary;
  json_t *const owned[] = {summary->exact, summary->optimality, summary->refined, summary->scenarios};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) json_decref(owned[k]);
  verification_clear(&sequel->verification);
  refinement_clear(&sequel->refinement);
  scenario_outcome_clear(&sequel->scenarios);
  sequel->verification = (Verification){0};
  sequel->refinement = (Refinement){0};
}

void sequel_free(Sequel *sequel) {
  if (!sequel) return;
  clear_answer(sequel);
  json_decref(sequel->summary.certificate);
  json_decref(sequel->summary.bound);
  certificate_clear(&sequel->certificate);
  ctl_search_destroy(sequel->more);
  free(sequel);
}

/* Of a statistic: whether its search has come to its end. */
static bool target_met(const SearchRun *run, const CtlState *s) {
  if (search_run_is_robust(run)) return s->reason == CTL_REASON_TOLERANCE || s->reason == CTL_REASON_STOP_AT;
  double accept = run->problem.control.accept;
  return s->E1 <= accept && s->E2 <= accept;
}

/* No motion that could be compared: there is nothing to show but why. */
static bool is_without_motion(const CtlState *state) { return !isfinite(state->best) && state->too_long > 0; }

static void print_answer(const SearchRun *run) {
  const Sequel *sequel = run->sequel;
  const CtlState *s = &sequel->state;
  printf("u* =");
  const CtlProblem *control = &run->problem.control;
  for (int i = 0; i < control->n; i++) printf("%s %.8g", i && i % control->p == 0 ? " |" : "", s->control[i]);
  printf("\n");
  if (search_run_is_robust(run))
    printf("J(u*) = %.10g\n", s->J);
  else
    misses_print(&run->problem, "J(u*)", s->J, (const double[]){s->E1, s->E2});
  if (run->problem.output_verify) verification_print(&sequel->verification, &run->problem.labels);
  refinement_print(&sequel->refinement);
  bool met = target_met(run, s);
  if (!search_run_is_robust(run) && (met || refinement_met(&sequel->refinement)))
    refinement_conclude(&sequel->refinement, control, s, met);
  if (run->problem.scenarios) scenario_outcome_print(&sequel->scenarios);
  lower_bound_print(&sequel->bound);
  certificate_print(&sequel->certificate);
}

static void print_outcome(const SearchRun *run) {
  const CtlState *s = &run->sequel->state;
  const SearchSpent spent = search_run_spent(run);
  const char *const met[2][2] = {{"target not met", "target met"}, {"not converged", "converged"}};
  printf("%s (%s) after %ld %s: %ld evaluations, %ld of them simulated, %ld restarts\n",
         met[search_run_is_robust(run)][target_met(run, s)], ctl_reason_text(s->reason), s->rounds,
         search_run_row(run, true), s->evaluations, s->ivps, s->restarts);
  if (!is_without_motion(s)) print_answer(run);
  printf("%.2f s on %d rank%s", spent.wall, run->ranks, run->ranks == 1 ? "" : "s");
  printf(", of them %.2f s the search, %.0f simulations a second\n", spent.driven,
         spent.driven > 0 ? (double)s->ivps / spent.driven : 0);
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

/* How many motions took more work than they may, and what to do about it. Too many have ended the search. */
static int tell_too_long(const SearchRun *run, const CtlState *s) {
  static const char by_event[] = "what is stiff is for a scheme with steps, as moreau",
                    by_steps[] = "longer steps, or the solver exact, take less";
  const char *instead = sim_force_in_pieces(&run->problem.sim) ? by_event : by_steps;
  const char *several = s->too_long == 1 ? "" : "s";
  double most = interruption_limited_to();
  if (!s->too_long) return 0;
  if (s->too_long == s->ivps)
    return diagnostics_error(
        run->diagnostics, EXIT_UNSOLVED,
        "none of %ld evaluation%s could be done with --max-segments %.6g (%s; a larger one allows more)", s->ivps,
        several, most, instead);
  if (s->reason == CTL_REASON_TOO_LONG || is_without_motion(s))
    return diagnostics_error(
        run->diagnostics, EXIT_UNSOLVED,
        "%ld evaluation%s of %ld took more work than --max-segments %.6g: the search has ended early (%s; a "
        "larger one allows more)",
        s->too_long, several, s->ivps, most, instead);
  diagnostics_warn(
      run->diagnostics,
      "%ld evaluation%s of %ld took more work than --max-segments %.6g, and count%s as failed (%s; a larger one "
      "allows more)",
      s->too_long, several, s->ivps, most, *several ? "" : "s", instead);
  return 0;
}

/* The nearest control, and what may find one. */
static int report_miss(const SearchRun *run, const CtlState *s) {
  char advice[MISS_ADVICE_SIZE];
  miss_advice(&run->problem, s, &run->sequel->verification, advice);
  return diagnostics_error(run->diagnostics, EXIT_NOT_MET,
                           "no control found that meets the target; nearest: J = %.8g, E1 = %.2e, E2 = %.2e "
                           "(search.accept: %g). What may find one: %s",
                           s->J, s->E1, s->E2, run->problem.control.accept, advice);
}

/* Exit code of a search that ran to its end. */
static int verdict(const SearchRun *run) {
  const Sequel *sequel = run->sequel;
  const CtlState *s = &sequel->state;
  int code = tell_too_long(run, s);
  if (code) return code;
  if (run->rollout.final.status != SIM_OK) {
    char why[MOTION_FAILURE_SIZE];
    motion_failure_text(&run->rollout.final, why);
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the optimum's trajectory: %s", why);
  }
  if (*sequel->verification.distrust) return verification_refuse(&sequel->verification, run->diagnostics);
  if (*sequel->refinement.distrust)
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the refined answer's motion: %s",
                             sequel->refinement.distrust);
  if (*sequel->certificate.distrust)
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the motion of a better control: %s",
                             sequel->certificate.distrust);
  if (*sequel->bound.distrust)
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the bound for any control: %s", sequel->bound.distrust);
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
  if (search_run_is_robust(run))
    return diagnostics_error(run->diagnostics, EXIT_NOT_MET, "the search has not converged (%s)",
                             ctl_reason_text(s->reason));
  return report_miss(run, s);
}

/* x(T), v(T), energy and wall clock are to follow. state: borrowed. */
static Summary summary_of(const SearchRun *run, const CtlState *state) {
  return (Summary){.problem = &run->problem,
                   .ranks = run->ranks,
                   .kernel = sim_batch_kernel(run->rollout.model, run->rollout.work),
                   .control = state->control,
                   .search = state,
                   .utilisation = NAN};
}

/* Of all runs. */
static void take_seconds(const SearchRun *run, Summary *summary) {
  const SearchSpent spent = search_run_spent(run);
  summary->wall = spent.wall;
  summary->times = run->times;
  summary->times.ivps = spent.ivps;
  summary->times.evaluating = spent.evaluating;
  summary->times.waiting = spent.waiting;
  summary->times.coordinating = spent.coordinating;
  summary->utilisation = spent.evaluators > 0 ? spent.ivps / spent.evaluators : NAN;
}

/* A drive that has left off on a signal: checkpoint, and the best so far, unless the answer is there already, for only its proof is left. */
static int leave_off(SearchRun *run, bool answered) {
  CtlState state;
  if (run->options->unwritten) return EXIT_STOPPED;
  int code = search_checkpoint_save(run, ctl_seconds());
  if (search_log_close(&run->log, &run->results)) code = EXIT_INTERNAL;
  ctl_search_state(run->search, &state);
  state.reason = CTL_REASON_SIGNAL;
  Summary summary = summary_of(run, &state);
  if (!search_run_is_robust(run)) { /* else they are of all scenarios */
    summary.x = state.x;
    summary.v = state.v;
  }
  take_seconds(run, &summary);
  if (!answered && summary_write(&run->results, &summary)) code = EXIT_INTERNAL;
  if (!code)
    code = diagnostics_error(run->diagnostics, EXIT_STOPPED,
                             "stopped on a signal after %s %ld; `stiction resume %s` goes on",
                             search_run_row(run, false), state.rounds, run->results.directory);
  return code;
}

/* A stop because the service needs this process (stop_signal_hurry) does not count as a signal to this run. */
static bool is_stopped_twice(SearchRun *run, int code) {
  bool counts = code == EXIT_STOPPED && !run->options->unwritten && !stop_signal_hurries();
  return counts && run_record_replay_stopped(&run->record);
}

/* What the motion itself does. Returns 0, EXIT_STOPPED or EXIT_INTERNAL, as the next. */
static int verify(SearchRun *run, const CtlState *state, double until, Verification *verification) {
  if (!run->problem.output_verify) return 0;
  int code = verification_run(&run->problem, state->control, false, until, &run->results, &run->progress, verification);
  if (!is_stopped_twice(run, code)) return code;
  verification_give_up(verification);
  return 0;
}

static int refine(SearchRun *run, const CtlState *state, double until, Refinement *refinement) {
  if (search_run_is_robust(run))
    return 0; /* refined it would meet the target with the file's own numbers, which is not what it is for */
  int code = refinement_run(&run->problem, &run->rollout, state, until, &run->progress, run->diagnostics, refinement);
  if (!is_stopped_twice(run, code)) return code;
  refinement_give_up(refinement);
  return 0;
}

static int run_on_pool(void *context, const double *control, double *states) {
  return scenario_tasks_run(context, control, states);
}

/* What the scenarios make of it; one stopped in the midst of this does it anew when it goes on. */
static int try_scenarios(SearchRun *run, const CtlState *state, ScenarioOutcome *outcome) {
  if (!run->problem.scenarios) return 0;
  const ScenarioRunner pool = {run, run_on_pool};
  return scenario_outcome_find(&run->scenarios, state->control, run->pool ? &pool : NULL, &run->progress,
                               run->diagnostics, outcome);
}

/* The optimum's trajectory, the scenarios, and what the summary tells of all but the proof. */
static int write_results(SearchRun *run) {
  Sequel *sequel = run->sequel;
  Summary *summary = &sequel->summary;
  const SimProblem *sim = &run->problem.sim;
  *summary = summary_of(run, &sequel->state);
  /* A signal that ended the verification does not end this motion, whose results are needed. The service's own hurry does: another process
   * repeats it. */
  bool signalled = stop_signal_seen() && !stop_signal_hurries();
  if (run->rollout.work && signalled) sim_workspace_interrupt(run->rollout.work, NULL);
  int code = rollout_context_run(&run->rollout, &run->results, &run->problem, sequel->state.control, summary);
  if (code) return code;
  if (run->problem.scenarios && scenario_outcome_write(&sequel->scenarios, &run->results)) return EXIT_INTERNAL;
  if (run->problem.output_verify) summary->exact = verification_exact(&sequel->verification, sim);
  summary->optimality = refinement_optimality(&sequel->refinement);
  summary->refined = refinement_answer(&sequel->refinement, sim);
  if (run->problem.scenarios) summary->scenarios = scenario_outcome_json(&sequel->scenarios);
  return 0;
}

/* How much cheaper any control could be. Its answer is written before, for it may last. */
static int bound(SearchRun *run, const CtlState *state) {
  Sequel *sequel = run->sequel;
  const LowerBoundRunner runner = bound_tasks_runner(run);
  int code = lower_bound_run(&run->problem, state, &sequel->refinement, run->options->only_asked, &runner,
                             &run->progress, run->diagnostics, &sequel->bound);
  if (is_stopped_twice(run, code)) {
    lower_bound_give_up(&sequel->bound);
    code = 0;
  }
  sequel->summary.bound = lower_bound_json(&sequel->bound);
  sequel->summary.bounding = sequel->bound.seconds;
  return code;
}

/* The summary with what is known of the proof, here for the first time or once more. */
static int tell(SearchRun *run, bool last) {
  const Certificate *certificate = &run->sequel->certificate;
  Summary *summary = &run->sequel->summary;
  json_decref(summary->certificate);
  summary->certificate = certificate_json(certificate, &run->problem.sim);
  summary->certifying = certificate->seconds;
  take_seconds(run, summary);
  if (last && run->told) run->summary = summary_json(summary);
  return (last ? summary_write : summary_draft)(&run->results, summary) ? EXIT_INTERNAL : 0;
}

/* All has been done. */
static int end(SearchRun *run) {
  if (search_log_close(&run->log, &run->results)) return EXIT_INTERNAL;
  int code = tell(run, true);
  if (code) return code;
  if (!run->options->quiet) print_outcome(run);
  code = verdict(run);
  if (code == EXIT_INTERNAL) return code; /* out of memory: where there is more, `resume` goes on */
  return !run->options->unwritten && run_record_end(&run->record, code) ? EXIT_INTERNAL : code;
}

/* When search.max_seconds are over, of which verification and refinement are a part, or a second from now; 0: never. */
static double time_is_up(const SearchRun *run, const CtlState *state) {
  double most = run->problem.control.max_seconds;
  return most > 0 ? ctl_seconds() + fmax(1, most - state->seconds) : 0;
}

/* An answer, checked and written. */
static int settle(SearchRun *run) {
  Sequel *sequel = run->sequel;
  const CtlState *state = &sequel->state;
  double until = time_is_up(run, state);
  int code = verify(run, state, until, &sequel->verification);
  if (!code && !*sequel->verification.distrust) code = refine(run, state, until, &sequel->refinement);
  if (!code) code = try_scenarios(run, state, &sequel->scenarios);
  return code ? code : write_results(run);
}

/* Whether what follows is worth anything. */
static bool is_trusted(const SearchRun *run) {
  const Sequel *sequel = run->sequel;
  return !*sequel->verification.distrust && !*sequel->refinement.distrust && run->rollout.final.status == SIM_OK;
}

/* Takes the answer of a search with more starts, which is cheaper. */
static int replace(SearchRun *run, CtlSearch *search, const CtlState *state) {
  Sequel *sequel = run->sequel;
  json_t *told = sequel->summary.bound;
  double bounding = sequel->summary.bounding;
  clear_answer(sequel);
  ctl_search_destroy(sequel->more);
  sequel->more = search;
  sequel->state = *state;
  int code = settle(run);
  sequel->summary.bound = told;
  sequel->summary.bounding = bounding;
  return code;
}

/* More and more starts, while a bound says that they may bring more than wanted, and there is time. */
static int begin_again(SearchRun *run) {
  Sequel *sequel = run->sequel;
  LowerBound *least = &sequel->bound;
  CtlProblem tried = run->problem.control;
  long starts;
  int code = 0;
  bool event = sim_force_in_pieces(&run->problem.sim); /* else J of the motion itself is known of refined answers alone */
  while (!code && event && is_trusted(run) && lower_bound_wants_more(least) &&
         (starts = refinement_more_starts(&tried, &sequel->state)) > 0) {
    CtlSearch *search;
    CtlState state;
    tried.local_starts = (int)starts;
    if (!run->options->quiet)
      printf("%.3g of J may be left: the search begins once more, with %ld starts\n", 1 - least->bound.J / least->J,
             starts);
    code = more_starts_run(run, starts, least->until, &search);
    if (!code) ctl_search_state(search, &state);
    double accept = run->problem.control.accept;
    if (!code && state.E1 <= accept && state.E2 <= accept && state.J < least->J) {
      code = replace(run, search, &state);
      lower_bound_compare(least, &run->problem, &sequel->state, &sequel->refinement);
      json_decref(sequel->summary.bound);
      sequel->summary.bound = lower_bound_json(least);
    } else
      ctl_search_destroy(search);
  }
  return code;
}

/* What else there is to an answer. */
static int answer(SearchRun *run, Certification **proof) {
  Sequel *sequel = run->sequel;
  const CtlState *state = &sequel->state;
  int code = settle(run);
  if (code == EXIT_STOPPED) return leave_off(run, false);
  if (!code && is_trusted(run) && (code = tell(run, false)) == 0 && (code = bound(run, state)) == 0)
    code = begin_again(run);
  if (code == EXIT_STOPPED) return leave_off(run, true);
  if (!code && is_trusted(run))
    code = certification_begin(run, state, &sequel->refinement, &sequel->certificate, proof);
  if (!code && *proof && (code = tell(run, false)) != 0) {
    certification_end(*proof, code);
    *proof = NULL;
  }
  if (!code) return *proof ? 0 : end(run);
  search_log_close(&run->log, &run->results);
  return EXIT_INTERNAL;
}

static int end_without_motion(SearchRun *run) {
  run->sequel->summary = summary_of(run, &run->sequel->state);
  return end(run);
}

int search_run_answer(SearchRun *run, int drive, Certification **proof) {
  *proof = NULL;
  progress_clear(&run->progress);
  if (drive == CTL_DRIVE_STOPPED || drive == CTL_DRIVE_ABANDONED) return leave_off(run, false);
  if (drive) {
    if (search_log_close(&run->log, &run->results)) return EXIT_INTERNAL;
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "stopped: %s",
                             drive == CTL_POOL_REFUSED
                                 ? "a worker could not build the model (out of memory, or another processor?)"
                             : drive < 0 ? "out of memory"
                                         : "search.csv or the checkpoint cannot be written");
  }
  run->sequel = calloc(1, sizeof *run->sequel);
  if (!run->sequel) return diagnostics_no_memory(run->diagnostics);
  ctl_search_state(run->search, &run->sequel->state);
  return is_without_motion(&run->sequel->state) ? end_without_motion(run) : answer(run, proof);
}

int search_run_conclude(SearchRun *run, Certification *proof, int over) {
  int code = certification_end(proof, over);
  if (code == EXIT_STOPPED) return leave_off(run, true);
  if (!code) return end(run);
  search_log_close(&run->log, &run->results);
  return EXIT_INTERNAL;
}

int search_run_finish(SearchRun *run, int drive) {
  Certification *proof;
  int code = search_run_answer(run, drive, &proof);
  return proof ? search_run_conclude(run, proof, certification_drive(proof)) : code;
}
