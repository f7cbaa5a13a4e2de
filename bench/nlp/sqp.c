/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/nlp/solvers.h"
#include "control/refine.h"

static bool is_over(void *context) { return nlp_run_is_over(context); }

bool nlp_solve_sqp(const NlpSolver *solver, NlpRun *run) {
  CtlRefined refined;
  (void)solver;
  SimStatus status = ctl_refine(run->problem, &run->counted, run->start, is_over, run, &refined);
  ctl_refined_clear(&refined);
  return status != SIM_NO_MEMORY;
}
