/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the jobs of a spool in the form in which the web page needs them. */
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
  double looked, listed; /* times (ctl_seconds) at which the state of the service and the list of jobs were last
                          * updated */
  double pause;          /* minimum time between two updates of the list, in s */
} WebJobs;

int web_jobs_open_spool(WebJobs *jobs, const char *path, Diagnostics *diagnostics);
void web_jobs_close(WebJobs *jobs);

/* Returns the content of status.json, at most a second old; NULL: there is none. It is borrowed, and valid until the
 * next call of this function or one of the next three. */
const json_t *web_jobs_look(WebJobs *jobs);

/* Return data as JSON; the caller owns the references; NULL: no such job, or no memory. The data are at most a second
 * old; a list of thousands of jobs is at most ten seconds old.
 * - web_jobs_list: {"jobs": [all running jobs, at most `most` waiting and `most` ended ones], "counts": {"waiting":
 *   N, ..}, "phase", "age", "read_only"}
 * - web_jobs_one: the description of one job, with "phase", "age" and "read_only"
 * - web_jobs_status: the content of status.json, with these three members and "priority_max" */
json_t *web_jobs_list(WebJobs *jobs, int most, bool read_only);
json_t *web_jobs_one(WebJobs *jobs, const WebTarget *target, bool read_only);
json_t *web_jobs_status(WebJobs *jobs, bool read_only, int priority_max);

/* Finds the job to which a request refers: the first job with this name, when the folders are searched in their order,
 * beginning with target->from. Sets *state to its folder. Returns false if there is none. Any thread may call this and
 * the following functions. */
bool web_jobs_find(const WebJobs *jobs, const WebTarget *target, SpoolFolder *state);

/* Returns whether the job has ended and its folder is readable. Sets *folder to the result of stat for the folder. */
bool web_jobs_ended(const WebJobs *jobs, const WebTarget *target, struct stat *folder);

/* Returns {"files": [{"name", "size"}, ..]}, the list of files that web_jobs_open can open. The caller owns the
 * reference; NULL: no such job, or no memory. */
json_t *web_jobs_files(const WebJobs *jobs, const WebTarget *target);

/* Opens a file of a job for reading, and sets *size. file: one of the names of web_file_at. Links below the spool are
 * not followed, as the owner of the job may have created them. Returns the descriptor, or -1 if the file is missing, is
 * not a regular file, or has several hard links. */
int web_jobs_open(const WebJobs *jobs, const WebTarget *target, const char *file, size_t *size);

#endif
