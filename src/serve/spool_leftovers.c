/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/spool_leftovers.h"
#include "src/spool/spool_read.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* age, in s, from which on a file counts as left over */
static const double OLD_SECONDS = 24 * 3600;

/* Returns whether a name has the form .NAME.PID-K, which job_submit gives to jobs that are not submitted yet. */
static bool is_hidden_job(const char *file) {
  static const char digits[] = "0123456789";
  char name[SPOOL_NAME_MAX];
  const char *end = strrchr(file, '.');
  if (file[0] != '.' || !end || end == file || (size_t)(end - file) > sizeof name) return false;
  memcpy(name, file + 1, (size_t)(end - file - 1));
  name[end - file - 1] = 0;
  size_t pid = strspn(end + 1, digits);
  const char *rest = end + 1 + pid;
  size_t k = *rest == '-' ? strspn(rest + 1, digits) : 0;
  return spool_is_name(name) && pid && k && !rest[1 + k];
}

static bool is_file(const struct stat *info) { return S_ISREG(info->st_mode) && info->st_nlink == 1; }

static bool is_old(const struct stat *info, time_t now) { return difftime(now, info->st_mtime) > OLD_SECONDS; }

/* Examines a folder. Returns whether all its entries are old files of a job. removes: such entries are removed. */
static bool walk(int folder, time_t now, bool removes) {
  DIR *handle = spool_open_names(folder);
  bool good = handle;
  for (const struct dirent *entry; good && (entry = readdir(handle)) != NULL;) {
    const char *name = entry->d_name;
    struct stat info;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    bool known = strcmp(name, SPOOL_PROBLEM) == 0 || strcmp(name, SPOOL_JOB) == 0 || spool_is_file_name(name);
    good = known && fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && is_file(&info) && is_old(&info, now);
    if (good && removes) good = unlinkat(folder, name, 0) == 0;
  }
  if (handle) closedir(handle);
  return good;
}

static bool clear(int incoming, const char *file, time_t now) {
  struct stat info;
  if (fstatat(incoming, file, &info, AT_SYMLINK_NOFOLLOW) || !is_old(&info, now)) return false;
  if (is_file(&info)) return unlinkat(incoming, file, 0) == 0;
  if (!S_ISDIR(info.st_mode)) return false;
  int folder = openat(incoming, file, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool good = folder >= 0 && walk(folder, now, false) && walk(folder, now, true);
  if (folder >= 0) close(folder);
  return good && unlinkat(incoming, file, AT_REMOVEDIR) == 0;
}

/* Returns the current time of the spool's file system; 0: unknown. */
static time_t file_time(const Spool *spool) {
  struct stat info;
  bool known = futimens(spool->top.lock, NULL) == 0 && fstat(spool->top.lock, &info) == 0;
  return known ? info.st_mtime : 0;
}

void spool_leftovers_clear(const Spool *spool) {
  time_t now = file_time(spool);
  int incoming = spool->at.folders[SPOOL_INCOMING];
  DIR *handle = now ? spool_open_names(incoming) : NULL;
  long cleared = 0;
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;)
    if (is_hidden_job(entry->d_name)) cleared += clear(incoming, entry->d_name, now);
  if (handle) closedir(handle);
  if (cleared)
    diagnostics_warn(spool->top.diagnostics,
                     "%s/%s: %ld jobs were begun to be written there more than a day ago: cleared away",
                     spool->top.directory, spool_folder_names[SPOOL_INCOMING], cleared);
}
