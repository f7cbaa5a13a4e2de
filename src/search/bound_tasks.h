/* A bound's cases over a pool: a task is one of them, which a rank bounds by the problem it has been sent. */
#ifndef SRC_BOUND_TASKS_H
#define SRC_BOUND_TASKS_H

#include "src/run/lower_bound.h"
#include "src/run/message.h"
#include "src/search/messages.h"
#include "src/search/search_run.h"

/* Those of search.bound: over run->pool, or here where there is none. What is kept of it goes into checkpoints when they are due. */
LowerBoundRunner bound_tasks_runner(SearchRun *run);

/* A worker's evaluator of them (messages.c). SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus bound_tasks_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size, void **owner,
                            CtlEvaluator *evaluator);
void bound_tasks_release(void *owner);

#endif
