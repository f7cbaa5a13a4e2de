/* Points that are evaluated in this process, and the memory for them. */
#ifndef CONTROL_LOCAL_BATCH_H
#define CONTROL_LOCAL_BATCH_H

#include "control/evaluator.h"

typedef struct LocalBatch {
  const CtlEvaluator *evaluator;
  int capacity;
  long *tickets;    /* [capacity]; owned, as the next three */
  SimFinal *final;  /* [capacity] */
  double *controls; /* [capacity][n] */
  double *states;   /* [capacity][2][d] */
} LocalBatch;

/* SIM_OK or SIM_NO_MEMORY (left cleared). evaluator: borrowed. */
SimStatus local_batch_init(LocalBatch *batch, const CtlEvaluator *evaluator, int capacity);
void local_batch_clear(LocalBatch *batch);

/* Evaluates the first `count` of the tickets and controls and tells the search their outcomes. start: of the clock that tells count
 * from. Adds to times->ivps and times->evaluating; *stop: what the listener wants, 0 to go on. */
void local_batch_evaluate(LocalBatch *batch, int count, CtlSearch *search, const CtlListener *listener, double start,
                          CtlTimes *times, int *stop);

/* The same for up to `most` <= capacity points that the search wants; returns how many, 0 when there are none. */
int local_batch_turn(LocalBatch *batch, CtlSearch *search, int most, const CtlListener *listener, double start,
                     CtlTimes *times, int *stop);

#endif
