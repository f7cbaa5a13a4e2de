/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes and reads SPOOL/status.json, the state of a service. */
#ifndef SRC_STATUS_FILE_H
#define SRC_STATUS_FILE_H

#include "src/results/results.h"
#include "src/spool/job_progress.h"

#include "control/internal.h"

#include <jansson.h>

/* Numbers of jobs that have ended, by outcome. */
typedef struct StatusCounts {
  long done, failed, cancelled;
} StatusCounts;

typedef struct Status {
  const char *phase; /* "serving", "stopping" or "ended" */
  int ranks, busy;
  long at_once;            /* largest number of problems that are solved at the same time */
  size_t waiting;          /* number of jobs that have not begun */
  StatusCounts ended, all; /* jobs ended since this service began, and since the spool was created */
  double began;            /* time at which the service began, s since 1970 */
  double seconds;          /* s since the service began */
  double held_up;          /* longest time that rank 0 was busy with one round of all jobs since the service began, in
                            * s */
  double ivps_rate;        /* simulations per second at present */
  json_t *running;         /* list of status_problem for each running job; borrowed */
  json_t *used;            /* result of turns_json; borrowed */
  json_t *stuck;           /* result of spool_stuck; borrowed */
} Status;

/* How much of one limited quantity a job has used: seconds, simplexes or runs. most: its limit; 0: no limit. */
typedef struct StatusShare {
  double used, most;
  /* Value of `used` at the beginning of the period `seconds`. It is not 0 if e.g. an earlier process did a part of the
   * work, in an unknown time. */
  double before;
} StatusShare;

/* Estimates the remaining time of a job, in s: the time until the first of n limits is reached. The rate is that of the
 * period `seconds`: (used - before) / seconds. The job may end earlier. Returns INFINITY if there is no limit, or the
 * job has just begun. */
double status_time_left(const StatusShare *shares, int n, double seconds);

/* Returns the entry of a running problem. seconds: run time, including the time before pauses; ivps_rate: simulations
 * per second; time_left: s, unknown if not finite. NULL if there is no memory. */
json_t *status_problem(const char *name, const CtlState *state, double seconds, double ivps_rate, double time_left);

/* Progress of a job at the time at which its process began. */
typedef struct StatusStart {
  double used; /* seconds used, as in StatusShare */
  JobProgress progress;
} StatusStart;

/* Returns the entry of a job in its own process. search: result of job_search, of which the last row is used; NULL:
 * none. seconds: run time, including the time before pauses; rate: evaluations per second, NAN if unknown. */
json_t *status_process(const char *name, double seconds, double rate, const json_t *search, const JobProgress *progress,
                       const StatusStart *start);

/* Reads status.json as the last service of this spool has left it. If the service was killed, its last second may be
 * missing. A new reference; NULL: there is no such file. */
json_t *status_read(int folder);
/* status_counts returns the numbers of jobs since the spool was created. status_updated returns the time at which this
 * status was written, s since 1970. */
StatusCounts status_counts(const json_t *status);
double status_updated(const json_t *status);

/* Replaces the file atomically. Returns 0, or -1 after reporting an error. */
int status_write(const Results *top, const Status *status);

#endif
