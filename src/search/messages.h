/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages to the workers of a pool. Rank 0 packs the messages. Workers make their evaluators from them, in the same
 * way for all commands. */
#ifndef SRC_SEARCH_MESSAGES_H
#define SRC_SEARCH_MESSAGES_H

#include "control/certify.h"
#include "control/pool.h"
#include "src/run/lower_bound.h"
#include "src/run/message.h"
#include "src/search/search_run.h"
#include "src/study/sweep_run.h"

/* Data that a worker has before it receives a message. Its evaluators borrow them. */
typedef struct MessageReader {
  const Options *options;
  Diagnostics *diagnostics;
  const CtlEvaluator *own; /* evaluator that the worker uses for an empty message; NULL: none */
} MessageReader;

/* Returns the functions by which a worker builds its evaluators. The result borrows reader. */
CtlBuilder messages_builder(const MessageReader *reader);

/* Type of functions that make an evaluator from the bytes of a message after its form. *owner: object that is released
 * together with the evaluator. Returns SIM_OK; or SIM_NO_MEMORY or SIM_BAD_PROBLEM, and then there is nothing to
 * release. */
typedef SimStatus MessageBuild(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                               void **owner, CtlEvaluator *evaluator);
typedef void MessageRelease(void *owner);

/* Packs a dense problem, or the path of a file with a sparse problem. The caller frees the message; NULL: no memory.
 * Defined in model_message.c. */
void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size);
/* Packs a dense problem, and the bound with which its proof compares motions, for workers that carry out tasks of the
 * proof. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size);
MessageBuild model_message_build;
MessageRelease model_message_release;

/* Simulates the scenarios on the workers of run->pool. The result is the same as that of scenario_set_run. Each task is
 * a group of scenarios that are simulated side by side, and its outcome is their final states. Returns 0, EXIT_STOPPED
 * after a signal, or EXIT_INTERNAL, not reported, if there is no memory. Defined in scenario_tasks.c. */
int scenario_tasks_run(SearchRun *run, const double *control, double *states);
MessageBuild scenario_tasks_build;
MessageRelease scenario_tasks_release;

/* Returns the functions that evaluate the cases of the lower bound search.bound, one task each. They use run->pool;
 * without a pool, this process. They also store the state of the bound in checkpoints when one is due. Defined in
 * bound_tasks.c. */
LowerBoundRunner bound_tasks_runner(SearchRun *run);
MessageBuild bound_tasks_build;
MessageRelease bound_tasks_release;

/* Functions by which a sweep runs searches. Such searches print nothing, and keep their summaries in memory. Defined in
 * swept_search.c. */
extern const SweepSearches swept_searches;
MessageBuild swept_search_build;

/* Packs the problem of a motion plan. The caller frees the message; NULL: no memory. Defined in plan_tasks.c. */
void *plan_tasks_pack(const Problem *problem, size_t *size);
MessageBuild plan_tasks_build;
MessageRelease plan_tasks_release;

/* Packs a problem that an external program evaluates, and the path of the folder of its points. The caller frees the
 * message. Defined in external_evaluator.c. */
char *external_message(const Problem *problem, const char *points, size_t *size);
MessageBuild external_build;
MessageRelease external_release;

/* Serves a search on all ranks but rank 0: makes evaluators from the messages of rank 0, and evaluates points until the
 * search ends. Returns 0, or the exit code of a rank that failed at the beginning. Ends the process if there is no
 * memory. */
int messages_serve(const Options *options, Diagnostics *diagnostics);

#endif
