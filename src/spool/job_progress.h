/* How far a job in a process of its own is, as its folder tells in a few hundred bytes, whatever the size of its results. */
#ifndef SRC_SPOOL_JOB_PROGRESS_H
#define SRC_SPOOL_JOB_PROGRESS_H

#include <jansson.h>

/* What is not known is 0. */
typedef struct JobProgress {
  long runs, runs_in_all, runs_not_met, runs_failed;  /* of a sweep: that have a row; in all; of the former */
  double max_seconds, max_simplexes, max_evaluations; /* of a search: its limits; 0: there is none */
  double seconds, rounds, evaluations;                /* of a search: so far, by the last row of search.csv */
  double t, end;                                      /* of a motion under way: s, and its T */
} JobProgress;

/* folder: the job's, opened; -1: it may not be looked into. */
JobProgress job_progress_read(int folder);

/* "runs", "runs_in_all", "runs_not_met" and "runs_failed", where it is that of a sweep, as members of a job. */
void job_progress_put(const JobProgress *progress, json_t *job);

#endif
