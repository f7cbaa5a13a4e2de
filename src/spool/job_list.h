/* The jobs of a spool as JSON, for the command `status` and the page:
 *
 *     {"name", "state": waiting|running|done|failed|cancelled, "command", "submitter", "priority", "submitted" and "ended"
 *      (s since 1970), "seconds", "title", "rounds", "evaluations", "best", "J", "E1", "E2", "edge", "ivps_per_second",
 *      "runs" (of a sweep, that have a row), "runs_in_all", "runs_not_met", "runs_failed", "time_left" (s), "exit" (the
 *      command's code), "reason", "error" (the first line of error.txt)}
 *
 * Texts are cut to 300 bytes. Unknown values are null: only the service and the submitter can read running/NAME. */
#ifndef SRC_SPOOL_JOB_LIST_H
#define SRC_SPOOL_JOB_LIST_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

/* "waiting" for incoming/, otherwise the folder's name. */
const char *job_state_name(SpoolFolder folder);

typedef struct JobList {
  json_t *jobs;               /* running jobs, then waiting ones, oldest first, then ended ones, newest first; owned */
  json_t *kept;               /* ended jobs by name, with marks that show whether they are unchanged; owned */
  long counts[SPOOL_FOLDERS]; /* total number of jobs */
} JobList;

/* Lists all running jobs, and at most `most` waiting and `most` ended ones. status: status.json; NULL: none. list: zero
 * at first; otherwise ended jobs from an earlier call are reused. Returns false if there is no memory. Clear list in
 * each case. */
bool job_list_read(const SpoolFolders *spool, const json_t *status, long most, JobList *list);
void job_list_clear(JobList *list);

/* Describe a job by its name: one that waits; one that has begun or ended; or the first of these. A waiting job may
 * get another name when it begins. The name need not be valid. A new reference; NULL: there is no such job, or no
 * memory. */
json_t *job_list_waiting(const SpoolFolders *spool, const json_t *status, const char *name);
json_t *job_list_begun(const SpoolFolders *spool, const json_t *status, const char *name);
json_t *job_list_one(const SpoolFolders *spool, const json_t *status, const char *name);

/* Describes the first job of this name in `from` or a later folder. */
json_t *job_list_from(const SpoolFolders *spool, const json_t *status, SpoolFolder from, const char *name);

/* Returns the history of its search: {"columns": ["round", "evaluations", "best", "J", "E1", "E2", "edge"], "rows":
 * [[..], ..]} with at most this many rows, 2 or more, spread over search.csv and including the first and the last. A
 * new reference; NULL: no history, no permission, or no memory. */
json_t *job_search(const SpoolFolders *spool, SpoolFolder state, const char *name, int most);

#endif
