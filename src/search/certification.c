#include "src/search/certification.h"

#include "control/base/clock.h"
#include "control/certify.h"
#include "src/base/exit_code.h"
#include "src/run/refined_motion.h"
#include "src/run/reread_problem.h"
#include "src/search/search_checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A proof under way. */
typedef struct Proving {
  SearchRun *run;
  Certificate *told;
  Problem own; /* by the scheme `event` */
  RolloutContext rollout;
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  CtlProblem problem; /* of the proof; its arrays are own's */
  CtlBound *bound;
  CtlSearch *search;
} Proving;

enum { FOUND_BETTER = EXIT_STOPPED + 100 }; /* what the listener ends the drive with */

static void prove_release(Proving *p) {
  p->run->proof = NULL;
  ctl_search_destroy(p->search);
  ctl_bound_destroy(p->bound);
  ctl_simulation_clear(&p->simulation);
  evaluated_model_clear(&p->evaluated);
  rollout_context_release(&p->rollout);
  problem_clear(&p->own);
}

/* The proof's own budget, and none of the search's; no bounds in which points must be. */
static void set_problem(Proving *p) {
  CtlProblem *problem = &p->problem;
  *problem = p->own.control;
  problem->method = CTL_METHOD_CERTIFY;
  problem->certified = p->told->J;
  problem->certificate = p->bound;
  problem->max_seconds = problem->certify_seconds;
  problem->max_evaluations = problem->max_simplexes = 0;
  problem->restarts = 0;
  problem->stop_at = 0;
  for (int i = 0; i < problem->n; i++) { /* the bound has them as far as it can */
    problem->start[i] = 0;
    problem->lower[i] = -INFINITY;
    problem->upper[i] = INFINITY;
  }
  for (int i = 0; i < problem->p; i++) problem->rate[i] = INFINITY;
}

/* Its own model, much more exact than a user would want. SIM_BAD_PROBLEM: untold. */
static SimStatus prepare_motion(Proving *p) {
  static const double TOLERANCE = 1e-12;
  const Reread as = {.scheme = REREAD_BY_EVENT, .finer = 1};
  Diagnostics refused = {0};
  int code = reread_problem(&p->run->problem, as, &refused, &p->own);
  diagnostics_clear(&refused);
  if (code) return code == EXIT_USAGE ? SIM_BAD_PROBLEM : SIM_NO_MEMORY;
  if (sim_problem_get(&p->own.sim, "tolerance") > TOLERANCE) {
    sim_problem_set(&p->own.sim, "tolerance", TOLERANCE);
    SimStatus status = sim_problem_finalize(&p->own.sim, NULL);
    if (status != SIM_OK) return status;
  }
  if (rollout_context_prepare(&p->rollout, &p->own.sim, NULL) || evaluated_model_prepare(&p->own, true, &p->evaluated))
    return SIM_NO_MEMORY;
  SimStatus status = evaluated_model_simulation(&p->evaluated, &p->rollout, &p->simulation);
  return status == SIM_OK ? ctl_bound_create(&p->own.control, &p->own.sim, p->told->J, &p->bound) : status;
}

static SimStatus prepare(Proving *p) {
  SearchRun *run = p->run;
  SimStatus status = prepare_motion(p);
  if (status != SIM_OK) return status;
  set_problem(p);
  const SimReport report = {run, search_checkpoint_refuse};
  return run->proof_saved ? ctl_search_load(&p->problem, run->proof_saved, run->proof_size, &report, &p->search)
                          : ctl_search_create(&p->problem, &p->search);
}

/* What the drive calls ----------------------------------------------------------------------------------------- */

/* From where the target is missed least, of all controls that cost less, SQP may come to one that meets it. Returns also 0 when a signal has
 * ended it: it is due again. */
static int look_for_better(Proving *p, const CtlState *state) {
  Certificate *told = p->told;
  RefinedMotion motion;
  Problem *own = &p->own;
  CtlRefined found = {0};
  SimStatus status = refined_motion_prepare(&motion, own, &p->rollout, "a better answer", &p->run->progress);
  if (status == SIM_OK)
    status = ctl_refine(&own->control, &motion.evaluator, state->control, refined_motion_stopped, &motion, &found);
  refined_motion_release(&motion);
  if (found.control && found.J < told->cap) {
    ctl_refined_clear(&told->better);
    told->better = found;
    return FOUND_BETTER;
  }
  ctl_refined_clear(&found);
  if (status == SIM_NO_MEMORY) return EXIT_INTERNAL;
  if (status != SIM_NOT_FINISHED) p->run->proof_looks.at = p->run->proof_looks.round;
  return 0;
}

