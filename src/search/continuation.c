#include "src/search/continuation.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/base/json_values.h"
#include "src/run/refined_motion.h"
#include "src/run/reread_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LONGER[] = {
    1.25, 1.5, 2}; /* of T: searches of these, until one meets the target; of the first alone where T's does */
static const double SHORTER = 0.95; /* of a T: the first step to the next */
static const double SHORTEST = 0.8; /* the longest step */
static const double NEARLY = 0.999; /* the shortest */
static const double LESS = 1e-6;    /* part of J that is worth refining */
enum { STEPS = 100, EVALUATIONS = 2000, DOFS = 16 };

/* One T. */
typedef struct Longer {
  Problem problem;
  RolloutContext rollout;
} Longer;

/* While T changes. */
typedef struct Path {
  SearchRun *run;
  const CtlState *state; /* of the search that has found nothing */
  double until;
  Continuation *found;
  double *control; /* [n] what meets the target at found->end; owned */
} Path;

static bool is_wanted(const SearchRun *run, const CtlState *state) {
  const CtlProblem *control = &run->problem.control;
  bool ended = state->reason == CTL_REASON_TOLERANCE || state->reason == CTL_REASON_STALL;
  return ended && !state->no_memory && !search_run_is_robust(run) && ctl_problem_needs_derivatives(control) &&
         control->refine != CTL_REFINE_NONE && run->problem.storage == MODEL_DENSE && run->problem.sim.d <= DOFS &&
         run->problem.ranks_per_evaluation == 1 && ctl_problem_is_underactuated(control);
}

static bool is_late(const Path *path) { return path->until > 0 && ctl_seconds() >= path->until; }

/* The problem with another T, on the motion itself where it can be. Returns 0, EXIT_USAGE: it cannot be, or EXIT_INTERNAL; to be closed if 0. */
static int open_at(const Problem *problem, double end, Longer *longer) {
  Diagnostics refused = {0};
  const Reread as = {
      .scheme = reread_by_event(&problem->sim) ? REREAD_BY_EVENT : REREAD_BY_ITS_OWN, .finer = 1, .end = end};
  int code = reread_problem(problem, as, &refused, &longer->problem);
  diagnostics_clear(&refused);
  if (code) return code;
  code = longer->problem.control.derivatives ? rollout_context_prepare(&longer->rollout, &longer->problem.sim, NULL)
                                             : EXIT_USAGE;
  if (code) problem_clear(&longer->problem);
  return code;
}

static void close_at(Longer *longer) {
  rollout_context_release(&longer->rollout);
  problem_clear(&longer->problem);
}

/* Searches with more time ---------------------------------------------------------------------------------------- */

static int on_round(void *context, const CtlState *state, double seconds) {
  const Path *path = context;
  (void)seconds;
  progress_draw(&path->run->progress, "with more time: round %ld  best %.8g  E1 %.2e", state->rounds, state->best,
                state->E1);
  return 0;
}

static bool is_over(void *context) {
  const Path *path = context;
  return search_run_stopped(path->run) || is_late(path);
}

/* By all ranks. Returns as continuation_run. */
static int drive(const Path *path, const Longer *longer, CtlSearch *search) {
  SearchRun *run = path->run;
  EvaluatedModel evaluated = {0};
  ModelEvaluator here = {0};
  CtlTimes times;
  int over = CTL_DRIVE_NO_MEMORY;
  const CtlListener listener = {
      .context = (void *)path, .simplex = on_round, .stopped = is_over, .grace = run->problem.checkpoint_grace};
  if (evaluated_model_prepare(&longer->problem, true, &evaluated) == 0 &&
      model_evaluator_open(&evaluated, &longer->rollout, run->options->kernel, &here) == SIM_OK) {
    const CtlEvaluator evaluator = model_evaluator(&here);
    const SearchDrive how = {.pool = run->pool,
                             .search = search,
                             .evaluator = &evaluator,
                             .listener = &listener,
                             .timeout = run->problem.control.evaluation_timeout,
                             .sent = &evaluated,
                             .path = run->options->argument};
    over = search_drive(&how, &times);
  }
  model_evaluator_close(&here);
  evaluated_model_clear(&evaluated);
  if (over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED) return is_late(path) ? 0 : EXIT_STOPPED;
  return over ? EXIT_INTERNAL : 0;
}

/* With so much time, and no more evaluations than the search has had. */
static int search_at(Path *path, double end) {
  Longer longer = {0};
  CtlSearch *search = NULL;
  CtlState state;
  size_t size = (size_t)path->run->problem.control.n * sizeof(double);
  int code = open_at(&path->run->problem, end, &longer);
  if (code) return code == EXIT_USAGE ? 0 : code;
  CtlProblem *control = &longer.problem.control;
  control->max_evaluations = path->state->evaluations;
  code = ctl_search_create(control, &search) == SIM_OK ? drive(path, &longer, search) : EXIT_INTERNAL;
  if (!code) {
    ctl_search_state(search, &state);
    path->found->evaluations += state.evaluations;
    if (state.no_memory) code = EXIT_INTERNAL;
  }
  if (!code && state.E1 <= control->accept && state.E2 <= control->accept) {
    path->found->from = path->found->end = end;
    path->found->J = state.J;
    memcpy(path->control, state.control, size);
  }
  ctl_search_destroy(search);
  close_at(&longer);
  return code;
}

