/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/sequel.h"

#include "src/process/interruption.h"
#include "src/results/motion_failure.h"
#include "src/run/rollout_context.h"
#include "src/search/further_searches.h"

#include <math.h>
#include <stdlib.h>

void sequel_clear_answer(Sequel *sequel) {
  Summary *summary = &sequel->summary;
  json_t *const owned[] = {summary->exact, summary->optimality, summary->refined, summary->further, summary->scenarios};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) json_decref(owned[k]);
  summary->exact = summary->optimality = summary->refined = summary->further = summary->scenarios = NULL;
  verification_clear(&sequel->verification);
  refinement_clear(&sequel->refinement);
  scenario_outcome_clear(&sequel->scenarios);
  sequel->verification = (Verification){0};
  sequel->refinement = (Refinement){0};
}

void sequel_free(Sequel *sequel) {
  if (!sequel) return;
  sequel_clear_answer(sequel);
  json_decref(sequel->summary.certificate);
  json_decref(sequel->summary.bound);
  lower_bound_clear(&sequel->bound);
  certificate_clear(&sequel->certificate);
  stiction_asktell_destroy(sequel->more);
  free(sequel->start);
  free(sequel);
}

/* Returns whether the target is met or, for a statistic over scenarios, the search has converged. */
static bool target_met(const SearchRun *run, const CtlState *s) {
  if (search_run_is_robust(run)) return s->reason == CTL_REASON_TOLERANCE || s->reason == CTL_REASON_STOP_AT;
  return ctl_state_meets(&run->problem.control, s);
}

bool sequel_is_without_motion(const CtlState *state) { return !isfinite(state->best) && state->too_long > 0; }

/* Prints a control. Entries that are round-off compared with the largest one are printed as 0. */
static void print_control(const char *name, int n, int p, const double *u) {
  static const double NOTHING = 1e-14;
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(u[i]));
  printf("%s =", name);
  for (int i = 0; i < n; i++) printf("%s %.8g", i && i % p == 0 ? " |" : "", fabs(u[i]) > NOTHING * most ? u[i] : 0);
  printf("\n");
}

/* If a control meets the target on the motion with time steps, but no control near it does so on the exact motion,
 * advises to search on the exact motion. met: whether such a control was found. */
static void print_way(const SearchRun *run, bool met) {
  const Refinement *refinement = &run->sequel->refinement;
  const SimProblem *sim = &run->problem.sim;
  bool failed = refinement->motion && refinement->itself && !refinement->answer.control;
  if (met && failed && !sim_force_in_pieces(sim))
    printf("what may find one: --set scheme.name=event, which searches on the motion itself from the start\n");
}

/* Prints the refined answer. It is printed before the answer of the search itself. */
static void print_refined(const SearchRun *run) {
  const Refinement *refinement = &run->sequel->refinement;
  const CtlProblem *control = &run->problem.control;
  const TimeRefinement *time = &refinement->time;
  int n = time->n ? control->p * time->levels[time->n - 1].segments : control->n;
  print_control("u", n, control->p, refinement->answer.control);
  refinement_print(refinement);
  printf("the search's own answer, on its grid:\n");
}

static void print_answer(const SearchRun *run) {
  const Sequel *sequel = run->sequel;
  const CtlState *s = &sequel->state;
  bool refined = refinement_met(&sequel->refinement);
  if (refined) print_refined(run);
  print_control("u*", run->problem.control.n, run->problem.control.p, s->control);
  if (search_run_is_robust(run))
    printf("J(u*) = %.10g\n", s->J);
  else
    misses_print(&run->problem, "J(u*)", s->J, (const double[]){s->E1, s->E2});
  if (run->problem.output_verify) verification_print(&sequel->verification, &run->problem.labels);
  further_searches_print(&sequel->further);
  if (!refined) refinement_print(&sequel->refinement);
  bool met = target_met(run, s);
  print_way(run, met);
  if (!search_run_is_robust(run) && (met || refined)) refinement_conclude(&sequel->refinement, &sequel->tried, s, met);
  if (run->problem.scenarios) scenario_outcome_print(&sequel->scenarios);
  lower_bound_print(&sequel->bound);
  certificate_print(&sequel->certificate);
}

