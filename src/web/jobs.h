/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the jobs of a spool in the form that the web page needs. */
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
  double looked, listed; /* times (ctl_seconds) of the last updates of the service and of the list */
  double pause;          /* minimum time between two updates of the list, in s */
} WebJobs;

int web_jobs_open_spool(WebJobs *jobs, const char *path, Diagnostics *diagnostics);
void web_jobs_close(WebJobs *jobs);

/* Returns the content of status.json, at most a second old; NULL: none. It is borrowed, and valid until the next call
 * of this function or the next three. */
const json_t *web_jobs_look(WebJobs *jobs);

/* Return new references; NULL: no such job, or no memory. The data are at most a second old; a list of thousands of
 * jobs is at most ten seconds old.
 * - web_jobs_list: {"jobs": [all running jobs, at most `most` waiting and `most` ended ones], "counts": {"waiting":
 *   N, ..}, "phase", "age", "read_only"}
 * - web_jobs_one: the description of one job, with "phase", "age" and "read_only"
 * - web_jobs_status: the content of status.json, with these three and "priority_max" */
json_t *web_jobs_list(WebJobs *jobs, int most, bool read_only);
json_t *web_jobs_one(WebJobs *jobs, const WebTarget *target, bool read_only);
json_t *web_jobs_status(WebJobs *jobs, bool read_only, int priority_max);

/* Finds the job of a request. Searches the folders from target->from on, and takes the first job of this name. Returns
 * false if there is none. Any thread may call this and the following functions. */
bool web_jobs_find(const WebJobs *jobs, const WebTarget *target, SpoolFolder *state);

/* Returns whether the job has ended and is readable. folder: set to the result of stat. */
bool web_jobs_ended(const WebJobs *jobs, const WebTarget *target, struct stat *folder);

/* Returns {"files": [{"name", "size"}, ..]}: the files that web_jobs_open can open. */
json_t *web_jobs_files(const WebJobs *jobs, const WebTarget *target);

/* Opens a file of a job for reading; file is one of web_file_at. Links below the spool are not followed, as the owner
 * of the job may have created some. Returns -1 if the file is missing, is not a regular file, or has several hard
 * links. */
int web_jobs_open(const WebJobs *jobs, const WebTarget *target, const char *file, size_t *size);

#endif
