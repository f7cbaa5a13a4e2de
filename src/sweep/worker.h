/* Runs of a sweep as tasks of a pool (control/pool.h): what a rank makes of the plan that it is sent, and how a row comes back. */
#ifndef SRC_SWEEP_WORKER_H
#define SRC_SWEEP_WORKER_H

#include "control/pool.h"
#include "src/sweep/plan.h"

/* Who carries out runs in this process. */
typedef struct SweepWorker {
  SweepPlan plan;
  char directory[FILE_PATH_SIZE]; /* the sweep's */
  int kernel;
} SweepWorker;

/* Its evaluator, of which a task is a run, and the answer a SweepAnswer. worker: borrowed. */
CtlEvaluator sweep_evaluator(SweepWorker *worker);

/* An answer, in the storage of final.x and final.v, which lie behind one another. */
typedef struct SweepAnswer {
  double seconds, simulating; /* s of the run, of its simulations */
  double stopped;             /* not 0: by a signal, there is no row */
  char row[];                 /* or why there is none; "": no memory */
} SweepAnswer;

/* The plan as bytes, to be freed; NULL: no memory. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size);

/* What a worker makes of these, and of the models of searches (src/search/model_message.h). options: borrowed. */
CtlBuilder sweep_builder(const Options *options);

#endif
