/* What all drivers do with an outcome. */
#ifndef CONTROL_DRIVE_H
#define CONTROL_DRIVE_H

#include "control/evaluator.h"

/* Tells a ticket's outcome; calls the listener for each simplex that has ended with it. Returns what the listener wants:
 * 0 to go on. */
int ctl_drive_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, const CtlListener *listener,
                   double seconds);

/* Before a loaded search is driven: moves on through simplexes all of whose points it knows, and calls the listener for
 * each. Returns what the listener wants. */
int ctl_drive_resume(CtlSearch *search, const CtlListener *listener);

#endif
