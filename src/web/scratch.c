/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/scratch.h"

#include "src/web/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* maximum number of tries to remove a folder that is still in use, or to create one; pause between tries to remove a
 * folder, in ns */
enum { TRIES = 50, PAUSE_NS = 20000000 };
static const char PREFIX[] = "stiction-web-";

static bool same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns whether a path leads to the folder with this descriptor. */
static bool leads_to(const char *path, int folder) {
  struct stat there, opened;
  return lstat(path, &there) == 0 && fstat(folder, &opened) == 0 && same(&there, &opened);
}

/* Opens a folder by its path, if it belongs to this user. Returns -1 on failure. */
static int open_own(const char *path) {
  struct stat info;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0 && fstat(folder, &info) == 0 && info.st_uid == geteuid()) return folder;
  if (folder >= 0) close(folder);
  return -1;
}

/* Removes a folder that a killed page has left. A program that this page has started ends soon after it, but may write
 * to the folder until then. */
static void remove_left(const char *path, int folder) {
  const struct timespec pause = {.tv_nsec = PAUSE_NS};
  for (int k = 0; k < TRIES && leads_to(path, folder); k++) {
    if (k > 0) nanosleep(&pause, NULL);
    web_folder_remove(path);
  }
}

static void remove_all_left(const char *base) {
  DIR *handle = opendir(base);
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;) {
    char path[FILE_PATH_SIZE];
    if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
    if (snprintf(path, sizeof path, "%s/%s", base, entry->d_name) >= (int)sizeof path) continue;
    int folder = open_own(path);
    if (folder < 0) continue;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0) remove_left(path, folder);
    close(folder);
  }
  if (handle) closedir(handle);
}

/* Creates and locks a folder. Returns false and sets errno on failure. EAGAIN means that another page, which was
 * starting, has removed the folder before it was locked. */
static bool make(WebScratch *scratch, const char *base) {
  snprintf(scratch->path, sizeof scratch->path, "%s/%sXXXXXX", base, PREFIX);
  scratch->lock = mkdtemp(scratch->path) ? open_own(scratch->path) : -1;
  if (scratch->lock < 0) return false;
  bool taken = flock(scratch->lock, LOCK_EX | LOCK_NB) &&
               errno == EWOULDBLOCK; /* any other error, e.g. of a file system without locks, does not count as a lock
                                      * of another page */
  if (!taken && leads_to(scratch->path, scratch->lock)) return true;
  close(scratch->lock);
  errno = EAGAIN;
  return false;
}

int web_scratch_make(WebScratch *scratch, Diagnostics *diagnostics) {
  const char *named = getenv("TMPDIR"), *base = named && *named ? named : "/tmp";
  bool made = false;
  remove_all_left(base);
  errno = EAGAIN;
  for (int k = 0; k < TRIES && !made && (errno == EAGAIN || errno == ENOENT); k++) made = make(scratch, base);
  if (made) return 0;
  int why = errno;
  *scratch = (WebScratch){.lock = -1};
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "no folder can be made in %s: %s", base, strerror(why));
}

void web_scratch_remove(WebScratch *scratch) {
  if (!*scratch->path) return;
  web_folder_remove(scratch->path);
  close(scratch->lock);
  *scratch = (WebScratch){.lock = -1};
}
