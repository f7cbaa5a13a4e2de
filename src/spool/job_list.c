/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_list.h"

#include "src/base/json_values.h"
#include "src/spool/job_file.h"
#include "src/spool/job_progress.h"
#include "src/spool/spool_read.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ERROR_MAX: maximum number of bytes of error.txt that are read. HEAD_SIZE: number of bytes that are read from the
 * start of other files. TEXT_MAX: maximum number of bytes of a text that is shown. */
enum { ERROR_MAX = 1 << 20, HEAD_SIZE = 4096, TEXT_MAX = 300 };

const char *job_state_name(SpoolFolder folder) {
  return folder == SPOOL_INCOMING ? "waiting" : spool_folder_names[folder];
}

/* Collecting the entries of a folder ------------------------------------------------------------------------------- */

typedef struct Entry {
  char *file; /* name of the entry in its folder; owned */
  struct stat info;
  bool unread; /* for an ended job: whether some of its files could not be read */
} Entry;

typedef struct Entries {
  Entry *list; /* [n] owned */
  size_t n, room;
} Entries;

static void entries_clear(Entries *entries) {
  for (size_t i = 0; i < entries->n; i++) free(entries->list[i].file);
  free(entries->list);
  *entries = (Entries){0};
}

/* Returns whether an entry of incoming/ is a waiting job, i.e. neither hidden nor a request to cancel. */
static bool is_waiting(const char *file, const struct stat *info) {
  return file[0] != '.' && !(text_ends_with(file, SPOOL_CANCEL) && S_ISREG(info->st_mode));
}

/* Adds an entry to a list. Returns false if there is no memory. */
static bool entries_add(Entries *entries, const char *file, const struct stat *info) {
  if (entries->n == entries->room) {
    size_t room = 2 * entries->room + 64;
    Entry *list = realloc(entries->list, room * sizeof *list);
    if (!list) return false;
    entries->list = list;
    entries->room = room;
  }
  char *copy = strdup(file);
  if (copy) entries->list[entries->n++] = (Entry){.file = copy, .info = *info};
  return copy;
}

static bool entries_read(const SpoolFolders *spool, SpoolFolder folder, Entries *entries) {
  DIR *handle = spool->folders[folder] < 0 ? NULL : spool_open_names(spool->folders[folder]);
  bool good = true;
  for (const struct dirent *entry; handle && good && (entry = readdir(handle)) != NULL;) {
    struct stat info;
    /* the file has been removed in the meantime */
    if (fstatat(dirfd(handle), entry->d_name, &info, AT_SYMLINK_NOFOLLOW)) continue;
    if (folder == SPOOL_INCOMING ? is_waiting(entry->d_name, &info) : spool_is_name(entry->d_name))
      good = entries_add(entries, entry->d_name, &info);
  }
  if (handle) closedir(handle);
  return good;
}

static int by_age(const void *left, const void *right) {
  const Entry *a = left, *b = right;
  const struct timespec *s = &a->info.st_mtim, *t = &b->info.st_mtim;
  if (s->tv_sec != t->tv_sec) return s->tv_sec < t->tv_sec ? -1 : 1;
  if (s->tv_nsec != t->tv_nsec) return s->tv_nsec < t->tv_nsec ? -1 : 1;
  return strcmp(a->file, b->file);
}

static int by_youth(const void *left, const void *right) { return by_age(right, left); }

/* Describing a job ------------------------------------------------------------------------------------------------- */

static json_t *new_job(const char *name, SpoolFolder folder) {
  return json_pack(
      "{s:s, s:s, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, s:n, "
      "s:n, s:n, s:n, s:n}",
      "name", name, "state", job_state_name(folder), "command", "submitter", "priority", "submitted", "ended",
      "seconds", "title", "rounds", "evaluations", "best", "J", "E1", "E2", "edge", "ivps_per_second", "runs",
      "runs_in_all", "runs_not_met", "runs_failed", "time_left", "exit", "reason", "error");
}

/* Sets a member of a job's description, if its value is known. Takes ownership of value. */
static void put(json_t *job, const char *key, json_t *value) {
  if (value && !json_is_null(value))
    json_object_set_new(job, key, value);
  else
    json_decref(value);
}

/* Returns a text as JSON, cut to TEXT_MAX bytes. */
static json_t *short_text(const char *text) { return json_stringn(text, text_cut(text, TEXT_MAX)); }

/* Copies a member of another object to a job's description, if it is a text or a number. */
static void copy(json_t *job, const char *key, const json_t *from, const char *member) {
  json_t *value = json_object_get(from, member);
  if (json_is_string(value)) put(job, key, short_text(json_string_value(value)));
  if (json_is_number(value)) json_object_set(job, key, value);
}

