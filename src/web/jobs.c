/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/jobs.h"

#include "control/base/clock.h"
#include "src/base/json_values.h"
#include "src/spool/spool_read.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double LOOK_SECONDS = 0.9, LOOK_LONGEST = 10,
                    /* LOOK_SHARE: maximum fraction of the time that is spent on listing the jobs. With thousands of
                     * jobs, the list is therefore updated less often. */
    LOOK_SHARE = 0.01;

int web_jobs_open_spool(WebJobs *jobs, const char *path, Diagnostics *diagnostics) {
  char whole[PATH_MAX]; /* the path is made absolute, since programs that use it run in other directories */
  jobs->looked = jobs->listed = -LOOK_LONGEST;
  jobs->pause = LOOK_SECONDS;
  return spool_folders_open(&jobs->spool, realpath(path, whole) ? whole : path, diagnostics);
}

void web_jobs_close(WebJobs *jobs) {
  job_list_clear(&jobs->list);
  spool_service_clear(&jobs->service);
  spool_folders_close(&jobs->spool);
}

/* Returns whether the next update is due; if so, sets *last to the present time. */
static bool is_due(double *last, double pause) {
  double now = ctl_seconds();
  if (now - *last < pause) return false;
  *last = now;
  return true;
}

const json_t *web_jobs_look(WebJobs *jobs) {
  if (is_due(&jobs->looked, LOOK_SECONDS)) {
    spool_folders_again(&jobs->spool);
    spool_service_look(&jobs->spool, &jobs->service);
  }
  return jobs->service.status;
}

/* Adds the members that all answers have, e.g. the phase of the service, to `answer`, and returns it. "age" is the time
 * in s since the service last updated its status; null if it never did. Returns NULL if there is no memory; `answer`
 * has then been released. */
static json_t *with_service(const WebJobs *jobs, bool read_only, json_t *answer) {
  json_t *age = jobs->service.status ? json_integer((json_int_t)jobs->service.age) : json_null();
  bool good = json_object_set_new(answer, "phase", json_string(spool_phase_names[jobs->service.phase])) == 0;
  good = json_object_set_new(answer, "age", age) == 0 && good;
  good = json_object_set_new(answer, "read_only", json_boolean(read_only)) == 0 && good;
  return json_if(good, answer);
}

/* Selects from a list all running jobs, the first `most` waiting jobs, and the first `most` ended jobs. Returns NULL if
 * there is no memory. */
static json_t *first_of(const json_t *list, int most) {
  json_t *first = json_array(), *job;
  int waiting = 0, ended = 0;
  size_t i;
  bool good = first;
  json_array_foreach(list, i, job) {
    const char *state = json_string_value(json_object_get(job, "state"));
    bool waits = strcmp(state, job_state_name(SPOOL_INCOMING)) == 0,
         runs = strcmp(state, job_state_name(SPOOL_RUNNING)) == 0;
    if (runs || (waits ? waiting++ : ended++) < most) good = good && json_array_append(first, job) == 0;
  }
  return json_if(good, first);
}

json_t *web_jobs_list(WebJobs *jobs, int most, bool read_only) {
  const json_t *status = web_jobs_look(jobs);
  json_t *counts = json_object();
  bool good = counts;
  if (is_due(&jobs->listed, jobs->pause)) {
    good = job_list_read(&jobs->spool, status, WEB_JOBS_MAX, &jobs->list) && good;
    jobs->pause = fmin(fmax((ctl_seconds() - jobs->listed) / LOOK_SHARE, LOOK_SECONDS), LOOK_LONGEST);
  }
  for (int f = 0; f < SPOOL_FOLDERS && good; f++)
    good = json_object_set_new(counts, job_state_name((SpoolFolder)f), json_integer(jobs->list.counts[f])) == 0;
  json_t *answer = json_pack("{s:o, s:o, s:o?}", "jobs", first_of(jobs->list.jobs, most), "counts", counts,
                             "ivps_per_second", json_incref(json_object_get(status, "ivps_per_second")));
  return with_service(jobs, read_only, json_if(good, answer));
}

json_t *web_jobs_one(WebJobs *jobs, const WebTarget *target, bool read_only) {
  json_t *job = job_list_from(&jobs->spool, web_jobs_look(jobs), target->from, target->name);
  return job ? with_service(jobs, read_only, job) : NULL;
}

bool web_jobs_find(const WebJobs *jobs, const WebTarget *target, SpoolFolder *state) {
  return spool_folders_find_from(&jobs->spool, target->name, target->from, state);
}

json_t *web_jobs_status(WebJobs *jobs, bool read_only, int priority_max) {
  const json_t *status = web_jobs_look(jobs);
  /* the cast is safe, since the status is only read */
  json_t *answer = json_is_object(status) ? json_copy((json_t *)status) : json_object();
  bool good = json_object_set_new(answer, "priority_max", json_integer(priority_max)) == 0;
  return with_service(jobs, read_only, json_if(good, answer));
}

/* Opening files of a job ------------------------------------------------------------------------------------------- */

bool web_jobs_ended(const WebJobs *jobs, const WebTarget *target, struct stat *info) {
  SpoolFolder state;
  bool ended = web_jobs_find(jobs, target, &state) && state >= SPOOL_DONE;
  int folder = ended ? spool_open_job(&jobs->spool, state, target->name) : -1;
  bool good = folder >= 0 && fstat(folder, info) == 0;
  if (folder >= 0) close(folder);
  return good;
}

/* Opens the problem file of a waiting job that is not packed, i.e. a single file. Returns its descriptor, or -1. */
static int open_waiting(const WebJobs *jobs, const char *name, struct stat *info) {
  char file[SPOOL_WAITING_MAX];
  bool waits = spool_find_waiting(&jobs->spool, name, file, info);
  return waits ? spool_open_shown(jobs->spool.folders[SPOOL_INCOMING], file, info) : -1;
}

/* Opens a file of a job. A waiting job is a folder only if it is packed; otherwise it is the problem file itself. */
int web_jobs_open(const WebJobs *jobs, const WebTarget *target, const char *file, size_t *size) {
  struct stat info;
  SpoolFolder state;
  if (!web_jobs_find(jobs, target, &state)) return -1;
  int folder = spool_open_job(&jobs->spool, state, target->name),
      opened = folder < 0 ? -1 : spool_open_shown(folder, file, &info);
  if (folder < 0 && state == SPOOL_INCOMING && strcmp(file, SPOOL_PROBLEM) == 0)
    opened = open_waiting(jobs, target->name, &info);
  if (folder >= 0) close(folder);
  if (opened >= 0) *size = (size_t)info.st_size;
  return opened;
}

json_t *web_jobs_files(const WebJobs *jobs, const WebTarget *target) {
  char file[WEB_FILE_SIZE];
  SpoolFolder state;
  json_t *files = web_jobs_find(jobs, target, &state) ? json_array() : NULL;
  for (int k = 0; files && web_file_at(k, file); k++) {
    size_t size;
    int opened = web_jobs_open(jobs, target, file, &size);
    if (opened < 0) continue;
    close(opened);
    json_array_append_new(files, json_pack("{s:s, s:I}", "name", file, "size", (json_int_t)size));
  }
  return files ? json_pack("{s:o}", "files", files) : NULL;
}
