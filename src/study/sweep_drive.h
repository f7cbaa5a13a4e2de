/* SPDX-License-Identifier: BSD-2-Clause */
/* Carries out a sweep, on rank 0. Each rank gets whole runs. When fewer runs than ranks are left, all ranks evaluate
 * the points of these together. The rows do not depend on this. */
#ifndef SRC_STUDY_SWEEP_DRIVE_H
#define SRC_STUDY_SWEEP_DRIVE_H

#include "src/base/progress.h"
#include "src/study/sweep_rows.h"
#include "src/study/sweep_run.h"

typedef struct SweepDrive {
  SweepWorker *worker; /* carries out runs in this process; borrowed, like the next two */
  SweepRows *rows;
  Diagnostics *diagnostics;
  Progress progress;
  double start; /* time of the start (ctl_seconds) */
  long before;  /* number of rows that were there at the start */
  double grace; /* time that runs have to stop after a signal, in s */
  int ranks;    /* number of ranks, including this one */
  int busy;     /* number of ranks that carry out a run now */
  int code;     /* exit code of an error that ends the sweep; 0: none */
  CtlTasks tasks;
} SweepDrive;

/* Carries out the runs that have no row yet. pool NULL: in this process alone. Returns 0, EXIT_STOPPED on a signal, not
 * reported, or EXIT_INTERNAL after reporting an error. */
int sweep_drive(SweepDrive *drive, CtlPool *pool);

#endif
