/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* for CLOCK_THREAD_CPUTIME_ID */
#include "bench/pool/proof.h"

#include "control/certify.h"
#include "src/run/evaluated_model.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BY_EVENT "scheme={name: event, tolerance: 1e-12}"

static const struct {
  const char *name, *target;
  double J, gap;
} proofs[PROOFS] = {
    {"tp1, x2 = 0", "control.target.position=[null, 0, null]", 80.99903938, 0.1},
    {"tp1, x1 = 2, v1 = 0", "control.target={position: [2, null, null], velocity: [0, null, null]}", 620.4229451, 0.1}};

/* A proof, with its problem and all that it needs. */
typedef struct Trial {
  Problem problem;
  EvaluatedModel evaluated;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlBound *bound;
  CtlProver *prover;
  CtlProof *proof;
} Trial;

static bool begin_trial(int which, Trial *t) {
  char *settings[] = {BY_EVENT, (char *)proofs[which].target}; /* the cast is safe, as the texts are not changed */
  Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
  int code = problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, 2, true, &diagnostics, &t->problem);
  double J = proofs[which].J;
  if (code || evaluated_model_prepare(&t->problem, false, &t->evaluated) ||
      rollout_context_prepare(&t->rollout, t->evaluated.problem, NULL) ||
      evaluated_model_simulation(&t->evaluated, &t->rollout, &t->simulation) != SIM_OK)
    return false;
  const CtlEvaluator motions = ctl_simulator(&t->simulation);
  return ctl_bound_create(&t->problem.control, &t->problem.sim, J, &t->bound) == SIM_OK &&
         ctl_prover_create(t->bound, &motions, &t->prover) == SIM_OK &&
         ctl_proof_create(t->bound, J, proofs[which].gap, &t->proof) == SIM_OK;
}

static void clear_trial(Trial *t) {
  ctl_proof_destroy(t->proof);
  ctl_prover_destroy(t->prover);
  ctl_bound_destroy(t->bound);
  ctl_simulation_clear(&t->simulation);
  rollout_context_release(&t->rollout);
  evaluated_model_clear(&t->evaluated);
  problem_clear(&t->problem);
}

double proof_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Runs a round. Measures separately the coordinator's work for its tasks, and the work of carrying them out. room:
 * storage of all tasks, then of all answers. */
static void run_round(CtlTasks *tasks, const CtlEvaluator *evaluator, double *room, ProofCosts *costs) {
  size_t n = (size_t)evaluator->n, d = (size_t)evaluator->d, count = (size_t)tasks->count;
  double *answers = room + count * n, begun = proof_seconds();
  for (size_t k = 0; k < count; k++) tasks->ask(tasks->context, (long)k, room + k * n);
  double asked = proof_seconds();
  for (size_t k = 0; k < count; k++) {
    SimFinal final = {.x = answers + 2 * k * d, .v = answers + (2 * k + 1) * d};
    evaluator->evaluate(evaluator->context, (CtlWant){0}, 1, room + k * n, &final, NULL);
  }
  double evaluated = proof_seconds();
  for (size_t k = 0; k < count; k++) {
    const CtlOutcome outcome = {.x = answers + 2 * k * d, .v = answers + (2 * k + 1) * d, .status = SIM_OK};
    if (tasks->tell(tasks->context, (long)k, &outcome) <= 0) pool_out_of_memory();
    tasks->done[k] = true;
  }
  tasks->ended(tasks->context);
  costs->motion += evaluated - asked;
  costs->own += asked - begun + proof_seconds() - evaluated;
  costs->tasks += (long)count;
  if (costs->rounds < POOL_ROUNDS_MAX) costs->points[costs->rounds++] = (long)count;
}

void proof_run(CtlTasks *tasks, const CtlEvaluator *evaluator, ProofCosts *costs) {
  while (tasks->count) {
    size_t each = (size_t)evaluator->n + 2 * (size_t)evaluator->d;
    double *room = malloc((size_t)tasks->count * each * sizeof *room);
    if (!room) {
      pool_out_of_memory();
      return;
    }
    run_round(tasks, evaluator, room, costs);
    free(room);
  }
}

void proof_costs(int which, ProofCosts *costs) {
  Trial t = {0};
  CtlProofState state;
  if (!begin_trial(which, &t)) pool_out_of_memory();
  const CtlEvaluator evaluator = ctl_prover_evaluator(t.prover);
  *costs = (ProofCosts){.name = proofs[which].name, .words = {evaluator.n, 2 * evaluator.d}};
  proof_run(ctl_proof_tasks(t.proof), &evaluator, costs);
  ctl_proof_state(t.proof, &state);
  costs->motions = state.motions;
  costs->motion /= (double)costs->motions;
  costs->own /= (double)costs->tasks;
  clear_trial(&t);
}
