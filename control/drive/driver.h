/* SPDX-License-Identifier: BSD-2-Clause */
/* State of a drive. A drive evaluates the points of a search, or the tasks of a list, until none is left. */
#ifndef CONTROL_DRIVER_H
#define CONTROL_DRIVER_H

#include "control/evaluator.h"

typedef struct Drive {
  CtlSearch *search; /* search that supplies the points; borrowed, like `tasks`, `evaluator` and `listener` */
  CtlTasks *tasks;   /* tasks that are evaluated instead of a search's points; NULL if there is a search */
  const CtlEvaluator *evaluator;
  const CtlListener *listener;
  double start;   /* time of the start, from ctl_seconds */
  CtlTimes times; /* times so far */
  int stop;       /* result with which the drive has ended; 0 while it runs */
  bool cancelled; /* whether an evaluation was cut short by a request to stop this process or a worker */
} Drive;

/* Checks before a drive that the evaluator is suitable for the search or tasks. Returns SIM_OK or SIM_BAD_ARGUMENT; the
 * latter is reported with the name `function`. */
SimStatus driver_check(const Drive *drive, const char *function);

extern const CtlListener driver_unheard; /* listener with NULL for all callbacks */

/* These functions do what ctl_search_unasked, stiction_asktell_ask and stiction_asktell_wants do, either for the search
 * or for the tasks. */
long driver_unasked(const Drive *drive, CtlWant *want);
int driver_ask(Drive *drive, int most, long *tickets, double *controls, CtlWant *want);
bool driver_wants(const Drive *drive, long ticket);
/* Whether no more outcomes are expected. */
bool driver_ended(const Drive *drive);
/* Returns the number of points in a round of the search; 1 for tasks. */
long driver_round(const Drive *drive);

/* driver_works returns ctl_search_works of the search; false for tasks. driver_work does one part of that computation,
 * and calls the listener as driver_tell does. */
bool driver_works(const Drive *drive);
void driver_work(Drive *drive);

/* Passes the outcome of a ticket to the search or tasks, unless the drive has ended. An outcome with status
 * SIM_CANCELLED is dropped; if the search is saved and loaded, it hands out this point again. The listener is called
 * after each completed round; its result may end the drive. */
void driver_tell(Drive *drive, long ticket, const CtlOutcome *outcome);

#endif
