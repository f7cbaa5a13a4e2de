/* A sweep in progress on rank 0. Each rank gets whole runs; the last runs, fewer than there are ranks, are evaluated point by point on all of them. The
 * rows do not depend on that. */
#ifndef SRC_STUDY_SWEEP_DRIVE_H
#define SRC_STUDY_SWEEP_DRIVE_H

#include "src/base/progress.h"
#include "src/study/sweep_rows.h"
#include "src/study/sweep_run.h"

typedef struct SweepDrive {
  SweepWorker *worker; /* of this process; borrowed, like the next two */
  SweepRows *rows;
  Diagnostics *diagnostics;
  Progress progress;
  double start; /* ctl_seconds at the start */
  long before;  /* rows at the start */
  double grace; /* time for runs to stop, s */
  int ranks;    /* number of ranks, including this one */
  int busy;     /* ranks that carry out a run */
  int code;     /* exit code of an error that ends the sweep */
  CtlTasks tasks;
} SweepDrive;

/* Carries out the runs that have no row yet. pool: NULL: in this process alone. Returns 0, EXIT_STOPPED on a signal (unreported), or
 * EXIT_INTERNAL after reporting. */
int sweep_drive(SweepDrive *drive, CtlPool *pool);

#endif
