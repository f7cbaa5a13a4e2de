/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* declares renameat2 */
#include "src/spool/job_submit.h"

#include "src/spool/job_inputs.h"
#include "src/spool/spool_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* maximum number of names that are tried for a job */
enum { TRIES = 1000 };

/* Access rights of a spool ----------------------------------------------------------------------------------------- */

/* Permissions of a job's files, with which the service can read them. */
typedef struct Rights {
  mode_t folder, file;
  gid_t group; /* group of the files; -1: unchanged */
} Rights;

/* Chooses permissions. A service that runs as another user must be able to read the files, and to move the folder,
 * which requires write permission. These permissions are given to the group of incoming/ if this group may write there,
 * otherwise to all users. The sticky bit prevents other users from removing or replacing files in the folder. Files
 * that others add are ignored (spool_adopt.h). */
static Rights find_rights(int incoming) {
  struct stat info;
  if (fstat(incoming, &info) || info.st_uid == 0 || info.st_uid == geteuid()) return (Rights){0700, 0600, (gid_t)-1};
  if ((info.st_mode & S_IWGRP) && !(info.st_mode & S_IWOTH)) return (Rights){01770, 0640, info.st_gid};
  return (Rights){01777, 0644, (gid_t)-1};
}

/* Sets group and mode of a file. Returns 0 or errno. */
static int set_access(int file, mode_t mode, gid_t group) {
  bool good = (group == (gid_t)-1 || fchown(file, (uid_t)-1, group) == 0) && fchmod(file, mode) == 0;
  return good ? 0 : errno;
}

/* Writing a job ---------------------------------------------------------------------------------------------------- */

static int refuse(const SpoolFolders *spool, const char *name, int number, Diagnostics *diagnostics) {
  bool usage = number == EACCES || number == EPERM || number == ENOENT || number == EROFS;
  return diagnostics_error(diagnostics, usage ? EXIT_USAGE : EXIT_INTERNAL, "%s/%s/%s: %s", spool->path,
                           spool_folder_names[SPOOL_INCOMING], name, strerror(number));
}

/* Writes a file with these permissions. Returns 0 or errno. */
static int write_file(int folder, const char *name, const Rights *rights, const char *bytes, size_t size) {
  int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  int failed = set_access(file, rights->file, rights->group);
  for (size_t done = 0; done < size && !failed;) {
    ssize_t put = write(file, bytes + done, size - done);
    if (put > 0) done += (size_t)put;
    if (put < 0 && errno != EINTR) failed = errno;
  }
  if (!failed && fsync(file)) failed = errno;
  if (close(file) && !failed) failed = errno;
  return failed;
}

/* Copies the files that the problem names into the folder of the job. Returns 0, or an exit code after reporting an
 * error. */
static int copy_inputs(const SpoolFolders *spool, int folder, const Rights *rights, const JobInputs *inputs,
                       size_t used, Diagnostics *diagnostics) {
  for (int i = 0; i < inputs->n; i++) {
    const JobInput *input = &inputs->list[i];
    size_t size;
    bool copied = false;
    for (int k = 0; k < i; k++) copied |= strcmp(inputs->list[k].name, input->name) == 0;
    if (copied) continue;
    char *bytes = file_read(input->path, &size, diagnostics);
    if (!bytes) return diagnostics->no_memory ? diagnostics_no_memory(diagnostics) : EXIT_USAGE;
    used += size;
    int failed = used <= SPOOL_JOB_MAX ? write_file(folder, input->name, rights, bytes, size) : 0;
    free(bytes);
    if (failed) return refuse(spool, input->name, failed, diagnostics);
    if (used > SPOOL_JOB_MAX)
      return diagnostics_error(diagnostics, EXIT_USAGE,
                               "%s: with this file the job is too large (expected at most %d MiB)", input->path,
                               SPOOL_JOB_MAX >> 20);
  }
  return 0;
}

static int write_job(const SpoolFolders *spool, int folder, const Rights *rights, const JobFile *job,
                     const JobText *problem, const JobInputs *inputs, Diagnostics *diagnostics) {
  json_t *json = job_file_json(job);
  char *text = json ? json_dumps(json, JSON_INDENT(2)) : NULL;
  json_decref(json);
  if (!text) return diagnostics_no_memory(diagnostics);
  int failed = write_file(folder, SPOOL_JOB, rights, text, strlen(text));
  if (!failed) failed = write_file(folder, SPOOL_PROBLEM, rights, problem->text, problem->size);
  free(text);
  if (failed) return refuse(spool, SPOOL_PROBLEM, failed, diagnostics);
  int code = copy_inputs(spool, folder, rights, inputs, problem->size, diagnostics);
  if (!code && fsync(folder)) code = refuse(spool, "", errno, diagnostics);
  return code;
}

