/* Distributes the cases of a lower bound over a pool: a task is one case, for which a rank computes a bound with the
 * problem it received. */
#ifndef SRC_BOUND_TASKS_H
#define SRC_BOUND_TASKS_H

#include "src/run/lower_bound.h"
#include "src/search/search_run.h"

/* Returns the functions for search.bound: they use run->pool, or this process if there is none. Their state is written
 * into checkpoints. */
LowerBoundRunner bound_tasks_runner(SearchRun *run);

/* On a worker: bound_tasks_build creates an evaluator from a message; bound_tasks_are returns whether an evaluator was
 * created so. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus bound_tasks_build(const void *bytes, size_t size, CtlEvaluator *evaluator);
bool bound_tasks_are(const CtlEvaluator *evaluator);
void bound_tasks_release(CtlEvaluator *evaluator);

#endif
