/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof of least effort: no control with J(u) < (1 - gap) J* meets the target. J* is the J of a known control that
 * meets the target.
 *
 * The proof is a branch and bound over boxes of controls. Inequalities between any two motions of a system with
 * monotone friction (control/certify/README.md) let one motion exclude a whole box. A CtlProof sets up rounds of tasks
 * (CtlTasks). Each round examines a set of boxes in parallel. A CtlProver carries out the tasks, on any rank: it
 * examines the task's box by many motions and returns the part of the box that is not excluded. Like a search, a proof
 * depends neither on MPI nor on a clock. */
#ifndef CONTROL_CERTIFY_H
#define CONTROL_CERTIFY_H

#include "control/evaluator.h"

typedef struct CtlBound CtlBound;

enum { CTL_CERTIFY_VARIABLES = 4 /* maximum number of search variables */ };

/* Reports each reason, by the key of the problem file, why no proof is possible: stops, springs that are laws, gear
 * boxes, friction that falls with speed, too many variables, targets that are functions along a string, a weight that
 * is not positive definite. Returns the number of reasons. */
int ctl_certify_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report);

/* Whether the set of controls that meet the target is known to be convex, for any number of variables. This holds if
 * the map from the control u to B'x(T) is monotone: the control is constant in time, its force directions B act only on
 * dofs with a target position, and ctl_certify_check accepts the model. Any local minimum is then global. */
bool ctl_targets_are_convex(const CtlProblem *problem, const SimProblem *sim);

/* Creates the constants of the inequalities between motions. They depend on the problem's end time, weight, bounds,
 * target and accept, but not on its rate limits, since a proof without these limits is stronger. effort: upper limit of
 * J(u) of the controls that are examined. Only the problem is borrowed. sim: a problem that the scheme `event` solves.
 * Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if ctl_certify_check refuses the problem. */
SimStatus ctl_bound_create(const CtlProblem *problem, const SimProblem *sim, double effort, CtlBound **bound);
void ctl_bound_destroy(CtlBound *bound); /* bound: may be NULL */

/* ctl_bound_pack serialises a bound, ctl_bound_unpack restores it on another rank. All ranks must be machines of the
 * same kind. ctl_bound_unpack returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
size_t ctl_bound_packed_size(const CtlBound *bound);
/* Packs a bound into `bytes`, an array of ctl_bound_packed_size bytes. */
void ctl_bound_pack(const CtlBound *bound, void *bytes);
SimStatus ctl_bound_unpack(const void *bytes, size_t size, CtlBound **bound);

/* Returns the error bounds of x(T) and v(T) of a simulation, which depend on the tolerance of the scheme event: [2][d],
 * m and m/s; borrowed. */
const double *ctl_bound_errors(const CtlBound *bound);

/* Whether the motions of two controls [n], with final states x, v [d], satisfy the inequalities. The function exists
 * for tests of the theory. */
bool ctl_bound_holds(const CtlBound *bound, const double *const control[2], const double *const x[2],
                     const double *const v[2]);

/* The proof -------------------------------------------------------------------------------------------------------- */

typedef struct CtlProof CtlProof;

/* Creates a proof of the claim that no control with an effort below (1 - gap) J meets the target, 0 < gap < 1. bound:
 * borrowed. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_proof_create(const CtlBound *bound, double J, double gap, CtlProof **proof);
void ctl_proof_destroy(CtlProof *proof); /* may be NULL */

/* reason for which the evaluation of the tasks ends if memory is lacking */
enum { CTL_PROOF_NO_MEMORY = 1 << 20 };
enum { CTL_PROOF_MOTIONS = 64 /* maximum number of motions that a task simulates */ };
/* Returns the tasks of the proof, borrowed. They come in rounds, and the proof is over when a round is empty. If the
 * evaluation of the tasks ends with CTL_PROOF_NO_MEMORY, some answers are lost; resume the proof then from saved
 * bytes. */
CtlTasks *ctl_proof_tasks(CtlProof *proof);

/* State of a proof after its last round. */
typedef struct CtlProofState {
  /* J below which no control meets the target, as proven so far; (1 - gap) J at the end of a complete proof */
  double proven;
  long rounds, motions;
  long boxes;    /* number of boxes of controls that were examined */
  long unsolved; /* number of small boxes among these that stay undecided because the simulation of a motion failed */
  bool no_memory;
  /* [n] among the simulated controls with J < (1 - gap) J*, the one that misses the target least; zeros before the
   * first simulation; borrowed, valid until the next call */
  const double *nearest;
} CtlProofState;
void ctl_proof_state(const CtlProof *proof, CtlProofState *state);

/* These functions save a proof at any time, with the answers received so far, and load it. A loaded proof continues
 * with the same bits. Loading is safe against any bytes. ctl_proof_load returns SIM_OK, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM if the bytes are no saved proof of this build. In the last case `report` (may be NULL) receives the
 * reason under the key "proof". */
size_t ctl_proof_saved_size(const CtlProof *proof);
void ctl_proof_save(const CtlProof *proof, void *bytes); /* bytes: [ctl_proof_saved_size] */
SimStatus ctl_proof_load(const CtlBound *bound, double J, double gap, const void *bytes, size_t size,
                         const SimReport *report, CtlProof **proof);

/* A prover carries out the tasks of a proof. */
typedef struct CtlProver CtlProver;
/* Creates a prover. motions: an evaluator that simulates by the scheme `event`; bound: the bound of the proof, or one
 * unpacked from it. Both are borrowed, and so is the evaluator's context. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_prover_create(const CtlBound *bound, const CtlEvaluator *motions, CtlProver **prover);
void ctl_prover_destroy(CtlProver *prover); /* prover: may be NULL */
CtlEvaluator ctl_prover_evaluator(CtlProver *prover);

#endif
