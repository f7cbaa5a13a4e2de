/* What everything that evaluates for a search has of its problem: the simulation's, and which entries of the target are given, whose
 * derivatives may be wanted. Read from the problem file, or, of dense models, sent by rank 0. */
#ifndef SRC_EVALUATED_MODEL_H
#define SRC_EVALUATED_MODEL_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

typedef struct EvaluatedModel {
  const SimProblem *problem; /* borrowed; or own */
  SimProblem own;            /* of one that was sent */
  bool *given;               /* [2][rows] of x_T, v_T, this rank's; owned; NULL: derivatives are never wanted */
  const SimProblem
      *scenarios; /* [n_scenarios] in place of the problem, of the same size; borrowed, or owned if that is own */
  int n_scenarios;
  const CtlProblem *
      control; /* bounds, weight and targets, where patterns of stick and slip may be asked about; else NULL; borrowed, or own: */
  CtlProblem own_control;
  bool rest; /* v_T is rest all along a string; of one that was sent false: those are dense */
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

/* The evaluator of a model: of its problem, or of its scenarios, each with a model and a workspace. */
typedef struct ModelEvaluator {
  CtlSimulation simulation; /* of the problem, by a rollout's model and workspace */
  int n;                    /* scenarios; 0: the former evaluates */
  RolloutContext *rollouts; /* [n] owned, as the rest */
  CtlSimulation *simulations;
  CtlEvaluator *each;
  CtlStack stack;
  CtlEvaluator nominal; /* of the file's own numbers, where there are scenarios */
} ModelEvaluator;

/* model and rollout outlive it, and the struct stays where it is. kernel: of sim_batch; -1: the widest. SIM_OK, or why not (to be closed, too). */
SimStatus model_evaluator_open(const EvaluatedModel *model, const RolloutContext *rollout, int kernel,
                               ModelEvaluator *evaluator);
void model_evaluator_close(ModelEvaluator *evaluator);
CtlEvaluator model_evaluator(ModelEvaluator *evaluator);

#endif
