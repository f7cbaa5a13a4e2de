#include "src/search/model_message.h"

#include "src/process/stop_signal.h"
#include "src/run/rollout_context.h"
#include "src/search/bound_tasks.h"
#include "src/search/scenario_tasks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(int64_t) };

/* A worker's model. */
typedef struct Model {
  Problem problem; /* read for MODEL_MESSAGE_FILE */
  EvaluatedModel evaluated;
  RolloutContext rollout;
  ModelEvaluator evaluator;
  CtlEvaluator inner; /* evaluator of this problem, or of a proof's tasks */
  CtlBound *bound;    /* for MODEL_MESSAGE_PROOF */
  CtlProver *prover;
} Model;

void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size) {
  bool dense = sim_problem_packed_size(evaluated->problem) > 0;
  size_t packed = dense ? evaluated_model_packed_size(evaluated) : 0;
  int64_t form = packed ? MODEL_MESSAGE_PACKED : MODEL_MESSAGE_FILE;
  *size = HEAD + (packed ? packed : strlen(path) + 1);
  char *bytes = malloc(*size);
  if (!bytes) return NULL;
  memcpy(bytes, &form, HEAD);
  if (packed)
    evaluated_model_pack(evaluated, bytes + HEAD);
  else
    strcpy(bytes + HEAD, path);
  return bytes;
}

/* Message: the form, the length of the bound, the bound, the problem. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size) {
  int64_t form = MODEL_MESSAGE_PROOF, own = (int64_t)ctl_bound_packed_size(bound);
  size_t problem = 2 * HEAD + (size_t)own;
  *size = problem + evaluated_model_packed_size(evaluated);
  char *bytes = malloc(*size);
  if (!bytes) return NULL;
  memcpy(bytes, &form, HEAD);
  memcpy(bytes + HEAD, &own, HEAD);
  ctl_bound_pack(bound, bytes + 2 * HEAD);
  evaluated_model_pack(evaluated, bytes + problem);
  return bytes;
}

static void model_free(Model *model) {
  ctl_prover_destroy(model->prover);
  ctl_bound_destroy(model->bound);
  model_evaluator_close(&model->evaluator);
  rollout_context_release(&model->rollout);
  evaluated_model_clear(&model->evaluated);
  problem_clear(&model->problem);
  free(model);
}

static int64_t form_of(const void *bytes) {
  int64_t form;
  memcpy(&form, bytes, HEAD);
  return form;
}

static SimStatus unpack_proof(Model *model, const char *bytes, size_t size) {
  int64_t own;
  memcpy(&own, bytes, HEAD);
  size_t problem = HEAD + (size_t)own;
  SimStatus status = ctl_bound_unpack(bytes + HEAD, (size_t)own, &model->bound);
  return status == SIM_OK ? evaluated_model_unpack(bytes + problem, size - problem, &model->evaluated) : status;
}

static SimStatus unpack(Model *model, const char *bytes, size_t size) {
  int64_t form = form_of(bytes);
  if (form == MODEL_MESSAGE_PROOF) return unpack_proof(model, bytes + HEAD, size - HEAD);
  if (form == MODEL_MESSAGE_PACKED) return evaluated_model_unpack(bytes + HEAD, size - HEAD, &model->evaluated);
  const ModelRanks alone = {0}; /* rank 0 has counted all copies */
  int code = problem_file_read_shared(bytes + HEAD, NULL, 0, true, &alone, NULL, &model->problem);
  if (!code)
    code = evaluated_model_prepare(&model->problem, ctl_problem_wants_derivatives(&model->problem.control),
                                   &model->evaluated);
  return code ? SIM_BAD_PROBLEM : SIM_OK;
}

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  const Model *model = context;
  model->inner.evaluate(model->inner.context, want, count, controls, final, rows);
}

static SimStatus build(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator) {
  const Options *options = context;
  if (form_of(bytes) == MODEL_MESSAGE_SCENARIOS) return scenario_tasks_build(bytes, size, evaluator);
  if (form_of(bytes) == MODEL_MESSAGE_CASES) return bound_tasks_build(bytes, size, evaluator);
  Model *model = calloc(1, sizeof *model);
  if (!model) return SIM_NO_MEMORY;
  SimStatus status = unpack(model, bytes, size);
  if (status == SIM_OK && (rollout_context_prepare(&model->rollout, model->evaluated.problem, NULL) ||
                           rollout_context_set_kernel(&model->rollout, options->kernel)))
    status = SIM_BAD_PROBLEM;
  if (status == SIM_OK)
    status = model_evaluator_open(&model->evaluated, &model->rollout, options->kernel, &model->evaluator);
  if (status == SIM_OK) model->inner = model_evaluator(&model->evaluator);
  if (status == SIM_OK && model->bound) status = ctl_prover_create(model->bound, &model->inner, &model->prover);
  if (status != SIM_OK) {
    model_free(model);
    return status;
  }
  if (model->prover) model->inner = ctl_prover_evaluator(model->prover);
  *evaluator = model->inner;
  evaluator->context = model;
  evaluator->evaluate = evaluate;
  return SIM_OK;
}

static void release(void *context, CtlEvaluator *evaluator) {
  (void)context;
  if (scenario_tasks_are(evaluator))
    scenario_tasks_release(evaluator);
  else if (bound_tasks_are(evaluator))
    bound_tasks_release(evaluator);
  else
    model_free(evaluator->context);
}

CtlBuilder model_message_builder(const Options *options) {
  /* the options are only read */
  return (CtlBuilder){.context = (void *)options, .build = build, .release = release, .stopped = stop_signal_seen};
}
