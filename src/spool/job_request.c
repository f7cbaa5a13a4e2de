/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_request.h"

#include "src/spool/job_list.h"
#include "src/spool/spool_read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { REQUEST_SIZE = SPOOL_NAME_MAX + 8 };

static const char *request(const char *name, char file[REQUEST_SIZE]) {
  snprintf(file, REQUEST_SIZE, "%s%s", name, SPOOL_CANCEL);
  return file;
}

int job_request_cancel(const SpoolFolders *spool, const char *name, Diagnostics *diagnostics) {
  char file[REQUEST_SIZE], user[SPOOL_USER_SIZE];
  struct stat info;
  int incoming = spool->folders[SPOOL_INCOMING];
  int made = openat(incoming, request(name, file), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (made >= 0) {
    close(made);
    return 0;
  }
  int why = errno;
  bool there = why == EEXIST && fstatat(incoming, file, &info, AT_SYMLINK_NOFOLLOW) == 0;
  if (there && info.st_uid == geteuid() && S_ISREG(info.st_mode)) return 0;
  if (there)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: cannot be asked for: %s has left a file %s/%s/%s", name,
                             spool_user(info.st_uid, user), spool->path, spool_folder_names[SPOOL_INCOMING], file);
  bool usage = why == EACCES || why == EPERM || why == EROFS;
  return diagnostics_error(diagnostics, usage ? EXIT_USAGE : EXIT_INTERNAL, "%s/%s/%s: %s", spool->path,
                           spool_folder_names[SPOOL_INCOMING], file, strerror(why));
}

/* Returns whether this user may cancel a running job. Only its submitter, the service's user and root may. If the
 * submitter is not known, the result is JOB_RIGHT_UNKNOWN. */
static JobRight right_to_running(const SpoolFolders *spool, const json_t *status, const char *name) {
  char user[SPOOL_USER_SIZE];
  json_t *job = job_list_begun(spool, status, name);
  const char *submitter = json_string_value(json_object_get(job, "submitter"));
  bool ours = submitter && strcmp(submitter, spool_user(geteuid(), user)) == 0;
  JobRight right = ours ? JOB_RIGHT_YES : submitter ? JOB_RIGHT_NO : JOB_RIGHT_UNKNOWN;
  json_decref(job);
  return right;
}

static bool runs(const SpoolFolders *spool, const char *name) {
  SpoolFolder folder;
  return spool_folders_find(spool, name, &folder) && folder == SPOOL_RUNNING;
}

bool job_request_takes_waiting(const SpoolFolders *spool, const json_t *status, const char *name) {
  char file[SPOOL_WAITING_MAX];
  struct stat info;
  if (!spool_find_waiting(spool, name, file, &info)) return false;
  return !runs(spool, name) || (info.st_uid == geteuid() && right_to_running(spool, status, name) != JOB_RIGHT_YES);
}

JobRight job_request_right(const SpoolFolders *spool, const json_t *status, const char *name) {
  char file[SPOOL_WAITING_MAX];
  struct stat info;
  if (geteuid() == 0) return JOB_RIGHT_YES;
  if (fstat(spool->folders[SPOOL_RUNNING], &info) == 0 && info.st_uid == geteuid()) return JOB_RIGHT_YES;
  if (job_request_takes_waiting(spool, status, name) && spool_find_waiting(spool, name, file, &info))
    return info.st_uid == geteuid() ? JOB_RIGHT_YES : JOB_RIGHT_NO;
  return runs(spool, name) ? right_to_running(spool, status, name) : JOB_RIGHT_UNKNOWN;
}

bool job_request_waits(const SpoolFolders *spool, const char *name) {
  char file[REQUEST_SIZE];
  struct stat info;
  return fstatat(spool->folders[SPOOL_INCOMING], request(name, file), &info, AT_SYMLINK_NOFOLLOW) == 0;
}

void job_request_drop(const SpoolFolders *spool, const char *name) {
  char file[REQUEST_SIZE];
  unlinkat(spool->folders[SPOOL_INCOMING], request(name, file), 0);
}

/* Moves a waiting problem file into a new folder in cancelled/. */
static int take_file_back(const SpoolFolders *spool, const char *file, const char *name) {
  char to[SPOOL_NAME_MAX + 16];
  int cancelled = spool->folders[SPOOL_CANCELLED];
  if (mkdirat(cancelled, name, 0700)) return errno;
  snprintf(to, sizeof to, "%s/%s", name, SPOOL_PROBLEM);
  if (renameat(spool->folders[SPOOL_INCOMING], file, cancelled, to) == 0) return 0;
  int why = errno;
  unlinkat(cancelled, name, AT_REMOVEDIR);
  return why;
}

int job_request_take_back(const SpoolFolders *spool, const char *name) {
  char file[SPOOL_WAITING_MAX], as[SPOOL_NAME_MAX];
  struct stat info;
  int incoming = spool->folders[SPOOL_INCOMING], cancelled = spool->folders[SPOOL_CANCELLED];
  if (cancelled < 0) return EACCES;
  if (!spool_find_waiting(spool, name, file, &info)) return ENOENT;
  spool_free_name(spool, name, as);
  if (!S_ISDIR(info.st_mode)) return take_file_back(spool, file, as);
  return renameat(incoming, file, cancelled, as) ? errno : 0;
}
