/* What everything that evaluates for a search has of its problem: the simulation's, and which entries of the target are given, whose
 * derivatives may be wanted. Read from the problem file, or, of dense models, sent by rank 0. */
#ifndef SRC_EVALUATED_MODEL_H
#define SRC_EVALUATED_MODEL_H

#include "control/evaluator.h"
#include "src/problem/file.h"
#include "src/run/rollout_context.h"

typedef struct EvaluatedModel {
  const SimProblem *problem; /* borrowed; or own */
  SimProblem own;            /* of one that was sent */
  bool *given;               /* [2][rows] of x_T, v_T, this rank's; owned; NULL: derivatives are never wanted */
  bool rest;                 /* v_T is rest all along a string; of one that was sent false: those are dense */
} EvaluatedModel;

/* Of a problem, which outlives it; derivatives: whether they may be wanted. By all ranks of its group together. Returns 0 or, untold, EXIT_INTERNAL. */
int evaluated_model_prepare(const Problem *problem, bool derivatives, EvaluatedModel *model);
void evaluated_model_clear(EvaluatedModel *model);

/* Of dense models, as bytes. Size 0: of another. Unpack: SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
size_t evaluated_model_packed_size(const EvaluatedModel *model);
void evaluated_model_pack(const EvaluatedModel *model, void *bytes);
SimStatus evaluated_model_unpack(const void *bytes, size_t size, EvaluatedModel *model);

/* The simulation by a rollout's model and workspace: ctl_simulation_init. */
SimStatus evaluated_model_simulation(const EvaluatedModel *model, const RolloutContext *rollout,
                                     CtlSimulation *simulation);

#endif
