/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* declares O_PATH and dup3 */
#include "src/spool/spool_folders.h"

#include "src/base/result_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

const char *const spool_folder_names[SPOOL_FOLDERS] = {"incoming", "running", "done", "failed", "cancelled"};

/* Making and checking names ---------------------------------------------------------------------------------------- */

static bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

void spool_job_name(const char *file, char name[SPOOL_NAME_MAX]) {
  size_t length = strlen(file);
  if (text_ends_with(file, ".yaml"))
    length -= strlen(".yaml");
  else if (text_ends_with(file, ".yml"))
    length -= strlen(".yml");
  if (length > SPOOL_NAME_CUT) length = SPOOL_NAME_CUT;
  for (size_t i = 0; i < length; i++) {
    bool first = i == 0 && (file[i] == '.' || file[i] == '-');
    name[i] = plain(file[i]) && !first ? file[i] : '_';
  }
  name[length] = 0;
  if (text_ends_with(name, SPOOL_CANCEL)) name[length - strlen(SPOOL_CANCEL)] = '_';
}

void spool_numbered_name(const char *name, long k, char numbered[SPOOL_NAME_MAX]) {
  if (k < 2)
    snprintf(numbered, SPOOL_NAME_MAX, "%.*s", SPOOL_NAME_MAX - 1, name);
  else
    snprintf(numbered, SPOOL_NAME_MAX, "%.*s-%ld", SPOOL_NAME_CUT, name, k);
}

bool spool_is_name(const char *text) {
  size_t length = 0;
  while (length < SPOOL_NAME_MAX && plain(text[length])) length++;
  return length > 0 && length < SPOOL_NAME_MAX && !text[length] && text[0] != '.' && text[0] != '-' &&
         !text_ends_with(text, SPOOL_CANCEL);
}

bool spool_is_file_name(const char *text) {
  static const char *const own[] = {SPOOL_PROBLEM,  SPOOL_JOB,   SPOOL_SUBMITTED, "attempts.json",
                                    "messages.txt", "error.txt", "checkpoint",    "exact",
                                    "figures",      "refined",   "runs",          NULL};
  for (int i = 0; own[i]; i++)
    if (strcmp(text, own[i]) == 0) return false;
  for (int i = 0; result_files[i]; i++)
    if (strcmp(text, result_files[i]) == 0) return false;
  return spool_is_name(text);
}

/* Opening the folders ---------------------------------------------------------------------------------------------- */

bool spool_is_same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns whether an open descriptor still refers to the entry with this name in a folder. If there is no such entry,
 * returns true. */
static bool is_current(int opened, int in, const char *name, int flags) {
  struct stat held, there;
  return fstatat(in, name, &there, flags) || (fstat(opened, &held) == 0 && spool_is_same_file(&held, &there));
}

/* Opens a folder. If there is no permission to read it, the descriptor only gives access to its entries by name. */
static int open_folder(int in, const char *name) {
  int flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, opened = openat(in, name, O_RDONLY | flags);
  return opened >= 0 ? opened : openat(in, name, O_PATH | flags);
}

/* Makes the descriptor `opened` refer to the same folder as `by`, and closes `by`. This is a single step, so that other
 * threads see either the old folder or the new one. */
static void replace(int opened, int by) {
  if (by < 0) return;
  dup3(by, opened, O_CLOEXEC);
  close(by);
}

