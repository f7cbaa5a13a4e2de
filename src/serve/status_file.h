/* SPOOL/status.json: what a service is doing. */
#ifndef SRC_STATUS_FILE_H
#define SRC_STATUS_FILE_H

#include "src/results/results.h"

#include "control/control.h"

#include <jansson.h>

/* Jobs that have ended. */
typedef struct StatusCounts {
  long done, failed, cancelled;
} StatusCounts;

typedef struct Status {
  const char *phase; /* serving, stopping, ended */
  int ranks, busy;
  long at_once;            /* problems at most */
  size_t waiting;          /* not begun yet */
  StatusCounts ended, all; /* since this service began, since the spool did */
  double began;            /* s since 1970 */
  double seconds;          /* since then */
  double ivps_rate;        /* simulations a second, lately */
  json_t *running;         /* status_problem of each; borrowed */
  json_t *stuck;           /* spool_stuck; borrowed */
} Status;

/* How long a search may last yet (s), by its limits of seconds, simplexes and evaluations, as fast as so far: it may end before. INFINITY:
 * it has no limit, or has just begun. */
double status_time_left(const CtlProblem *problem, const CtlState *state);

/* A running problem. seconds: since it began here; ivps_rate as above; time_left: not finite: not known. NULL: no memory. */
json_t *status_problem(const char *name, const CtlState *state, double seconds, double ivps_rate, double time_left);

/* One in a process of its own. search: what job_search tells of it, of which the last row is taken; NULL: nothing. */
json_t *status_process(const char *name, double seconds, const json_t *search);

/* Those since the spool began, as the last service has told them; a kill may cost those of its last second. */
StatusCounts status_counts(int folder);

/* Replaces the file, so that it is whole at any time. Returns 0, or -1 after telling. */
int status_write(const Results *top, const Status *status);

#endif
