/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/refinement.h"

#include "src/run/refined_motion.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest numbers of targets for which the optimality of the answer (the control that the search has found) is computed
 * (MEASURED_MAX), and for which the answer is refined (REFINED_MAX). They apply to problems without functions along a
 * string. Memory grows with the square of the number of targets, and the time of a step of SQP (sequential quadratic
 * programming) with its cube. */
enum { MEASURED_MAX = 1024, REFINED_MAX = 512 };
/* SQP may also start from other controls near the answer. OTHERS: number of such controls. SHARE: these starts may use
 * 1/SHARE of the evaluations of the search. OTHERS_MAX: they are only tried with up to this number of variables. */
enum { OTHERS = 12, SHARE = 4, OTHERS_MAX = 64 };

/* Computes the optimality of the answer of the search, if it meets the target. */
static int measure_found(const Problem *problem, const RolloutContext *rollout, const CtlState *state,
                         Progress *progress, Refinement *refinement) {
  RefinedMotion e;
  const CtlProblem *control = &problem->control;
  if (!control->derivatives || !ctl_state_meets(control, state)) return 0;
  int code = 0;
  if (refined_motion_prepare(&e, problem, rollout, "how near to the least effort", progress) != SIM_OK)
    code = EXIT_INTERNAL;
  e.until = refinement->until;
  if (!code && ctl_targets_alone(control) <= MEASURED_MAX)
    code = refined_motion_measure(&e, state->control, &refinement->found);
  refined_motion_release(&e);
  return code;
}

static void name_motion(const Problem *problem, Refinement *refinement) {
  refinement->motion = sim_scheme_name(problem->sim.scheme);
  refinement->itself = sim_force_in_pieces(&problem->sim);
}

/* If the result of SQP has a smaller effort J than the answer, makes it the answer and sets *less; otherwise clears it.
 * Returns 0, EXIT_STOPPED or EXIT_INTERNAL. */
static int take_less(const RefinedMotion *e, SimStatus status, CtlRefined next, Refinement *refinement, bool *less) {
  static const double LESS = 1e-9; /* smallest relative decrease of the effort J that counts as an improvement */
  *less = status == SIM_OK && next.J < (1 - LESS) * refinement->answer.J;
  long evaluations = refinement->answer.evaluations + next.evaluations;
  CtlRefined worse = *less ? refinement->answer : next;
  if (*less) refinement->answer = next;
  refinement->beyond |= *less;
  refinement->answer.evaluations = evaluations;
  ctl_refined_clear(&worse);
  return e->stopped ? EXIT_STOPPED : status == SIM_NO_MEMORY ? EXIT_INTERNAL : 0;
}

/* Runs SQP from a control `start` near the answer. A better result becomes the answer. */
static int go_beside(RefinedMotion *e, const double *start, Refinement *refinement, bool *less) {
  CtlRefined next;
  SimStatus status = ctl_refine_beside(&e->problem->control, &e->evaluator, start, refined_motion_stopped, e, &next);
  return take_less(e, status, next, refinement, less);
}

/* Looks for a better answer on the line from an earlier control through the answer. Runs SQP from points beyond the
 * answer. The distance of these points is doubled as long as the effort decreases. */
static int go_along(RefinedMotion *e, const double *from, Refinement *refinement) {
  /* maximum number of points on the line */
  enum { DOUBLINGS = 16 };
  size_t n = (size_t)e->problem->control.n;
  double *start = malloc(2 * n * sizeof *start);
  if (!start) return EXIT_INTERNAL;
  double *way = start + n;
  int code = 0;
  bool less = true;
  for (size_t i = 0; i < n; i++) way[i] = refinement->answer.control[i] - from[i];
  for (int k = 0; k < DOUBLINGS && less && !code; k++) {
    for (size_t i = 0; i < n; i++) start[i] = refinement->answer.control[i] + ldexp(1, k) * way[i];
    code = go_beside(e, start, refinement, &less);
  }
  free(start);
  return code;
}

/* Runs SQP repeatedly from controls with less effort near the answer, as long as there are any and the effort of the
 * answer decreases. If the effort has a kink near the answer, each such step is short; steps along the line through two
 * answers can be longer. Returns 0, EXIT_STOPPED or EXIT_INTERNAL. */
static int descend(RefinedMotion *e, const double *lesser, Refinement *refinement) {
  /* maximum number of steps */
  enum { TIMES = 16 };
  size_t size = (size_t)e->problem->control.n * sizeof(double);
  double *from = malloc(size);
  int code = from ? 0 : EXIT_INTERNAL;
  for (int k = 0; k < TIMES && lesser && !code; k++) {
    bool less;
    memcpy(from, refinement->answer.control, size);
    code = go_beside(e, lesser, refinement, &less);
    if (code || !less) break;
    code = go_along(e, from, refinement);
    if (!code) code = refined_motion_measure(e, refinement->answer.control, &refinement->optimality);
    lesser = refinement->optimality.is.lesser;
  }
  free(from);
  return code;
}