void spool_folders_again(SpoolFolders *spool) {
  if (!is_current(spool->self, AT_FDCWD, spool->path, 0))
    replace(spool->self, open(spool->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int f = 0; f < SPOOL_FOLDERS; f++) {
    const char *name = spool_folder_names[f];
    int opened = spool->folders[f];
    if (opened < 0)
      spool->folders[f] = open_folder(spool->self, name);
    else if (!is_current(opened, spool->self, name, AT_SYMLINK_NOFOLLOW))
      replace(opened, open_folder(spool->self, name));
  }
}

double spool_folders_delay(const SpoolFolders *spool) {
  /* Time, in s, for which a folder may be seen in an earlier state: on NFS (ON_A_NETWORK), and on a local disk
   * (HERE). */
  enum { ON_A_NETWORK = 60, HERE = 1 };
  struct statfs system;
  bool known = fstatfs(spool->self, &system) == 0;
  return known && (system.f_type == NFS_SUPER_MAGIC || system.f_type == SMB2_SUPER_MAGIC) ? ON_A_NETWORK : HERE;
}

int spool_folders_open(SpoolFolders *spool, const char *path, Diagnostics *diagnostics) {
  size_t length = strlen(path);
  *spool = (SpoolFolders){.self = -1};
  for (int f = 0; f < SPOOL_FOLDERS; f++) spool->folders[f] = -1;
  while (length > 1 && path[length - 1] == '/') length--;
  if (length >= sizeof spool->path)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%.60s..: the name is too long", path);
  snprintf(spool->path, sizeof spool->path, "%.*s", (int)length, path);
  spool->self = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (spool->self < 0) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", spool->path, strerror(errno));
  spool_folders_again(spool);
  if (spool->folders[SPOOL_INCOMING] >= 0) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "%s: this is no folder of a service, incoming/ is missing "
                           "(stiction serve %s --init makes one)",
                           spool->path, spool->path);
}

void spool_folders_close(SpoolFolders *spool) {
  for (int f = 0; f < SPOOL_FOLDERS; f++)
    if (spool->folders[f] >= 0) close(spool->folders[f]);
  if (spool->self >= 0) close(spool->self);
}

void spool_remove_folder(int in, const char *name) {
  int folder = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *handle = folder < 0 ? NULL : fdopendir(folder);
  if (!handle && folder >= 0) close(folder);
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlinkat(folder, entry->d_name, 0);
  if (handle) closedir(handle);
  unlinkat(in, name, AT_REMOVEDIR);
}

bool spool_find_waiting(const SpoolFolders *spool, const char *name, char file[SPOOL_WAITING_MAX], struct stat *info) {
  static const char *const ends[] = {"", ".yaml", ".yml"};
  bool found = false, own = false;
  if (spool->folders[SPOOL_INCOMING] < 0 || !spool_is_name(name)) return false;
  for (size_t k = 0; k < sizeof ends / sizeof *ends && !own; k++) {
    char other[SPOOL_WAITING_MAX];
    struct stat there;
    int length = snprintf(other, sizeof other, "%s%s", name, ends[k]);
    if (length >= SPOOL_NAME_MAX) continue;
    if (fstatat(spool->folders[SPOOL_INCOMING], other, &there, AT_SYMLINK_NOFOLLOW)) continue;
    own = there.st_uid == geteuid();
    if (found && !own) continue;
    found = true;
    memcpy(file, other, sizeof other);
    if (info) *info = there;
  }
  return found;
}

/* Jobs move only from running/ to later folders, so a search that begins at running/ misses none. */
bool spool_folders_find_from(const SpoolFolders *spool, const char *name, SpoolFolder from, SpoolFolder *folder) {
  char file[SPOOL_WAITING_MAX];
  struct stat info;
  for (int f = (int)from; f < SPOOL_FOLDERS; f++) {
    if (f == SPOOL_INCOMING && !spool_find_waiting(spool, name, file, NULL)) continue;
    if (f != SPOOL_INCOMING && (spool->folders[f] < 0 || fstatat(spool->folders[f], name, &info, AT_SYMLINK_NOFOLLOW)))
      continue;
    *folder = (SpoolFolder)f;
    return true;
  }
  return false;
}

bool spool_folders_find(const SpoolFolders *spool, const char *name, SpoolFolder *folder) {
  return spool_folders_find_from(spool, name, SPOOL_RUNNING, folder);
}

void spool_free_name(const SpoolFolders *spool, const char *name, char result[SPOOL_NAME_MAX]) {
  SpoolFolder folder;
  spool_numbered_name(name, 1, result);
  for (long k = 2; spool_folders_find(spool, result, &folder); k++) spool_numbered_name(name, k, result);
}
