#define _GNU_SOURCE /* CLOCK_THREAD_CPUTIME_ID */
#include "bench/pool/proof.h"

#include "control/bound.h"
#include "src/problem/file.h"

#include <time.h>

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int drive(void *context, const CtlLowerBoundOptions *cases, CtlTasks *tasks, const CtlEvaluator *evaluator) {
  (void)cases;
  proof_run(tasks, evaluator, context);
  return 0;
}

void bound_costs(double gap, ProofCosts *costs, double *alone) {
  static const double J = 62.78471; /* of 256 segments */
  char *settings[] = {"scheme.name=event"};
  Diagnostics told = {.tell = diagnostic_print, .to = stderr};
  Problem problem;
  CtlLowerBound bound;
  *costs = (ProofCosts){.name = "cases of a bound"};
  if (problem_file_read(STICTION_ROOT "/jobs/problems/signal-2x8.yaml", settings, 1, true, &told, &problem))
    pool_out_of_memory();
  const CtlLowerBoundOptions options = {.effort = J, .gap = gap, .drive = drive, .context = costs};
  double begun = seconds();
  if (ctl_lower_bound(&problem.control, &problem.sim, &options, &bound) != SIM_OK) pool_out_of_memory();
  *alone = seconds() - begun - costs->motion - costs->own;
  costs->motions = costs->tasks;
  if (costs->tasks) {
    costs->motion /= (double)costs->tasks;
    costs->own /= (double)costs->tasks;
  }
  problem_clear(&problem);
}
