/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/spool_adopt.h"

#include "src/base/json_values.h"
#include "src/spool/job_file.h"
#include "src/spool/spool_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = 1000 /* maximum number of files in a package, including files of other users */ };
static const char TAKEN[] = ".taken";

/* Recording the submitter of a job --------------------------------------------------------------------------------- */

bool spool_submitter(const Spool *spool, SpoolFolder folder, const char *name, Submitter *submitter) {
  int job = spool_open_job(&spool->at, folder, name);
  struct stat info;
  if (job < 0) return false;
  json_t *json = spool_read_json(job, SPOOL_SUBMITTED);
  const json_t *user = json_object_get(json, "user"), *group = json_object_get(json, "group");
  bool known = json_is_integer(user) && json_is_integer(group);
  if (known)
    *submitter = (Submitter){(uid_t)json_integer_value(user), (gid_t)json_integer_value(group),
                             (time_t)json_integer_value(json_object_get(json, "at"))};
  json_decref(json);
  bool there = !known && (fstatat(job, SPOOL_PACKAGE, &info, AT_SYMLINK_NOFOLLOW) == 0 ||
                          fstatat(job, SPOOL_PROBLEM, &info, AT_SYMLINK_NOFOLLOW) == 0);
  if (there) *submitter = (Submitter){info.st_uid, info.st_gid, info.st_mtime};
  close(job);
  return known || there;
}

/* Returns whether running/NAME has this file. */
static bool has(const Spool *spool, const char *name, const char *file) {
  struct stat info;
  int job = spool_open_job(&spool->at, SPOOL_RUNNING, name);
  bool there = job >= 0 && fstatat(job, file, &info, AT_SYMLINK_NOFOLLOW) == 0;
  if (job >= 0) close(job);
  return there;
}

int spool_note_submitter(const Spool *spool, const char *name, const char *file, Diagnostics *diagnostics) {
  Results there = {.diagnostics = diagnostics, .lock = -1};
  Submitter s;
  if (spool_path(spool, name, NULL, there.directory)) return EXIT_USAGE;
  /* an error is reported later, when the job is opened */
  if (!spool_submitter(spool, SPOOL_RUNNING, name, &s)) return 0;
  bool shown = file && !text_has_control(file) && !has(spool, name, SPOOL_PACKAGE);
  json_t *json = json_pack("{s:I, s:I, s:I, s:o*}", "user", (json_int_t)s.user, "group", (json_int_t)s.group, "at",
                           (json_int_t)s.at, "file", shown ? json_text(file) : NULL);
  int failed = results_write_json(&there, SPOOL_SUBMITTED, json, 6);
  json_decref(json);
  if (geteuid() != 0 && s.user != geteuid() && chown(there.directory, (uid_t)-1, s.group) == 0)
    chmod(there.directory, 0750);
  return failed ? EXIT_INTERNAL : 0;
}

void spool_note_exit(const Spool *spool, const char *name, int code) {
  Results there = {.diagnostics = spool->top.diagnostics, .lock = -1};
  int job = spool_open_job(&spool->at, SPOOL_RUNNING, name);
  json_t *json = job < 0 ? NULL : spool_read_json(job, SPOOL_SUBMITTED);
  if (json_object_set_new(json, "exit", json_integer(code)) == 0 && !spool_path(spool, name, NULL, there.directory))
    results_write_json(&there, SPOOL_SUBMITTED, json, 6);
  json_decref(json);
  if (job >= 0) close(job);
}

/* Copying the files of a job --------------------------------------------------------------------------------------- */

/* State of a copy: its source and destination, and the number of files so far. */
typedef struct Copying {
  Results there; /* the destination running/NAME */
  int from;      /* source folder */
  uid_t owner;   /* only files of this user are copied from a packed job */
  size_t size;
  int files;                  /* number of copied files, not counting problem.yaml and job.json */
  bool has_problem, reported; /* reported: whether it has been reported that the package has files of other users */
  int code;                   /* exit code of the last error; 0: no error */
} Copying;

static void complain(Copying *copying, const char *file, const char *what) {
  copying->code =
      diagnostics_error(copying->there.diagnostics, EXIT_USAGE, "%s/%s: %s", copying->there.directory, file, what);
}

/* Returns the reason why a file could not be opened as a regular file. number: errno of the failure. */
static const char *fault(int folder, const char *file, int number) {
  struct stat info;
  if (fstatat(folder, file, &info, AT_SYMLINK_NOFOLLOW)) return strerror(errno);
  if (S_ISLNK(info.st_mode)) return "a link (expected a file)";
  if (S_ISDIR(info.st_mode)) return "a folder (expected a file)";
  return S_ISREG(info.st_mode) ? strerror(number) : "not a file (expected a file)";
}

