/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests a proof of least effort with a wrong claim. A random control is known to meet the target, as the target is the
 * final state of its motion. So the least effort is at most J of this control. */
#ifndef TESTS_RANDOM_PROOF_H
#define TESTS_RANDOM_PROOF_H

#include "tests/random/motion.h"

#include "control/certify.h"

/* A control that meets the target, and its J, which no proven lower bound may exceed. */
typedef struct Known {
  const CtlProof *proof;
  double J;
  bool wrong;
} Known;

static inline int known_look(void *context, const CtlState *none, double seconds) {
  enum { MOTIONS = 400 };
  Known *known = context;
  CtlProofState state;
  (void)none, (void)seconds;
  ctl_proof_state(known->proof, &state);
  known->wrong |= !(state.proven <= known->J * (1 + 1e-9)); /* the tolerance is the round-off of the proof */
  return known->wrong || state.motions > MOTIONS;
}

/* Lets the proof try the claim that every control costs at least twice J. Returns whether it never excluded all
 * controls with costs up to J, which would be wrong. */
static inline bool proof_is_true(const CtlBound *bound, const CtlEvaluator *motions, double J) {
  CtlProver *prover;
  CtlProof *proof;
  CtlTimes times;
  if (ctl_prover_create(bound, motions, &prover) != SIM_OK) abort();
  if (ctl_proof_create(bound, 2 * J, 1e-3, &proof) != SIM_OK) abort();
  Known known = {.proof = proof, .J = J};
  const CtlEvaluator evaluator = ctl_prover_evaluator(prover);
  const CtlListener listener = {.context = &known, .simplex = known_look};
  ctl_drive_tasks(ctl_proof_tasks(proof), &evaluator, &listener, &times);
  ctl_proof_destroy(proof);
  ctl_prover_destroy(prover);
  return !known.wrong;
}

/* Tries proofs with the scheme `event`. proofs: number of proofs tried. */
static inline Wrong check_proof(Trial *t, long *proofs) {
  CtlProblem *control = &t->problem.control;
  const SimProblem *sim = &t->problem.sim;
  size_t d = (size_t)sim->d;
  SimModel *model;
  SimWorkspace *work;
  CtlBound *bound;
  CtlSimulation motions = {.problem = sim};
  if (!t->problem.has_control || control->n > CTL_CERTIFY_VARIABLES || ctl_certify_check(control, sim, NULL))
    return NULL;
  if (!trial_make(t, &model, &work)) return "no memory";
  SimFinal final = {.x = control->position, .v = control->velocity};
  double J = ctl_cost(control, t->control);
  Wrong wrong = NULL;
  for (int i = 0; i < control->n; i++) {
    control->lower[i] = -INFINITY;
    control->upper[i] = INFINITY;
  }
  bool usable = stiction_rollout(model, work, t->control, NULL, &final) == SIM_OK && J > 0;
  for (size_t i = 0; i < d && usable; i++) usable = isfinite(final.x[i]) && isfinite(final.v[i]);
  motions.model = model;
  motions.work = work;
  if (usable && ctl_bound_create(control, sim, 2 * J, &bound) == SIM_OK) {
    const CtlEvaluator evaluator = ctl_simulator(&motions);
    ++*proofs;
    if (!proof_is_true(bound, &evaluator, J)) wrong = "it is proven that a control costs more than it does";
    ctl_bound_destroy(bound);
  }
  ctl_simulation_clear(&motions);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return wrong;
}

#endif
