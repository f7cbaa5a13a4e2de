/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the evaluator of a motion plan, on rank 0 and on other ranks. */
#include "src/search/plan_tasks.h"

#include "src/file/sections/file.h"
#include "src/process/interruption.h"
#include "src/search/messages.h"

#include <stdlib.h>
#include <string.h>

SimStatus plan_tasks_open(const Problem *problem, CtlPlan **plan) {
  const SimInterrupt interrupt = interruption_of_evaluation();
  SimStatus status = motion_plan_create(problem, NULL, plan);
  if (status == SIM_OK) ctl_plan_interrupt(*plan, &interrupt);
  return status;
}

/* Packs the resolved problem as text, from which workers read the same problem. */
void *plan_tasks_pack(const Problem *problem, size_t *size) {
  json_t *echo = problem_echo(problem);
  char *text = echo ? json_dumps(echo, JSON_REAL_PRECISION(17)) : NULL, *at;
  char *bytes = text ? message_create(MESSAGE_PLAN, strlen(text), size, &at) : NULL;
  if (bytes) message_put(&at, text, strlen(text));
  free(text);
  json_decref(echo);
  return bytes;
}

/* Evaluator of a worker and the data that it owns. */
typedef struct Sent {
  Problem problem;
  CtlPlan *plan;
} Sent;

void plan_tasks_release(void *owner) {
  Sent *sent = owner;
  ctl_plan_destroy(sent->plan);
  problem_clear(&sent->problem);
  free(sent);
}

SimStatus plan_tasks_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size, void **owner,
                           CtlEvaluator *evaluator) {
  (void)reader, (void)form;
  const ModelRanks alone = {0}; /* 0 copies: rank 0 has already checked that the copies of all ranks fit in memory */
  Sent *sent = calloc(1, sizeof *sent);
  if (!sent) return SIM_NO_MEMORY;
  if (problem_text_read("the problem", bytes, size, NULL, 0, &alone, NULL, &sent->problem)) {
    free(sent);
    return SIM_BAD_PROBLEM;
  }
  SimStatus status = sent->problem.plan ? plan_tasks_open(&sent->problem, &sent->plan) : SIM_BAD_PROBLEM;
  if (status != SIM_OK) {
    plan_tasks_release(sent);
    return status;
  }
  *owner = sent;
  *evaluator = ctl_plan_evaluator(sent->plan);
  return SIM_OK;
}
