/* A place where points are evaluated in this process: asked from the search, evaluated, told. */
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

/* Evaluates up to `most` <= capacity points that the search wants and tells them; returns how many, 0 when there are
 * none. start: of the clock that tells count from. Adds to times->ivps and times->evaluating; *stop: what the listener
 * wants, 0 to go on. */
int ctl_desk_turn(CtlDesk *desk, CtlSearch *search, int most, const CtlListener *listener, double start,
                  CtlTimes *times, int *stop);

#endif
