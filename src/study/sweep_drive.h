/* SPDX-License-Identifier: BSD-2-Clause */
/* Carries out the runs of a sweep, on rank 0. Each rank gets whole runs. When fewer runs than ranks are left, all ranks
 * evaluate the points of these runs together. The rows are the same in both cases. */
#ifndef SRC_STUDY_SWEEP_DRIVE_H
#define SRC_STUDY_SWEEP_DRIVE_H

#include "src/base/progress.h"
#include "src/study/sweep_rows.h"
#include "src/study/sweep_run.h"

typedef struct SweepDrive {
  SweepWorker *worker; /* carries out runs in this process; borrowed, as are the next two members */
  SweepRows *rows;
  Diagnostics *diagnostics;
  Progress progress;
  double start; /* time of the start (ctl_seconds) */
  long before;  /* number of rows that existed at the start, as the sweep was resumed */
  double grace; /* time that a run may take to stop after a signal, in s */
  int ranks;    /* number of ranks, including this one */
  int busy;     /* number of ranks that are carrying out a run at present */
  int code;     /* exit code of an error that ends the sweep; 0: none */
  CtlTasks tasks;
} SweepDrive;

/* Carries out all runs that have no row yet. pool NULL: all of them in this process. Returns 0; EXIT_STOPPED after a
 * signal, which is not reported; or EXIT_INTERNAL after reporting an error. */
int sweep_drive(SweepDrive *drive, CtlPool *pool);

#endif
