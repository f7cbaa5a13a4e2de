/* Progress of a job that runs in its own process, read from a few hundred bytes of its folder, whatever the size of its
 * results. */
#ifndef SRC_SPOOL_JOB_PROGRESS_H
#define SRC_SPOOL_JOB_PROGRESS_H

#include <jansson.h>

/* Unknown values are 0. */
typedef struct JobProgress {
  /* of a sweep: runs with a row; all runs; runs of the former that did not meet the target, or failed */
  long runs, runs_in_all, runs_not_met, runs_failed;
  double max_seconds, max_simplexes, max_evaluations; /* limits of a search; 0: none */
  double seconds, rounds, evaluations;                /* of a search so far, from the last row of search.csv */
  double t, end;                                      /* of a simulation: current time and T, s */
} JobProgress;

/* Reads the progress. folder: the job's, opened; -1: no permission. */
JobProgress job_progress_read(int folder);

/* For a sweep, adds "runs", "runs_in_all", "runs_not_met" and "runs_failed" to a job. */
void job_progress_put(const JobProgress *progress, json_t *job);

#endif
