/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/job_messages.h"

#include "src/spool/spool_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ERROR[] = "error.txt";

int job_messages_begin(ServeJob *job) {
  char path[FILE_PATH_SIZE], fault[FILE_FAULT_SIZE];
  const Spool *spool = job->service->spool;
  if (job->messages) return 0;
  if (spool_path(spool, job->name, JOB_MESSAGES, path)) return -1;
  int file = file_open_to_write(path, O_CREAT | O_APPEND, 0666, fault);
  job->messages = file < 0 ? NULL : fdopen(file, "a");
  if (job->messages) return 0;
  if (file >= 0) {
    snprintf(fault, sizeof fault, "%s", strerror(errno));
    close(file);
  }
  return diagnostics_error(spool->top.diagnostics, -1, "%s: %s", path, fault);
}

static void report(void *to, const Diagnostic *diagnostic) {
  ServeJob *job = to;
  if (job_messages_begin(job) == 0) diagnostic_print(job->messages, diagnostic);
}

long job_messages_mark(const ServeJob *job) {
  struct stat info;
  if (!job->messages) return 0;
  fflush(job->messages);
  return fstat(fileno(job->messages), &info) ? 0 : (long)info.st_size;
}

int job_messages_open(ServeJob *job) {
  char path[FILE_PATH_SIZE];
  job->diagnostics = (Diagnostics){.origin = "stiction serve", .report = report, .to = job};
  if (spool_path(job->service->spool, job->name, JOB_MESSAGES, path)) return -1;
  if (access(path, F_OK)) return 0;
  int failed = job_messages_begin(job);
  job->said = job_messages_mark(job);
  return failed;
}

void job_messages_cut(const ServeJob *job, long mark) {
  if (!job->messages) return;
  fflush(job->messages);
  /* if the messages could not be cut, the reason is added to them */
  if (ftruncate(fileno(job->messages), mark)) fprintf(job->messages, "%s\n", strerror(errno));
}

bool job_messages_mention(const ServeJob *job, const char *const *texts) {
  enum { MESSAGES_MOST = 1 << 20 };
  size_t size;
  int folder = spool_open_job(&job->service->spool->at, SPOOL_RUNNING, job->name);
  char *text = spool_read_text(folder, JOB_MESSAGES, MESSAGES_MOST, &size);
  /* `said` is the number of bytes that earlier attempts have written; the file may have become shorter since */
  const char *from = text && job->said <= (long)size ? text + job->said : text;
  bool found = false;
  for (; text && *texts; texts++) found = found || strstr(from, *texts);
  free(text);
  if (folder >= 0) close(folder);
  return found;
}

/* Returns the number of bytes of a path with which a text begins, if it is the path of a file in a folder or (file
 * NULL) of the folder itself; otherwise 0. */
static size_t names(const char *text, const char *folder, const char *file) {
  size_t length = strlen(folder), rest = file ? strlen(file) : 0;
  if (strncmp(text, folder, length) != 0) return 0;
  if (!file) return length;
  return text[length] == '/' && strncmp(text + length + 1, file, rest) == 0 ? length + 1 + rest : 0;
}

/* Returns a text with the paths that the submitter knows: the problem file gets its name as submitted, and the path of
 * the job's folder, which will soon be moved, is removed. The caller frees the text; NULL if there is no memory. */
static char *renamed(const ServeJob *job, const char *submitted, const char *from) {
  char *text = NULL;
  size_t size, length;
  FILE *out = open_memstream(&text, &size);
  if (out && *job->late) fprintf(out, "%s\n", job->late);
  while (out && *from) {
    if (submitted && (length = names(from, job->directory, SPOOL_PROBLEM)) > 0)
      fputs(submitted, out);
    else if ((length = names(from, job->directory, "")) == 0 && (length = names(from, job->directory, NULL)) > 0)
      fputs(job->name, out);
    else if (!length)
      fputc(from[length++], out);
    from += length;
  }
  return out && !fclose(out) ? text : NULL;
}

/* Returns the content of messages.txt with paths as the submitter knows them. Returns "" if the file does not exist;
 * NULL if it cannot be read, or there is no memory. */
static char *read_messages(const ServeJob *job) {
  char path[FILE_PATH_SIZE];
  size_t size;
  Diagnostics ignored = {0};
  if (spool_path(job->service->spool, job->name, JOB_MESSAGES, path)) return NULL;
  if (access(path, F_OK)) return renamed(job, NULL, "");
  int folder = spool_open_job(&job->service->spool->at, SPOOL_RUNNING, job->name);
  json_t *noted = folder < 0 ? NULL : spool_read_json(folder, SPOOL_SUBMITTED);
  /* for a job that is a single file, its name is recorded in submitted.json */
  const char *submitted = job->wanted.file ? job->wanted.file : json_string_value(json_object_get(noted, "file"));
  char *text = file_read(path, &size, &ignored), *better = text ? renamed(job, submitted, text) : NULL;
  diagnostics_clear(&ignored);
  json_decref(noted);
  if (folder >= 0) close(folder);
  free(text);
  return better;
}

int job_messages_close(ServeJob *job, bool failed) {
  Results there = {.diagnostics = job->service->spool->top.diagnostics, .lock = -1};
  char path[FILE_PATH_SIZE], *text = read_messages(job);
  snprintf(there.directory, sizeof there.directory, "%s", job->directory);
  int bad = !text;
  bool written = spool_path(job->service->spool, job->name, ERROR, path) == 0 &&
                 access(path, F_OK) == 0; /* messages.txt may exist although this service has written no message, if an
                                           * earlier service was killed */
  if (written && !failed) unlink(path);
  if (written && failed && text && !*text) {
    free(text);
    return 0;
  }
  if (text && (failed || *text)) bad = results_write(&there, failed ? ERROR : JOB_MESSAGES, text);
  if (text && !bad && (failed || !*text) && results_path(&there, JOB_MESSAGES, path) == 0) unlink(path);
  free(text);
  return bad ? -1 : 0;
}