/* Whether one of 32, 64, .. simulations has been passed since the last look: the same at any number of ranks, and after a resume. */
static bool is_due(const ProofLooks *looks) {
  int64_t mark = 32;
  while (mark <= looks->at) mark *= 2;
  return mark <= looks->round;
}

static int on_round(void *context, const CtlState *state, double seconds) {
  Proving *p = context;
  SearchRun *run = p->run;
  (void)seconds;
  progress_draw(&run->progress, state->seconds, "no less than %.4g J  %ld simulations, %ld boxes  %d of %d busy",
                state->proven / p->told->J, state->ivps, state->boxes, run->busy, run->evaluators);
  run->proof_looks.round = state->ivps;
  if (state->reason == CTL_RUNNING && is_due(&run->proof_looks)) {
    int code = look_for_better(p, state);
    if (code) return code;
  }
  double now = ctl_seconds();
  if (run->options->unwritten) return 0;
  return ctl_checkpoint_due(&run->record.checkpoint, now) ? search_checkpoint_save(run, now) : 0;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  Proving *p = context;
  (void)search;
  (void)seconds;
  p->run->busy = busy;
}

static bool on_question(void *context) {
  Proving *p = context;
  return search_run_stopped(p->run);
}

static int drive(Proving *p) {
  SearchRun *run = p->run;
  const CtlEvaluator evaluator = ctl_simulator(&p->simulation);
  const CtlListener listener = {.context = p,
                                .simplex = on_round,
                                .tick = on_tick,
                                .stopped = on_question,
                                .grace = run->problem.checkpoint_grace};
  const SearchDrive how = {.pool = run->pool,
                           .search = p->search,
                           .evaluator = &evaluator,
                           .listener = &listener,
                           .timeout = run->problem.control.evaluation_timeout,
                           .sent = &p->evaluated,
                           .path = run->options->argument};
  CtlTimes times;
  CtlState state;
  ctl_search_state(p->search, &state);
  run->proof = p->search;
  int over = is_due(&run->proof_looks) ? look_for_better(p, &state) : 0; /* the one that a signal has ended */
  if (!over) over = search_drive(&how, &times);
  progress_clear(&run->progress);
  return over;
}

/* For the checkpoints that follow on it. Returns false when out of memory. */
static bool keep(SearchRun *run, const CtlSearch *proof) {
  size_t size = ctl_search_saved_size(proof);
  void *bytes = malloc(size);
  if (!bytes) return false;
  ctl_search_save(proof, bytes);
  free(run->proof_saved);
  run->proof_saved = bytes;
  run->proof_size = size;
  return true;
}

/* Of an answer on the motion itself. */
static int prove(SearchRun *run, Certificate *told) {
  Proving p = {.run = run, .told = told};
  SimStatus status = prepare(&p);
  int over = status == SIM_OK ? drive(&p) : 0, code = 0;
  bool stopped = over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED, kept = over == 0 || over == FOUND_BETTER;
  if (status == SIM_OK && kept) {
    CtlState state;
    ctl_search_state(p.search, &state);
    told->lower_bound = fmin(state.proven, told->better.control ? told->better.J : state.proven);
    told->simulations = state.ivps;
    told->boxes = state.boxes;
    told->unsolved = state.unsolved;
    told->seconds = state.seconds;
    told->whole = !told->better.control && state.proven >= told->cap;
    if (state.no_memory) code = diagnostics_no_memory(run->diagnostics);
  } else if (status == SIM_OK && stopped) {
    code = keep(run, p.search) ? EXIT_STOPPED : diagnostics_no_memory(run->diagnostics);
  } else if (status == SIM_OK)
    code = over > 0 ? over : diagnostics_no_memory(run->diagnostics);
  else if (status == SIM_BAD_PROBLEM && !run->proof_saved)
    told->reason = "not for this problem";
  else
    code = status == SIM_BAD_PROBLEM ? EXIT_USAGE : diagnostics_no_memory(run->diagnostics);
  prove_release(&p);
  return code;
}

int certification_run(SearchRun *run, const CtlState *state, const Refinement *refinement, Certificate *told) {
  const Problem *problem = &run->problem;
  const CtlProblem *control = &problem->control;
  bool own = sim_force_in_pieces(&problem->sim) && state->E1 <= control->accept && state->E2 <= control->accept;
  *told = (Certificate){.sought = control->certify};
  if (!control->certify) return 0;
  told->J = INFINITY;
  if (own) told->J = state->J;
  if (refinement_met(refinement) && refinement->itself) told->J = fmin(told->J, refinement->answer.J);
  told->cap = (1 - control->certify_gap) * told->J;
  if (isinf(told->J)) told->reason = "no control is known that meets the target on the motion itself";
  told->whole = told->J == 0; /* nothing costs less, and no bound is looked for */
  return told->reason || told->whole ? 0 : prove(run, told);
}
