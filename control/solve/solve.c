/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a whole search in one call, on all ranks of a group, and refines its answer. */
#include "control/base/argument.h"
#include "control/base/clock.h"
#include "control/certify.h"
#include "control/pool.h"
#include "control/refine.h"
#include "control/solve/easier.h"
#include "sim/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What this process evaluates for the search: a motion, the user's function, or the plan of the problem. */
typedef struct Solving {
  CtlProblem problem; /* copy of the user's problem, which borrows its arrays */
  SimProblem motion;  /* motion problem, finalized; its scheme is NULL if a user's function or a plan is evaluated */
  SimModel *model;
  SimWorkspace *work;
  CtlSimulation simulation;
  bool *given;
  double *starts; /* starts of a plan's problem, including solutions of easier problems; owned */
  long easier;    /* number of evaluations that the easier problems used */
  CtlEvaluator evaluator;
  CtlListener listener;
} Solving;

/* Whether the motion still has the numbers of dofs, controls and segments with which the problem was created. */
static bool fits(const CtlProblem *problem, const SimProblem *motion) {
  int segments = motion->signal == SIM_CONSTANT ? 1 : motion->segments;
  return problem->d == motion->d && problem->p == motion->n_control && problem->signal == motion->signal &&
         problem->segments == segments && problem->end == motion->end;
}

static SimStatus prepare_motion(Solving *s, const SimReport *report) {
  const SimProblem *motion = s->problem.motion;
  if (!fits(&s->problem, motion)) {
    report->complain(report->context, "control", "its motion has changed its sizes, its signal or T");
    return SIM_BAD_PROBLEM;
  }
  SimStatus status = sim_problem_copy(motion, &s->motion);
  if (status == SIM_OK) status = stiction_problem_finalize(&s->motion, report);
  if (status == SIM_OK) status = stiction_model_create(&s->motion, report, &s->model);
  if (status == SIM_OK) status = stiction_workspace_create(s->model, &s->work);
  if (status != SIM_OK) return status;
  ctl_problem_note_motion(&s->problem, &s->motion);
  s->problem.convex = ctl_targets_are_convex(&s->problem, &s->motion);
  if (s->problem.derivatives) {
    s->given = malloc(2 * (size_t)s->motion.count * sizeof *s->given);
    if (!s->given) return SIM_NO_MEMORY;
    ctl_given_entries(&s->motion, &s->problem, s->given);
  }
  status = ctl_simulation_init(&s->simulation, &s->motion, s->model, s->work, s->given);
  s->simulation.rest = ctl_given_rest(&s->problem);
  if (status == SIM_OK && s->problem.patterns) status = ctl_simulation_set_patterns(&s->simulation, &s->problem);
  s->evaluator = ctl_simulator(&s->simulation);
  return status;
}

static SimStatus prepare(Solving *s, const SimReport *report) {
  if (s->problem.statistic != CTL_NOMINAL) {
    report->complain(report->context, "control.objective", "over scenarios (expected nominal, or the program)");
    return SIM_BAD_PROBLEM;
  }
  if (s->problem.plan) {
    s->evaluator = ctl_plan_evaluator(s->problem.plan);
  } else if (s->problem.function.values) {
    s->evaluator = ctl_function_evaluator(&s->problem.function);
    s->problem.derivatives = s->problem.function.rows != NULL;
  } else {
    SimStatus status = prepare_motion(s, report);
    if (status != SIM_OK) return status;
  }
  SimStatus status = (SimStatus)stiction_control_check(&s->problem, report);
  bool petsc = ctl_method_wants_petsc(ctl_problem_method(&s->problem)) && !ctl_problem_wants_derivatives(&s->problem);
  return status == SIM_OK && petsc ? stiction_petsc_start(NULL) : status;
}

/* Adds solutions of easier problems to the starts of a plan's problem, on the first rank. */
static SimStatus find_starts(Solving *s, const CtlStop *stop) {
  CtlProblem *p = &s->problem;
  size_t size = (size_t)p->start_count * (size_t)p->n * sizeof *p->starts;
  double *own = malloc(size);
  if (!own) return SIM_NO_MEMORY;
  memcpy(own, p->starts, size);
  p->starts = own;
  SimStatus status = ctl_plan_easier_starts(p, stop, &s->easier);
  s->starts = p->starts;
  return status;
}

static void clear(Solving *s) {
  free(s->starts);
  ctl_simulation_clear(&s->simulation);
  stiction_workspace_destroy(s->work);
  stiction_model_destroy(s->model);
  sim_problem_clear(&s->motion);
  free(s->given);
}

/* Creates an answer with arrays of its own, all 0. */
static SimStatus answer_init(const CtlProblem *problem, CtlAnswer *answer) {
  size_t n = (size_t)problem->n, d = (size_t)problem->d;
  *answer = (CtlAnswer){.control = calloc(n + 2 * d, sizeof *answer->control)};
  if (!answer->control) return SIM_NO_MEMORY;
  answer->J = answer->E1 = answer->E2 = INFINITY; /* J, E1 and E2 stay INFINITY if the search is stopped before its
                                                   * first point */
  answer->x = answer->control + n;
  answer->v = answer->x + d;
  return SIM_OK;
}

void stiction_answer_clear(CtlAnswer *answer) {
  if (!answer) return;
  free(answer->control);
  *answer = (CtlAnswer){0};
}

