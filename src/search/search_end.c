/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/search_end.h"

#include "control/base/clock.h"
#include "src/process/stop_signal.h"
#include "src/run/refinement.h"
#include "src/search/follow_up.h"
#include "src/search/messages.h"
#include "src/search/plan_end.h"
#include "src/search/search_checkpoint.h"
#include "src/search/sequel.h"

#include <math.h>
#include <stdlib.h>

/* Returns a summary with the members that are known before the motion of the answer is simulated. x(T), v(T), energy
 * and times are set later. state: borrowed. */
static Summary summary_of(const SearchRun *run, const CtlState *state) {
  return (Summary){.problem = &run->problem,
                   .ranks = run->ranks,
                   .kernel = sim_batch_kernel(run->rollout.model, run->rollout.work),
                   .control = state->control,
                   .search = state,
                   .utilisation = NAN};
}

/* Sets the times in the summary, summed over all runs of this search. */
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

/* Handles a search that a signal has stopped: writes a checkpoint, and a summary with the best point so far. answered:
 * the answer and its summary are already written, and only the proof was unfinished; no summary is written then. */
static int leave_off(SearchRun *run, bool answered) {
  CtlState state;
  if (run->options->unwritten) return EXIT_STOPPED;
  int code = search_checkpoint_save(run, ctl_seconds());
  if (search_log_close(&run->log)) code = EXIT_INTERNAL;
  stiction_asktell_state(run->search, &state);
  state.reason = CTL_REASON_SIGNAL;
  Summary summary = summary_of(run, &state);
  /* in a search over scenarios the misses (distances from the target) are sums over all scenarios, so there is no
   * single final state */
  if (!search_run_is_robust(run)) {
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

/* Returns whether the code means that a signal has stopped this run. A stop by the service, which needs this process
 * for other jobs (stop_signal_hurry), does not count. */
static bool counts_as_stop(const SearchRun *run, int code) {
  return code == EXIT_STOPPED && !run->options->unwritten && !stop_signal_hurries();
}

static bool is_stopped_twice(SearchRun *run, int code) {
  return counts_as_stop(run, code) && run_record_replay_stopped(&run->record);
}

/* Returns whether the computation of a bound was stopped twice without progress. A run that is resumed would then
 * repeat the same work without ever completing it. */
static bool is_stuck(SearchRun *run, int code) { return counts_as_stop(run, code) && run->bound.log.stuck++ > 0; }

/* Verifies the answer on the exact motion. Like the functions below, returns 0, EXIT_STOPPED or EXIT_INTERNAL. */
static int verify(SearchRun *run, const CtlState *state, double until, Verification *verification) {
  if (!run->problem.output_verify) return 0;
  int code = verification_run(&run->problem, state->control, false, until, &run->results, &run->progress, verification);
  if (!is_stopped_twice(run, code)) return code;
  verification_give_up(verification);
  return 0;
}

/* Runs further searches. After they have been stopped by a signal twice, they are not continued; a refined answer that
 * was found before is kept. */
static int search_further(SearchRun *run, const CtlState *state, double until, Refinement *refinement) {
  FurtherSearches *further = &run->sequel->further;
  int code = further_searches_run(run, state, until, refinement, further);
  if (!is_stopped_twice(run, code)) return code;
  further->stopped = true;
  return 0;
}

/* Runs the search that starts at the best control for the numbers in the file. After it has been stopped by a signal
 * twice, it is not continued. */
static int search_from_nominal(SearchRun *run, double until) {
  int code = nominal_start_run(run, until);
  if (!is_stopped_twice(run, code)) return code;
  run->sequel->further.stopped = true;
  return 0;
}

static int refine(SearchRun *run, const CtlState *state, double until, Refinement *refinement) {
  if (search_run_is_robust(run))
    return 0; /* With an objective over scenarios nothing is refined: a refined answer would meet the target for the
               * numbers in the file, but need not be better for the objective. */
  int code =
      refinement_run(&run->problem, &run->rollout, state, NULL, until, &run->progress, run->diagnostics, refinement);
  if (!code) return search_further(run, state, until, refinement);
  if (!is_stopped_twice(run, code)) return code;
  refinement_give_up(refinement);
  return 0;
}

static int run_on_pool(void *context, const double *control, double *states) {
  return scenario_tasks_run(context, control, states);
}

/* Simulates the answer in all scenarios. If this is stopped by a signal, it is repeated when the run is resumed. */
static int try_scenarios(SearchRun *run, const CtlState *state, ScenarioOutcome *outcome) {
  if (!run->problem.scenarios) return 0;
  const ScenarioRunner pool = {run, run_on_pool};
  return scenario_outcome_find(&run->scenarios, state->control, run->pool ? &pool : NULL, &run->progress,
                               run->diagnostics, outcome);
}

/* Writes the trajectory of the answer and the scenarios, and fills the summary. The summary is written later, with the
 * state of the proof that no control with a smaller J meets the target. */
static int write_results(SearchRun *run) {
  Sequel *sequel = run->sequel;
  Summary *summary = &sequel->summary;
  const SimProblem *sim = &run->problem.sim;
  *summary = summary_of(run, &sequel->state);
  /* The results of this motion are needed, so it must not be interrupted by a signal that has already ended the
   * verification. A stop by the service (stop_signal_hurry) may interrupt it, since another process will repeat it. */
  bool signalled = stop_signal_seen() && !stop_signal_hurries();
  if (run->rollout.work && signalled) stiction_workspace_interrupt(run->rollout.work, NULL);
  int code = rollout_context_run(&run->rollout, &run->results, &run->problem, sequel->state.control, summary);
  if (!code) code = refined_trajectory_write(&run->problem, &sequel->refinement, &run->results, signalled);
  if (code) return code;
  if (run->problem.scenarios && scenario_outcome_write(&sequel->scenarios, &run->results)) return EXIT_INTERNAL;
  if (run->problem.output_verify) summary->exact = verification_exact(&sequel->verification, sim);
  summary->optimality = refinement_optimality(&sequel->refinement);
  summary->refined = refinement_answer(&sequel->refinement, sim);
  summary->further = further_searches_json(&sequel->further);
  if (run->problem.scenarios) summary->scenarios = scenario_outcome_json(&sequel->scenarios);
  return 0;
}

/* Writes the summary with the present state of the proof that no control with a smaller J meets the target. last: the
 * proof has ended. */
static int write_proof_state(SearchRun *run, bool last) {
  const Certificate *certificate = &run->sequel->certificate;
  Summary *summary = &run->sequel->summary;
  json_decref(summary->certificate);
  summary->certificate = certificate_json(certificate, &run->problem.sim);
  summary->certifying = certificate->seconds;
  summary->advice = sequel_advise_minimum(run);
  take_seconds(run, summary);
  if (last && run->summary_wanted) run->summary = summary_json(summary);
  return (last ? summary_write : summary_draft)(&run->results, summary) ? EXIT_INTERNAL : 0;
}

/* Computes the lower bound. Since this may take long, the answer has been written before. */
static int bound(SearchRun *run, const CtlState *state) {
  Sequel *sequel = run->sequel;
  const LowerBoundRunner runner = bound_tasks_runner(run);
  int code = lower_bound_run(&run->problem, state, &sequel->refinement, run->options->only_asked, &runner,
                             &run->progress, run->diagnostics, &sequel->bound);
  if (run->unkept) return run->unkept;
  if (is_stuck(run, code)) {
    lower_bound_give_up(&sequel->bound);
    code = 0;
  }
  if (code == EXIT_STOPPED && sequel->bound.reason) return code;
  sequel->summary.bound = lower_bound_json(&sequel->bound);
  sequel->summary.bounding = sequel->bound.seconds;
  if (code != EXIT_STOPPED) return code;
  if (!run->options->quiet) lower_bound_print(&sequel->bound);
  return write_proof_state(run, false) ? EXIT_INTERNAL
                                       : code; /* the part of the bound that was computed is stored, and a resumed run
                                                * continues from there */
}

/* Ends the run: writes the last results, and returns its exit code. */
static int end(SearchRun *run) {
  if (search_log_close(&run->log)) return EXIT_INTERNAL;
  int code = write_proof_state(run, true);
  if (code) return code;
  if (!run->options->quiet) sequel_print(run);
  code = sequel_verdict(run);
  /* after a lack of memory the run is not marked as ended, so that `resume` can continue it */
  if (code == EXIT_INTERNAL) return code;
  return !run->options->unwritten && run_record_end(&run->record, code) ? EXIT_INTERNAL : code;
}

/* Returns the time (ctl_seconds) at which the limit search.max_seconds is reached; 0: no limit. The limit also applies
 * to verification and refinement, which get at least one second. */
static double time_is_up(const SearchRun *run, const CtlState *state) {
  double most = run->problem.control.max_seconds;
  return most > 0 ? ctl_seconds() + fmax(1, most - state->seconds) : 0;
}

/* Verifies and refines an answer, and writes it. */
static int settle(SearchRun *run) {
  Sequel *sequel = run->sequel;
  const CtlState *state = &sequel->state;
  double until = time_is_up(run, state);
  int code = search_from_nominal(run, until);
  if (!code) code = verify(run, state, until, &sequel->verification);
  if (!code && !*sequel->verification.distrust) code = refine(run, state, until, &sequel->refinement);
  if (!code) code = try_scenarios(run, state, &sequel->scenarios);
  return code ? code : write_results(run);
}

/* Returns whether the answer is trusted. Only then further steps (bound, proof) make sense. */
static bool is_trusted(const SearchRun *run) {
  const Sequel *sequel = run->sequel;
  return !*sequel->verification.distrust && !*sequel->refinement.distrust && run->rollout.final.status == SIM_OK;
}

/* Result of a search with more starts. It is cleared unless it becomes the answer. */
typedef struct Candidate {
  CtlSearch *search;
  CtlState state;
  CtlTimes times;
  Refinement refinement;
  bool late; /* whether the search was stopped because its time limit was reached; its result was refined all the
              * same */
} Candidate;

static void candidate_clear(Candidate *candidate) {
  refinement_clear(&candidate->refinement);
  stiction_asktell_destroy(candidate->search);
}

/* Runs a search with more starts, and refines its answer. Sets *cheaper to whether this costs less than the present
 * answer on the exact motion. */
static int find_candidate(SearchRun *run, Candidate *candidate, bool *cheaper) {
  /* fraction of the remaining time that the search may use; the rest is for refinement */
  static const double SEARCH = 0.8;
  const LowerBound *least = &run->sequel->bound;
  double now = ctl_seconds(), until = least->until > 0 ? now + SEARCH * (least->until - now) : 0;
  *candidate = (Candidate){0};
  *cheaper = false;
  int code = follow_up_again(run, &run->sequel->tried, until, "more starts", &candidate->search, &candidate->times);
  if (code) return code == EXIT_INTERNAL ? diagnostics_no_memory(run->diagnostics) : code;
  stiction_asktell_state(candidate->search, &candidate->state);
  CtlState ended = candidate->state;
  candidate->late = ended.reason == CTL_RUNNING;
  if (candidate->late) {
    candidate->state.reason = CTL_REASON_BUDGET;
    ended.reason = CTL_REASON_STALL;
  }
  if (!ctl_state_meets(&run->problem.control, &candidate->state)) return 0;
  code = refinement_run(&run->problem, &run->rollout, &ended, NULL, least->until, &run->progress, run->diagnostics,
                        &candidate->refinement);
  if (code) return code;
  double J = lower_bound_known(&run->problem, &candidate->state, &candidate->refinement);
  *cheaper = !*candidate->refinement.distrust && J < least->J;
  return 0;
}

/* Replaces the refined answer by that of the candidate. */
static int take_refined(SearchRun *run, Candidate *candidate) {
  Sequel *sequel = run->sequel;
  refinement_replace(&sequel->refinement, &candidate->refinement);
  json_decref(sequel->summary.refined);
  json_decref(sequel->summary.further);
  sequel->summary.refined = refinement_answer(&sequel->refinement, &run->problem.sim);
  sequel->summary.further = further_searches_json(&sequel->further);
  return refined_trajectory_write(&run->problem, &sequel->refinement, &run->results, stop_signal_seen());
}

/* Replaces the answer of the search by a candidate that was not refined, and writes it. */
static int take_found(SearchRun *run, Candidate *candidate) {
  Sequel *sequel = run->sequel;
  json_t *bound = sequel->summary.bound;
  double bounding = sequel->summary.bounding;
  sequel_clear_answer(sequel);
  stiction_asktell_destroy(sequel->more);
  sequel->more = candidate->search;
  sequel->state = candidate->state;
  sequel->refinement = candidate->refinement;
  run->times = candidate->times;
  *candidate = (Candidate){0};
  int code = verify(run, &sequel->state, sequel->bound.until, &sequel->verification);
  if (!code) code = try_scenarios(run, &sequel->state, &sequel->scenarios);
  if (!code) code = write_results(run);
  sequel->summary.bound = bound;
  sequel->summary.bounding = bounding;
  return code;
}

/* Makes a candidate the answer. The bound is kept, as it applies to any answer. */
static int take(SearchRun *run, Candidate *candidate) {
  Sequel *sequel = run->sequel;
  sequel->further.taken = FURTHER_NONE;
  int code = refinement_met(&candidate->refinement) ? take_refined(run, candidate) : take_found(run, candidate);
  lower_bound_compare(&sequel->bound, &run->problem, &sequel->state, &sequel->refinement);
  json_decref(sequel->summary.bound);
  sequel->summary.bound = lower_bound_json(&sequel->bound);
  return code;
}

/* Repeats the search with more and more starts, as long as the gap between bound and answer is larger than requested
 * and time remains. */
static int begin_again(SearchRun *run) {
  Sequel *sequel = run->sequel;
  const LowerBound *least = &sequel->bound;
  long starts;
  int code = 0;
  bool last = false;
  if (least->start.control) {
    sequel->tried.start = least->start.control;
    sequel->tried.start_ways = least->start.ways;
  }
  while (!code && !last && is_trusted(run) && lower_bound_wants_more(least) &&
         (starts = refinement_more_starts(&sequel->tried, &sequel->state)) > 0) {
    Candidate candidate;
    bool cheaper;
    sequel->tried.local_starts = (int)starts;
    if (!run->options->quiet)
      printf("%.3g of J may be left: the search begins once more, with %ld starts\n", 1 - least->bound.J / least->J,
             starts);
    if ((code = write_proof_state(run, false)) != 0) break;
    code = find_candidate(run, &candidate, &cheaper);
    last = candidate.late;
    if (is_stopped_twice(run, code)) {
      sequel->bound.stopped = last = true;
      code = 0;
    }
    if (!code && cheaper) code = take(run, &candidate);
    candidate_clear(&candidate);
  }
  return code;
}

/* Completes an answer: computes the bound, searches with more starts if necessary, and begins the proof. */
static int answer(SearchRun *run, Certification **proof) {
  Sequel *sequel = run->sequel;
  const CtlState *state = &sequel->state;
  int code = settle(run);
  if (code == EXIT_STOPPED) return leave_off(run, false);
  if (!code && is_trusted(run) && (code = write_proof_state(run, false)) == 0 && (code = bound(run, state)) == 0)
    code = begin_again(run);
  if (code == EXIT_STOPPED) return leave_off(run, true);
  if (!code && is_trusted(run))
    code = certification_begin(run, state, &sequel->refinement, &sequel->certificate, proof);
  if (!code && *proof && (code = write_proof_state(run, false)) != 0) {
    certification_end(*proof, code);
    *proof = NULL;
  }
  if (!code) return *proof ? 0 : end(run);
  search_log_close(&run->log);
  return code == EXIT_USAGE ? code : EXIT_INTERNAL;
}

static int end_without_motion(SearchRun *run) {
  run->sequel->summary = summary_of(run, &run->sequel->state);
  return end(run);
}

int search_run_answer(SearchRun *run, int drive, Certification **proof) {
  *proof = NULL;
  if (run->plan) return plan_run_finish(run, drive);
  progress_clear(&run->progress);
  if (drive == CTL_DRIVE_STOPPED || drive == CTL_DRIVE_ABANDONED) return leave_off(run, false);
  if (drive) {
    if (search_log_close(&run->log)) return EXIT_INTERNAL;
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "stopped: %s",
                             drive == CTL_POOL_REFUSED
                                 ? "a worker could not build the model (out of memory, or another processor?)"
                             : drive < 0 ? "out of memory"
                                         : "search.csv or the checkpoint cannot be written");
  }
  run->sequel = calloc(1, sizeof *run->sequel);
  if (!run->sequel) return diagnostics_no_memory(run->diagnostics);
  run->sequel->tried = run->problem.control;
  stiction_asktell_state(run->search, &run->sequel->state);
  return sequel_is_without_motion(&run->sequel->state) ? end_without_motion(run) : answer(run, proof);
}

int search_run_conclude(SearchRun *run, Certification *proof, int over) {
  int code = certification_end(proof, over);
  if (code == EXIT_STOPPED) return leave_off(run, true);
  if (!code) return end(run);
  search_log_close(&run->log);
  return EXIT_INTERNAL;
}

int search_run_finish(SearchRun *run, int drive) {
  Certification *proof;
  int code = search_run_answer(run, drive, &proof);
  return proof ? search_run_conclude(run, proof, certification_drive(proof)) : code;
}
