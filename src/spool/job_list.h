/* The jobs of a spool as JSON, for the command `status` and the page:
 *
 *     {"name", "state": waiting|running|done|failed|cancelled, "command", "submitter", "priority", "submitted" and "ended" (s since 1970),
 *      "seconds", "title", "rounds", "evaluations", "best", "J", "E1", "E2", "edge", "ivps_per_second", "runs" (of a sweep, that have a row), "runs_in_all", "runs_not_met",
 *      "runs_failed", "time_left" (s),
 *      "exit" (the command's code), "reason", "error" (the first line of error.txt)}
 *
 * Texts are cut to 300 bytes. What is not known is null: nobody but the service and the submitter can look into running/NAME. */
#ifndef SRC_SPOOL_JOB_LIST_H
#define SRC_SPOOL_JOB_LIST_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

/* "waiting" for what is in incoming/, else the folder's name. */
const char *job_state_name(SpoolFolder folder);

typedef struct JobList {
  json_t *jobs;               /* running, then waiting, oldest first, then ended, newest first; owned */
  json_t *kept;               /* those that have ended, by name, with what tells whether they are as they were; owned */
  long counts[SPOOL_FOLDERS]; /* all that there are */
} JobList;

/* Lists what runs, and at most so many of those that wait and of those that have ended. status: status.json; NULL: there is none. list: zero
 * at first; else what an earlier look has told of jobs that had ended is kept: only others are read. False: no memory. Clear it either
 * way. */
bool job_list_read(const SpoolFolders *spool, const json_t *status, long most, JobList *list);
void job_list_clear(JobList *list);

/* A job that waits; one that has begun or ended; the first of these that there is: one that waits gets another name when it begins. The name
 * need not be one. A new reference; NULL: there is none of that name, or no memory. */
json_t *job_list_waiting(const SpoolFolders *spool, const json_t *status, const char *name);
json_t *job_list_begun(const SpoolFolders *spool, const json_t *status, const char *name);
json_t *job_list_one(const SpoolFolders *spool, const json_t *status, const char *name);

/* Likewise, the first that is in `from`, or in a folder behind it. */
json_t *job_list_from(const SpoolFolders *spool, const json_t *status, SpoolFolder from, const char *name);

/* How its search has gone: {"columns": ["round", "evaluations", "best", "J", "E1", "E2", "edge"], "rows": [[..], ..]}, at most so many rows,
 * 2 or more, spread over search.csv, the first and the last among them. A new reference; NULL: there is none, it may not be looked
 * into, or no memory. */
json_t *job_search(const SpoolFolders *spool, SpoolFolder state, const char *name, int most);

#endif
