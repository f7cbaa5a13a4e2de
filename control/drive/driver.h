/* A drive under way: a search, who evaluates for it, and who listens. */
#ifndef CONTROL_DRIVER_H
#define CONTROL_DRIVER_H

#include "control/evaluator.h"

typedef struct Drive {
  CtlSearch *search; /* borrowed, as the next two */
  const CtlEvaluator *evaluator;
  const CtlListener *listener;
  double start;   /* ctl_seconds */
  CtlTimes times; /* so far */
  int stop;       /* other than 0: over, for that reason */
} Drive;

/* Tells a ticket's outcome, unless the drive is over; calls the listener for each simplex that has ended with it, whose
 * answer may stop the drive. */
void driver_tell(Drive *drive, long ticket, const CtlOutcome *outcome);

#endif
