/* The jobs of a spool, as the page has them. */
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
  double looked, listed; /* when, ctl_seconds(): service, list */
  double pause;          /* s between two looks at the list */
} WebJobs;

int web_jobs_open_spool(WebJobs *jobs, const char *path, Diagnostics *diagnostics);
void web_jobs_close(WebJobs *jobs);

/* status.json, a second old at most; NULL: there is none. Borrowed until the next call of this or of the three that follow. */
const json_t *web_jobs_look(WebJobs *jobs);

/* {"jobs": [all that run, at most so many that wait, and that have ended], "counts": {"waiting": N, ..}, "phase", "age", "read_only"}; one of them, with the latter three; status.json, with these and
 * "priority_max". All at most a second old, a list of
 * thousands at most ten. New references; NULL: there is no such job, or no memory. */
json_t *web_jobs_list(WebJobs *jobs, int most, bool read_only);
json_t *web_jobs_one(WebJobs *jobs, const WebTarget *target, bool read_only);
json_t *web_jobs_status(WebJobs *jobs, bool read_only, int priority_max);

/* Where the job is that a request is about: the first of its name in target->from, or behind that. False: nowhere. As all that follow may be
 * called by any thread. */
bool web_jobs_find(const WebJobs *jobs, const WebTarget *target, SpoolFolder *state);

/* Whether it has ended, and may be looked into; what stat tells of its folder. */
bool web_jobs_ended(const WebJobs *jobs, const WebTarget *target, struct stat *folder);

/* {"files": [{"name", "size"}, ..]}: those that web_jobs_open would open. */
json_t *web_jobs_files(const WebJobs *jobs, const WebTarget *target);

/* Opens a file of the job for reading, one of web_file_at's, without following a link anywhere behind the spool: its owner may have put one
 * there. -1: it is not there, or no file of one name. */
int web_jobs_open(const WebJobs *jobs, const WebTarget *target, const char *file, size_t *size);

#endif
