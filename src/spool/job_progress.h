/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads how far a job in its own process has come. It needs only a few hundred bytes of the job's folder, however large
 * the results are. */
#ifndef SRC_SPOOL_JOB_PROGRESS_H
#define SRC_SPOOL_JOB_PROGRESS_H

#include <jansson.h>

/* Progress of a job. Unknown values are 0. */
typedef struct JobProgress {
  /* For a sweep: number of runs with a row, number of all runs, and among those with a row the ones that did not meet
   * the target or failed. */
  long runs, runs_in_all, runs_not_met, runs_failed;
  double max_seconds, max_simplexes, max_evaluations; /* limits of a search; 0: none */
  double seconds, rounds, evaluations;                /* for a search: its last row in search.csv */
  double t, end;                                      /* for a simulation: its present time and its end T, in s */
} JobProgress;

/* Reads the progress. folder: descriptor of the job's folder; -1: no permission. */
JobProgress job_progress_read(int folder);

/* Adds "runs", "runs_in_all", "runs_not_met" and "runs_failed" to the description of a job, if it is a sweep. */
void job_progress_put(const JobProgress *progress, json_t *job);

#endif
