/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/spool.h"
#include "src/spool/spool_read.h"

#include "control/base/clock.h"
#include "src/serve/hand_over.h"
#include "src/serve/spool_leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* STUCK_MAX, STUCK_SHOWN: maximum number of jobs that cannot be moved to running/, of which the service keeps and
 * shows the names. OTHERS_WRITE: permissions of others to write. */
enum { STUCK_MAX = 1000, STUCK_SHOWN = 100, OTHERS_WRITE = S_IWGRP | S_IWOTH };
/* time between two removals of leftover files, in s */
static const double CLEAR_SECONDS = 3600;

static int refuse(const Spool *spool, const char *folder, const char *name, const char *what) {
  return diagnostics_error(spool->top.diagnostics, EXIT_USAGE, "%s%s%s%s%s: %s", spool->top.directory,
                           folder ? "/" : "", folder ? folder : "", name ? "/" : "", name ? name : "", what);
}

/* The folders of a spool ------------------------------------------------------------------------------------------- */

/* Creates a folder. Users with permission to submit can write to incoming/, but must not be able to remove files of
 * other users. This permission is also set for an existing incoming/ if it belongs to the service's user. */
static int make_folder(const Spool *spool, SpoolFolder folder) {
  const char *name = spool_folder_names[folder];
  struct stat info;
  if (mkdirat(spool->at.self, name, folder == SPOOL_INCOMING ? 0777 : 0755) && errno != EEXIST)
    return refuse(spool, name, NULL, strerror(errno));
  bool ours = folder == SPOOL_INCOMING && fstatat(spool->at.self, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
              S_ISDIR(info.st_mode) && info.st_uid == geteuid();
  bool shared = ours && info.st_mode & OTHERS_WRITE && !(info.st_mode & S_ISVTX);
  if (shared && fchmodat(spool->at.self, name, (info.st_mode & 07777) | S_ISVTX, 0))
    return refuse(spool, name, NULL, strerror(errno));
  return 0;
}

/* Opens a folder of the spool, which is created if it is missing. Refuses a link in its place. */
static int open_folder(Spool *spool, SpoolFolder folder) {
  const char *name = spool_folder_names[folder];
  int code = make_folder(spool, folder);
  if (code) return code;
  int opened = openat(spool->at.self, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return refuse(spool, name, NULL, errno == ENOTDIR ? "is a link, or a file" : strerror(errno));
  if (spool->at.folders[folder] >= 0) close(spool->at.folders[folder]);
  spool->at.folders[folder] = opened;
  if (faccessat(spool->at.self, name, R_OK | W_OK | X_OK, 0)) return refuse(spool, name, NULL, strerror(errno));
  return 0;
}

static int open_top(Spool *spool, const char *path, Diagnostics *diagnostics) {
  *spool = (Spool){.at = {.self = -1}, .top = {.diagnostics = diagnostics, .lock = -1}};
  for (int f = 0; f < SPOOL_FOLDERS; f++) spool->at.folders[f] = -1;
  if (mkdir(path, 0755) && errno != EEXIST)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", path, strerror(errno));
  int code = results_take(&spool->top, path, NULL);
  if (code) return code;
  snprintf(spool->at.path, sizeof spool->at.path, "%s", spool->top.directory);
  spool->at.self = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return spool->at.self < 0 ? refuse(spool, NULL, NULL, strerror(errno)) : 0;
}

static int open_folders(Spool *spool) {
  int code = 0;
  for (int f = 0; f < SPOOL_FOLDERS && !code; f++) code = open_folder(spool, (SpoolFolder)f);
  return code;
}

int spool_make(const char *path, Diagnostics *diagnostics) {
  Spool spool;
  int code = open_top(&spool, path, diagnostics);
  if (!code) code = open_folders(&spool);
  spool_close(&spool);
  return code;
}

/* Lists the jobs in running/. Removes empty folders, which remain if a service is killed after creating the folder and
 * before moving the job into it. */
static void find_begun(Spool *spool) {
  int running = spool->at.folders[SPOOL_RUNNING];
  SpoolList all = {0};
  SpoolLook look = {0};
  const SpoolList none = {0};
  while (!spool_list_look(&all, &look, running, &none, INFINITY)) {
  }
  for (size_t i = 0; i < all.n; i++) {
    SpoolEntry entry = all.entries[i];
    struct stat info;
    Submitter submitter;
    bool is_job = fstatat(running, entry.name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode) &&
                  spool_is_name(entry.name);
    if (!is_job) {
      diagnostics_warn(spool->top.diagnostics, "%s/%s: something is there that is no problem of the service",
                       spool->top.directory, spool_folder_names[SPOOL_RUNNING]);
      continue;
    }
    if (unlinkat(running, entry.name, AT_REMOVEDIR) == 0) continue;
    entry.begun = true;
    entry.since = (struct timespec){0}; /* zero: the job comes before all jobs in incoming/ */
    if (spool_submitter(spool, SPOOL_RUNNING, entry.name, &submitter)) entry.user = submitter.user;
    spool_list_add(&spool->begun, &entry);
  }
  spool_list_clear(&all);
}

/* Removes empty folders in cancelled/ that belong to the service. They remain if a service is killed after creating the
 * folder and before moving the job into it. */
static void remove_empty(const Spool *spool) {
  DIR *handle = spool_open_names(spool->at.folders[SPOOL_CANCELLED]);
  struct stat info;
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;) {
    bool ours = spool_is_name(entry->d_name) &&
                fstatat(dirfd(handle), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode) &&
                info.st_uid == geteuid();
    if (ours) unlinkat(dirfd(handle), entry->d_name, AT_REMOVEDIR); /* this fails unless the folder is empty */
  }
  if (handle) closedir(handle);
}

int spool_open(Spool *spool, const char *path, Diagnostics *diagnostics) {
  int code = open_top(spool, path, diagnostics);
  if (code) return code;
  spool->top.lock = results_lock(&spool->top, "lock", O_CREAT);
  if (spool->top.lock < 0) return EXIT_USAGE;
  code = open_folders(spool);
  if (code) return code;
  find_begun(spool);
  remove_empty(spool);
  for (int f = SPOOL_DONE; f < SPOOL_FOLDERS; f++) hand_over_rest(spool, (SpoolFolder)f);
  return 0;
}

void spool_close(Spool *spool) {
  spool_queues_clear(&spool->queues);
  spool_look_clear(&spool->look);
  spool_list_clear(&spool->waiting);
  spool_list_clear(&spool->begun);
  spool_list_clear(&spool->stuck);
  spool_folders_close(&spool->at);
  if (spool->top.lock >= 0) close(spool->top.lock);
}

int spool_mend(Spool *spool) {
  struct stat held, there;
  if (fstat(spool->at.self, &held) || stat(spool->top.directory, &there) || !spool_is_same_file(&held, &there))
    return refuse(spool, NULL, NULL, "is not there any more"), -1;
  for (int f = 0; f < SPOOL_FOLDERS; f++) {
    const char *name = spool_folder_names[f];
    bool same = fstat(spool->at.folders[f], &held) == 0 &&
                fstatat(spool->at.self, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && spool_is_same_file(&held, &there);
    if (same) continue;
    if (open_folder(spool, (SpoolFolder)f)) return -1;
    diagnostics_warn(spool->top.diagnostics, "%s/%s was taken away: there is a new one", spool->top.directory, name);
  }
  return 0;
}

/* The lists of jobs ------------------------------------------------------------------------------------------------ */

/* Removes those entries from the list of stuck jobs of which the permissions have changed. */
static void forget_changed(Spool *spool) {
  SpoolList *stuck = &spool->stuck;
  size_t left = 0;
  for (size_t i = 0; i < stuck->n; i++) {
    SpoolEntry *entry = &stuck->entries[i];
    struct stat info;
    bool same = fstatat(spool->at.folders[SPOOL_INCOMING], entry->name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                info.st_ino == entry->inode && info.st_ctim.tv_sec == entry->changed.tv_sec &&
                info.st_ctim.tv_nsec == entry->changed.tv_nsec;
    if (same)
      stuck->entries[left++] = *entry;
    else
      free(entry->name);
  }
  stuck->n = left;
}

bool spool_look_on(Spool *spool, double seconds) {
  double now = ctl_seconds();
  if (!spool->look.folder && (spool->cleared <= 0 || now - spool->cleared >= CLEAR_SECONDS)) {
    spool_leftovers_clear(spool);
    spool->cleared = now;
  }
  if (!spool->look.folder) forget_changed(spool);
  if (!spool_list_look(&spool->waiting, &spool->look, spool->at.folders[SPOOL_INCOMING], &spool->stuck, seconds))
    return false;
  if (!spool_queues_make(&spool->queues, &spool->waiting)) diagnostics_no_memory(spool->top.diagnostics);
  return true;
}

void spool_look(Spool *spool) {
  while (!spool_look_on(spool, INFINITY)) {
  }
}

size_t spool_count_ended(const Spool *spool, SpoolFolder folder) {
  DIR *handle = spool_open_names(spool->at.folders[folder]);
  size_t n = 0;
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;) n += spool_is_name(entry->d_name);
  if (handle) closedir(handle);
  return n;
}

size_t spool_waiting(const Spool *spool) { return spool_list_left(&spool->waiting) + spool_list_left(&spool->begun); }

/* Returns the reason why a job is stuck. To move a folder, the service needs write permission for it, since the entry
 * `..` in it changes. */
static const char *reason(const SpoolEntry *entry) {
  if (entry->cancelled && entry->filled) return "not a request to cancel (expected an empty file)";
  return entry->why == EACCES
             ? "the service may not move this folder of another user (expected rights 1777, as stiction "
               "submit gives it, or write permission of a group of the service's)"
             : strerror(entry->why);
}

/* Adds a job to the list of stuck jobs, and reports this once. Does neither if the list is full. */
static void leave(Spool *spool, const SpoolEntry *given, int why) {
  SpoolEntry entry = *given;
  entry.why = why;
  entry.taken = false; /* a request to cancel may still apply to this job */
  if (spool->stuck.n < STUCK_MAX && spool_list_add(&spool->stuck, &entry))
    refuse(spool, spool_folder_names[SPOOL_INCOMING], entry.name, reason(&entry));
}

json_t *spool_stuck(const Spool *spool) {
  json_t *json = json_object();
  for (size_t i = 0; i < spool->stuck.n && i < STUCK_SHOWN; i++)
    json_object_set_new(json, spool->stuck.entries[i].name, json_string(reason(&spool->stuck.entries[i])));
  return json;
}

/* Moves a waiting job into a new private folder of this name. Returns 0, or errno. */
static int move_into(const Spool *spool, const SpoolEntry *entry, SpoolFolder to, const char *name) {
  char path[SPOOL_NAME_MAX + 32];
  struct stat info;
  int incoming = spool->at.folders[SPOOL_INCOMING], folder = spool->at.folders[to];
  bool packed = fstatat(incoming, entry->name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
  snprintf(path, sizeof path, "%s/%s", name, packed ? SPOOL_PACKAGE : SPOOL_PROBLEM);
  if (renameat(incoming, entry->name, folder, path) == 0) return 0;
  int why = errno;
  unlinkat(folder, name, AT_REMOVEDIR);
  return why;
}

/* Moves a waiting job to a folder. Returns 1; 0 if this job cannot be moved, which is reported once and not tried
 * again; or -1 if no job can be moved. */
static int take(Spool *spool, SpoolEntry *entry, SpoolFolder to, char name[SPOOL_NAME_MAX]) {
  char wanted[SPOOL_NAME_MAX];
  entry->taken = true;
  spool_job_name(entry->name, wanted);
  spool_free_name(&spool->at, wanted, name);
  if (mkdirat(spool->at.folders[to], name, 0700))
    return refuse(spool, spool_folder_names[to], name, strerror(errno)), -1;
  int why = move_into(spool, entry, to, name);
  if (why == 0) return 1;
  if (why == ENOENT) return 0; /* the submitter has withdrawn the job */
  leave(spool, entry, why);
  return 0;
}

int spool_claim(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]) {
  if (!entry->begun) {
    int taken = take(spool, entry, SPOOL_RUNNING, name);
    /* for a packed job, spool_adopt records the submitter later */
    if (taken == 1) spool_note_submitter(spool, name, entry->name, spool->top.diagnostics);
    return taken;
  }
  snprintf(name, SPOOL_NAME_MAX, "%s", entry->name);
  entry->taken = spool_inode(spool, name) != 0; /* inode 0 means that the folder has been removed, which the next scan
                                                 * will notice */
  return entry->taken;
}

int spool_withdraw(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]) {
  struct stat info;
  bool same = fstatat(spool->at.folders[SPOOL_INCOMING], entry->name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
              info.st_ino == entry->inode && info.st_uid == entry->user;
  if (!same) return 0; /* since the last scan, another job has got this name */
  int taken = take(spool, entry, SPOOL_CANCELLED, name);
  if (taken == 1) hand_over_folder(spool, SPOOL_CANCELLED, name);
  return taken;
}

void spool_set_aside(Spool *spool, const SpoolEntry *given) {
  SpoolList *list = &spool->begun;
  SpoolEntry entry = *given;
  size_t left = 0;
  for (size_t i = 0; i < list->n; i++) {
    if (list->entries[i].taken)
      free(list->entries[i].name);
    else
      list->entries[left++] = list->entries[i];
  }
  list->n = left;
  entry.begun = true;
  clock_gettime(CLOCK_REALTIME, &entry.since);
  /* if there is no memory the job is not listed, and only the next service will find it */
  if (!spool_list_add(list, &entry)) diagnostics_no_memory(spool->top.diagnostics);
}

bool spool_drop_request(Spool *spool, SpoolEntry *request) {
  request->taken = true;
  if (request->filled) { /* a request with content is kept, since a user may have moved the file of another user here */
    leave(spool, request, EINVAL);
    return false;
  }
  if (unlinkat(spool->at.folders[SPOOL_INCOMING], request->name, 0) == 0 || errno == ENOENT) return true;
  leave(spool, request, errno);
  return false;
}

int spool_path(const Spool *spool, const char *name, const char *file, char path[FILE_PATH_SIZE]) {
  int length = snprintf(path, FILE_PATH_SIZE, "%s/%s/%s%s%s", spool->top.directory, spool_folder_names[SPOOL_RUNNING],
                        name, file ? "/" : "", file ? file : "");
  return length < FILE_PATH_SIZE ? 0 : refuse(spool, NULL, NULL, "the name is too long");
}

ino_t spool_inode(const Spool *spool, const char *name) {
  struct stat info;
  bool there = fstatat(spool->at.folders[SPOOL_RUNNING], name, &info, AT_SYMLINK_NOFOLLOW) == 0;
  return there && S_ISDIR(info.st_mode) ? info.st_ino : 0;
}

int spool_finish(Spool *spool, const char *name, SpoolFolder to) {
  char as[SPOOL_NAME_MAX];
  snprintf(as, sizeof as, "%s", name);
  for (int tries = 0; tries < 2; tries++) {
    if (renameat(spool->at.folders[SPOOL_RUNNING], name, spool->at.folders[to], as) == 0) {
      hand_over_folder(spool, to, as); /* the owner is changed last, since the service writes nothing more into the
                                        * folder */
      return 0;
    }
    if (errno == ENOENT && spool_mend(spool) == 0) continue;
    if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) break;
    spool_free_name(&spool->at, name, as); /* another job may have got this name since the job began */
  }
  refuse(spool, spool_folder_names[to], name, strerror(errno));
  return -1;
}

bool spool_has_room(const Spool *spool) {
  static const char probe[1 << 16] = {0};
  if (results_write_bytes(&spool->top, "probe", probe, sizeof probe)) return false;
  unlinkat(spool->at.self, "probe", 0);
  return true;
}

bool spool_stop_wanted(const Spool *spool) { return faccessat(spool->at.self, "stop", F_OK, 0) == 0; }

void spool_stop_done(const Spool *spool) { unlinkat(spool->at.self, "stop", 0); }
