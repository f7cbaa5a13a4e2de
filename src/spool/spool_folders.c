#define _GNU_SOURCE /* O_PATH */
#include "src/spool/spool_folders.h"

#include "src/base/exit_code.h"
#include "src/base/result_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const spool_folder_names[SPOOL_FOLDERS] = {"incoming", "running", "done", "failed", "cancelled"};

/* Names -------------------------------------------------------------------------------------------------------- */

static bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

/* Whether a text of that length ends so, with something before it. */
static bool ends_with(const char *text, size_t length, const char *end) {
  size_t n = strlen(end);
  return length > n && strncmp(text + length - n, end, n) == 0;
}

void spool_job_name(const char *file, char name[SPOOL_NAME_MAX]) {
  size_t length = strlen(file);
  if (ends_with(file, length, ".yaml"))
    length -= strlen(".yaml");
  else if (ends_with(file, length, ".yml"))
    length -= strlen(".yml");
  if (length > SPOOL_NAME_CUT) length = SPOOL_NAME_CUT;
  for (size_t i = 0; i < length; i++) {
    bool first = i == 0 && (file[i] == '.' || file[i] == '-');
    name[i] = plain(file[i]) && !first ? file[i] : '_';
  }
  name[length] = 0;
  if (ends_with(name, length, SPOOL_CANCEL)) name[length - strlen(SPOOL_CANCEL)] = '_';
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
         !ends_with(text, length, SPOOL_CANCEL);
}

bool spool_is_file_name(const char *text) {
  static const char *const own[] = {SPOOL_PROBLEM, SPOOL_JOB,    SPOOL_SUBMITTED, "attempts.json", "messages.txt",
                                    "error.txt",   "checkpoint", "exact",         "figures",       "runs",
                                    NULL};
  for (int i = 0; own[i]; i++)
    if (strcmp(text, own[i]) == 0) return false;
  for (int i = 0; result_files[i]; i++)
    if (strcmp(text, result_files[i]) == 0) return false;
  return spool_is_name(text);
}

/* Folders ------------------------------------------------------------------------------------------------------ */

void spool_folders_again(SpoolFolders *spool) {
  int flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  for (int f = 0; f < SPOOL_FOLDERS; f++) {
    int *folder = &spool->folders[f];
    if (*folder < 0) *folder = openat(spool->self, spool_folder_names[f], O_RDONLY | flags);
    if (*folder < 0) /* not to be listed by us, but perhaps to be put into */
      *folder = openat(spool->self, spool_folder_names[f], O_PATH | flags);
  }
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

/* Jobs move from running/ on alone: who looks there first misses none. */
bool spool_folders_find_from(const SpoolFolders *spool, const char *name, SpoolFolder from, SpoolFolder *folder) {
  struct stat info;
  for (int f = from; f < SPOOL_FOLDERS; f++) {
    if (spool->folders[f] < 0 || fstatat(spool->folders[f], name, &info, AT_SYMLINK_NOFOLLOW)) continue;
    *folder = (SpoolFolder)f;
    return true;
  }
  return false;
}

bool spool_folders_find(const SpoolFolders *spool, const char *name, SpoolFolder *folder) {
  return spool_folders_find_from(spool, name, SPOOL_RUNNING, folder);
}
