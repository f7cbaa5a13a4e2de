/* State of a drive: a search or tasks, the evaluator and the listener. */
#ifndef CONTROL_DRIVER_H
#define CONTROL_DRIVER_H

#include "control/evaluator.h"

typedef struct Drive {
  CtlSearch *search; /* borrowed, like the next three */
  CtlTasks *tasks;   /* tasks in place of a search; NULL: none */
  const CtlEvaluator *evaluator;
  const CtlListener *listener;
  double start;   /* ctl_seconds */
  CtlTimes times; /* times so far */
  int stop;       /* other than 0: ended, for this reason */
  bool cancelled; /* an evaluation was ended by a request to stop, of this process or of a worker */
} Drive;

/* Checks before a drive that the search or tasks match the evaluator. If not, returns SIM_BAD_ARGUMENT for the
 * public function. */
SimStatus driver_check(const Drive *drive, const char *function);

extern const CtlListener driver_unheard; /* listener without callbacks */

/* Like ctl_search_unasked, _ask and _wants, for a search or for tasks. */
long driver_unasked(const Drive *drive, CtlWant *want);
int driver_ask(Drive *drive, int most, long *tickets, double *controls, CtlWant *want);
bool driver_wants(const Drive *drive, long ticket);
/* Whether no more outcomes are expected. */
bool driver_ended(const Drive *drive);
/* Number of points of a round; 1 for tasks. */
long driver_round(const Drive *drive);

/* Like ctl_search_works; false for tasks. Then: does a piece of the work and calls the listener like driver_tell. */
bool driver_works(const Drive *drive);
void driver_work(Drive *drive);

/* Passes a ticket's outcome to the search or tasks, unless the drive has ended. An outcome SIM_CANCELLED is dropped:
 * the point stays expected, and a saved search hands it out again. Calls the listener for each completed simplex;
 * its result may end the drive. */
void driver_tell(Drive *drive, long ticket, const CtlOutcome *outcome);

#endif
