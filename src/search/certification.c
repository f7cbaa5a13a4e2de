/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/certification.h"

#include "control/base/clock.h"
#include "control/certify.h"
#include "src/file/sections/with.h"
#include "src/run/refined_motion.h"
#include "src/search/messages.h"
#include "src/search/search_checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Certification {
  SearchRun *run;
  Certificate *certificate;
  Problem own; /* problem with the scheme `event`; owned */
  RolloutContext rollout;
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  CtlBound *bound;
  CtlProof *proof;
  CtlProver *prover;
  CtlEvaluator evaluator;
  CtlListener listener;
  double since; /* time of the start (ctl_seconds) */
  bool late;    /* whether the time limit search.certify.max_seconds has passed */
  int over;     /* exit code if the proof has ended before its first task was evaluated; otherwise 0 */
};

enum {
  FOUND_BETTER = EXIT_STOPPED + 100
}; /* value by which the listener ends the drive (the loop that evaluates tasks), since a better control was found */

/* Releases the proof, its prover and its bound. All of them depend on the effort J of the answer, i.e. of the control
 * found so far. */
static void release_proof(Certification *p) {
  p->run->proof = NULL;
  ctl_proof_destroy(p->proof);
  ctl_prover_destroy(p->prover);
  ctl_bound_destroy(p->bound);
  p->proof = NULL;
  p->prover = NULL;
  p->bound = NULL;
  ctl_simulation_clear(&p->simulation);
  evaluated_model_clear(&p->evaluated);
  rollout_context_release(&p->rollout);
  problem_clear(&p->own);
}

static void release(Certification *p) {
  release_proof(p);
  free(p);
}

/* Creates a model for motions with a much smaller tolerance than usual. Returns SIM_BAD_PROBLEM, without a report, if
 * the problem does not support this. */
static SimStatus prepare_motion(Certification *p) {
  /* largest tolerance of these motions */
  static const double TOLERANCE = 1e-12;
  const ProblemChanges as = {.scheme = SCHEME_EVENT, .finer = 1};
  Diagnostics refused = {0};
  int code = problem_with(&p->run->problem, as, &refused, &p->own);
  diagnostics_clear(&refused);
  if (code) return code == EXIT_USAGE ? SIM_BAD_PROBLEM : SIM_NO_MEMORY;
  if (sim_problem_get(&p->own.sim, "tolerance") > TOLERANCE) {
    sim_problem_set(&p->own.sim, "tolerance", TOLERANCE);
    SimStatus status = stiction_problem_finalize(&p->own.sim, NULL);
    if (status != SIM_OK) return status;
  }
  if (rollout_context_prepare(&p->rollout, &p->own.sim, NULL) || evaluated_model_prepare(&p->own, true, &p->evaluated))
    return SIM_NO_MEMORY;
  SimStatus status = evaluated_model_simulation(&p->evaluated, &p->rollout, &p->simulation);
  if (status == SIM_OK) status = ctl_bound_create(&p->own.control, &p->own.sim, p->certificate->J, &p->bound);
  const CtlEvaluator motions = ctl_simulator(&p->simulation);
  if (status == SIM_OK) status = ctl_prover_create(p->bound, &motions, &p->prover);
  if (status == SIM_OK) p->evaluator = ctl_prover_evaluator(p->prover);
  return status;
}

/* Restores the better answer that an earlier run found. Returns false if there is no memory. */
static bool take_better(Certification *p) {
  const ProofLog *log = &p->run->proof_log;
  Certificate *certificate = p->certificate;
  size_t size = (size_t)p->run->problem.control.n * sizeof(double);
  if (!log->better) return true;
  certificate->J = log->J;
  certificate->cap = (1 - p->run->problem.control.certify_gap) * log->J;
  if (certificate->better.control) return true;
  certificate->better = (CtlRefined){.control = malloc(size), .J = log->J, .E1 = log->E1, .E2 = log->E2};
  if (certificate->better.control) memcpy(certificate->better.control, log->control, size);
  return certificate->better.control;
}

static SimStatus prepare(Certification *p) {
  if (!take_better(p)) return SIM_NO_MEMORY;
  SearchRun *run = p->run;
  SimStatus status = prepare_motion(p);
  double gap = run->problem.control.certify_gap;
  const SimReport report = {run, search_checkpoint_refuse};
  if (status != SIM_OK) return status;
  return run->proof_saved
             ? ctl_proof_load(p->bound, p->certificate->J, gap, run->proof_saved, run->proof_size, &report, &p->proof)
             : ctl_proof_create(p->bound, p->certificate->J, gap, &p->proof);
}

/* Returns the time that this proof has taken, in s, including earlier runs that were stopped. */
static double seconds_of(const Certification *p) { return p->run->proof_log.seconds + ctl_seconds() - p->since; }

static void note_seconds(Certification *p) {
  p->run->proof_log.seconds = seconds_of(p);
  p->since = ctl_seconds();
}