/* Copies the answer of the search into the refinement as its answer. Returns false if there is no memory. */
static bool take_found(const Problem *problem, const CtlState *state, Refinement *refinement) {
  size_t n = (size_t)problem->control.n;
  CtlRefined *answer = &refinement->answer;
  name_motion(problem, refinement);
  *answer = (CtlRefined){.control = malloc(n * sizeof(double)), .J = state->J, .E1 = state->E1, .E2 = state->E2};
  if (answer->control) memcpy(answer->control, state->control, n * sizeof(double));
  return answer->control;
}

/* Runs SQP from other controls near an answer that may not be a minimum. A better result becomes the answer, and the
 * next starts are near it. evaluations: total number of evaluations after which no further start is tried. */
static int try_others(RefinedMotion *e, long evaluations, Refinement *refinement) {
  const CtlProblem *control = &e->problem->control;
  int code = 0;
  for (long k = 0; k < OTHERS && !code && !optimality_is(&refinement->optimality, CTL_MINIMUM_YES) &&
                   refinement->answer.evaluations < evaluations;
       k++) {
    CtlRefined next;
    bool less;
    SimStatus status =
        ctl_refine_near(control, &e->evaluator, refinement->answer.control, k, refined_motion_stopped, e, &next);
    code = take_less(e, status, next, refinement, &less);
    if (code || !less) continue;
    code = refined_motion_measure(e, refinement->answer.control, &refinement->optimality);
    if (!code) code = descend(e, refinement->optimality.is.lesser, refinement);
  }
  return code;
}

/* Runs SQP from a control. If SQP does not converge, runs it from other controls near this one, since in the motion
 * with time steps a joint may stick where it slips in the exact motion. */
static SimStatus refine_about(RefinedMotion *e, const double *start, Refinement *refinement) {
  const CtlProblem *control = &e->problem->control;
  CtlRefined *answer = &refinement->answer;
  SimStatus status = ctl_refine(control, &e->evaluator, start, refined_motion_stopped, e, answer);
  for (long k = 0; k < OTHERS && status == SIM_NOT_CONVERGED; k++) {
    long before = answer->evaluations;
    status = ctl_refine_near(control, &e->evaluator, start, k, refined_motion_stopped, e, answer);
    answer->evaluations += before;
    refinement->beyond |= status == SIM_OK;
  }
  return status;
}

/* Begins to refine the answer of the search by SQP on the motion of e. is_refined: the search itself was SQP on this
 * motion. SQP then begins from controls with less effort near the answer, and there is a refined answer only if the
 * effort decreases. */
static int begin_refining(RefinedMotion *e, const CtlState *state, const double *start, bool is_refined,
                          Refinement *refinement) {
  if (is_refined) {
    if (!take_found(e->problem, state, refinement)) return EXIT_INTERNAL;
    int code = descend(e, refinement->found.is.lesser, refinement);
    if (refinement->answer.J < state->J) return code;
    ctl_refined_clear(&refinement->answer);
    refinement->motion = NULL;
    return code;
  }
  SimStatus status = refine_about(e, start ? start : state->control, refinement);
  if (e->stopped || status == SIM_NO_MEMORY) return e->stopped ? EXIT_STOPPED : EXIT_INTERNAL;
  if (status != SIM_OK) {
    snprintf(refinement->failure, sizeof refinement->failure,
             e->late ? REFINEMENT_LATE : "SQP found no control that meets the target");
    return 0;
  }
  int code = refined_motion_measure(e, refinement->answer.control, &refinement->optimality);
  if (!code) code = descend(e, refinement->optimality.is.lesser, refinement);
  if (code || e->problem->control.n > OTHERS_MAX) return code;
  return try_others(e, state->evaluations / SHARE, refinement);
}

/* Refines the answer on the motion of `problem`, which is the problem of the search, or a copy of it with another
 * scheme. */
static int refine_on(const Problem *problem, const RolloutContext *rollout, const CtlState *state, const double *start,
                     bool is_refined, Progress *progress, Refinement *refinement) {
  RefinedMotion e;
  name_motion(problem, refinement);
  int targets = ctl_targets_alone(&problem->control), code = 0;
  if (refined_motion_prepare(&e, problem, rollout, "refining", progress) != SIM_OK) code = EXIT_INTERNAL;
  e.until = refinement->until;
  if (!code && targets > REFINED_MAX)
    snprintf(refinement->failure, sizeof refinement->failure, "%d targets, %d at most", targets, REFINED_MAX);
  else if (!code)
    code = begin_refining(&e, state, start, is_refined, refinement);
  if (!code && refinement->answer.control)
    code = refined_motion_check(problem, rollout, refinement->answer.control, refinement->distrust);
  refined_motion_release(&e);
  if (code != EXIT_UNSOLVED) return code;
  ctl_refined_clear(&refinement->answer);
  snprintf(refinement->failure, sizeof refinement->failure, "%s", refinement->distrust);
  return 0;
}

