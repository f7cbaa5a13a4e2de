#define _DEFAULT_SOURCE /* fts */
#include "src/serve/spool.h"

#include "src/base/exit_code.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PROBLEM[] = SPOOL_PROBLEM;
enum { STUCK_MAX = 1000 };

typedef struct SpoolEntry {
  char *name; /* owned */
  struct timespec written;
} SpoolEntry;

/* Lists -------------------------------------------------------------------------------------------------------- */

static void list_clear(SpoolList *list) {
  for (size_t i = 0; i < list->n; i++) free(list->entries[i].name);
  free(list->entries);
  *list = (SpoolList){0};
}

/* False: no memory. */
static bool list_add(SpoolList *list, const char *name, struct timespec written) {
  SpoolEntry *entries = realloc(list->entries, (list->n + 1) * sizeof *entries);
  if (!entries) return false;
  list->entries = entries;
  entries[list->n] = (SpoolEntry){strdup(name), written};
  if (!entries[list->n].name) return false;
  list->n++;
  return true;
}

static bool list_has(const SpoolList *list, const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->entries[i].name, name) == 0) return true;
  return false;
}

static int by_age(const void *left, const void *right) {
  const SpoolEntry *a = left, *b = right;
  if (a->written.tv_sec != b->written.tv_sec) return a->written.tv_sec < b->written.tv_sec ? -1 : 1;
  if (a->written.tv_nsec != b->written.tv_nsec) return a->written.tv_nsec < b->written.tv_nsec ? -1 : 1;
  return strcmp(a->name, b->name);
}

/* What is in a folder, but for hidden names and those that `skip` (NULL: nobody) has. What memory does not suffice for
 * is there the next time. */
static void list_read(SpoolList *list, int folder, const SpoolList *skip) {
  int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *handle = own < 0 ? NULL : fdopendir(own);
  list_clear(list);
  if (!handle) {
    if (own >= 0) close(own);
    return;
  }
  for (const struct dirent *entry; (entry = readdir(handle)) != NULL;) {
    struct stat info;
    if (entry->d_name[0] == '.' || (skip && list_has(skip, entry->d_name))) continue;
    if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW)) continue; /* gone again */
    if (!list_add(list, entry->d_name, info.st_mtim)) break;
  }
  closedir(handle);
  if (list->n) qsort(list->entries, list->n, sizeof *list->entries, by_age);
}

/* Names -------------------------------------------------------------------------------------------------------- */

static bool is_there(const Spool *spool, const char *name) {
  struct stat info;
  for (int f = SPOOL_RUNNING; f < SPOOL_FOLDERS; f++)
    if (fstatat(spool->folders[f], name, &info, AT_SYMLINK_NOFOLLOW) == 0) return true;
  return false;
}

/* name, or name-2, .., whichever is free. */
static void free_name(const Spool *spool, const char *name, char result[SPOOL_NAME_MAX]) {
  spool_numbered_name(name, 1, result);
  for (long k = 2; is_there(spool, result); k++) spool_numbered_name(name, k, result);
}

/* Owners ------------------------------------------------------------------------------------------------------- */

/* Root gives what it has written to the submitter. */
static void give(const char *path, const struct stat *submitter) {
  if (lchown(path, submitter->st_uid, submitter->st_gid)) return; /* it stays the service's */
}

/* Gives all that root has written for a problem that has ended to its submitter, who is the owner of problem.yaml; the
 * folder itself at last: while it is root's, nobody else can look in. */
