/* Messages to the workers of a pool: rank 0 packs them, and the workers of all commands create their evaluators from
 * them. */
#ifndef SRC_SEARCH_MESSAGES_H
#define SRC_SEARCH_MESSAGES_H

#include "control/certify.h"
#include "control/pool.h"
#include "src/run/lower_bound.h"
#include "src/run/message.h"
#include "src/search/search_run.h"
#include "src/study/sweep_run.h"

/* Data that a worker has before any message. Borrowed by its evaluators. */
typedef struct MessageReader {
  const Options *options;
  Diagnostics *diagnostics;
  const CtlEvaluator *own; /* evaluator for an empty message; NULL: none */
} MessageReader;

/* Returns the builder of a worker's evaluators. reader: borrowed. */
CtlBuilder messages_builder(const MessageReader *reader);

/* Creates an evaluator from the bytes after a message's form. *owner: object to be released with it. SIM_OK; or
 * SIM_NO_MEMORY or SIM_BAD_PROBLEM, with nothing to release. */
typedef SimStatus MessageBuild(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                               void **owner, CtlEvaluator *evaluator);
typedef void MessageRelease(void *owner);

/* model_message.c: packs a dense problem, or the path of a sparse problem's file. The caller frees the message. NULL:
 * no memory. */
void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size);
/* Packs a dense problem and the bound by which its proof compares motions, for workers that carry out tasks of the
 * proof. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size);
MessageBuild model_message_build;
MessageRelease model_message_release;

/* scenario_tasks.c: simulates the scenarios over run->pool, like scenario_set_run. A task is as many scenarios as are
 * simulated side by side; its outcome is their final states. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL
 * without a report if there is no memory. */
int scenario_tasks_run(SearchRun *run, const double *control, double *states);
MessageBuild scenario_tasks_build;
MessageRelease scenario_tasks_release;

/* bound_tasks.c: returns the runner of search.bound. A task is a case of the bound. It uses run->pool, or this process
 * if there is none, and saves the bound's state in checkpoints when they are due. */
LowerBoundRunner bound_tasks_runner(SearchRun *run);
MessageBuild bound_tasks_build;
MessageRelease bound_tasks_release;

/* swept_search.c: searches as runs of a sweep. They print nothing and keep their summaries in memory. */
extern const SweepSearches swept_searches;
MessageBuild swept_search_build;

/* plan_tasks.c: packs the problem of a motion plan; the caller frees the bytes. NULL: no memory. */
void *plan_tasks_pack(const Problem *problem, size_t *size);
MessageBuild plan_tasks_build;
MessageRelease plan_tasks_release;

/* external_evaluator.c: packs the problem with an external program, and the path of its points' folders. */
char *external_message(const Problem *problem, const char *points, size_t *size);
MessageBuild external_build;
MessageRelease external_release;

/* The part of the ranks other than 0 in a search by mpirun's ranks: builds and evaluates what rank 0's messages hold, until the search ends.
 * Returns 0, or the exit code with which another rank has failed to begin; ends the process without memory. */
int messages_serve(const Options *options, Diagnostics *diagnostics);

#endif
