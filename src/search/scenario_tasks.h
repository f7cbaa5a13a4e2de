/* Scenarios over a pool: a task is so many of them as go side by side, and its answer is where their motions end. */
#ifndef SRC_SCENARIO_TASKS_H
#define SRC_SCENARIO_TASKS_H

#include "src/run/message.h"
#include "src/search/messages.h"
#include "src/search/search_run.h"

/* scenario_set_run over run->pool. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL, untold: no memory. */
int scenario_tasks_run(SearchRun *run, const double *control, double *states);

/* A worker's evaluator of them (messages.c). SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus scenario_tasks_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                               void **owner, CtlEvaluator *evaluator);
void scenario_tasks_release(void *owner);

#endif
