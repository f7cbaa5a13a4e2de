#include "src/serve/spool_list.h"

#include "src/spool/job_file.h"
#include "src/spool/spool_read.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of job.json, and of a first line, that are looked into before a job begins. */
enum { QUICK_TEXT = 1 << 16, QUICK_LINE = 256 };

void spool_list_clear(SpoolList *list) {
  for (size_t i = 0; i < list->n; i++) free(list->entries[i].name);
  free(list->entries);
  *list = (SpoolList){0};
}

bool spool_list_add(SpoolList *list, const SpoolEntry *entry) {
  if (list->n == list->room) {
    size_t room = 2 * list->room + 16;
    SpoolEntry *entries = realloc(list->entries, room * sizeof *entries);
    if (!entries) return false;
    list->entries = entries;
    list->room = room;
  }
  char *name = strdup(entry->name);
  if (!name) return false;
  list->entries[list->n] = *entry;
  list->entries[list->n++].name = name;
  return true;
}

static int by_name(const void *left, const void *right) {
  const SpoolEntry *a = left, *b = right;
  return strcmp(a->name, b->name);
}

SpoolEntry *spool_list_find(const SpoolList *list, const char *name) {
  const SpoolEntry wanted = {.name = (char *)name}; /* only compared */
  return list->n ? bsearch(&wanted, list->entries, list->n, sizeof wanted, by_name) : NULL;
}

bool spool_list_has(const SpoolList *list, const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->entries[i].name, name) == 0) return true;
  return false;
}

/* The first line of a problem file, as far as it may name a command. */
static void read_line(int folder, const char *name, char line[QUICK_LINE], JobText *text) {
  int file = spool_open_file(folder, name, NULL);
  ssize_t got = file < 0 ? -1 : read(file, line, QUICK_LINE);
  if (got >= 0) *text = (JobText){.name = name, .text = line, .size = (size_t)got};
  if (file >= 0) close(file);
}

/* What is wanted, by a file or a folder that anybody may still change: nothing where it cannot be told. */
static void read_wish(int folder, const char *name, bool packed, SpoolEntry *entry) {
  int own = packed ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : folder;
  JobText json = {.name = SPOOL_JOB}, problem = {.name = name};
  char line[QUICK_LINE], *text = packed && own >= 0 ? spool_read_text(own, SPOOL_JOB, QUICK_TEXT, &json.size) : NULL;
  JobFile wanted;
  Diagnostics ignored = {0};
  json.text = text;
  if (own >= 0) read_line(own, packed ? SPOOL_PROBLEM : name, line, &problem);
  job_file_read(&json, &problem, &ignored, &wanted);
  entry->priority = wanted.priority;
  entry->in_process = wanted.command != JOB_AS_FILE && wanted.command != JOB_CONTROL;
  diagnostics_clear(&ignored);
  job_file_clear(&wanted);
  free(text);
  if (packed && own >= 0) close(own);
}

/* Whether a name is that of a wish to cancel. One with a second name may be somebody else's file. */
static bool is_request(const char *name, const struct stat *info) {
  return S_ISREG(info->st_mode) && info->st_nlink == 1 && text_ends_with(name, SPOOL_CANCEL);
}

/* before: what was there the last time, so that what is wanted is read once. */
static bool take(SpoolList *list, int folder, const char *name, const SpoolList *before) {
  struct stat info;
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW)) return true; /* gone again */
  SpoolEntry entry = {.name = (char *)name,                           /* copied */
                      .since = info.st_mtim,
                      .changed = info.st_ctim,
                      .inode = info.st_ino,
                      .user = info.st_uid,
                      .cancelled = is_request(name, &info),
                      .filled = info.st_size > 0};
  const SpoolEntry *same = spool_list_find(before, name);
  if (same && same->inode == entry.inode) {
    entry.missed = same->missed;
    entry.priority = same->priority;
    entry.in_process = same->in_process;
  } else if (!entry.cancelled) {
    read_wish(folder, name, S_ISDIR(info.st_mode), &entry);
  }
  return spool_list_add(list, &entry);
}

void spool_list_read(SpoolList *list, int folder, const SpoolList *skip) {
  int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *handle = own < 0 ? NULL : fdopendir(own);
  SpoolList before = *list;
  *list = (SpoolList){0};
  if (!handle && own >= 0) close(own);
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;) {
    if (entry->d_name[0] == '.' || spool_list_has(skip, entry->d_name)) continue;
    if (!take(list, folder, entry->d_name, &before)) break;
  }
  if (handle) closedir(handle);
  if (list->n) qsort(list->entries, list->n, sizeof *list->entries, by_name);
  spool_list_clear(&before);
}

size_t spool_list_left(const SpoolList *list) {
  size_t left = 0;
  for (size_t i = 0; i < list->n; i++) left += !list->entries[i].taken && !list->entries[i].cancelled;
  return left;
}

bool spool_list_has_requests(const SpoolList *list) {
  for (size_t i = 0; i < list->n; i++)
    if (list->entries[i].cancelled && !list->entries[i].taken) return true;
  return false;
}
