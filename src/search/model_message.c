/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/messages.h"

#include "src/run/rollout_context.h"

#include <stdlib.h>
#include <string.h>

/* The model that a worker has made from a message. */
typedef struct Model {
  Problem problem; /* problem of the file, for a message of the form MESSAGE_FILE */
  EvaluatedModel evaluated;
  RolloutContext rollout;
  ModelEvaluator evaluator;
  CtlEvaluator inner; /* evaluator of the model */
  CtlBound *bound;    /* bound from a message of the form MESSAGE_PROOF; otherwise NULL */
  CtlProver *prover;
} Model;

void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size) {
  bool dense = sim_problem_packed_size(evaluated->problem) > 0;
  size_t packed = dense ? evaluated_model_packed_size(evaluated) : 0;
  char *at,
      *bytes = message_create(packed ? MESSAGE_MODEL : MESSAGE_FILE, packed ? packed : strlen(path) + 1, size, &at);
  if (!bytes) return NULL;
  if (packed)
    evaluated_model_pack(evaluated, at);
  else
    strcpy(at, path);
  return bytes;
}

/* The message consists of the number of bytes of the bound, the bound, and the problem. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size) {
  int64_t own = (int64_t)ctl_bound_packed_size(bound);
  char *at, *bytes = message_create(MESSAGE_PROOF, sizeof own + (size_t)own + evaluated_model_packed_size(evaluated),
                                    size, &at);
  if (!bytes) return NULL;
  message_put(&at, &own, sizeof own);
  ctl_bound_pack(bound, at);
  evaluated_model_pack(evaluated, at + own);
  return bytes;
}

void model_message_release(void *owner) {
  Model *model = owner;
  ctl_prover_destroy(model->prover);
  ctl_bound_destroy(model->bound);
  model_evaluator_close(&model->evaluator);
  rollout_context_release(&model->rollout);
  evaluated_model_clear(&model->evaluated);
  problem_clear(&model->problem);
  free(model);
}

static SimStatus unpack_proof(Model *model, const char *bytes, size_t size) {
  int64_t own;
  const char *from = bytes;
  message_get(&from, &own, sizeof own);
  SimStatus status = ctl_bound_unpack(from, (size_t)own, &model->bound);
  size_t left = size - sizeof own - (size_t)own;
  return status == SIM_OK ? evaluated_model_unpack(from + own, left, &model->evaluated) : status;
}

static SimStatus unpack(Model *model, MessageForm form, const char *bytes, size_t size) {
  if (form == MESSAGE_PROOF) return unpack_proof(model, bytes, size);
  if (form == MESSAGE_MODEL) return evaluated_model_unpack(bytes, size, &model->evaluated);
  const ModelRanks alone = {0}; /* 0 copies: rank 0 has already checked that the copies of all ranks fit in memory */
  int code = problem_file_read_shared(bytes, NULL, 0, true, &alone, NULL, &model->problem);
  if (!code)
    code = evaluated_model_prepare(&model->problem, ctl_problem_wants_derivatives(&model->problem.control),
                                   &model->evaluated);
  return code ? SIM_BAD_PROBLEM : SIM_OK;
}

SimStatus model_message_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                              void **owner, CtlEvaluator *evaluator) {
  int kernel = reader->options->kernel;
  Model *model = calloc(1, sizeof *model);
  if (!model) return SIM_NO_MEMORY;
  SimStatus status = unpack(model, form, bytes, size);
  if (status == SIM_OK && (rollout_context_prepare(&model->rollout, model->evaluated.problem, NULL) ||
                           rollout_context_set_kernel(&model->rollout, kernel)))
    status = SIM_BAD_PROBLEM;
  if (status == SIM_OK) status = model_evaluator_open(&model->evaluated, &model->rollout, kernel, &model->evaluator);
  if (status == SIM_OK) model->inner = model_evaluator(&model->evaluator);
  if (status == SIM_OK && model->bound) status = ctl_prover_create(model->bound, &model->inner, &model->prover);
  if (status != SIM_OK) {
    model_message_release(model);
    return status;
  }
  *owner = model;
  *evaluator = model->prover ? ctl_prover_evaluator(model->prover) : model->inner;
  return SIM_OK;
}