/* Begins a new proof for the better answer with which the previous proof has ended. */
static SimStatus go_on(Certification *p) {
  SearchRun *run = p->run;
  ProofLog *log = &run->proof_log;
  const CtlRefined *better = &p->certificate->better;
  CtlProofState state;
  ctl_proof_state(p->proof, &state);
  log->better = 1;
  log->looked = log->motions = 0;
  log->simulations += state.motions;
  log->boxes += state.boxes;
  log->J = better->J;
  log->E1 = better->E1;
  log->E2 = better->E2;
  memcpy(log->control, better->control, (size_t)run->problem.control.n * sizeof(double));
  run->proof = NULL;
  free(run->proof_saved);
  run->proof_saved = NULL;
  run->proof_size = 0;
  release_proof(p);
  SimStatus status = prepare(p);
  run->proof = p->proof;
  return status;
}

/* Functions that are called while tasks are evaluated -------------------------------------------------------------- */

/* If a control found by SQP has an effort J below the limit of the proof and its motion is trusted, makes it the better
 * answer; otherwise clears it. Returns FOUND_BETTER; 0 if J is too large; or the code of refined_motion_check. */
static int judge_better(Certification *p, CtlRefined *found) {
  Certificate *certificate = p->certificate;
  int code = 0;
  if (found->control && found->J < certificate->cap) {
    code = refined_motion_check(&p->own, &p->rollout, found->control, certificate->distrust);
    if (!code) code = FOUND_BETTER;
  }
  ctl_refined_clear(code == FOUND_BETTER ? &certificate->better : found);
  if (code == FOUND_BETTER) certificate->better = *found;
  return code;
}

/* Among the examined controls that cost less than the answer, takes the one with the final state nearest to the target,
 * and runs SQP from it. SQP may thus find a control that meets the target and is better than the answer. Returns
 * EXIT_STOPPED after a signal, and the call must then be repeated; EXIT_UNSOLVED if the motion found is not trusted. */
static int look_for_better(Certification *p, const CtlProofState *state) {
  RefinedMotion motion;
  Problem *own = &p->own;
  CtlRefined found = {0};
  SimStatus status = refined_motion_prepare(&motion, own, &p->rollout, "a better answer", &p->run->progress);
  if (status == SIM_OK)
    status = ctl_refine(&own->control, &motion.evaluator, state->nearest, refined_motion_stopped, &motion, &found);
  refined_motion_release(&motion);
  int code = judge_better(p, &found);
  if (code == EXIT_INTERNAL || status == SIM_NO_MEMORY) return diagnostics_no_memory(p->run->diagnostics);
  if (code) return code;
  if (status == SIM_NOT_FINISHED) return EXIT_STOPPED;
  p->run->proof_log.looked = p->run->proof_log.motions;
  return 0;
}

/* Returns whether the number of motions has passed one of the numbers 32, 64, 128, .. since the last attempt to find a
 * better answer. Thus the attempts do not depend on the number of ranks, nor on whether the run was resumed. */
static bool is_due(const ProofLog *log) {
  int64_t mark = 32;
  while (mark <= log->looked) mark *= 2;
  return mark <= log->motions;
}

static void draw_progress(Certification *p, const CtlProofState *state) {
  SearchRun *run = p->run;
  progress_draw(&run->progress, "no less than %.4g J  %ld simulations, %ld boxes  %d of %d busy",
                state->proven / p->certificate->J, state->motions, state->boxes, run->busy, run->evaluators);
}

static int on_round(void *context, const CtlState *none, double seconds) {
  Certification *p = context;
  SearchRun *run = p->run;
  CtlProofState state;
  (void)none;
  (void)seconds;
  ctl_proof_state(p->proof, &state);
  draw_progress(p, &state);
  run->proof_log.motions = state.motions;
  note_seconds(p);
  if (ctl_proof_tasks(p->proof)->count && is_due(&run->proof_log)) {
    int code = look_for_better(p, &state);
    if (code) return code;
  }
  double now = ctl_seconds();
  if (run->options->unwritten) return 0;
  return ctl_checkpoint_due(&run->record.checkpoint, now) ? search_checkpoint_save(run, now) : 0;
}

static void on_tick(void *context, const CtlSearch *none, double seconds, int busy) {
  Certification *p = context;
  double most = p->run->problem.control.certify_seconds;
  (void)none;
  (void)seconds;
  p->run->busy = busy;
  p->late = most > 0 && seconds_of(p) >= most;
}

static bool on_question(void *context) {
  Certification *p = context;
  return search_run_stopped(p->run) || p->late;
}

/* Beginning and ending a proof ------------------------------------------------------------------------------------- */

bool certification_job(Certification *p, CtlJob *job, void **model) {
  *job = (CtlJob){.tasks = ctl_proof_tasks(p->proof),
                  .evaluator = &p->evaluator,
                  .listener = &p->listener,
                  .timeout = p->run->problem.control.evaluation_timeout * CTL_PROOF_MOTIONS};
  job->model = *model = model_message_pack_proof(&p->evaluated, p->bound, &job->model_size);
  return *model != NULL;
}

int certification_over(const Certification *p) { return p->over; }