static void put_submitter(json_t *job, uid_t user) {
  char name[SPOOL_USER_SIZE];
  put(job, "submitter", json_text(spool_user(user, name)));
}

/* Reads the first bytes of a file into head. Returns their number. */
static size_t read_head(int folder, const char *name, char head[HEAD_SIZE]) {
  int file = spool_open_shown(folder, name, NULL);
  ssize_t got = file < 0 ? 0 : read(file, head, HEAD_SIZE);
  if (file >= 0) close(file);
  return got > 0 ? (size_t)got : 0;
}

/* Sets the command and the priority of a job, from its problem file and, for a packed job, the job.json beside that
 * file. If these files have errors, sets nothing. */
static void put_request(json_t *job, int folder, const char *problem, bool packed) {
  char head[HEAD_SIZE];
  JobFile request;
  JobText json = {.name = SPOOL_JOB};
  Diagnostics ignored = {0};
  char *text = packed ? spool_read_text(folder, SPOOL_JOB, JOB_TEXT_MAX, &json.size) : NULL;
  json.text = text;
  const JobText first = {problem, head, read_head(folder, problem, head)};
  if (first.size && job_file_read(&json, &first, &ignored, &request) == 0) {
    put(job, "command", json_string(job_command_names[request.command]));
    put(job, "priority", json_integer(request.priority));
  }
  if (first.size) job_file_clear(&request);
  diagnostics_clear(&ignored);
  free(text);
}

/* Describes a waiting job. If the service cannot start it, adds the reason, which status.json has. */
static void put_waiting(const SpoolFolders *spool, json_t *job, const Entry *entry, const json_t *status) {
  int incoming = spool->folders[SPOOL_INCOMING];
  put_submitter(job, entry->info.st_uid);
  put(job, "submitted", json_integer(entry->info.st_mtime));
  copy(job, "reason", json_object_get(status, "stuck"), entry->file);
  bool packed = S_ISDIR(entry->info.st_mode);
  int folder = packed ? openat(incoming, entry->file, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : incoming;
  if (folder >= 0) put_request(job, folder, packed ? SPOOL_PROBLEM : entry->file, packed);
  if (packed && folder >= 0) close(folder);
}

/* Sets the submitter, the time of submission and the exit code of a job, which are read from submitted.json. If the
 * service has not written this file, the submitter is the owner of the problem file or folder. */
static void put_submitted(json_t *job, int folder, const struct stat *info) {
  struct stat problem;
  json_t *noted = folder < 0 ? NULL : spool_read_json(folder, "submitted.json");
  const json_t *user = json_object_get(noted, "user");
  bool known = folder >= 0 && fstatat(folder, SPOOL_PROBLEM, &problem, AT_SYMLINK_NOFOLLOW) == 0;
  put_submitter(job, json_is_integer(user) ? (uid_t)json_integer_value(user) : known ? problem.st_uid : info->st_uid);
  copy(job, "submitted", noted, "at");
  copy(job, "exit", noted, "exit"); /* submitted.json has the exit code of a failed job even if the job has no record of
                                     * its run */
  json_decref(noted);
}

/* Describes a running job, from its folder if it is readable, and from status.json. */
static void put_running(const SpoolFolders *spool, json_t *job, const struct stat *info, const json_t *status) {
  static const char *const members[] = {
      "command",     "submitter", "priority",    "submitted",    "seconds",    "title", "rounds",
      "evaluations", "best",      "J",           "E1",           "E2",         "edge",  "ivps_per_second",
      "time_left",   "runs",      "runs_in_all", "runs_not_met", "runs_failed"};
  const char *name = json_string_value(json_object_get(job, "name"));
  size_t i;
  json_t *entry;
  int folder = spool_open_job(spool, SPOOL_RUNNING, name);
  if (folder >= 0) {
    put_submitted(job, folder, info);
    put_request(job, folder, SPOOL_PROBLEM, true);
    close(folder);
  }
  json_array_foreach(json_object_get(status, "running"), i, entry) {
    const char *other = json_string_value(json_object_get(entry, "name"));
    if (!other || strcmp(other, name) != 0) continue;
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) copy(job, members[k], entry, members[k]);
  }
}

