/* Points that are evaluated in this process, and the memory for them. */
#ifndef CONTROL_LOCAL_BATCH_H
#define CONTROL_LOCAL_BATCH_H

#include "control/drive/driver.h"

typedef struct LocalBatch {
  int capacity;
  long *tickets;    /* [capacity]; owned, as the next three */
  SimFinal *final;  /* [capacity] */
  double *controls; /* [capacity][n] */
  double *states;   /* [capacity][2][d] */
} LocalBatch;

/* SIM_OK or SIM_NO_MEMORY (left cleared). */
SimStatus local_batch_init(LocalBatch *batch, const CtlEvaluator *evaluator, int capacity);
void local_batch_clear(LocalBatch *batch);

/* Evaluates the first `count` of the tickets and controls, and tells the drive's search their outcomes. */
void local_batch_evaluate(LocalBatch *batch, Drive *drive, int count);

/* The same for up to `most` <= capacity points that the search wants; returns how many, 0 when there are none. */
int local_batch_turn(LocalBatch *batch, Drive *drive, int most);

#endif
