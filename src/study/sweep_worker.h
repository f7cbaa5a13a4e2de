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

/* The plan as bytes, to be freed; NULL: no memory. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size);

/* What a worker's builder needs: the kernel of batches, and how the searches themselves are built and carried out. */
typedef struct SweepBuilding {
  CtlBuilder models; /* of the models of searches, which are sent as well */
  const SweepSearches *searches;
  int kernel;
} SweepBuilding;

/* The builder of sweeps and models. building: borrowed. */
CtlBuilder sweep_builder(const SweepBuilding *building);

#endif
