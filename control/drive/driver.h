/* A drive under way: a search, or tasks, who evaluates for it, and who listens. */
#ifndef CONTROL_DRIVER_H
#define CONTROL_DRIVER_H

#include "control/evaluator.h"

typedef struct Drive {
  CtlSearch *search; /* borrowed, as the next three */
  CtlTasks *tasks;   /* in its place; NULL: none */
  const CtlEvaluator *evaluator;
  const CtlListener *listener;
  double start;   /* ctl_seconds */
  CtlTimes times; /* so far */
  int stop;       /* other than 0: over, for that reason */
  bool cancelled; /* an evaluation was ended by a request to stop, of this process or of a worker */
} Drive;

/* Whether a search, or tasks, and who evaluates for them go together, before a drive: SIM_BAD_ARGUMENT of the public function otherwise. */
SimStatus driver_check(const Drive *drive, const char *function);

extern const CtlListener driver_unheard; /* when nobody listens */

/* As ctl_search_unasked, _ask and _wants, of a search or of tasks. */
long driver_unasked(const Drive *drive, CtlWant *want);
int driver_ask(Drive *drive, int most, long *tickets, double *controls, CtlWant *want);
bool driver_wants(const Drive *drive, long ticket);
/* Whether nothing is left to be told. */
bool driver_ended(const Drive *drive);
/* How many points there are at a time that count for one another: of tasks, 1. */
long driver_round(const Drive *drive);

/* As ctl_search_works; of tasks, never. Does a piece of it, and calls the listener as driver_tell does. */
bool driver_works(const Drive *drive);
void driver_work(Drive *drive);

/* Tells a ticket's outcome, unless the drive is over, or it is SIM_CANCELLED: the point stays asked for, and a saved search asks again. Calls the
 * listener for each simplex that has ended with it, whose answer may stop the drive. */
void driver_tell(Drive *drive, long ticket, const CtlOutcome *outcome);

#endif