/* Runs the proof for one answer, until it ends or finds a better answer. */
static int drive_proof(Certification *p) {
  SearchRun *run = p->run;
  if (p->over) return p->over;
  CtlTimes times;
  CtlJob job;
  void *model = NULL;
  int over = CTL_DRIVE_NO_MEMORY;
  if (!run->pool)
    over = ctl_drive_tasks(ctl_proof_tasks(p->proof), &p->evaluator, &p->listener, &times);
  else if (certification_job(p, &job, &model))
    over = ctl_pool_drive(run->pool, &job, &times);
  free(model);
  return over;
}

bool certification_goes_on(Certification *p, int over) {
  if (over != FOUND_BETTER) return false;
  p->over = go_on(p) == SIM_OK ? 0 : CTL_DRIVE_NO_MEMORY;
  return true;
}

int certification_drive(Certification *p) {
  int over;
  do over = drive_proof(p);
  while (certification_goes_on(p, over));
  return over;
}

/* Stores the state of the proof for later checkpoints. Returns false if there is no memory. */
static bool keep(SearchRun *run, const CtlProof *proof) {
  size_t size = ctl_proof_saved_size(proof);
  void *bytes = malloc(size);
  if (!bytes) return false;
  ctl_proof_save(proof, bytes);
  free(run->proof_saved);
  run->proof_saved = bytes;
  run->proof_size = size;
  return true;
}

int certification_end(Certification *p, int over) {
  SearchRun *run = p->run;
  Certificate *certificate = p->certificate;
  CtlProofState state = {0};
  bool left = over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED,
       stopped = over == EXIT_STOPPED || (left && !p->late);
  int code = 0;
  progress_clear(&run->progress);
  if (p->proof) ctl_proof_state(p->proof, &state);
  note_seconds(p);
  certificate->seconds = run->proof_log.seconds;
  if (stopped)
    code = keep(run, p->proof) ? EXIT_STOPPED : diagnostics_no_memory(run->diagnostics);
  else if (over == 0 || over == FOUND_BETTER || left) {
    certificate->under_way = false;
    certificate->lower_bound = fmin(state.proven, certificate->better.control ? certificate->better.J : state.proven);
    certificate->simulations = run->proof_log.simulations + state.motions;
    certificate->boxes = run->proof_log.boxes + state.boxes;
    certificate->unsolved = state.unsolved;
    certificate->late = left;
    certificate->whole = over != FOUND_BETTER && state.proven >= certificate->cap;
    if (state.no_memory) code = diagnostics_no_memory(run->diagnostics);
  } else if (over == EXIT_UNSOLVED) {
    certificate->under_way = false;
    certificate->reason = certificate->distrust;
  } else
    code = over > 0 && over != CTL_PROOF_NO_MEMORY ? over : diagnostics_no_memory(run->diagnostics);
  release(p);
  return code;
}

/* Begins the proof for an answer on the exact motion. */
static int begin(SearchRun *run, Certificate *certificate, Certification **begun) {
  Certification *p = calloc(1, sizeof *p);
  if (!p) return diagnostics_no_memory(run->diagnostics);
  p->run = run;
  p->certificate = certificate;
  p->since = ctl_seconds();
  p->listener = (CtlListener){.context = p,
                              .simplex = on_round,
                              .tick = on_tick,
                              .stopped = on_question,
                              .grace = run->problem.checkpoint_grace};
  SimStatus status = prepare(p);
  if (status == SIM_OK) {
    certificate->under_way = true;
    run->proof = p->proof;
    *begun = p;
    CtlProofState state;
    ctl_proof_state(p->proof, &state);
    /* an attempt to find a better answer was stopped by a signal, so it is repeated */
    if (is_due(&run->proof_log)) p->over = look_for_better(p, &state);
    return 0;
  }
  release(p);
  if (status != SIM_BAD_PROBLEM) return diagnostics_no_memory(run->diagnostics);
  if (run->proof_saved) return EXIT_USAGE;
  certificate->reason = "not for this problem";
  return 0;
}

int certification_begin(SearchRun *run, const CtlState *state, const Refinement *refinement, Certificate *certificate,
                        Certification **begun) {
  const Problem *problem = &run->problem;
  const CtlProblem *control = &problem->control;
  bool own = sim_force_in_pieces(&problem->sim) && ctl_state_meets(control, state);
  *certificate = (Certificate){.sought = control->certify};
  *begun = NULL;
  if (!control->certify) return 0;
  certificate->J = INFINITY;
  if (own) certificate->J = state->J;
  if (refinement_met(refinement) && refinement->itself) certificate->J = fmin(certificate->J, refinement->answer.J);
  certificate->cap = (1 - control->certify_gap) * certificate->J;
  if (state->reason == CTL_REASON_TOO_LONG)
    certificate->reason = "too many motions of the search took too much work";
  else if (isinf(certificate->J))
    certificate->reason = "no control is known that meets the target on the motion itself";
  certificate->whole = certificate->J == 0; /* if J = 0 the certificate is complete, as no control has a smaller
                                             * effort */
  return certificate->reason || certificate->whole ? 0 : begin(run, certificate, begun);
}
