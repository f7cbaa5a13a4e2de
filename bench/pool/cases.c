/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pool/proof.h"

#include "control/bound.h"
#include "src/file/sections/file.h"

static int drive_cases(void *context, const CtlLowerBoundOptions *cases, CtlTasks *tasks,
                       const CtlEvaluator *evaluator) {
  (void)cases;
  proof_run(tasks, evaluator, context);
  return 0;
}

void bound_costs(double gap, ProofCosts *costs, double *alone) {
  static const double J = 62.78471; /* J of the answer with 256 segments */
  char *settings[] = {"scheme.name=event"};
  Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
  Problem problem;
  CtlLowerBound bound;
  *costs = (ProofCosts){.name = "cases of a bound"};
  if (problem_file_read(STICTION_ROOT "/jobs/problems/signal-2x8.yaml", settings, 1, true, &diagnostics, &problem))
    pool_out_of_memory();
  const CtlLowerBoundOptions options = {.effort = J, .gap = gap, .drive = drive_cases, .context = costs};
  double begun = proof_seconds();
  if (ctl_lower_bound(&problem.control, &problem.sim, &options, &bound) != SIM_OK) pool_out_of_memory();
  *alone = proof_seconds() - begun - costs->motion - costs->own;
  costs->motions = costs->tasks;
  if (costs->tasks) {
    costs->motion /= (double)costs->tasks;
    costs->own /= (double)costs->tasks;
  }
  problem_clear(&problem);
}
