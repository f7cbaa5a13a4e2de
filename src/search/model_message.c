#include "src/search/model_message.h"

#include "src/process/stop_signal.h"
#include "src/run/rollout_context.h"
#include "src/search/scenario_tasks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(int64_t) };

/* A worker's. */
typedef struct Model {
  Problem problem; /* of MODEL_MESSAGE_FILE */
  EvaluatedModel evaluated;
  RolloutContext rollout;
  ModelEvaluator evaluator;
  CtlEvaluator inner; /* of that */
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

static void model_free(Model *model) {
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

static SimStatus unpack(Model *model, const char *bytes, size_t size) {
  if (form_of(bytes) == MODEL_MESSAGE_PACKED)
    return evaluated_model_unpack(bytes + HEAD, size - HEAD, &model->evaluated);
  const ModelRanks alone = {0}; /* rank 0 has counted the copies of all */
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
  Model *model = calloc(1, sizeof *model);
  if (!model) return SIM_NO_MEMORY;
  SimStatus status = unpack(model, bytes, size);
  if (status == SIM_OK && (rollout_context_prepare(&model->rollout, model->evaluated.problem, NULL) ||
                           rollout_context_set_kernel(&model->rollout, options->kernel)))
    status = SIM_BAD_PROBLEM;
  if (status == SIM_OK)
    status = model_evaluator_open(&model->evaluated, &model->rollout, options->kernel, &model->evaluator);
  if (status != SIM_OK) {
    model_free(model);
    return status;
  }
  *evaluator = model->inner = model_evaluator(&model->evaluator);
  evaluator->context = model;
  evaluator->evaluate = evaluate;
  return SIM_OK;
}

static void release(void *context, CtlEvaluator *evaluator) {
  (void)context;
  if (scenario_tasks_are(evaluator))
    scenario_tasks_release(evaluator);
  else
    model_free(evaluator->context);
}

CtlBuilder model_message_builder(const Options *options) {
  return (CtlBuilder){
      .context = (void *)options, .build = build, .release = release, .stopped = stop_signal_seen}; /* only read */
}
