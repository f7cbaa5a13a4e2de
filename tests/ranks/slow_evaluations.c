/* SPDX-License-Identifier: BSD-2-Clause */
/* Linked into a stiction for tests (--wrap=stiction_batch). Each batch of evaluations sleeps STICTION_SLOWER ms more
 * (default 5). So runs last long enough to be stopped or killed, and busy ranks need no cores. Further variables:
 * - STICTION_STOPPED_REFINE=n (with --wrap=ctl_refine) sends a signal during the nth refinement.
 * - STICTION_DIES=FILE kills a worker that another rank has started, while it starts, if it can remove FILE.
 * - STICTION_HUNGRY makes a process with limited memory (RLIMIT_DATA) use up all of it at its first evaluation. */
#include "control/refine.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void __real_stiction_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);
void __wrap_stiction_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

/* Kills a worker that another rank has started. PMIx numbers the jobs of one mpirun in the lower half of a number: job
 * 1 was started by mpirun, and later jobs by ranks. */
__attribute__((constructor)) static void die(void) {
  const char *file = getenv("STICTION_DIES"), *job = getenv("PMIX_NAMESPACE");
  if (file && job && (strtoul(job, NULL, 10) & 0xffff) > 1 && unlink(file) == 0) raise(SIGKILL);
}

static void use_up_memory(void) {
  struct rlimit limit;
  if (!getenv("STICTION_HUNGRY") || getrlimit(RLIMIT_DATA, &limit) || limit.rlim_cur == RLIM_INFINITY) return;
  for (size_t size = 1 << 20; size >= 16; size /= 2)
    while (malloc(size)) continue; /* the memory is never written to, so no physical memory is used */
}

void __wrap_stiction_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  use_up_memory();
  const char *given = getenv("STICTION_SLOWER");
  long slower = 1000000 * (given ? strtol(given, NULL, 10) : 5); /* ns */
  int lanes = sim_batch_lanes(model, work);
  for (int i = 0; i < n && slower > 0; i += lanes) nanosleep(&(struct timespec){.tv_nsec = slower}, NULL);
  __real_stiction_batch(model, work, n, control, final);
}

SimStatus __real_ctl_refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                            bool (*stopped)(void *), void *context, CtlRefined *refined);
SimStatus __wrap_ctl_refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                            bool (*stopped)(void *), void *context, CtlRefined *refined);

SimStatus __wrap_ctl_refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                            bool (*stopped)(void *), void *context, CtlRefined *refined) {
  static long calls;
  const char *stopped_at = getenv("STICTION_STOPPED_REFINE");
  if (stopped_at && ++calls == strtol(stopped_at, NULL, 10)) {
    raise(SIGTERM);
    /* a refinement that ends within half a second is not stopped */
    nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
  }
  return __real_ctl_refine(problem, evaluator, start, stopped, context, refined);
}
