/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the jobs of a spool as JSON, for the command `status` and the web page:
 *
 *   {"name", "state": waiting|running|done|failed|cancelled, "command", "submitter", "priority", "submitted" and
 *    "ended" (s since 1970), "seconds", "title", "rounds", "evaluations", "best", "J", "E1", "E2", "edge",
 *    "ivps_per_second", "runs" (of a sweep, that have a row), "runs_in_all", "runs_not_met", "runs_failed",
 *    "time_left" (s), "exit" (the command's code), "reason", "error" (the first line of error.txt)}
 *
 * Texts are cut to 300 bytes. Unknown values are null. For other users, many values of a running job are unknown, since
 * only the service and the submitter can read running/NAME. */
#ifndef SRC_SPOOL_JOB_LIST_H
#define SRC_SPOOL_JOB_LIST_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

/* Returns the state of jobs in a folder: "waiting" for incoming/, otherwise the name of the folder. */
const char *job_state_name(SpoolFolder folder);

typedef struct JobList {
  json_t *jobs;               /* descriptions of running jobs, then of waiting jobs (oldest first), then of ended jobs
                               * (newest first); owned */
  json_t *kept;               /* descriptions of ended jobs by name, each with a mark by which a changed folder is
                               * recognised; owned */
  long counts[SPOOL_FOLDERS]; /* number of jobs in each folder */
} JobList;

/* Lists all running jobs, and at most `most` waiting and `most` ended jobs. status: content of status.json; NULL: there
 * is none. list: zero before the first call; later calls reuse its descriptions of ended jobs. Returns false if there
 * is no memory. The caller clears list in each case. */
bool job_list_read(const SpoolFolders *spool, const json_t *status, long most, JobList *list);
void job_list_clear(JobList *list);

/* job_list_waiting describes the waiting job with this name, and job_list_begun the one that has begun or ended.
 * job_list_one describes the waiting job if it exists, otherwise the other. A waiting job may get another name when it
 * begins. The name need not be valid. The caller owns the reference; NULL: there is no such job, or no memory. */
json_t *job_list_waiting(const SpoolFolders *spool, const json_t *status, const char *name);
json_t *job_list_begun(const SpoolFolders *spool, const json_t *status, const char *name);
json_t *job_list_one(const SpoolFolders *spool, const json_t *status, const char *name);

/* Describes the job with this name that is found first, when the folders are searched in the order of SpoolFolder,
 * beginning with `from`. */
json_t *job_list_from(const SpoolFolders *spool, const json_t *status, SpoolFolder from, const char *name);

/* Returns the history of a job's search: {"columns": ["round", "evaluations", "best", "J", "E1", "E2", "edge"], "rows":
 * [[..], ..]}. It has at most `most` >= 2 rows, which are spread over search.csv and include its first and last row.
 * The caller owns the reference; NULL: no history, no permission, or no memory. */
json_t *job_search(const SpoolFolders *spool, SpoolFolder state, const char *name, int most);

#endif