/* Back to T ------------------------------------------------------------------------------------------------------ */

/* SQP from the control of a longer time. *met: it leads to one that meets the target. */
static int step_to(Path *path, double end, bool *met) {
  Longer longer;
  RefinedMotion motion;
  CtlRefined refined = {0};
  *met = false;
  int code = open_at(&path->run->problem, end, &longer);
  if (code) return code == EXIT_USAGE ? 0 : code;
  SimStatus status =
      refined_motion_prepare(&motion, &longer.problem, &longer.rollout, "back from more time", &path->run->progress);
  motion.until = path->until;
  if (status == SIM_OK)
    status = ctl_refine(&longer.problem.control, &motion.evaluator, path->control, refined_motion_stopped, &motion,
                        &refined);
  path->found->evaluations += refined.evaluations;
  *met = status == SIM_OK;
  code = motion.stopped ? EXIT_STOPPED : status == SIM_NO_MEMORY ? EXIT_INTERNAL : 0;
  if (!code && *met) {
    memcpy(path->control, refined.control, (size_t)longer.problem.control.n * sizeof(double));
    path->found->end = end;
    path->found->J = refined.J;
    path->found->steps++;
  }
  ctl_refined_clear(&refined);
  refined_motion_release(&motion);
  close_at(&longer);
  return code;
}

/* In steps that are longer after each that meets the target, and shorter after each that does not; with as many evaluations as
 * the search has had, or EVALUATIONS. */
static int go_back(Path *path) {
  const double end = path->run->problem.sim.end;
  Continuation *found = path->found;
  long searched = path->state->evaluations;
  long most = found->evaluations + (searched > EVALUATIONS ? searched : EVALUATIONS);
  double ratio = SHORTER;
  int code = 0;
  for (int k = 0; k < STEPS && !code && found->end > end && ratio < NEARLY && found->evaluations < most; k++) {
    bool met;
    if (is_late(path)) break;
    code = step_to(path, fmax(end, found->end * ratio), &met);
    ratio = met ? fmax(SHORTEST, pow(ratio, 1.5)) : sqrt(ratio);
  }
  return code;
}

/* A control [n] that meets the target at T itself, to be freed; NULL: none was found. */
static int find(SearchRun *run, const CtlState *state, double until, Continuation *found, double **control) {
  const CtlProblem *problem = &run->problem.control;
  bool met = state->E1 <= problem->accept && state->E2 <= problem->accept;
  int code = 0, times = met ? 1 : (int)(sizeof LONGER / sizeof *LONGER);
  Path path = {run, state, until, found, malloc((size_t)problem->n * sizeof(double))};
  *control = path.control;
  if (!path.control) return EXIT_INTERNAL;
  found->tried = true;
  for (int k = 0; k < times && !code && found->from == 0 && !is_late(&path); k++)
    code = search_at(&path, LONGER[k] * run->problem.sim.end);
  if (!code && found->from > 0) code = go_back(&path);
  progress_clear(&run->progress);
  if (!code && found->from > 0 && found->end <= run->problem.sim.end) return 0;
  free(path.control);
  *control = NULL;
  return code;
}

/* J of what meets the target so far; INFINITY: nothing does. */
static double effort_of(const CtlProblem *control, const CtlState *state, const Refinement *refinement) {
  bool met = state->E1 <= control->accept && state->E2 <= control->accept;
  return refinement_met(refinement) ? refinement->answer.J : met ? state->J : INFINITY;
}

int continuation_run(SearchRun *run, const CtlState *state, double until, Refinement *refinement, Continuation *found) {
  const Problem *problem = &run->problem;
  double *control, J = effort_of(&problem->control, state, refinement);
  Refinement other = {0};
  *found = (Continuation){0};
  if (!is_wanted(run, state)) return 0;
  int code = find(run, state, until, found, &control);
  if (!code && control && found->J < (1 - LESS) * J)
    code = refinement_run(problem, &run->rollout, state, control, until, &run->progress, run->diagnostics, &other);
  free(control);
  bool less = !code && refinement_met(&other) && other.answer.J < J;
  Refinement worse = less ? *refinement : other;
  if (less) {
    *refinement = other;
    refinement->beyond = true;
  }
  refinement_clear(&worse);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(run->diagnostics) : code;
}

json_t *continuation_json(const Continuation *found) {
  if (!found->tried) return NULL;
  json_t *evaluations = json_integer(found->evaluations);
  if (found->from == 0) return json_pack("{s:o}", "evaluations", evaluations);
  return json_pack("{s:f, s:f, s:o, s:i, s:o}", "from", found->from, "end", found->end, "J", json_finite(found->J),
                   "steps", found->steps, "evaluations", evaluations);
}

void continuation_print(const Continuation *found, double end) {
  if (!found->tried) return;
  printf("with more time: ");
  if (found->from == 0)
    printf("no control found that meets the target");
  else if (found->end > end)
    printf("the target is met with time.end = %.6g, J = %.8g", found->end, found->J);
  else
    printf("the target is met with time.end = %.6g, and from there in %d steps with %.6g", found->from, found->steps,
           end);
  printf(" (%ld evaluations)\n", found->evaluations);
}
