/* Runs of a sweep as tasks of a pool (control/pool.h): what a rank makes of the plan that it is sent, and how a row comes back. */
#ifndef SRC_STUDY_SWEEP_WORKER_H
#define SRC_STUDY_SWEEP_WORKER_H

#include "src/study/sweep_run.h"

/* A worker's evaluator, of which a task is a run, and the answer a SweepAnswer. worker: borrowed. */
CtlEvaluator sweep_evaluator(SweepWorker *worker);

/* An answer, in the storage of final.x and final.v, which lie behind one another. */
typedef struct SweepAnswer {
  double seconds, simulating; /* s of the run, of its simulations */
  double stopped;             /* not 0: by a signal, there is no row */
  char row[];                 /* or why there is none; "": no memory */
} SweepAnswer;

/* The plan as a message, to be freed; NULL: no memory. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size);

/* A worker's evaluator of these bytes behind their form; *owner: its SweepWorker, to be released. SIM_OK or SIM_NO_MEMORY. */
SimStatus sweep_message_build(const SweepSearches *searches, int kernel, const char *bytes, void **owner,
                              CtlEvaluator *evaluator);
void sweep_message_release(void *owner);

#endif