void sequel_print(const SearchRun *run) {
  const CtlState *s = &run->sequel->state;
  const SearchSpent spent = search_run_spent(run);
  const char *const met[2][2] = {{"target not met", "target met"}, {"not converged", "converged"}};
  printf("%s (%s) after %ld %s: %ld evaluation%s, %ld of them simulated, %ld restart%s\n",
         met[search_run_is_robust(run)][target_met(run, s)], stiction_reason_text(s->reason), s->rounds,
         search_run_row(run, s->rounds != 1), s->evaluations, s->evaluations == 1 ? "" : "s", s->ivps, s->restarts,
         s->restarts == 1 ? "" : "s");
  if (!sequel_is_without_motion(s)) print_answer(run);
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

/* Reports how many motions exceeded the limit of work, and how to avoid it. If there are too many of them, the search
 * fails. */
static int report_too_long(const SearchRun *run, const CtlState *s) {
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
  if (s->reason == CTL_REASON_TOO_LONG || sequel_is_without_motion(s))
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

/* Warns about motions that left the range of a law. They are not failures of the solver. */
static void warn_of_range(const SearchRun *run, const CtlState *s) {
  const char *several = s->out_of_range == 1 ? "" : "s";
  if (s->out_of_range)
    diagnostics_warn(run->diagnostics, "%ld trial motion%s of %ld left the range of %s, and count%s as failed",
                     s->out_of_range, several, s->ivps, motion_failure_ranges(&run->problem.sim), *several ? "" : "s");
}

/* Reports an error in the motion of the best control. It concerns the user, as motions of other controls may have the
 * same error. */
static int report_motion(const SearchRun *run, const SimFinal *final) {
  char why[MOTION_FAILURE_SIZE];
  motion_failure_text(&run->problem.labels, final, why);
  if (final->status == SIM_OUT_OF_RANGE)
    return diagnostics_error(run->diagnostics, EXIT_UNSOLVED,
                             "the optimum's trajectory: %s. What may find one: a wider range of %s, or a "
                             "control.start from which it stays inside",
                             why, motion_failure_ranges(&run->problem.sim));
  return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "the optimum's trajectory: %s", why);
}

/* Reports the control that came nearest to the target, with advice on how to find a control that meets it. */
static int report_miss(const SearchRun *run, const CtlState *s) {
  char advice[MISS_ADVICE_SIZE];
  double accept = run->problem.control.accept;
  if (run->sequel->bound.beyond)
    return diagnostics_error(
        run->diagnostics, EXIT_NOT_MET,
        "the target is out of reach: no control within control.bounds meets it exactly (proven); nearest: J = "
        "%.8g, E1 = %.2e, E2 = %.2e (search.accept: %g). What may help: wider control.bounds, a later "
        "time.end",
        s->J, s->E1, s->E2, accept);
  miss_advice(&run->problem, s, &run->sequel->verification, &run->sequel->further, advice);
  return diagnostics_error(run->diagnostics, EXIT_NOT_MET,
                           "no control found that meets the target; nearest: J = %.8g, E1 = %.2e, E2 = %.2e "
                           "(search.accept: %g). What may find one: %s",
                           s->J, s->E1, s->E2, accept, advice);
}

const char *sequel_advise_minimum(SearchRun *run) {
  Sequel *sequel = run->sequel;
  const Refinement *refinement = &sequel->refinement;
  const Optimality *optimality = refinement_met(refinement) ? &refinement->optimality : &refinement->found;
  bool met = target_met(run, &sequel->state) || refinement_met(refinement);
  if (!met || search_run_is_robust(run) || !optimality_is(optimality, CTL_MINIMUM_NO)) return NULL;
  char starts[REFINEMENT_ADVICE_SIZE], more[REFINEMENT_ADVICE_SIZE + 8] = "more segments (control.signal.segments)";
  if (refinement->left_out)
    snprintf(more, sizeof more, "--set search.refine=exact");
  else if (!sequel->state.starts)
    snprintf(more, sizeof more, "--set search.method=auto");
  else if (refinement_advise_starts(&sequel->tried, &sequel->state, starts))
    snprintf(more, sizeof more, "--set %s", starts);
  snprintf(sequel->advice, sizeof sequel->advice, "What may find a lower J: %s", more);
  return sequel->advice;
}

int sequel_verdict(SearchRun *run) {
  const Sequel *sequel = run->sequel;
  const CtlState *s = &sequel->state;
  int code = report_too_long(run, s);
  if (code) return code;
  if (run->rollout.final.status != SIM_OK) return report_motion(run, &run->rollout.final);
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
  warn_of_range(run, s);
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
  if (target_met(run, s) || refinement_met(&sequel->refinement)) {
    const char *advice = sequel_advise_minimum(run);
    if (advice)
      diagnostics_warn(run->diagnostics, "the answer is not a local minimum: J can fall beside it. %s", advice);
    return EXIT_DONE;
  }
  if (s->no_memory) return EXIT_INTERNAL;
  if (search_run_is_robust(run))
    return diagnostics_error(run->diagnostics, EXIT_NOT_MET, "the search has not converged (%s)",
                             stiction_reason_text(s->reason));
  return report_miss(run, s);
}
