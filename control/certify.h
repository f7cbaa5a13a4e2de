/* A proof of the least effort: of all controls with J(u) < (1 - gap) J*, none meets the target. What any two motions of a system
 * with monotone friction have to do with each other (control/certify/README.md) excludes whole boxes of controls by one motion each,
 * a branch and bound over boxes the rest. A CtlProof lays out rounds of boxes as CtlTasks, which a CtlProver carries out on whichever
 * rank: each looks into its box by many motions, and answers with what is left of it. Like a search it knows neither MPI nor a clock. */
#ifndef CONTROL_CERTIFY_H
#define CONTROL_CERTIFY_H

#include "control/evaluator.h"

SIM_API_BEGIN

typedef struct CtlBound CtlBound;

enum { CTL_CERTIFY_VARIABLES = 4 /* of the control, at most */ };

/* Tells, by the keys of problem files, each reason why there can be no proof: stops, springs that are laws, gear boxes, friction that
 * falls with speed, too many variables, targets that are functions along a string, a weight that is not positive definite. Returns
 * how many. */
int ctl_certify_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report);

/* Whether the controls that meet the target are known to be a convex set, of any size of problem: a constant control, B acting on given
 * entries of x_T alone, and a model as ctl_certify_check wants it, so that u -> B'x(T) is monotone. A local minimum is the least of all
 * then. */
bool ctl_targets_are_convex(const CtlProblem *problem, const SimProblem *sim);

/* What motions are compared by. Nothing is borrowed but the problem, whose end, weight, bounds, target and accept count; rates do
 * not: what holds without holds with them. effort: J(u) of all controls that are looked at is at most this. sim: solved by `event`.
 * SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM: one that ctl_certify_check refuses. */
SimStatus ctl_bound_create(const CtlProblem *problem, const SimProblem *sim, double effort, CtlBound **bound);
void ctl_bound_destroy(CtlBound *bound); /* may be NULL */

/* As bytes, for other ranks of this kind of machine. Unpack: SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
size_t ctl_bound_packed_size(const CtlBound *bound);
void ctl_bound_pack(const CtlBound *bound, void *bytes); /* [ctl_bound_packed_size] */
SimStatus ctl_bound_unpack(const void *bytes, size_t size, CtlBound **bound);

/* How far x(T) and v(T) of a simulation may be off by the event scheme's tolerance, [d] each: m, m/s; borrowed. */
const double *ctl_bound_errors(const CtlBound *bound);

/* Whether two simulated motions of two controls [n], that end at x, v [d] each, are as near to each other as they must be. For tests
 * of the theory. */
bool ctl_bound_holds(const CtlBound *bound, const double *const control[2], const double *const x[2],
                     const double *const v[2]);

/* The proof --------------------------------------------------------------------------------------------------------- */

typedef struct CtlProof CtlProof;

/* Of the claim that J is the least: to a gap in (0, 1). bound: borrowed. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_proof_create(const CtlBound *bound, double J, double gap, CtlProof **proof);
void ctl_proof_destroy(CtlProof *proof); /* may be NULL */

/* Its tasks, round after round until there are none: then it is over. Borrowed. A drive that ends with CTL_PROOF_NO_MEMORY has lost some
 * of it: it goes on from a saved one. */
enum { CTL_PROOF_NO_MEMORY = 1 << 20 };
enum { CTL_PROOF_MOTIONS = 64 /* of a task, at most */ };
CtlTasks *ctl_proof_tasks(CtlProof *proof);

/* As of the last round. */
typedef struct CtlProofState {
  double proven; /* no control with J below this meets the target; (1 - gap) J at the end of one that is whole */
  long rounds, motions;
  long boxes;    /* of controls, that have been looked at */
  long unsolved; /* of these, small ones left as they are, whose motion has failed */
  bool no_memory;
  const double *
      nearest; /* [n] of all simulated controls of a stage, all of J < (1 - gap) J*, the one that misses the target least; 0
                          * before the first; borrowed, until the next call */
} CtlProofState;
void ctl_proof_state(const CtlProof *proof, CtlProofState *state);

/* At any time, the answers told so far with it. Loaded it goes on, bit for bit, as it would have. Safe against any bytes: SIM_BAD_PROBLEM
 * when they are no such proof, or of another build; why is told to report (may be NULL), as "proof". SIM_NO_MEMORY, too. */
size_t ctl_proof_saved_size(const CtlProof *proof);
void ctl_proof_save(const CtlProof *proof, void *bytes); /* [ctl_proof_saved_size] */
SimStatus ctl_proof_load(const CtlBound *bound, double J, double gap, const void *bytes, size_t size,
                         const SimReport *report, CtlProof **proof);

/* Who carries out its tasks, by whoever runs the motions, solved by `event`; bound: the proof's, or one unpacked; both borrowed, the
 * evaluator's context, too. SIM_OK or SIM_NO_MEMORY. */
typedef struct CtlProver CtlProver;
SimStatus ctl_prover_create(const CtlBound *bound, const CtlEvaluator *motions, CtlProver **prover);
void ctl_prover_destroy(CtlProver *prover); /* may be NULL */
CtlEvaluator ctl_prover_evaluator(CtlProver *prover);

SIM_API_END

#endif
