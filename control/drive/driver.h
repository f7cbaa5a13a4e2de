/* What all drivers do with an outcome. */
#ifndef CONTROL_DRIVER_H
#define CONTROL_DRIVER_H

#include "control/evaluator.h"

/* Tells a ticket's outcome; calls the listener for each simplex that has ended with it. Returns what the listener wants:
 * 0 to go on. */
int driver_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, const CtlListener *listener, double seconds);

#endif
