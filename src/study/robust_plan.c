/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/robust_plan.h"

#include <stdlib.h>

/* Makes the plan of scenario k. */
static SimStatus make_one(ScenarioSet *set, long k, const SimInterrupt *interrupt, RobustPlan *robust) {
  Problem *own = &robust->problems[k];
  if (!evaluation_problem(&set->evaluation, set->z + k * set->scenarios->n, own, NULL))
    return set->evaluation.no_memory ? SIM_NO_MEMORY : SIM_BAD_PROBLEM;
  robust->count = k + 1;
  SimStatus status = motion_plan_create(own, NULL, &robust->plans[k]);
  if (status == SIM_OK) ctl_plan_interrupt(robust->plans[k], interrupt);
  return status;
}

typedef struct Refusal {
  const ScenarioSet *set;
  Diagnostics *diagnostics;
} Refusal;

static void refuse(void *context, const char *key, const char *text) {
  const Refusal *refusal = context;
  (void)key;
  document_error(refusal->set->evaluation.document, refusal->diagnostics, "scenarios", "%s", text);
}

int robust_plan_open(ScenarioSet *set, const SimInterrupt *interrupt, Diagnostics *diagnostics, RobustPlan *robust) {
  CtlStatistic statistic = set->problem->plan->statistic;
  size_t count = (size_t)set->scenarios->count;
  Refusal refusal = {set, diagnostics};
  const SimReport report = {&refusal, refuse};
  size_t mistakes = diagnostics->errors;
  *robust = (RobustPlan){0};
  if (statistic == CTL_NOMINAL) return 0;
  robust->problems = calloc(count, sizeof *robust->problems);
  robust->plans = calloc(count, sizeof *robust->plans);
  SimStatus status = robust->problems && robust->plans ? SIM_OK : SIM_NO_MEMORY;
  for (long k = 0; k < (long)count && status == SIM_OK; k++) status = make_one(set, k, interrupt, robust);
  if (status == SIM_OK) status = ctl_robust_create((int)count, robust->plans, statistic, &report, &robust->robust);
  if (status == SIM_NO_MEMORY) return diagnostics_no_memory(diagnostics);
  if (status != SIM_OK && diagnostics->errors == mistakes)
    document_error(set->evaluation.document, diagnostics, "scenarios", "scenario %ld: %s", robust->count,
                   stiction_status_text(status));
  return status == SIM_OK ? 0 : EXIT_USAGE;
}

void robust_plan_close(RobustPlan *robust) {
  ctl_robust_destroy(robust->robust);
  for (long k = 0; k < robust->count; k++) {
    ctl_plan_destroy(robust->plans[k]);
    problem_clear(&robust->problems[k]);
  }
  free(robust->plans);
  free(robust->problems);
  *robust = (RobustPlan){0};
}
