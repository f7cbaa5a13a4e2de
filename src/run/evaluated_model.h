/* The part of a problem that evaluators of a search need: the simulation's problem, and which target entries are given,
 * for derivatives. Read from the problem file or, for dense models, sent by rank 0. */
#ifndef SRC_EVALUATED_MODEL_H
#define SRC_EVALUATED_MODEL_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

typedef struct EvaluatedModel {
  const SimProblem *problem; /* borrowed, or the member own */
  SimProblem own;            /* used if the model was received */
  bool *given;               /* [2][rows] for x_T, v_T, this rank's; owned; NULL: derivatives are never needed */
  /* [n_scenarios] evaluated in place of the problem, of the same size; borrowed, or owned if the problem is own */
  const SimProblem *scenarios;
  int n_scenarios;
  /* Bounds, weight and targets, if bounds over patterns of stick and slip may be requested; otherwise NULL. Borrowed,
   * or own_control. */
  const CtlProblem *control;
  CtlProblem own_control;
  bool rest; /* v_T is 0 all along a string; false for a received model, as these are dense */
} EvaluatedModel;

/* Prepares the model of a problem, which must outlive it. derivatives: whether they may be needed. Collective over the
 * problem's group. Returns 0 or EXIT_INTERNAL without a report. */
int evaluated_model_prepare(const Problem *problem, bool derivatives, EvaluatedModel *model);
void evaluated_model_clear(EvaluatedModel *model);

/* Packs and unpacks dense models. Size 0: the model is not dense. Unpack returns SIM_OK, SIM_NO_MEMORY or
 * SIM_BAD_PROBLEM. */
size_t evaluated_model_packed_size(const EvaluatedModel *model);
void evaluated_model_pack(const EvaluatedModel *model, void *bytes);
SimStatus evaluated_model_unpack(const void *bytes, size_t size, EvaluatedModel *model);

/* Initialises a simulation with a rollout's model and workspace: ctl_simulation_init. */
SimStatus evaluated_model_simulation(const EvaluatedModel *model, const RolloutContext *rollout,
                                     CtlSimulation *simulation);

/* The evaluator of a model: of its problem, or of its scenarios, each with its own model and workspace. */
typedef struct ModelEvaluator {
  CtlSimulation simulation; /* of the problem, with a rollout's model and workspace */
  int n;                    /* number of scenarios; 0: the simulation above evaluates */
  RolloutContext *rollouts; /* [n] owned, like the rest */
  CtlSimulation *simulations;
  CtlEvaluator *each;
  CtlStack stack;
  CtlEvaluator nominal; /* evaluates the file's own numbers, if there are scenarios */
} ModelEvaluator;

/* Opens an evaluator. model and rollout must outlive it, and the struct must not be moved. kernel: of stiction_batch; -1:
 * the widest. Returns SIM_OK or an error; close it in each case. */
SimStatus model_evaluator_open(const EvaluatedModel *model, const RolloutContext *rollout, int kernel,
                               ModelEvaluator *evaluator);
void model_evaluator_close(ModelEvaluator *evaluator);
CtlEvaluator model_evaluator(ModelEvaluator *evaluator);

#endif
