/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/spool_list.h"

#include "control/base/clock.h"
#include "src/spool/job_file.h"
#include "src/spool/spool_read.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* QUICK_TEXT: size, in bytes, up to which job.json is read before a job begins. QUICK_LINE: number of bytes that are
 * then read from the first line of a problem file. */
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
  const SpoolEntry wanted = {.name = (char *)name}; /* the cast is safe, since the name is only compared */
  return list->n ? bsearch(&wanted, list->entries, list->n, sizeof wanted, by_name) : NULL;
}

/* Returns whether a list has an entry with this name. The list need not be sorted. */
static bool spool_list_has(const SpoolList *list, const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->entries[i].name, name) == 0) return true;
  return false;
}

/* Reads the first line of a problem file, which may name a command. A longer line is cut. */
static void read_line(int folder, const char *name, char line[QUICK_LINE], JobText *text) {
  int file = spool_open_file(folder, name, NULL);
  ssize_t got = file < 0 ? -1 : read(file, line, QUICK_LINE);
  if (got >= 0) *text = (JobText){.name = name, .text = line, .size = (size_t)got};
  if (file >= 0) close(file);
}

/* Reads the command and the priority of a waiting job, which users can still change. If its files cannot be read, entry
 * keeps the default values. */
static void read_request(int folder, const char *name, bool packed, SpoolEntry *entry) {
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

/* Returns whether a file is a request to cancel. The file must have only one hard link, since another link may belong
 * to another user. */
static bool is_request(const char *name, const struct stat *info) {
  return S_ISREG(info->st_mode) && info->st_nlink == 1 && text_ends_with(name, SPOOL_CANCEL);
}

/* Adds an entry that the scan has found. Its command and priority are read once, and again if the entry has changed
 * since the last scan. Returns false if there is no memory. */
static bool take(SpoolList *list, SpoolLook *look, const SpoolList *skip, const char *name) {
  struct stat info;
  int folder = dirfd(look->folder);
  SpoolEntry *same = spool_list_find(list, name);
  if (same && same->taken) same = NULL; /* an entry that was claimed but has appeared again counts as a new one */
  if (!same && spool_list_has(skip, name)) return true;
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW)) return true; /* the file has been removed in the meantime */
  if (same && same->inode == info.st_ino && same->changed.tv_sec == info.st_ctim.tv_sec &&
      same->changed.tv_nsec == info.st_ctim.tv_nsec) {
    same->seen = true;
    return true;
  }
  SpoolEntry entry = {.name = (char *)name, /* the list makes a copy of the name */
                      .since = info.st_mtim,
                      .changed = info.st_ctim,
                      .inode = info.st_ino,
                      .user = info.st_uid,
                      .cancelled = is_request(name, &info),
                      .filled = info.st_size > 0,
                      .seen = true};
  if (!entry.cancelled) read_request(folder, name, S_ISDIR(info.st_mode), &entry);
  return spool_list_add(&look->found, &entry);
}

static void begin_look(SpoolList *list, SpoolLook *look, int folder) {
  look->folder = spool_open_names(folder);
  for (size_t i = 0; i < list->n; i++) list->entries[i].seen = false;
}

/* Ends a scan. The list then has the new entries, and those old entries that were seen again and have not been claimed
 * in the meantime. */
static void end_look(SpoolList *list, SpoolLook *look) {
  SpoolList *found = &look->found;
  size_t left = 0, room = list->n + found->n;
  for (size_t i = 0; i < list->n; i++) {
    if (list->entries[i].seen && !list->entries[i].taken)
      list->entries[left++] = list->entries[i];
    else
      free(list->entries[i].name);
  }
  list->n = left;
  SpoolEntry *both = found->n ? malloc(room * sizeof *both) : NULL;
  if (both) {
    qsort(found->entries, found->n, sizeof *found->entries, by_name);
    for (size_t i = 0, j = 0, k = 0; i < left || j < found->n; k++) {
      bool old = j == found->n || (i < left && by_name(&list->entries[i], &found->entries[j]) < 0);
      both[k] = old ? list->entries[i++] : found->entries[j++];
    }
    free(list->entries);
    *list = (SpoolList){both, left + found->n, room};
    found->n = 0; /* the names now belong to the list, so `found` must not free them */
  }
  spool_look_clear(look);
}

bool spool_list_look(SpoolList *list, SpoolLook *look, int folder, const SpoolList *skip, double seconds) {
  double start = ctl_seconds();
  if (!look->folder) begin_look(list, look, folder);
  for (const struct dirent *entry; look->folder && (entry = readdir(look->folder)) != NULL;) {
    if (entry->d_name[0] != '.' && !take(list, look, skip, entry->d_name)) break;
    if (ctl_seconds() - start >= seconds) return false;
  }
  end_look(list, look);
  return true;
}

void spool_look_clear(SpoolLook *look) {
  if (look->folder) closedir(look->folder);
  spool_list_clear(&look->found);
  *look = (SpoolLook){0};
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

/* Ordering the waiting jobs in queues ------------------------------------------------------------------------------ */

bool spool_entry_is_older(const SpoolEntry *a, const SpoolEntry *b) {
  if (a->since.tv_sec != b->since.tv_sec) return a->since.tv_sec < b->since.tv_sec;
  if (a->since.tv_nsec != b->since.tv_nsec) return a->since.tv_nsec < b->since.tv_nsec;
  return strcmp(a->name, b->name) < 0;
}

static bool is_same_queue(const SpoolEntry *a, const SpoolEntry *b) {
  return a->user == b->user && a->in_process == b->in_process;
}

static int by_turn(const void *left, const void *right) {
  const SpoolEntry *a = *(SpoolEntry *const *)left, *b = *(SpoolEntry *const *)right;
  if (a->user != b->user) return a->user < b->user ? -1 : 1;
  if (a->in_process != b->in_process) return a->in_process ? 1 : -1;
  if (a->priority != b->priority) return a->priority > b->priority ? -1 : 1;
  return spool_entry_is_older(a, b) ? -1 : 1;
}

bool spool_queues_make(SpoolQueues *queues, const SpoolList *list) {
  size_t n = 0;
  spool_queues_clear(queues);
  if (!list->n) return true;
  queues->order = malloc(list->n * sizeof *queues->order);
  for (size_t i = 0; queues->order && i < list->n; i++)
    if (!list->entries[i].taken && !list->entries[i].cancelled) queues->order[n++] = &list->entries[i];
  if (n) qsort(queues->order, n, sizeof *queues->order, by_turn);
  for (size_t i = 0; i < n; i++) {
    bool begins = i == 0 || !is_same_queue(queues->order[i - 1], queues->order[i]);
    SpoolQueue *more = begins ? realloc(queues->queues, (queues->n + 1) * sizeof *more) : queues->queues;
    if (!more) {
      spool_queues_clear(queues);
      return false;
    }
    queues->queues = more;
    if (begins) more[queues->n++].next = i;
    more[queues->n - 1].end = i + 1;
  }
  return queues->order != NULL;
}

SpoolEntry *spool_queues_head(SpoolQueues *queues, size_t k) {
  SpoolQueue *queue = &queues->queues[k];
  while (queue->next < queue->end && queues->order[queue->next]->taken) queue->next++;
  return queue->next < queue->end ? queues->order[queue->next] : NULL;
}

void spool_queues_clear(SpoolQueues *queues) {
  free(queues->order);
  free(queues->queues);
  *queues = (SpoolQueues){0};
}
