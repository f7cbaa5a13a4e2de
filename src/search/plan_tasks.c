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

int plan_tasks_open_robust(ScenarioSet *set, Diagnostics *diagnostics, RobustPlan *robust) {
  const SimInterrupt interrupt = interruption_of_evaluation();
  return robust_plan_open(set, &interrupt, diagnostics, robust);
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
  ScenarioSet scenarios; /* with control.objective, like the next */
  RobustPlan robust;
} Sent;

void plan_tasks_release(void *owner) {
  Sent *sent = owner;
  ctl_plan_destroy(sent->plan);
  robust_plan_close(&sent->robust);
  scenario_set_close(&sent->scenarios);
  problem_clear(&sent->problem);
  free(sent);
}

/* Makes the evaluator of all scenarios, from the problem. */
static SimStatus build_robust(Sent *sent) {
  Diagnostics dropped = {0}; /* rank 0 has already made the same */
  int code = scenario_set_open(&sent->scenarios, &sent->problem, NULL, false, &dropped);
  if (!code) code = plan_tasks_open_robust(&sent->scenarios, &dropped, &sent->robust);
  diagnostics_clear(&dropped);
  return !code ? SIM_OK : code == EXIT_INTERNAL ? SIM_NO_MEMORY : SIM_BAD_PROBLEM;
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
  const MotionPlan *plan = sent->problem.plan;
  bool robust = plan && motion_plan_statistic(&sent->problem) != CTL_NOMINAL;
  SimStatus status = robust ? build_robust(sent)
                     : plan ? plan_tasks_open(&sent->problem, &sent->plan)
                            : SIM_BAD_PROBLEM;
  if (status != SIM_OK) {
    plan_tasks_release(sent);
    return status;
  }
  *owner = sent;
  *evaluator = robust ? ctl_robust_evaluator(sent->robust.robust) : ctl_plan_evaluator(sent->plan);
  return SIM_OK;
}
