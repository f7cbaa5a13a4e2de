/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes and reads SPOOL/status.json, which describes the state of a service. */
#ifndef SRC_STATUS_FILE_H
#define SRC_STATUS_FILE_H

#include "src/results/results.h"
#include "src/spool/job_progress.h"

#include "control/internal.h"

#include <jansson.h>

/* Numbers of jobs that have ended, by their outcome. */
typedef struct StatusCounts {
  long done, failed, cancelled;
} StatusCounts;

typedef struct Status {
  const char *phase; /* "serving", "stopping" or "ended" */
  int ranks, busy;
  long at_once;            /* largest number of problems that are solved at the same time */
  size_t waiting;          /* number of jobs that have not begun */
  StatusCounts ended, all; /* jobs that have ended since this service began, and since the spool was created */
  double began;            /* time at which the service began, s since 1970 */
  double seconds;          /* time since the service began, in s */
  double held_up;          /* longest time, since the service began, in which rank 0 handled all jobs once, in s */
  double ivps_rate;        /* simulations per second at present */
  json_t *running;         /* list of entries (status_problem) of the running jobs; borrowed */
  json_t *used;            /* used times of all users, from turns_json; borrowed */
  json_t *stuck;           /* jobs that cannot be claimed, from spool_stuck; borrowed */
} Status;

/* How much of a limited quantity (seconds, simplexes or runs) a job has used. most: the limit; 0: no limit. */
typedef struct StatusShare {
  double used, most;
  /* Value of `used` at the beginning of the period over which the rate is measured. It is not 0 if, for example, an
   * earlier process did a part of the work in an unknown time. */
  double before;
} StatusShare;

/* Estimates the remaining time of a job, in s, i.e. the time until the first of n limits is reached. The rate of each
 * quantity is (used - before) / seconds. The job may end earlier. Returns INFINITY if there is no limit, or the job has
 * just begun. */
double status_time_left(const StatusShare *shares, int n, double seconds);

/* Returns the entry of a running job in status.json. seconds: run time, including the time before pauses; ivps_rate:
 * simulations per second; time_left: remaining time in s, unknown if not finite. NULL if there is no memory. */
json_t *status_problem(const char *name, const CtlState *state, double seconds, double ivps_rate, double time_left);

/* Progress of a job when its process began. */
typedef struct StatusStart {
  double used; /* seconds that earlier processes of the job have used */
  JobProgress progress;
} StatusStart;

/* Returns the entry of a job that runs in a process. search: history of its search from job_search, of which the last
 * row is used; NULL: none. seconds: run time, including the time before pauses; rate: evaluations per second; NAN:
 * unknown. */
json_t *status_process(const char *name, double seconds, double rate, const json_t *search, const JobProgress *progress,
                       const StatusStart *start);

/* Reads status.json as the last service of this spool has left it. If that service was killed, changes of its last
 * second may be missing. The caller owns the reference; NULL: there is no such file. */
json_t *status_read(int folder);
/* status_counts returns the numbers of jobs that have ended since the spool was created. status_updated returns the
 * time at which the status was written, in s since 1970. */
StatusCounts status_counts(const json_t *status);
double status_updated(const json_t *status);

/* Writes status.json, atomically. Returns 0, or -1 after reporting an error. */
int status_write(const Results *top, const Status *status);

#endif
