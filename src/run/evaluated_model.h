/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of a problem that evaluators of a search need. It has the problem of the simulation and, for derivatives,
 * which entries of the target are given. It is read from the problem file; dense models can also be received from rank
 * 0. */
#ifndef SRC_EVALUATED_MODEL_H
#define SRC_EVALUATED_MODEL_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

typedef struct EvaluatedModel {
  const SimProblem *problem; /* the problem; borrowed, or a pointer to the member `own` */
  SimProblem own;            /* the problem, if it was received from rank 0; otherwise not used */
  bool *given;               /* [2][rows] whether x_T and v_T are given in this rank's rows; owned. NULL: derivatives
                              * are never needed */
  /* [n_scenarios] problems of the same size as `problem`, which are evaluated in place of it. Owned if the problem is
   * `own`; otherwise borrowed. */
  const SimProblem *scenarios;
  int n_scenarios;
  /* Bounds, weight and targets of the control problem, if bounds over patterns of stick and slip may be requested;
   * otherwise NULL. Borrowed, or a pointer to `own_control`. */
  const CtlProblem *control;
  CtlProblem own_control;
  bool rest; /* whether the target v_T is 0 all along a string; false for a received model, which is dense and thus not
              * a string */
} EvaluatedModel;

/* Prepares the model of a problem, which must outlive it. derivatives: whether derivatives may be needed. Collective
 * over the problem's group. Returns 0, or EXIT_INTERNAL without reporting an error. */
int evaluated_model_prepare(const Problem *problem, bool derivatives, EvaluatedModel *model);
void evaluated_model_clear(EvaluatedModel *model);

/* Pack and unpack dense models. evaluated_model_packed_size returns 0 if the model is not dense. evaluated_model_unpack
 * returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
size_t evaluated_model_packed_size(const EvaluatedModel *model);
void evaluated_model_pack(const EvaluatedModel *model, void *bytes);
SimStatus evaluated_model_unpack(const void *bytes, size_t size, EvaluatedModel *model);

/* Initialises a simulation (ctl_simulation_init) with the model and workspace of a rollout. */
SimStatus evaluated_model_simulation(const EvaluatedModel *model, const RolloutContext *rollout,
                                     CtlSimulation *simulation);

/* The evaluator of a model. It evaluates the problem of the model; if there are scenarios, each of them with a model
 * and workspace of its own. */
typedef struct ModelEvaluator {
  CtlSimulation simulation; /* simulation of the problem, with the model and workspace of a rollout */
  int n;                    /* number of scenarios; 0: points are evaluated by `simulation` */
  RolloutContext *rollouts; /* [n] rollouts of the scenarios; owned, like the members below */
  CtlSimulation *simulations;
  CtlEvaluator *each;
  CtlStack stack;
  CtlEvaluator nominal; /* if there are scenarios: evaluates the problem with the values in the file */
} ModelEvaluator;

/* Opens an evaluator. model and rollout must outlive it, and the struct must not be moved. kernel: code for one
 * instruction set that stiction_batch uses; -1: the widest one that this processor supports. Returns SIM_OK or an
 * error. The caller must close the evaluator in each case. */
SimStatus model_evaluator_open(const EvaluatedModel *model, const RolloutContext *rollout, int kernel,
                               ModelEvaluator *evaluator);
void model_evaluator_close(ModelEvaluator *evaluator);
CtlEvaluator model_evaluator(ModelEvaluator *evaluator);

#endif
