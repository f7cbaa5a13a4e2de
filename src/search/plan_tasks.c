#include "src/search/plan_tasks.h"

#include "src/file/sections/file.h"
#include "src/process/interruption.h"
#include "src/search/model_message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(int64_t) };

SimStatus plan_tasks_open(const Problem *problem, CtlPlan **plan) {
  const SimInterrupt interrupt = interruption_of_evaluation();
  SimStatus status = motion_plan_create(problem, NULL, plan);
  if (status == SIM_OK) ctl_plan_interrupt(*plan, &interrupt);
  return status;
}

/* The form, then the problem's echo. */
void *plan_tasks_pack(const Problem *problem, size_t *size) {
  const int64_t form = MODEL_MESSAGE_PLAN;
  json_t *echo = problem_echo(problem);
  char *text = echo ? json_dumps(echo, JSON_REAL_PRECISION(17)) : NULL;
  size_t length = text ? strlen(text) : 0;
  char *bytes = text ? malloc(HEAD + length) : NULL;
  *size = HEAD + length;
  if (bytes) {
    memcpy(bytes, &form, HEAD);
    memcpy(bytes + HEAD, text, length);
  }
  free(text);
  json_decref(echo);
  return bytes;
}

/* A worker's. */
typedef struct Sent {
  Problem problem;
  CtlPlan *plan;
  CtlEvaluator inner;
} Sent;

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  const Sent *sent = context;
  sent->inner.evaluate(sent->inner.context, want, count, controls, final, rows);
}

SimStatus plan_tasks_build(const void *bytes, size_t size, CtlEvaluator *evaluator) {
  const ModelRanks alone = {0}; /* rank 0 has counted the copies of all */
  Sent *sent = calloc(1, sizeof *sent);
  if (!sent) return SIM_NO_MEMORY;
  if (size < HEAD || problem_text_read("the problem", (const char *)bytes + HEAD, size - HEAD, NULL, 0, &alone, NULL,
                                       &sent->problem)) {
    free(sent);
    return SIM_BAD_PROBLEM;
  }
  SimStatus status = sent->problem.plan ? plan_tasks_open(&sent->problem, &sent->plan) : SIM_BAD_PROBLEM;
  if (status != SIM_OK) {
    problem_clear(&sent->problem);
    free(sent);
    return status;
  }
  sent->inner = ctl_plan_evaluator(sent->plan);
  *evaluator = sent->inner;
  evaluator->context = sent;
  evaluator->evaluate = evaluate;
  return SIM_OK;
}

bool plan_tasks_are(const CtlEvaluator *evaluator) { return evaluator->evaluate == evaluate; }

void plan_tasks_release(CtlEvaluator *evaluator) {
  Sent *sent = evaluator->context;
  ctl_plan_destroy(sent->plan);
  problem_clear(&sent->problem);
  free(sent);
}
