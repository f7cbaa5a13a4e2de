#include "src/run/refinement.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/base/json_values.h"
#include "src/process/stop_signal.h"
#include "src/readback/saved_control.h"
#include "src/run/evaluated_model.h"
#include "src/run/misses.h"
#include "src/run/reread_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of targets but those of a function along a string: memory grows with the square of their number, the time of a step of SQP with
 * the cube. */
enum { MEASURED_MAX = 1024, REFINED_MAX = 512 };

/* Evaluations of one motion that a signal ends. */
typedef struct Evaluations {
  const Problem *problem; /* of the motion */
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  CtlEvaluator simulator;
  Progress *progress;
  const char *purpose;
  double begun; /* s, of ctl_seconds */
  long count;
  bool stopped;
} Evaluations;

/* What is over in SHORT is not stopped. */
static bool is_stopped(void *context) {
  static const double SHORT = 0.5; /* s */
  Evaluations *e = context;
  e->stopped = e->stopped || (ctl_seconds() - e->begun > SHORT && stop_signal_seen());
  return e->stopped;
}

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  Evaluations *e = context;
  if (is_stopped(e)) {
    for (int i = 0; i < count; i++) final[i].status = SIM_NOT_FINISHED;
    return;
  }
  progress_draw(e->progress, ctl_seconds(), "%s: simulation %ld", e->purpose, e->count);
  e->simulator.evaluate(e->simulator.context, want, count, controls, final, rows);
  e->count += count;
}

static SimStatus evaluations_init(Evaluations *e, const Problem *problem, const RolloutContext *rollout,
                                  const char *purpose, Progress *progress) {
  *e = (Evaluations){.problem = problem, .progress = progress, .purpose = purpose, .begun = ctl_seconds()};
  if (evaluated_model_prepare(problem, true, &e->evaluated) ||
      evaluated_model_simulation(&e->evaluated, rollout, &e->simulation) != SIM_OK)
    return SIM_NO_MEMORY;
  e->simulator = ctl_simulator(&e->simulation);
  return SIM_OK;
}

static void evaluations_clear(Evaluations *e) {
  progress_clear(e->progress);
  ctl_simulation_clear(&e->simulation);
  evaluated_model_clear(&e->evaluated);
}

static CtlEvaluator evaluator_of(Evaluations *e) {
  CtlEvaluator evaluator = e->simulator;
  evaluator.context = e;
  evaluator.evaluate = evaluate;
  return evaluator;
}

/* Returns 0, EXIT_STOPPED or, untold, EXIT_INTERNAL. */
static int measure(Evaluations *e, const double *control, Optimality *optimality) {
  const CtlEvaluator evaluator = evaluator_of(e);
  optimality->status = ctl_optimality_find(&e->problem->control, &evaluator, control, &optimality->is);
  optimality->sought = true;
  return e->stopped ? EXIT_STOPPED : optimality->status == SIM_NO_MEMORY ? EXIT_INTERNAL : 0;
}

/* Of the search's own answer, if it meets the target. */
static int measure_found(const Problem *problem, const RolloutContext *rollout, const CtlState *state,
                         Progress *progress, Refinement *told) {
  Evaluations e;
  const CtlProblem *control = &problem->control;
  if (!control->derivatives || !(state->E1 <= control->accept && state->E2 <= control->accept)) return 0;
  int code = 0;
  if (evaluations_init(&e, problem, rollout, "how near to the least effort", progress) != SIM_OK)
    code = EXIT_INTERNAL;
  else if (ctl_targets_alone(control) <= MEASURED_MAX)
    code = measure(&e, state->control, &told->found);
  evaluations_clear(&e);
  return code;
}

/* Refines it on the motion of a problem: the search's, or that read anew. */
static int refine_on(const Problem *problem, const RolloutContext *rollout, const CtlState *state, Progress *progress,
                     Refinement *told) {
  Evaluations e;
  told->motion = sim_scheme_name(problem->sim.scheme);
  told->itself = strcmp(told->motion, "event") == 0;
  SimStatus status = evaluations_init(&e, problem, rollout, "refining", progress);
  const CtlEvaluator evaluator = evaluator_of(&e);
  int targets = ctl_targets_alone(&problem->control);
  bool many = status == SIM_OK && targets > REFINED_MAX;
  if (status == SIM_OK && !many)
    status = ctl_refine(&problem->control, &evaluator, state->control, is_stopped, &e, &told->answer);
  int code = e.stopped ? EXIT_STOPPED : status == SIM_NO_MEMORY ? EXIT_INTERNAL : 0;
  if (many)
    snprintf(told->failure, sizeof told->failure, "%d targets, %d at most", targets, REFINED_MAX);
  else if (!code && status != SIM_OK)
    snprintf(told->failure, sizeof told->failure, "SQP found no control that meets the target");
  else if (!code)
    code = measure(&e, told->answer.control, &told->optimality);
  evaluations_clear(&e);
  return code;
}

/* The problem by the scheme `event`, with its model. Returns 0, EXIT_USAGE where that cannot be, or has no derivatives, or
 * EXIT_INTERNAL; to be released and cleared if 0. */
