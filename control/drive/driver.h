/* State of a drive. A drive evaluates the points of a search, or the tasks of a list, until none is left. */
#ifndef CONTROL_DRIVER_H
#define CONTROL_DRIVER_H

#include "control/evaluator.h"

typedef struct Drive {
  CtlSearch *search; /* search that supplies the points; borrowed, like the next three */
  CtlTasks *tasks;   /* tasks that are evaluated instead of a search's points; NULL if there is a search */
  const CtlEvaluator *evaluator;
  const CtlListener *listener;
  double start;   /* ctl_seconds */
  CtlTimes times; /* times so far */
  int stop;       /* reason for which the drive has ended; 0 while it runs */
  bool cancelled; /* whether an evaluation was cut short by a request to stop this process or a worker */
} Drive;

/* Checks before a drive that the evaluator fits the search or tasks. Returns SIM_OK or SIM_BAD_ARGUMENT, which is
 * reported for `function`. */
SimStatus driver_check(const Drive *drive, const char *function);

extern const CtlListener driver_unheard; /* listener without callbacks */

/* These functions act like ctl_search_unasked, _ask and _wants, on the search or on the tasks. */
long driver_unasked(const Drive *drive, CtlWant *want);
int driver_ask(Drive *drive, int most, long *tickets, double *controls, CtlWant *want);
bool driver_wants(const Drive *drive, long ticket);
/* Whether no more outcomes are expected. */
bool driver_ended(const Drive *drive);
/* Number of points of a round of the search; 1 for tasks. */
long driver_round(const Drive *drive);

/* Like ctl_search_works; false for tasks. The next function does a piece of that work and calls the listener like
 * driver_tell. */
bool driver_works(const Drive *drive);
void driver_work(Drive *drive);

/* Passes the outcome of a ticket to the search or tasks, unless the drive has ended. An outcome with status
 * SIM_CANCELLED is dropped, and a saved search asks for its point again. The listener is called after each completed
 * round; its result may end the drive. */
void driver_tell(Drive *drive, long ticket, const CtlOutcome *outcome);

#endif
