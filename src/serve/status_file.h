/* SPOOL/status.json: what a service is doing. */
#ifndef SRC_STATUS_FILE_H
#define SRC_STATUS_FILE_H

#include "src/results/results.h"
#include "src/spool/job_progress.h"

#include "control/internal.h"

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
  double held_up;          /* s: the longest that rank 0 was busy with one round of all jobs since then */
  double ivps_rate;        /* simulations a second, lately */
  json_t *running;         /* status_problem of each; borrowed */
  json_t *used;            /* turns_json; borrowed */
  json_t *stuck;           /* spool_stuck; borrowed */
} Status;

/* How much of something that a job takes it has used up: seconds, simplexes, runs. most: what there is of it at most; 0: there is no limit. */
typedef struct StatusShare {
  double used, most;
  double
      before; /* how much of `used` it had used up when `seconds` began, by an earlier process, say, whose time nobody knows */
} StatusShare;

/* How long a job may last yet (s), until the first of n shares is used up as fast as in the `seconds` so far, (used - before) / seconds: it may end
 * before. INFINITY: it has no limit, or has just begun. */
double status_time_left(const StatusShare *shares, int n, double seconds);

/* A running problem. seconds: that it has run, before pauses, too; ivps_rate as above; time_left: not finite: not known. NULL: no memory. */
json_t *status_problem(const char *name, const CtlState *state, double seconds, double ivps_rate, double time_left);

/* How far a job was when its process began. */
typedef struct StatusStart {
  double used; /* s, as below */
  JobProgress progress;
} StatusStart;

/* One in a process of its own. search: what job_search tells of it, of which the last row is taken; NULL: nothing. seconds: as above; rate:
 * evaluations a second, NAN: unknown. */
json_t *status_process(const char *name, double seconds, double rate, const json_t *search, const JobProgress *progress,
                       const StatusStart *start);

/* What the last service of that SPOOL has told; a kill may cost what was in its last second. A new reference; NULL: nothing. */
json_t *status_read(int folder);
/* The jobs since the spool began by then, and when that was (s since 1970). */
StatusCounts status_counts(const json_t *status);
double status_updated(const json_t *status);

/* Replaces the file, so that it is whole at any time. Returns 0, or -1 after telling. */
int status_write(const Results *top, const Status *status);

#endif
