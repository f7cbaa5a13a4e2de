/* Messages to the workers of a pool: what rank 0 packs into them, and the evaluators that all commands' workers make of them. */
#ifndef SRC_SEARCH_MESSAGES_H
#define SRC_SEARCH_MESSAGES_H

#include "control/certify.h"
#include "control/pool.h"
#include "src/run/lower_bound.h"
#include "src/run/message.h"
#include "src/search/search_run.h"
#include "src/study/sweep_run.h"

/* What a worker has itself. Borrowed by its evaluators. */
typedef struct MessageReader {
  const Options *options;
  Diagnostics *diagnostics;
  const CtlEvaluator *own; /* evaluator for an empty message; NULL: none */
} MessageReader;

/* The builder of a worker's evaluators. reader: borrowed. */
CtlBuilder messages_builder(const MessageReader *reader);

/* Makes an evaluator from the bytes behind the form of a message. *owner: what holds it, to be released. SIM_OK; or SIM_NO_MEMORY or
 * SIM_BAD_PROBLEM, with nothing left to release. */
typedef SimStatus MessageBuild(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                               void **owner, CtlEvaluator *evaluator);
typedef void MessageRelease(void *owner);

/* model_message.c: the bytes of a dense problem, or the path of a sparse problem's file. The caller frees the message. NULL: no memory. */
void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size);
/* A dense problem and the bound by which its proof compares motions; workers carry out tasks of the proof. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size);
MessageBuild model_message_build;
MessageRelease model_message_release;

/* scenario_tasks.c: a task is as many scenarios as are simulated side by side; its outcome is their final states. Does what scenario_set_run does, over
 * run->pool. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL, unreported: no memory. */
int scenario_tasks_run(SearchRun *run, const double *control, double *states);
MessageBuild scenario_tasks_build;
MessageRelease scenario_tasks_release;

/* bound_tasks.c: a task is a case of search.bound. The runner uses run->pool, or this process if there is none, and saves what is known of the bound in
 * checkpoints when they are due. */
LowerBoundRunner bound_tasks_runner(SearchRun *run);
MessageBuild bound_tasks_build;
MessageRelease bound_tasks_release;

/* swept_search.c: a search as a run of a sweep prints nothing and keeps its summary in memory. */
extern const SweepSearches swept_searches;
MessageBuild swept_search_build;

/* external_evaluator.c: a program of the user's own, and the folder of its points. */
char *external_message(const Problem *problem, const char *points, size_t *size);
MessageBuild external_build;
MessageRelease external_release;

#endif
