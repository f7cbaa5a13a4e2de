/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages to the workers of a pool. Rank 0 packs them, and the workers of all commands make their evaluators from
 * them. */
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

/* Returns the builder of a worker's evaluators. It borrows reader. */
CtlBuilder messages_builder(const MessageReader *reader);

/* Function that makes an evaluator from the bytes after the form of a message. *owner: object that is released with the
 * evaluator. Returns SIM_OK; or SIM_NO_MEMORY or SIM_BAD_PROBLEM, with nothing to release. */
typedef SimStatus MessageBuild(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                               void **owner, CtlEvaluator *evaluator);
typedef void MessageRelease(void *owner);

/* Packs a dense problem, or the path of a file with a sparse problem; the caller frees the message. NULL: no memory. In
 * model_message.c. */
void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size);
/* Packs a dense problem, and the bound by which its proof compares motions, for workers that carry out tasks of the
 * proof. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size);
MessageBuild model_message_build;
MessageRelease model_message_release;

/* Simulates the scenarios on run->pool, with the result of scenario_set_run. A task has as many scenarios as are
 * simulated side by side, and its outcome is their final states. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL
 * without memory, not reported. In scenario_tasks.c. */
int scenario_tasks_run(SearchRun *run, const double *control, double *states);
MessageBuild scenario_tasks_build;
MessageRelease scenario_tasks_release;

/* Returns the runner of search.bound. A task is a case of the bound. The runner uses run->pool, or this process if
 * there is none. It saves the state of the bound in checkpoints that are due. In bound_tasks.c. */
LowerBoundRunner bound_tasks_runner(SearchRun *run);
MessageBuild bound_tasks_build;
MessageRelease bound_tasks_release;

/* Searches as runs of a sweep. They print nothing, and keep their summaries in memory. In swept_search.c. */
extern const SweepSearches swept_searches;
MessageBuild swept_search_build;

/* Packs the problem of a motion plan; the caller frees the message. Returns NULL if there is no memory. In
 * plan_tasks.c. */
void *plan_tasks_pack(const Problem *problem, size_t *size);
MessageBuild plan_tasks_build;
MessageRelease plan_tasks_release;

/* Packs a problem that an external program evaluates, and the path of its points' folders; the caller frees it. In
 * external_evaluator.c. */
char *external_message(const Problem *problem, const char *points, size_t *size);
MessageBuild external_build;
MessageRelease external_release;

/* Takes part in a search on all ranks except rank 0: makes evaluators from the messages of rank 0, and evaluates,
 * until the search ends. Returns 0, or the exit code of a rank that failed to begin. Ends the process if there is no
 * memory. */
int messages_serve(const Options *options, Diagnostics *diagnostics);

#endif
