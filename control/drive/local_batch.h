/* A place where points are evaluated in this process. */
#ifndef CONTROL_DESK_H
#define CONTROL_DESK_H

#include "control/evaluator.h"

typedef struct CtlDesk {
  const CtlEvaluator *evaluator;
  int capacity;
  long *tickets;    /* [capacity]; owned, as the next three */
  SimFinal *final;  /* [capacity] */
  double *controls; /* [capacity][n] */
  double *states;   /* [capacity][2][d] */
} CtlDesk;

/* SIM_OK or SIM_NO_MEMORY (left cleared). evaluator: borrowed. */
SimStatus ctl_desk_init(CtlDesk *desk, const CtlEvaluator *evaluator, int capacity);
void ctl_desk_clear(CtlDesk *desk);

/* Evaluates the first count of the desk's tickets and controls and tells them. start: of the clock that tells count
 * from. Adds to times->ivps and times->evaluating; *stop: what the listener wants, 0 to go on. */
void ctl_desk_evaluate(CtlDesk *desk, int count, CtlSearch *search, const CtlListener *listener, double start,
                       CtlTimes *times, int *stop);

/* The same for up to `most` <= capacity points that the search wants; returns how many, 0 when there are none. */
int ctl_desk_turn(CtlDesk *desk, CtlSearch *search, int most, const CtlListener *listener, double start,
                  CtlTimes *times, int *stop);

#endif
