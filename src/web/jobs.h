/* The jobs of a spool in the form that the page needs. */
#ifndef SRC_WEB_JOBS_H
#define SRC_WEB_JOBS_H

#include "src/spool/job_list.h"
#include "src/spool/spool_service.h"
#include "src/web/target.h"

#include <jansson.h>
#include <sys/stat.h>

typedef struct WebJobs {
  SpoolFolders spool;
  SpoolService service;
  JobList list;
  double looked, listed; /* ctl_seconds() of the last updates: service, list */
  double pause;          /* s between two updates of the list */
} WebJobs;

int web_jobs_open_spool(WebJobs *jobs, const char *path, Diagnostics *diagnostics);
void web_jobs_close(WebJobs *jobs);

/* Returns status.json, at most a second old; NULL: none. Borrowed until the next call of this or of the three that
 * follow. */
const json_t *web_jobs_look(WebJobs *jobs);

/* web_jobs_list returns {"jobs": [all running jobs, at most this many waiting and ended ones], "counts": {"waiting": N,
 * ..}, "phase", "age", "read_only"}; web_jobs_one returns one job with the last three; web_jobs_status returns
 * status.json with these and "priority_max". All are at most a second old, a list of thousands at most ten. New
 * references; NULL: no such job, or no memory. */
json_t *web_jobs_list(WebJobs *jobs, int most, bool read_only);
json_t *web_jobs_one(WebJobs *jobs, const WebTarget *target, bool read_only);
json_t *web_jobs_status(WebJobs *jobs, bool read_only, int priority_max);

/* Finds the job of a request: the first of its name in target->from or a later folder. Returns false if there is none.
 * This and all following functions may be called by any thread. */
bool web_jobs_find(const WebJobs *jobs, const WebTarget *target, SpoolFolder *state);

/* Whether it has ended and is readable; folder: the result of stat. */
bool web_jobs_ended(const WebJobs *jobs, const WebTarget *target, struct stat *folder);

/* Returns {"files": [{"name", "size"}, ..]}: the files that web_jobs_open would open. */
json_t *web_jobs_files(const WebJobs *jobs, const WebTarget *target);

/* Opens a file of the job for reading, one of web_file_at's, without following links below the spool, as its owner may
 * have created some. Returns -1: missing, not a regular file, or with several hard links. */
int web_jobs_open(const WebJobs *jobs, const WebTarget *target, const char *file, size_t *size);

#endif