static void take(const CtlProblem *problem, const double *control, const double *x, const double *v,
                 CtlAnswer *answer) {
  memcpy(answer->control, control, (size_t)problem->n * sizeof *control);
  memcpy(answer->x, x, (size_t)problem->d * sizeof *x);
  memcpy(answer->v, v, (size_t)problem->d * sizeof *v);
}

static void take_state(const CtlProblem *problem, const CtlState *state, CtlAnswer *answer) {
  if (state->control && state->best < INFINITY) take(problem, state->control, state->x, state->v, answer);
  answer->J = state->J;
  answer->E1 = state->E1;
  answer->E2 = state->E2;
  answer->meets = ctl_state_meets(problem, state);
  answer->reason = state->reason;
  answer->evaluations += state->evaluations;
}

/* Refines the answer if the motion has derivatives. The answer stays as it is if memory is lacking or if no better
 * point is found. */
static void refine(const Solving *s, CtlAnswer *answer) {
  CtlRefined refined = {0};
  if (!s->motion.scheme || !s->problem.derivatives || s->problem.refine == CTL_REFINE_NONE) return;
  SimStatus status =
      ctl_refine(&s->problem, &s->evaluator, answer->control, s->listener.stopped, s->listener.context, &refined);
  answer->evaluations += refined.evaluations;
  if (status == SIM_OK) {
    take(&s->problem, refined.control, refined.x, refined.v, answer);
    answer->J = refined.J;
    answer->E1 = refined.E1;
    answer->E2 = refined.E2;
    answer->refined = answer->meets = true;
  }
  ctl_refined_clear(&refined);
}

/* Runs the search on the first rank of the group. */
static CtlStatus lead(Solving *s, SimGroup *group, CtlAnswer *answer) {
  CtlSearch *search;
  CtlState state;
  CtlStatus created = stiction_asktell_create(&s->problem, &search);
  if (created != CTL_OK) return created;
  int stop = group ? ctl_pool_run(sim_group_comm(group), search, &s->evaluator, &s->listener, NULL)
                   : ctl_drive_serial(search, &s->evaluator, &s->listener, NULL);
  stiction_asktell_state(search, &state);
  answer->evaluations = s->easier;
  take_state(&s->problem, &state, answer);
  stiction_asktell_destroy(search);
  if (stop == CTL_DRIVE_STOPPED || stop == CTL_DRIVE_ABANDONED) return CTL_STOPPED;
  if (stop == CTL_DRIVE_BAD_ARGUMENT) return CTL_BAD_ARGUMENT;
  if (stop != 0) return CTL_NO_MEMORY;
  if (answer->reason == CTL_REASON_FAILED) return CTL_FAILED;
  refine(s, answer);
  return CTL_OK;
}

/* Copies the first rank's answer to all ranks. */
static CtlStatus share(const CtlProblem *problem, SimGroup *group, CtlStatus status, CtlAnswer *answer) {
  CtlAnswer own = *answer;
  sim_group_share(group, &status, sizeof status);
  sim_group_share(group, answer, sizeof *answer);
  answer->control = own.control;
  answer->x = own.x;
  answer->v = own.v;
  sim_group_share(group, answer->control, ((size_t)problem->n + 2 * (size_t)problem->d) * sizeof *answer->control);
  return status;
}

/* Carries out this rank's part of the search: the first rank runs the search, the others evaluate points. */
static CtlStatus search(Solving *s, SimGroup *group, CtlAnswer *answer) {
  if (stiction_group_rank(group) == 0) return lead(s, group, answer);
  return ctl_pool_run(sim_group_comm(group), NULL, &s->evaluator, NULL, NULL) == 0 ? CTL_OK : CTL_NO_MEMORY;
}

CtlStatus stiction_solve(const CtlProblem *problem, SimGroup *group, const CtlStop *stop, CtlAnswer *answer) {
  CONTROL_ARGUMENT(answer != NULL, "answer", "is NULL");
  *answer = (CtlAnswer){0};
  CONTROL_ARGUMENT(problem && problem->start && (problem->motion || problem->function.values || problem->plan),
                   "problem", "is NULL, or has neither a motion nor a function");
  Solving s = {.problem = *problem};
  bool kept;
  double began = ctl_seconds();
  const SimReport report = argument_first_error(&kept);
  if (stop) s.listener = (CtlListener){.context = stop->context, .stopped = stop->stopped};
  SimStatus ready = answer_init(problem, answer);
  if (ready == SIM_OK) ready = prepare(&s, &report);
  if (ready == SIM_OK && s.problem.plan && stiction_group_rank(group) == 0) ready = find_starts(&s, stop);
  CtlStatus status = argument_status((SimStatus)sim_group_agree(group, ready));
  if (status == CTL_OK) status = share(problem, group, search(&s, group, answer), answer);
  clear(&s);
  answer->seconds = ctl_seconds() - began;
  if (status != CTL_OK && status != CTL_STOPPED) stiction_answer_clear(answer);
  return status;
}

const char *stiction_control_status_text(CtlStatus status) {
  switch (status) {
  case CTL_OK: return "ok";
  case CTL_STOPPED: return "stopped on request";
  case CTL_FAILED: return "no point has a finite value";
  case CTL_NO_MEMORY: return "out of memory";
  case CTL_BAD_ARGUMENT: return argument_refused();
  case CTL_BAD_PROBLEM: return argument_invalid();
  }
  return "unknown status";
}
