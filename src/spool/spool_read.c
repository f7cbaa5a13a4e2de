/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/spool_read.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int spool_open_job(const SpoolFolders *spool, SpoolFolder folder, const char *name) {
  if (spool->folders[folder] < 0 || !spool_is_name(name)) return -1;
  return openat(spool->folders[folder], name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Opens the folder that contains the last part of a path, and sets *path to this part. Returns `folder` itself, or a
 * descriptor that the caller closes; -1 on failure. */
static int walk(int folder, const char **path) {
  int at = folder;
  for (const char *slash; at >= 0 && (slash = strchr(*path, '/')) != NULL; *path = slash + 1) {
    char part[64];
    int length = (int)(slash - *path), before = at;
    snprintf(part, sizeof part, "%.*s", length, *path);
    at = openat(before, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (before != folder) close(before);
  }
  return at;
}

int spool_open_file(int folder, const char *path, struct stat *info) {
  struct stat unwanted = {0};
  struct stat *about = info ? info : &unwanted;
  int in = walk(folder, &path);
  int file = in < 0 ? -1 : openat(in, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (in >= 0 && in != folder) close(in);
  if (file < 0 || (fstat(file, about) == 0 && S_ISREG(about->st_mode))) return file;
  close(file);
  errno = EINVAL;
  return -1;
}

int spool_open_shown(int folder, const char *path, struct stat *info) {
  struct stat unwanted = {0};
  struct stat *about = info ? info : &unwanted;
  int file = spool_open_file(folder, path, about);
  if (file < 0 || about->st_nlink == 1) return file;
  close(file);
  errno = EMLINK;
  return -1;
}

char *spool_read_open(int file, size_t most, size_t *size) {
  struct stat info;
  bool fits = fstat(file, &info) == 0 && info.st_size >= 0 && (uintmax_t)info.st_size <= most;
  size_t room = fits ? (size_t)info.st_size : 0, length = 0;
  char *text = fits ? malloc(room + 1) : NULL;
  while (text && length < room) {
    ssize_t got = read(file, text + length, room - length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break; /* the file has become shorter in the meantime */
    length += (size_t)got;
  }
  if (text) text[length] = 0;
  if (size) *size = length;
  return text;
}

char *spool_read_text(int folder, const char *path, size_t most, size_t *size) {
  int file = folder < 0 ? -1 : spool_open_file(folder, path, NULL);
  if (file < 0) return NULL;
  char *text = spool_read_open(file, most, size);
  close(file);
  return text;
}

off_t spool_last_line(int file, off_t size) {
  char block[4096];
  off_t from = size > (off_t)sizeof block ? size - (off_t)sizeof block : 0;
  ssize_t got = pread(file, block, sizeof block, from);
  int breaks = 0;
  for (ssize_t k = got - 1; k >= 0; k--)
    if (block[k] == '\n' && ++breaks == 2) return from + k + 1;
  return 0;
}

/* Reads a file as JSON and closes it. Returns NULL on failure. */
static json_t *read_json(int file) {
  size_t size;
  char *text = file < 0 ? NULL : spool_read_open(file, SPOOL_JSON_MAX, &size);
  json_t *json = text ? json_loadb(text, size, 0, NULL) : NULL;
  if (file >= 0) close(file);
  free(text);
  return json;
}

json_t *spool_read_json(int folder, const char *path) {
  return read_json(folder < 0 ? -1 : spool_open_file(folder, path, NULL));
}

json_t *spool_read_shown(int folder, const char *path) {
  return read_json(folder < 0 ? -1 : spool_open_shown(folder, path, NULL));
}

const char *spool_user(uid_t user, char name[SPOOL_USER_SIZE]) {
  char room[4096];
  struct passwd entry, *found = NULL;
  if (getpwuid_r(user, &entry, room, sizeof room, &found) == 0 && found)
    snprintf(name, SPOOL_USER_SIZE, "%s", entry.pw_name);
  else
    snprintf(name, SPOOL_USER_SIZE, "%lu", (unsigned long)user);
  return name;
}

DIR *spool_open_names(int folder) {
  int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *handle = own < 0 ? NULL : fdopendir(own);
  if (!handle && own >= 0) close(own);
  return handle;
}
