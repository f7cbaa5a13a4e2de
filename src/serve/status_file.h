/* SPOOL/status.json: the state of a service. */
#ifndef SRC_STATUS_FILE_H
#define SRC_STATUS_FILE_H

#include "src/results/results.h"
#include "src/spool/job_progress.h"

#include "control/internal.h"

#include <jansson.h>

/* Numbers of ended jobs. */
typedef struct StatusCounts {
  long done, failed, cancelled;
} StatusCounts;

typedef struct Status {
  const char *phase; /* serving, stopping, ended */
  int ranks, busy;
  long at_once;            /* maximum number of problems */
  size_t waiting;          /* number of jobs not begun yet */
  StatusCounts ended, all; /* since this service began, and since the spool was created */
  double began;            /* s since 1970 */
  double seconds;          /* s since the service began */
  double held_up;          /* s: longest time since then that rank 0 was busy with one round of all jobs */
  double ivps_rate;        /* current simulations per second */
  json_t *running;         /* status_problem of each; borrowed */
  json_t *used;            /* turns_json; borrowed */
  json_t *stuck;           /* spool_stuck; borrowed */
} Status;

/* Use of one limited quantity of a job: seconds, simplexes, runs. most: its limit; 0: none. */
typedef struct StatusShare {
  double used, most;
  /* amount of `used` before `seconds` began, e.g. by an earlier process of unknown duration */
  double before;
} StatusShare;

/* Estimates the remaining time of a job (s): until the first of n limits is reached at the average rate of the
 * `seconds` so far, (used - before) / seconds. It may end earlier. INFINITY: no limit, or it has just begun. */
double status_time_left(const StatusShare *shares, int n, double seconds);

/* Returns the entry of a running problem. seconds: run time, including before pauses; ivps_rate as above; time_left:
 * unknown if not finite. NULL if there is no memory. */
json_t *status_problem(const char *name, const CtlState *state, double seconds, double ivps_rate, double time_left);

/* Progress of a job when its process began. */
typedef struct StatusStart {
  double used; /* s, as below */
  JobProgress progress;
} StatusStart;

/* Returns the entry of a job in its own process. search: from job_search, of which the last row is used; NULL: none.
 * seconds: as above; rate: evaluations per second, NAN: unknown. */
json_t *status_process(const char *name, double seconds, double rate, const json_t *search, const JobProgress *progress,
                       const StatusStart *start);

/* Reads the status.json of the last service of this SPOOL; a kill may lose its last second. A new reference; NULL:
 * none. */
json_t *status_read(int folder);
/* status_counts returns the jobs since the spool was created, status_updated the time of this status (s since 1970). */
StatusCounts status_counts(const json_t *status);
double status_updated(const json_t *status);

/* Replaces the file atomically. Returns 0, or -1 after reporting an error. */
int status_write(const Results *top, const Status *status);

#endif