/* Reads a file once and writes a copy. most: maximum size. Type and size are checked on the open descriptor, since the
 * file may be replaced at any time. */
static void copy(Copying *copying, const char *file, size_t most) {
  struct stat info;
  int opened = spool_open_file(copying->from, file, &info);
  if (opened < 0) {
    complain(copying, file, fault(copying->from, file, errno));
    return;
  }
  char what[96];
  size_t size = 0;
  bool link = info.st_nlink > 1, large = (size_t)info.st_size > most;
  char *text = link || large ? NULL : spool_read_open(opened, most, &size);
  snprintf(what, sizeof what, "too large, %.3g MiB (expected at most %zu MiB)", (double)info.st_size / (1 << 20),
           most >> 20);
  if (!text)
    complain(copying, file, link ? "a link (expected a file)" : large ? what : "cannot be read");
  else if (results_write_bytes(&copying->there, file, text, size))
    copying->code = EXIT_INTERNAL;
  copying->size += size;
  free(text);
  close(opened);
}

/* Returns whether a file belongs to another user than the package. All users may have write permission for a package,
 * since the service needs it in order to move the package. Files that they add must not become part of the job. */
static bool is_of_others(Copying *copying, const char *file) {
  struct stat info;
  bool others = fstatat(copying->from, file, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_uid != copying->owner;
  if (others && !copying->reported)
    diagnostics_warn(copying->there.diagnostics, "%s/%s: it belongs to another user: left out",
                     copying->there.directory, file);
  copying->reported |= others;
  return others;
}

static void copy_of_package(Copying *copying, const char *file) {
  if (is_of_others(copying, file)) return;
  size_t left = SPOOL_JOB_MAX - copying->size;
  bool problem = strcmp(file, SPOOL_PROBLEM) == 0, job = strcmp(file, SPOOL_JOB) == 0;
  size_t most = problem ? SPOOL_FILE_MAX : job ? JOB_TEXT_MAX : SPOOL_JOB_MAX;
  if (problem) copying->has_problem = true;
  if (!problem && !job && !spool_is_file_name(file))
    complain(copying, file, "no name of a job's file (expected letters, digits, -._, and none that results have)");
  else if (!problem && !job && ++copying->files > SPOOL_FILES_MAX)
    complain(copying, file, "too many files");
  else
    copy(copying, file, most < left ? most : left);
}

/* Copies the files of a package, and stops at the first error, since each of any number of files could cause a message.
 * Afterwards renames the package to NAME.taken. */
static void copy_package(Copying *copying, int job) {
  if (geteuid() == 0) { /* as root, makes the package inaccessible to other users, so that they can add no more files */
    if (fchown(copying->from, 0, 0) == 0) fchmod(copying->from, 0700);
  }
  DIR *handle = spool_open_names(copying->from);
  int names = 0;
  for (const struct dirent *entry; handle && !copying->code && (entry = readdir(handle)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (++names > NAMES_MAX)
      complain(copying, SPOOL_PACKAGE, "too many files in it, also of others");
    else
      copy_of_package(copying, entry->d_name);
  }
  if (handle) closedir(handle);
  if (!copying->has_problem && !copying->code)
    complain(copying, SPOOL_PROBLEM, "not there (a job is a problem file, or a folder with problem.yaml)");
  if (!copying->code && renameat(job, SPOOL_PACKAGE, job, TAKEN)) complain(copying, SPOOL_PACKAGE, strerror(errno));
}

int spool_adopt(const Spool *spool, const char *name, Diagnostics *diagnostics) {
  Copying copying = {.there = {.diagnostics = diagnostics, .lock = -1}};
  int code = spool_path(spool, name, NULL, copying.there.directory);
  if (!code && !has(spool, name, SPOOL_SUBMITTED)) code = spool_note_submitter(spool, name, NULL, diagnostics);
  if (code) return code;
  int job = spool_open_job(&spool->at, SPOOL_RUNNING, name);
  if (job < 0) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", copying.there.directory, strerror(errno));
  struct stat info;
  Submitter submitter = {.user = geteuid()};
  spool_submitter(spool, SPOOL_RUNNING, name, &submitter);
  copying.owner = submitter.user;
  if (fstatat(job, SPOOL_PACKAGE, &info, AT_SYMLINK_NOFOLLOW) == 0) {
    copying.from = openat(job, SPOOL_PACKAGE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (copying.from < 0)
      complain(&copying, SPOOL_PACKAGE, strerror(errno));
    else
      copy_package(&copying, job);
    if (copying.from >= 0) close(copying.from);
  } else {
    copying.from = job;
    copy(&copying, SPOOL_PROBLEM, SPOOL_FILE_MAX);
  }
  spool_remove_folder(job, TAKEN); /* all files are copied, so the package is no longer needed */
  close(job);
  return copying.code;
}
