/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the progress of a job that runs in a process. Only a few hundred bytes of the job's folder are read, however
 * large the results are. */
#ifndef SRC_SPOOL_JOB_PROGRESS_H
#define SRC_SPOOL_JOB_PROGRESS_H

#include <jansson.h>

/* Progress of a job. Unknown values are 0. */
typedef struct JobProgress {
  /* For a sweep: number of runs that have a row in sweep.csv, number of all runs, and, among those with a row, the
   * numbers of runs that did not meet the target and that failed. */
  long runs, runs_in_all, runs_not_met, runs_failed;
  double max_seconds, max_simplexes, max_evaluations; /* limits of a search; 0: none */
  double seconds, rounds, evaluations;                /* for a search: values in the last row of search.csv */
  double t, end;                                      /* for a simulation: its present time and its end T, in s */
} JobProgress;

/* Reads the progress of a job. folder: descriptor of the job's folder; -1 if there is no permission, and then the
 * progress is unknown. */
JobProgress job_progress_read(int folder);

/* Adds "runs", "runs_in_all", "runs_not_met" and "runs_failed" to the description of a job, if it is a sweep. */
void job_progress_put(const JobProgress *progress, json_t *job);

#endif