static int prepare_exact(const Problem *problem, Problem *own, RolloutContext *rollout) {
  Diagnostics refused = {0};
  int code = reread_by_event(&problem->sim) ? reread_problem(problem, true, 1, &refused, own) : EXIT_USAGE;
  diagnostics_clear(&refused);
  if (code) return code;
  code = own->control.derivatives ? rollout_context_prepare(rollout, &own->sim, NULL) : EXIT_USAGE;
  if (code) problem_clear(own);
  return code;
}

/* An answer by SQP, on the motion that it would be refined on. */
static bool is_refined(const Problem *problem, const CtlState *state) {
  return ctl_problem_needs_derivatives(&problem->control) && state->reason != CTL_REASON_STOP_AT;
}

static int refine(const Problem *problem, const RolloutContext *rollout, const CtlState *state, Progress *progress,
                  Refinement *told) {
  Problem own;
  RolloutContext exact;
  int code = EXIT_USAGE;
  if (problem->control.refine == CTL_REFINE_EXACT && strcmp(sim_scheme_name(problem->sim.scheme), "event") != 0)
    code = prepare_exact(problem, &own, &exact);
  if (code == EXIT_INTERNAL) return code;
  if (code == EXIT_USAGE) {
    bool can = problem->control.derivatives && !is_refined(problem, state);
    return can ? refine_on(problem, rollout, state, progress, told) : 0;
  }
  code = refine_on(&own, &exact, state, progress, told);
  rollout_context_release(&exact);
  problem_clear(&own);
  return code;
}

/* Not on a budget, a signal or a failure. */
static bool ended_by_itself(const CtlState *state) {
  return !state->no_memory && (state->reason == CTL_REASON_TOLERANCE || state->reason == CTL_REASON_STOP_AT ||
                               state->reason == CTL_REASON_STALL);
}

int refinement_run(const Problem *problem, const RolloutContext *rollout, const CtlState *state, Progress *progress,
                   Diagnostics *diagnostics, Refinement *told) {
  *told = (Refinement){.left_out = problem->control.refine == CTL_REFINE_NONE};
  int code = measure_found(problem, rollout, state, progress, told);
  if (!code && problem->control.refine != CTL_REFINE_NONE && ended_by_itself(state))
    code = refine(problem, rollout, state, progress, told);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(diagnostics) : code;
}

void refinement_give_up(Refinement *told) {
  ctl_refined_clear(&told->answer);
  if (told->motion) snprintf(told->failure, sizeof told->failure, "stopped on a signal twice");
}

void refinement_clear(Refinement *told) {
  ctl_refined_clear(&told->answer);
  ctl_optimality_clear(&told->found.is);
  ctl_optimality_clear(&told->optimality.is);
  *told = (Refinement){0};
}

bool refinement_met(const Refinement *told) { return told->answer.control != NULL; }

/* Telling ------------------------------------------------------------------------------------------------------ */

static json_t *optimality_json(const Optimality *optimality) {
  static const char *const words[] = {
      [CTL_MINIMUM_UNKNOWN] = "unknown", [CTL_MINIMUM_YES] = "yes", [CTL_MINIMUM_NO] = "no"};
  const CtlOptimality *is = &optimality->is;
  if (!optimality->sought) return NULL;
  if (optimality->status != SIM_OK) return json_pack("{s:s}", "reason", sim_status_text(optimality->status));
  return json_pack("{s:o, s:o, s:i, s:o, s:s}", "kkt", json_finite(is->kkt), "multipliers",
                   echo_vector(is->m, is->multipliers), "rank", is->rank, "reduced_hessian_min",
                   json_finite(is->reduced_hessian_min), "local_minimum", words[is->local_minimum]);
}

json_t *refinement_optimality(const Refinement *told) { return optimality_json(&told->found); }

json_t *refinement_answer(const Refinement *told, const SimProblem *sim) {
  const CtlRefined *answer = &told->answer;
  if (!told->motion) return NULL;
  if (*told->failure) return json_pack("{s:s, s:s}", "motion", told->motion, "reason", told->failure);
  return json_pack("{s:o, s:o, s:o, s:o, s:s, s:I, s:o*}", "u", signal_values(sim, answer->control), "J",
                   json_finite(answer->J), "E1", json_finite(answer->E1), "E2", json_finite(answer->E2), "motion",
                   told->motion, "evaluations", (json_int_t)answer->evaluations, "optimality",
                   optimality_json(&told->optimality));
}

static bool falls(const Optimality *optimality) {
  return optimality->sought && optimality->status == SIM_OK && optimality->is.local_minimum == CTL_MINIMUM_NO;
}

void refinement_print(const Refinement *told) {
  const CtlRefined *answer = &told->answer;
  bool would = told->motion || told->left_out;
  if (falls(&told->found))
    printf("not a least effort: J can fall (%s)\n", would ? "search.refine" : "search.local_starts");
  if (!told->motion) return;
  const char *where[] = {told->itself ? "on" : "by", told->itself ? "the motion itself" : told->motion};
  if (*told->failure) {
    printf("not refined %s %s: %s\n", where[0], where[1], told->failure);
    return;
  }
  printf("refined: J = %.10g, ", answer->J);
  miss_print(1, answer->E1);
  printf(", ");
  miss_print(2, answer->E2);
  printf(" %s %s (%ld simulations)\n", where[0], where[1], answer->evaluations);
}