static void put_summary(json_t *job, const json_t *summary) {
  const json_t *outcome = json_object_get(summary, "outcome"), *counts = json_object_get(summary, "counts"),
               *seconds = json_object_get(summary, "seconds");
  /* number of entries of of_outcome that a refined control also has: J, E1, E2 */
  enum { OF_REFINED = 3 };
  static const char *const of_outcome[] = {"J", "E1", "E2", "reason"};
  const json_t *refined = json_object_get(outcome, "refined");
  for (size_t k = 0; k < sizeof of_outcome / sizeof *of_outcome; k++) copy(job, of_outcome[k], outcome, of_outcome[k]);
  for (size_t k = 0; k < OF_REFINED && json_object_get(refined, "u"); k++)
    copy(job, of_outcome[k], refined, of_outcome[k]); /* values of the refined control replace those of the control that
                                                       * the search found */
  copy(job, "best", outcome, "P");
  copy(job, "rounds", counts, "rounds");
  copy(job, "evaluations", counts, "evaluations");
  copy(job, "seconds", seconds, "wall");
  copy(job, "title", json_object_get(summary, "problem"), "title");
  double wall = json_number_value(json_object_get(seconds, "wall")),
         ivps = json_number_value(json_object_get(counts, "ivps"));
  if (wall > 0 && ivps > 0) put(job, "ivps_per_second", json_finite(ivps / wall));
}

/* Returns the line of a text that gives the reason for a failure. This is the first line that is not a warning; if all
 * lines are warnings, the first line. The text is cut after this line. */
static char *reason_line(char *text) {
  char *line = text;
  for (size_t length; *line; line += length + 1) {
    length = strcspn(line, "\n");
    bool last = !line[length];
    line[length] = 0;
    if (!strstr(line, ": warning: ")) return line;
    if (last) break;
  }
  return text;
}

/* Sets the member "error" of the job to the line of error.txt that gives the reason for the failure, as UTF-8. */
static void put_error(json_t *job, int folder) {
  int file = spool_open_shown(folder, "error.txt", NULL);
  char *text = file < 0 ? NULL : spool_read_open(file, ERROR_MAX, NULL);
  if (file >= 0) close(file);
  if (!text) return;
  char *line = reason_line(text);
  line[text_cut(line, TEXT_MAX)] = 0;
  put(job, "error", json_text(line));
  free(text);
}

/* Describes an ended job. *unread: set to whether some files cannot be read yet, or are not completely written. */
static void put_ended(const SpoolFolders *spool, json_t *job, SpoolFolder state, const struct stat *info,
                      bool *unread) {
  struct stat there;
  int folder = spool_open_job(spool, state, json_string_value(json_object_get(job, "name")));
  json_t *summary = spool_read_shown(folder, "summary.json"), *run = spool_read_shown(folder, "checkpoint/run.json");
  put_submitted(job, folder, info);
  put(job, "ended", json_integer(info->st_mtime));
  if (folder >= 0) put_request(job, folder, SPOOL_PROBLEM, true);
  put_summary(job, summary);
  const JobProgress progress = job_progress_read(folder);
  job_progress_put(&progress, job);
  copy(job, "command", run, "command");
  copy(job, "exit", run, "exit");
  if (state == SPOOL_FAILED && folder >= 0) put_error(job, folder);
  /* the job has ended so early that no record of its run was written */
  if (state == SPOOL_DONE && folder >= 0 && json_is_null(json_object_get(job, "exit")))
    put(job, "exit", json_integer(0));
  *unread = folder < 0 || (!summary && fstatat(folder, "summary.json", &there, AT_SYMLINK_NOFOLLOW) == 0);
  json_decref(summary);
  json_decref(run);
  if (folder >= 0) close(folder);
}

/* Returns the description of a job; NULL if there is no memory. */
static json_t *describe(const SpoolFolders *spool, const json_t *status, SpoolFolder state, Entry *entry) {
  char name[SPOOL_NAME_MAX];
  spool_job_name(entry->file, name);
  json_t *job = new_job(state == SPOOL_INCOMING ? name : entry->file, state);
  if (!job) return NULL;
  if (state == SPOOL_INCOMING)
    put_waiting(spool, job, entry, status);
  else if (state == SPOOL_RUNNING)
    put_running(spool, job, &entry->info, status);
  else
    put_ended(spool, job, state, &entry->info, &entry->unread);
  return job;
}

/* Listing jobs ----------------------------------------------------------------------------------------------------- */

/* Appends the descriptions of at most n entries, beginning with the first. */
static bool append(const SpoolFolders *spool, const json_t *status, SpoolFolder state, Entries *entries, size_t n,
                   json_t *jobs) {
  bool good = true;
  for (size_t i = 0; i < entries->n && i < n && good; i++)
    good = json_array_append_new(jobs, describe(spool, status, state, &entries->list[i])) == 0;
  return good;
}

/* Returns a value that changes whenever the content or the permissions of a folder change. */
static json_t *mark_of(SpoolFolder state, const struct stat *info) {
  return json_pack("[i, I, I, I, I, I]", (int)state, (json_int_t)info->st_ino, (json_int_t)info->st_mtim.tv_sec,
                   (json_int_t)info->st_mtim.tv_nsec, (json_int_t)info->st_ctim.tv_sec,
                   (json_int_t)info->st_ctim.tv_nsec);
}

