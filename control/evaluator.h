/* Who simulates for a search: this process alone, or a pool of MPI ranks. A driver asks the search for
 * points, has them simulated, tells the outcomes, and calls its listener as the search goes on. The answer is
 * the same, bit for bit, whoever simulates and in whatever order outcomes arrive. */
#ifndef CONTROL_EVALUATOR_H
#define CONTROL_EVALUATOR_H

#include "control/control.h"

#include <mpi.h>

typedef struct CtlListener {
  void *context;
  /* After each simplex. A non-zero return ends the drive with that value (an output could not be written,
   * say). */
  int (*simplex)(void *context, const CtlState *state, double seconds);
  /* Every now and then, busy: workers with work in hand. May be NULL. */
  void (*tick)(void *context, const CtlSearch *search, double seconds, int busy);
} CtlListener;

/* Where the time went, s. */
typedef struct CtlTimes {
  double wall;         /* of the drive */
  double ivps;         /* simulating, summed over the ranks that simulate */
  double waiting;      /* the coordinator had nothing to do */
  double coordinating; /* the coordinator's own work: asking, telling, messages, listener */
  int evaluators;      /* ranks that simulate */
} CtlTimes;

/* Drives the search to its end by simulating here. Returns 0, what the listener returned, or -1 when out of
 * memory. Local. */
int ctl_drive_serial(CtlSearch *search, const SimModel *model, SimWorkspace *work, const CtlListener *listener,
                     CtlTimes *times);

/* Rank 0's side of the pool: drives the search to its end by handing batches of points to ranks 1.. of comm,
 * which must be in ctl_pool_serve. Never waits for one rank alone. d, n: as the search's problem. batch:
 * points per message, 0 for a choice by scheme size and workers. Returns 0, what the listener returned, or -1
 * when memory ran out before anything was handed out; in every case the workers have been told to stop. */
int ctl_drive_pool(CtlSearch *search, int n, int d, int batch, MPI_Comm comm, const CtlListener *listener,
                   CtlTimes *times);

/* A worker's side: simulates what rank 0 of comm hands out until it is told to stop. Returns SIM_OK, or
 * SIM_NO_MEMORY (the caller must then abort: rank 0 is waiting). */
SimStatus ctl_pool_serve(const SimModel *model, SimWorkspace *work, MPI_Comm comm);

/* The same with all ranks of `group` simulating each point together. comm: rank 0 and the leaders, the first ranks of the
 * groups; MPI_COMM_NULL on the others. Collective over group. */
SimStatus ctl_pool_serve_group(const SimModel *model, SimWorkspace *work, MPI_Comm group, MPI_Comm comm);

/* Points per message that ctl_drive_pool chooses: about eight messages a worker and simplex, at most 32
 * points. */
int ctl_pool_batch(long scheme_size, int workers);

#endif