/* Creates the job in incoming/ under a hidden name, as a file or a folder. */
static int write_hidden(const SpoolFolders *spool, const JobFile *job, const JobText *problem, const JobInputs *inputs,
                        JobPacked *packed, Diagnostics *diagnostics) {
  int incoming = spool->folders[SPOOL_INCOMING], failed = EEXIST;
  const Rights rights = find_rights(incoming);
  for (int k = 0; k < TRIES && failed == EEXIST; k++) {
    snprintf(packed->hidden, sizeof packed->hidden, ".%s.%ld-%d", packed->name, (long)getpid(), k);
    if (packed->folder)
      failed = mkdirat(incoming, packed->hidden, 0700) ? errno : 0;
    else
      failed = write_file(incoming, packed->hidden, &rights, problem->text, problem->size);
  }
  if (failed) {
    if (failed == EEXIST)
      packed->hidden[0] = 0; /* the existing file or folder belongs to another job, so it must not be removed */
    return refuse(spool, packed->name, failed, diagnostics);
  }
  if (!packed->folder) return 0;
  int folder = openat(incoming, packed->hidden, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return refuse(spool, packed->name, errno, diagnostics);
  int code = write_job(spool, folder, &rights, job, problem, inputs, diagnostics);
  failed = code ? 0 : set_access(folder, rights.folder, rights.group);
  if (failed) code = refuse(spool, packed->name, failed, diagnostics);
  close(folder);
  return code;
}

/* Packing the files of a job --------------------------------------------------------------------------------------- */

/* Returns whether the problem file alone defines the job, so that neither job.json nor further files are needed. */
static bool says_all(const JobFile *job, const JobText *problem, const JobInputs *inputs) {
  const JobText none = {.name = SPOOL_JOB};
  Diagnostics ignored = {0};
  JobFile alone;
  bool same = job_file_read(&none, problem, &ignored, &alone) == 0 && alone.command == job->command;
  job_file_clear(&alone);
  diagnostics_clear(&ignored);
  return same && !job->priority && !job->n_settings && !job->n_options && !inputs->n;
}

static int pack(const SpoolFolders *spool, const JobText *problem, JobFile *job, JobPacked *packed,
                Diagnostics *diagnostics) {
  JobInputs inputs;
  int code = job_inputs_find(problem->name, job, diagnostics, &inputs);
  packed->folder = !code && !says_all(job, problem, &inputs);
  if (!code) code = write_hidden(spool, job, problem, &inputs, packed, diagnostics);
  job_inputs_clear(&inputs);
  return code;
}

int job_submit_pack(const SpoolFolders *spool, const char *path, JobFile *job, const char *name,
                    Diagnostics *diagnostics, JobPacked *packed) {
  const char *slash = strrchr(path, '/');
  JobText problem = {.name = path};
  *packed = (JobPacked){.exact = name};
  spool_job_name(name ? name : slash ? slash + 1 : path, packed->name);
  if (name && (!spool_is_name(name) || strcmp(packed->name, name) != 0))
    return diagnostics_error(diagnostics, EXIT_USAGE,
                             "%s: no name of a job (expected letters, digits, -._, at most %d of them)", name,
                             SPOOL_NAME_CUT);
  char *text = file_read(path, &problem.size, diagnostics);
  if (!text) return diagnostics->no_memory ? diagnostics_no_memory(diagnostics) : EXIT_USAGE;
  problem.text = text;
  int code = problem.size <= SPOOL_FILE_MAX
                 ? pack(spool, &problem, job, packed, diagnostics)
                 : diagnostics_error(diagnostics, EXIT_USAGE, "%s: too large (expected at most %d MiB)", path,
                                     SPOOL_FILE_MAX >> 20);
  free(text);
  if (code) job_submit_drop(spool, packed);
  return code;
}

/* Submitting a written job ----------------------------------------------------------------------------------------- */

static bool is_taken(const SpoolFolders *spool, const char *name) {
  char file[SPOOL_WAITING_MAX];
  SpoolFolder folder;
  return spool_find_waiting(spool, name, file, NULL) || spool_folders_find(spool, name, &folder);
}

/* Renames an entry, unless the new name exists. Returns 0, EEXIST if the name exists, or another errno. */
static int rename_new(int folder, const char *from, const char *to) {
  if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return errno; /* without RENAME_NOREPLACE, which this file system does not support, another process may take the
                   * name in between */
  return renameat(folder, from, folder, to) == 0 ? 0 : errno == ENOTEMPTY ? EEXIST : errno;
}

int job_submit_put(const SpoolFolders *spool, JobPacked *packed, char name[SPOOL_NAME_MAX], Diagnostics *diagnostics) {
  int incoming = spool->folders[SPOOL_INCOMING], failed = EEXIST;
  for (long k = 1; failed == EEXIST && (k == 1 || !packed->exact); k++) {
    char file[SPOOL_WAITING_MAX];
    spool_numbered_name(packed->name, k, name);
    snprintf(file, sizeof file, "%s%s", name, packed->folder ? "" : ".yaml");
    failed = is_taken(spool, name) ? EEXIST : rename_new(incoming, packed->hidden, file);
  }
  if (failed == EEXIST)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: there is a job of this name already", packed->name);
  if (failed) return refuse(spool, packed->name, failed, diagnostics);
  packed->hidden[0] = 0;
  fsync(incoming); /* works only with permission to read incoming/ */
  return 0;
}

void job_submit_drop(const SpoolFolders *spool, JobPacked *packed) {
  int incoming = spool->folders[SPOOL_INCOMING];
  if (!packed->hidden[0]) return;
  if (packed->folder)
    spool_remove_folder(incoming, packed->hidden);
  else
    unlinkat(incoming, packed->hidden, 0);
  packed->hidden[0] = 0;
}
