/* Points that are evaluated in this process, and the memory for them. */
#ifndef CONTROL_LOCAL_BATCH_H
#define CONTROL_LOCAL_BATCH_H

#include "control/drive/driver.h"

typedef struct LocalBatch {
  int capacity, capacity_rows; /* points; with derivatives */
  long *tickets;               /* [capacity]; owned, as the next four */
  SimFinal *final;             /* [capacity] */
  double *controls;            /* [capacity][n] */
  double *states;              /* [capacity][2][d] */
  double *rows;                /* [capacity_rows][m][n + 2] */
} LocalBatch;

/* SIM_OK or SIM_NO_MEMORY (left cleared). */
SimStatus local_batch_init(LocalBatch *batch, const CtlEvaluator *evaluator, int capacity);
void local_batch_clear(LocalBatch *batch);

/* Evaluates the first `count` of the tickets and controls, of all of which the same is wanted, and tells the drive's search their
 * outcomes. */
void local_batch_evaluate(LocalBatch *batch, Drive *drive, CtlWant want, int count);

/* The same for up to `most` points that the search wants; returns how many, 0 when there are none. */
int local_batch_turn(LocalBatch *batch, Drive *drive, int most);

#endif