/* Makes a copy of the problem with the scheme `event`, and a model of the copy. Returns 0; EXIT_USAGE if the scheme
 * does not support the problem or has no derivatives; or EXIT_INTERNAL. If it returns 0, the caller releases and clears
 * both. */
static int prepare_exact(const Problem *problem, Problem *own, RolloutContext *rollout) {
  Diagnostics refused = {0};
  const ProblemChanges as = {.scheme = SCHEME_EVENT, .finer = 1};
  int code = problem_takes_event(problem) ? problem_with(problem, as, &refused, own) : EXIT_USAGE;
  diagnostics_clear(&refused);
  if (code) return code;
  code = own->control.derivatives ? rollout_context_prepare(rollout, &own->sim, NULL) : EXIT_USAGE;
  if (code) problem_clear(own);
  return code;
}

/* Returns whether the search has found its answer by SQP, so that the answer is refined already on the motion of the
 * search. */
static bool is_refined(const Problem *problem, const CtlState *state) {
  return ctl_problem_needs_derivatives(&problem->control) && state->reason != CTL_REASON_STOP_AT;
}

/* Refines the answer with the number of segments of the problem. Sets *scheme to the scheme that was used, or that
 * would be used for more segments. */
static int refine(const Problem *problem, const RolloutContext *rollout, const CtlState *state, const double *start,
                  Progress *progress, Refinement *refinement, ProblemScheme *scheme) {
  Problem own;
  RolloutContext exact;
  int code = EXIT_USAGE;
  *scheme = SCHEME_EVENT;
  if (problem->control.refine == CTL_REFINE_EXACT && !sim_force_in_pieces(&problem->sim))
    code = prepare_exact(problem, &own, &exact);
  if (code == EXIT_INTERNAL) return code;
  if (code == EXIT_USAGE) {
    bool refined = !start && is_refined(problem, state);
    *scheme = SCHEME_OWN;
    if (!problem->control.derivatives || (refined && !refinement->found.is.lesser)) return 0;
    return refine_on(problem, rollout, state, start, refined, progress, refinement);
  }
  code = refine_on(&own, &exact, state, start, false, progress, refinement);
  rollout_context_release(&exact);
  problem_clear(&own);
  return code;
}

/* Refines the present answer with more segments. */
static int refine_time(const Problem *problem, ProblemScheme scheme, const CtlState *state, Progress *progress,
                       Refinement *refinement) {
  bool found = !refinement->answer.control;
  if (problem->refine_to <= problem->sim.segments || *refinement->failure) return 0;
  if (found && !take_found(problem, state, refinement)) return EXIT_INTERNAL;
  int code = time_refinement_run(problem, scheme, progress, refinement);
  if (found && refinement->time.n == 1) ctl_refined_clear(&refinement->answer);
  return code;
}

/* Returns whether the search ended because its criterion was met, rather than by a limit, a signal or a failure. */
static bool ended_by_itself(const CtlState *state) {
  return !state->no_memory && (state->reason == CTL_REASON_TOLERANCE || state->reason == CTL_REASON_STOP_AT ||
                               state->reason == CTL_REASON_STALL);
}

int refinement_run(const Problem *problem, const RolloutContext *rollout, const CtlState *state, const double *start,
                   double until, Progress *progress, Diagnostics *diagnostics, Refinement *refinement) {
  *refinement = (Refinement){.until = until, .left_out = problem->control.refine == CTL_REFINE_NONE};
  int code = start ? 0 : measure_found(problem, rollout, state, progress, refinement);
  if (state->reason == CTL_REASON_BUDGET && problem->refine_to > problem->sim.segments) {
    name_motion(problem, refinement);
    snprintf(refinement->failure, sizeof refinement->failure, "the search's budget is spent");
  }
  if (!code && problem->control.refine != CTL_REFINE_NONE && ended_by_itself(state)) {
    ProblemScheme scheme;
    code = refine(problem, rollout, state, start, progress, refinement, &scheme);
    if (!code) code = refine_time(problem, scheme, state, progress, refinement);
  }
  return code == EXIT_INTERNAL ? diagnostics_no_memory(diagnostics) : code;
}

void refinement_give_up(Refinement *refinement) {
  ctl_refined_clear(&refinement->answer);
  if (refinement->motion) snprintf(refinement->failure, sizeof refinement->failure, "stopped on a signal twice");
}

void refinement_clear(Refinement *refinement) {
  ctl_refined_clear(&refinement->answer);
  ctl_optimality_clear(&refinement->found.is);
  ctl_optimality_clear(&refinement->optimality.is);
  *refinement = (Refinement){0};
}

void refinement_replace(Refinement *refinement, Refinement *other) {
  Refinement before = *refinement;
  *refinement = *other;
  *other = before;
  refinement->found = other->found;
  refinement->beyond = true;
  other->found = (Optimality){0};
}

bool refinement_met(const Refinement *refinement) { return refinement->answer.control != NULL; }