static void hand_over(const Spool *spool, SpoolFolder folder, const char *name) {
  char path[FILE_PATH_SIZE];
  struct stat owner;
  int length = snprintf(path, sizeof path, "%s/%s/%s", spool->top.directory, spool_folder_names[folder], name);
  if (length >= FILE_PATH_SIZE) return;
  char problem[FILE_PATH_SIZE + sizeof PROBLEM];
  snprintf(problem, sizeof problem, "%s/%s", path, PROBLEM);
  if (geteuid() != 0 || lstat(problem, &owner) || owner.st_uid == 0) return;
  FTS *walk = fts_open((char *const[]){path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
  for (FTSENT *entry; walk && (entry = fts_read(walk)) != NULL;) {
    if (entry->fts_level == 1 && strcmp(entry->fts_name, PROBLEM) == 0)
      fts_set(walk, entry, FTS_SKIP); /* his already */
    else if (entry->fts_info != FTS_D)
      give(entry->fts_path, &owner);
  }
  if (walk) fts_close(walk);
}

/* What a service that was killed has moved there, but not given away whole. */
static void hand_over_rest(const Spool *spool, SpoolFolder folder) {
  SpoolList all = {0};
  if (geteuid() != 0) return;
  list_read(&all, spool->folders[folder], NULL);
  for (size_t i = 0; i < all.n; i++) {
    struct stat info;
    if (fstatat(spool->folders[folder], all.entries[i].name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_uid == 0)
      hand_over(spool, folder, all.entries[i].name);
  }
  list_clear(&all);
}

/* Opening ------------------------------------------------------------------------------------------------------ */

static int refuse(const Spool *spool, const char *folder, const char *name, const char *what) {
  return diagnostics_error(spool->top.diagnostics, EXIT_USAGE, "%s%s%s%s%s: %s", spool->top.directory,
                           folder ? "/" : "", folder ? folder : "", name ? "/" : "", name ? name : "", what);
}

/* A folder of the spool itself, not one that a link leads to. */
static int open_folder(Spool *spool, SpoolFolder folder) {
  const char *name = spool_folder_names[folder];
  if (mkdirat(spool->self, name, 0777) && errno != EEXIST) return refuse(spool, name, NULL, strerror(errno));
  int opened = openat(spool->self, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return refuse(spool, name, NULL, errno == ENOTDIR ? "is a link, or a file" : strerror(errno));
  spool->folders[folder] = opened;
  if (faccessat(spool->self, name, R_OK | W_OK | X_OK, 0)) return refuse(spool, name, NULL, strerror(errno));
  return 0;
}

/* What runs: folders. An empty one is of a claim that did not come to its rename. */
static void find_interrupted(Spool *spool) {
  SpoolList all = {0};
  list_read(&all, spool->folders[SPOOL_RUNNING], NULL);
  for (size_t i = 0; i < all.n; i++) {
    const SpoolEntry *entry = &all.entries[i];
    struct stat info;
    bool is_folder = fstatat(spool->folders[SPOOL_RUNNING], entry->name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                     S_ISDIR(info.st_mode) && strlen(entry->name) < SPOOL_NAME_MAX;
    if (!is_folder)
      diagnostics_warn(spool->top.diagnostics, "%s/%s: something is there that is no problem of the service",
                       spool->top.directory, spool_folder_names[SPOOL_RUNNING]);
    else if (unlinkat(spool->folders[SPOOL_RUNNING], entry->name, AT_REMOVEDIR))
      list_add(&spool->interrupted, entry->name, entry->written);
  }
  list_clear(&all);
}

int spool_open(Spool *spool, const char *path, Diagnostics *diagnostics) {
  *spool = (Spool){.self = -1, .top = {.diagnostics = diagnostics, .lock = -1}};
  for (int f = 0; f < SPOOL_FOLDERS; f++) spool->folders[f] = -1;
  if (mkdir(path, 0777) && errno != EEXIST)
    return diagnostics_error(spool->top.diagnostics, EXIT_USAGE, "%s: %s", path, strerror(errno));
  int code = results_take(&spool->top, path, NULL);
  if (code) return code;
  spool->self = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (spool->self < 0) return refuse(spool, NULL, NULL, strerror(errno));
  spool->top.lock = results_lock(&spool->top, "lock", O_CREAT);
  if (spool->top.lock < 0) return EXIT_USAGE;
  for (int f = 0; f < SPOOL_FOLDERS && !code; f++) code = open_folder(spool, (SpoolFolder)f);
  if (code) return code;
  find_interrupted(spool);
  hand_over_rest(spool, SPOOL_DONE);
  hand_over_rest(spool, SPOOL_FAILED);
  return 0;
}

void spool_close(Spool *spool) {
  list_clear(&spool->waiting);
  list_clear(&spool->interrupted);
  list_clear(&spool->stuck);
  for (int f = 0; f < SPOOL_FOLDERS; f++)
    if (spool->folders[f] >= 0) close(spool->folders[f]);
  if (spool->self >= 0) close(spool->self);
  if (spool->top.lock >= 0) close(spool->top.lock);
}

/* Problems ----------------------------------------------------------------------------------------------------- */

bool spool_next_interrupted(Spool *spool, char name[SPOOL_NAME_MAX]) {
  SpoolList *list = &spool->interrupted;
  if (list->next == list->n) return false;
  snprintf(name, SPOOL_NAME_MAX, "%s", list->entries[list->next++].name);
  return true;
}

void spool_look(Spool *spool) { list_read(&spool->waiting, spool->folders[SPOOL_INCOMING], &spool->stuck); }

static size_t left(const SpoolList *list) { return list->n - list->next; }

size_t spool_waiting(const Spool *spool) { return left(&spool->waiting) + left(&spool->interrupted); }

/* 1; 0 when it could not be claimed: told once, and not tried again; -1 when nothing can be. */
static int claim(Spool *spool, const SpoolEntry *entry, char name[SPOOL_NAME_MAX]) {
  char wanted[SPOOL_NAME_MAX], to[SPOOL_NAME_MAX + sizeof PROBLEM];
  int running = spool->folders[SPOOL_RUNNING];
  spool_job_name(entry->name, wanted);
  free_name(spool, wanted, name);
  snprintf(to, sizeof to, "%s/%s", name, PROBLEM);
  if (mkdirat(running, name, 0700)) return refuse(spool, spool_folder_names[SPOOL_RUNNING], name, strerror(errno)), -1;
  if (renameat(spool->folders[SPOOL_INCOMING], entry->name, running, to) == 0) return 1;
  int why = errno;
  unlinkat(running, name, AT_REMOVEDIR);
  if (why == ENOENT) return 0; /* taken back */
  refuse(spool, spool_folder_names[SPOOL_INCOMING], wanted, strerror(why));
  if (spool->stuck.n < STUCK_MAX) list_add(&spool->stuck, entry->name, entry->written);
  return 0;
}

int spool_claim(Spool *spool, char name[SPOOL_NAME_MAX]) {
  SpoolList *list = &spool->waiting;
  int claimed = 0;
  while (!claimed && list->next < list->n) claimed = claim(spool, &list->entries[list->next++], name);
  return claimed;
}

int spool_path(const Spool *spool, const char *name, const char *file, char path[FILE_PATH_SIZE]) {
  int length = snprintf(path, FILE_PATH_SIZE, "%s/%s/%s%s%s", spool->top.directory, spool_folder_names[SPOOL_RUNNING],
                        name, file ? "/" : "", file ? file : "");
  return length < FILE_PATH_SIZE ? 0 : refuse(spool, NULL, NULL, "the name is too long");
}

/* Why what has become problem.yaml is not read; NULL: it may be. */
static const char *fault(const char *path, struct stat *info) {
  *info = (struct stat){.st_uid = geteuid()};
  if (lstat(path, info)) return strerror(errno);
  if (S_ISLNK(info->st_mode) || (S_ISREG(info->st_mode) && info->st_nlink > 1)) return "a link (expected a file)";
  if (S_ISREG(info->st_mode)) return NULL;
  return S_ISDIR(info->st_mode) ? "a folder (expected a file)" : "not a file (expected a file)";
}

/* A service that is not root cannot: it lets the submitter's group look in, if it may. */
static void let_group_in(const char *folder, const struct stat *submitter) {
  bool another = submitter->st_uid != geteuid();
  if (another && chown(folder, (uid_t)-1, submitter->st_gid) == 0) chmod(folder, 0750);
}

int spool_adopt(const Spool *spool, const char *name, Diagnostics *diagnostics) {
  Results there = {.diagnostics = diagnostics, .lock = -1};
  char path[FILE_PATH_SIZE];
  struct stat info;
  size_t size = 0;
  int code = spool_path(spool, name, NULL, there.directory);
  if (!code) code = results_path(&there, PROBLEM, path);
  if (code) return code;
  const char *what = fault(path, &info);
  if (geteuid() != 0) let_group_in(there.directory, &info);
  if (what) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", path, what);
  char *text = info.st_size <= SPOOL_FILE_MAX ? file_read(path, &size, diagnostics) : NULL;
  if (info.st_size > SPOOL_FILE_MAX || size > SPOOL_FILE_MAX)
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: too large, %.3g MiB (expected at most %d MiB)", path,
                             (double)(text ? size : (size_t)info.st_size) / (1 << 20), SPOOL_FILE_MAX >> 20);
  else if (!text)
    code = EXIT_USAGE;
  else if (results_write_bytes(&there, PROBLEM, text, size))
    code = EXIT_INTERNAL;
  else if (geteuid() == 0)
    give(path, &info);
  free(text);
  return code;
}

int spool_finish(Spool *spool, const char *name, SpoolFolder to) {
  char as[SPOOL_NAME_MAX];
  snprintf(as, sizeof as, "%s", name);
  for (int tries = 0; tries < 2; tries++) {
    if (renameat(spool->folders[SPOOL_RUNNING], name, spool->folders[to], as) == 0) {
      hand_over(spool, to, as); /* only now: the service writes nothing here any more */
      return 0;
    }
    if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) break;
    free_name(spool, name, as); /* somebody has put something there meanwhile */
  }
  refuse(spool, spool_folder_names[to], name, strerror(errno));
  return -1;
}

bool spool_has_room(const Spool *spool) {
  static const char probe[1 << 16] = {0};
  if (results_write_bytes(&spool->top, "probe", probe, sizeof probe)) return false;
  unlinkat(spool->self, "probe", 0);
  return true;
}

bool spool_stop_wanted(const Spool *spool) { return faccessat(spool->self, "stop", F_OK, 0) == 0; }

void spool_stop_done(const Spool *spool) { unlinkat(spool->self, "stop", 0); }