/* Returns the description of an ended job. If the folder of the job is unchanged, this is the description in `before`;
 * otherwise the folder is read again. Also stores the description in `kept` under the name of the job. NULL if there is
 * no memory. */
static json_t *describe_ended(const SpoolFolders *spool, SpoolFolder state, Entry *entry, const json_t *before,
                              json_t *kept) {
  const json_t *known = json_object_get(before, entry->file);
  json_t *mark = mark_of(state, &entry->info);
  bool same = mark && json_equal(mark, json_array_get(known, 0));
  json_t *job = same ? json_incref(json_array_get(known, 1)) : describe(spool, NULL, state, entry);
  if (job && mark && !entry->unread) json_object_set_new(kept, entry->file, json_pack("[O, O]", mark, job));
  json_decref(mark);
  return job;
}

/* Appends descriptions of the ended jobs in done/, failed/ and cancelled/, the newest first, at most `most` of them. */
static bool append_ended(const SpoolFolders *spool, Entries *ended, size_t most, const json_t *before, JobList *list) {
  size_t at[SPOOL_FOLDERS] = {0};
  bool good = true;
  for (; most > 0 && good; most--) {
    int youngest = -1;
    for (int f = SPOOL_DONE; f < SPOOL_FOLDERS; f++) {
      if (at[f] == ended[f].n) continue;
      if (youngest < 0 || by_youth(&ended[f].list[at[f]], &ended[youngest].list[at[youngest]]) < 0) youngest = f;
    }
    if (youngest < 0) break;
    Entry *entry = &ended[youngest].list[at[youngest]++];
    good =
        json_array_append_new(list->jobs, describe_ended(spool, (SpoolFolder)youngest, entry, before, list->kept)) == 0;
  }
  return good;
}

bool job_list_read(const SpoolFolders *spool, const json_t *status, long most, JobList *list) {
  Entries entries[SPOOL_FOLDERS] = {{0}};
  json_t *before = list->kept;
  json_decref(list->jobs);
  *list = (JobList){.jobs = json_array(), .kept = json_object()};
  bool good = list->jobs && list->kept;
  for (int f = 0; f < SPOOL_FOLDERS && good; f++) { /* jobs move through the folders only in this order, so none is
                                                     * missed */
    good = entries_read(spool, (SpoolFolder)f, &entries[f]);
    list->counts[f] = (long)entries[f].n;
    if (entries[f].n) qsort(entries[f].list, entries[f].n, sizeof *entries[f].list, f < SPOOL_DONE ? by_age : by_youth);
  }
  size_t n = most > 0 ? (size_t)most : 0;
  good = good && append(spool, status, SPOOL_RUNNING, &entries[SPOOL_RUNNING], SIZE_MAX, list->jobs) &&
         append(spool, status, SPOOL_INCOMING, &entries[SPOOL_INCOMING], n, list->jobs) &&
         append_ended(spool, entries, n, before, list);
  json_decref(before);
  for (int f = 0; f < SPOOL_FOLDERS; f++) entries_clear(&entries[f]);
  return good;
}

void job_list_clear(JobList *list) {
  json_decref(list->jobs);
  json_decref(list->kept);
  *list = (JobList){0};
}

json_t *job_list_from(const SpoolFolders *spool, const json_t *status, SpoolFolder from, const char *name) {
  char file[SPOOL_WAITING_MAX];
  Entry entry = {.file = file};
  SpoolFolder state;
  if (!spool_is_name(name)) return NULL;
  if (from == SPOOL_INCOMING && spool_find_waiting(spool, name, file, &entry.info))
    return describe(spool, status, SPOOL_INCOMING, &entry);
  from = from > SPOOL_RUNNING ? from : SPOOL_RUNNING; /* a running or ended job never moves back to incoming/, so the
                                                       * search begins at running/ */
  if (!spool_folders_find_from(spool, name, from, &state) ||
      fstatat(spool->folders[state], name, &entry.info, AT_SYMLINK_NOFOLLOW))
    return NULL;
  snprintf(file, sizeof file, "%s", name);
  return describe(spool, status, state, &entry);
}

json_t *job_list_waiting(const SpoolFolders *spool, const json_t *status, const char *name) {
  char file[SPOOL_WAITING_MAX];
  Entry entry = {.file = file};
  return spool_find_waiting(spool, name, file, &entry.info) ? describe(spool, status, SPOOL_INCOMING, &entry) : NULL;
}

json_t *job_list_begun(const SpoolFolders *spool, const json_t *status, const char *name) {
  return job_list_from(spool, status, SPOOL_RUNNING, name);
}

json_t *job_list_one(const SpoolFolders *spool, const json_t *status, const char *name) {
  return job_list_from(spool, status, SPOOL_INCOMING, name);
}
