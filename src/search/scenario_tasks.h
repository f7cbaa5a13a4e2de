/* Distributes scenarios over a pool: a task is a group that is simulated together, and its result is their final
 * states. */
#ifndef SRC_SCENARIO_TASKS_H
#define SRC_SCENARIO_TASKS_H

#include "src/search/search_run.h"

/* scenario_set_run on run->pool. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL without a report: no memory. */
int scenario_tasks_run(SearchRun *run, const double *control, double *states);

/* On a worker: scenario_tasks_build creates an evaluator from a message; scenario_tasks_are returns whether an
 * evaluator was created so. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus scenario_tasks_build(const void *bytes, size_t size, CtlEvaluator *evaluator);
bool scenario_tasks_are(const CtlEvaluator *evaluator);
void scenario_tasks_release(CtlEvaluator *evaluator);

#endif
