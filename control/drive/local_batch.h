/* SPDX-License-Identifier: BSD-2-Clause */
/* A batch of points that this process evaluates, with storage for their outcomes. */
#ifndef CONTROL_LOCAL_BATCH_H
#define CONTROL_LOCAL_BATCH_H

#include "control/drive/driver.h"

typedef struct LocalBatch {
  int capacity, capacity_rows; /* maximum number of points without derivatives, and with derivatives */
  long *tickets;               /* [capacity] tickets of the points; owned, like the arrays below */
  SimFinal *final;             /* [capacity] results of the simulations */
  double *controls;            /* [capacity][n] the points: controls u */
  double *states;              /* [capacity][2][d] x(T), then v(T), of each point */
  double *rows;                /* [capacity_rows][m][n + 2] derivatives */
} LocalBatch;

/* Allocates the arrays. Returns SIM_OK or SIM_NO_MEMORY; the batch is then cleared. */
SimStatus local_batch_init(LocalBatch *batch, const CtlEvaluator *evaluator, int capacity);
void local_batch_clear(LocalBatch *batch);

/* Evaluates the first `count` controls, all with the same CtlWant, and passes their outcomes to the drive's search. */
void local_batch_evaluate(LocalBatch *batch, Drive *drive, CtlWant want, int count);

/* Takes up to `most` points from the search or tasks, evaluates them, and passes on their outcomes. Returns their
 * number; 0 if there are none. */
int local_batch_turn(LocalBatch *batch, Drive *drive, int most);

#endif
