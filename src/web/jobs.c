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
                    LOOK_SHARE = 0.01 /* of the time, for the list of a spool of thousands */;

int web_jobs_open_spool(WebJobs *jobs, const char *path, Diagnostics *diagnostics) {
  char whole[PATH_MAX]; /* programs that work on it run elsewhere */
  jobs->looked = jobs->listed = -LOOK_LONGEST;
  jobs->pause = LOOK_SECONDS;
  return spool_folders_open(&jobs->spool, realpath(path, whole) ? whole : path, diagnostics);
}

void web_jobs_close(WebJobs *jobs) {
  job_list_clear(&jobs->list);
  spool_service_clear(&jobs->service);
  spool_folders_close(&jobs->spool);
}

/* Whether it is time to look again. */
static bool is_due(double *last, double pause) {
  double now = ctl_seconds();
  if (now - *last < pause) return false;
  *last = now;
  return true;
}

static const json_t *look(WebJobs *jobs) {
  if (is_due(&jobs->looked, LOOK_SECONDS)) {
    spool_folders_again(&jobs->spool);
    spool_service_look(&jobs->spool, &jobs->service);
  }
  return jobs->service.status;
}

/* Adds the service's phase, and what else is told with every answer. age: s since the service has said something; null: it never has. Takes
 * told over; NULL: no memory. */
static json_t *with_service(const WebJobs *jobs, bool read_only, json_t *told) {
  json_t *age = jobs->service.status ? json_integer((json_int_t)jobs->service.age) : json_null();
  bool good = json_object_set_new(told, "phase", json_string(spool_phase_names[jobs->service.phase])) == 0;
  good = json_object_set_new(told, "age", age) == 0 && good;
  good = json_object_set_new(told, "read_only", json_boolean(read_only)) == 0 && good;
  return json_if(good, told);
}

/* Of a list's jobs all that run, and the first of those that wait, and that have ended. NULL: no memory. */
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
  const json_t *status = look(jobs);
  json_t *counts = json_object();
  bool good = counts;
  if (is_due(&jobs->listed, jobs->pause)) {
    good = job_list_read(&jobs->spool, status, WEB_JOBS_MAX, &jobs->list) && good;
    jobs->pause = fmin(fmax((ctl_seconds() - jobs->listed) / LOOK_SHARE, LOOK_SECONDS), LOOK_LONGEST);
  }
  for (int f = 0; f < SPOOL_FOLDERS && good; f++)
    good = json_object_set_new(counts, job_state_name((SpoolFolder)f), json_integer(jobs->list.counts[f])) == 0;
  json_t *told = json_pack("{s:o, s:o, s:o?}", "jobs", first_of(jobs->list.jobs, most), "counts", counts,
                           "ivps_per_second", json_incref(json_object_get(status, "ivps_per_second")));
  return with_service(jobs, read_only, json_if(good, told));
}

static json_t *one(WebJobs *jobs, const char *name) { return job_list_one(&jobs->spool, look(jobs), name); }

json_t *web_jobs_one(WebJobs *jobs, const char *name, bool read_only) {
  json_t *job = one(jobs, name);
  return job ? with_service(jobs, read_only, job) : NULL;
}

bool web_jobs_has(WebJobs *jobs, const char *name) {
  json_t *job = one(jobs, name);
  json_decref(job);
  return job;
}

json_t *web_jobs_status(WebJobs *jobs, bool read_only, int priority_max) {
  const json_t *status = look(jobs);
  json_t *told = json_is_object(status) ? json_copy((json_t *)status) : json_object(); /* only read */
  bool good = json_object_set_new(told, "priority_max", json_integer(priority_max)) == 0;
  return with_service(jobs, read_only, json_if(good, told));
}

/* Files -------------------------------------------------------------------------------------------------------- */

/* -1: there is none of that name, or it may not be looked into. What waits is a folder only where it is packed. */
static int open_job(const WebJobs *jobs, const char *name) {
  SpoolFolder folder = SPOOL_INCOMING;
  spool_folders_find(&jobs->spool, name, &folder);
  return spool_open_job(&jobs->spool, folder, name);
}

bool web_jobs_ended(const WebJobs *jobs, const char *name, struct stat *info) {
  SpoolFolder state;
  int folder = spool_folders_find(&jobs->spool, name, &state) && state >= SPOOL_DONE
                   ? spool_open_job(&jobs->spool, state, name)
                   : -1;
  bool good = folder >= 0 && fstat(folder, info) == 0;
  if (folder >= 0) close(folder);
  return good;
}

/* A file with another name may be somebody else's, which its owner does not see. */
static int open_file(int folder, const char *file, struct stat *info) {
  int opened = spool_open_file(folder, file, info);
  if (opened < 0 || info->st_nlink == 1) return opened;
  close(opened);
  return -1;
}

/* The problem of a job that waits as a single file. */
static int open_waiting(const WebJobs *jobs, const char *name, struct stat *info) {
  char file[SPOOL_WAITING_MAX];
  bool waits = spool_find_waiting(&jobs->spool, name, file, info);
  return waits ? open_file(jobs->spool.folders[SPOOL_INCOMING], file, info) : -1;
}

int web_jobs_open(const WebJobs *jobs, const char *name, const char *file, size_t *size) {
  struct stat info;
  int folder = open_job(jobs, name), opened = folder < 0 ? -1 : open_file(folder, file, &info);
  if (folder < 0 && strcmp(file, SPOOL_PROBLEM) == 0) opened = open_waiting(jobs, name, &info);
  if (folder >= 0) close(folder);
  if (opened >= 0) *size = (size_t)info.st_size;
  return opened;
}

json_t *web_jobs_files(WebJobs *jobs, const char *name) {
  char file[WEB_FILE_SIZE];
  json_t *files = web_jobs_has(jobs, name) ? json_array() : NULL;
  for (int k = 0; files && web_file_at(k, file); k++) {
    size_t size;
    int opened = web_jobs_open(jobs, name, file, &size);
    if (opened < 0) continue;
    close(opened);
    json_array_append_new(files, json_pack("{s:s, s:I}", "name", file, "size", (json_int_t)size));
  }
  return files ? json_pack("{s:o}", "files", files) : NULL;
}
