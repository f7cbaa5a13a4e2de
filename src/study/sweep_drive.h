/* A sweep under way on rank 0: runs go out whole, a rank each; the last ones, fewer than there are ranks, point by point, each over all of
 * them. What comes out does not depend on which. */
#ifndef SRC_STUDY_SWEEP_DRIVE_H
#define SRC_STUDY_SWEEP_DRIVE_H

#include "src/base/progress.h"
#include "src/study/sweep_rows.h"
#include "src/study/sweep_worker.h"

typedef struct SweepDrive {
  SweepWorker *worker; /* of this process; borrowed, as the next two */
  SweepRows *rows;
  Diagnostics *diagnostics;
  Progress progress;
  double start; /* s, of ctl_seconds */
  long before;  /* rows that were there then */
  double grace; /* s that runs under way have to stop */
  int ranks;    /* that there are, this one among them */
  int busy;     /* of them, lately */
  int code;     /* of a mistake that ends it */
  CtlTasks tasks;
} SweepDrive;

/* Carries out the runs that have no row yet. pool: NULL: by this process alone. Returns 0, EXIT_STOPPED on a signal (not told), or
 * EXIT_INTERNAL after telling. */
int sweep_drive(SweepDrive *drive, CtlPool *pool);

#endif
