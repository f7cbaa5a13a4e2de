/* Points evaluated in this process, with their storage. */
#ifndef CONTROL_LOCAL_BATCH_H
#define CONTROL_LOCAL_BATCH_H

#include "control/drive/driver.h"

typedef struct LocalBatch {
  int capacity, capacity_rows; /* capacity for points, and for points with derivatives */
  long *tickets;               /* [capacity]; owned, like the next four */
  SimFinal *final;             /* [capacity] */
  double *controls;            /* [capacity][n] */
  double *states;              /* [capacity][2][d] */
  double *rows;                /* [capacity_rows][m][n + 2] */
} LocalBatch;

/* Allocates the storage. SIM_OK or SIM_NO_MEMORY (left cleared). */
SimStatus local_batch_init(LocalBatch *batch, const CtlEvaluator *evaluator, int capacity);
void local_batch_clear(LocalBatch *batch);

/* Evaluates the first `count` tickets and controls, all of one kind, and passes the outcomes to the drive's search. */
void local_batch_evaluate(LocalBatch *batch, Drive *drive, CtlWant want, int count);

/* Evaluates up to `most` points of the search and passes on their outcomes. Returns their number, 0 if there are
 * none. */
int local_batch_turn(LocalBatch *batch, Drive *drive, int most);

#endif
