/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_progress.h"

#include "src/spool/spool_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  ROW_SIZE = 4096,
  FILE_MOST = 1 << 16 /* maximum size of a file that is read, in bytes. The record of a sweep contains its problem; if
                       * it is larger than this, it is not read. */
};

static json_t *read_small(int folder, const char *path) {
  size_t size;
  char *text = spool_read_text(folder, path, FILE_MOST, &size);
  json_t *json = text ? json_loadb(text, size, 0, NULL) : NULL;
  free(text);
  return json;
}

static double positive(const json_t *json, const char *key) {
  return fmax(0, json_number_value(json_object_get(json, key)));
}

static long whole(const json_t *json, const char *key) {
  json_int_t value = json_integer_value(json_object_get(json, key));
  return value > 0 ? (long)value : 0;
}

/* Reads the last complete row of a CSV file, cut to ROW_SIZE; "" if there is none. Returns text. */
static const char *last_row(int folder, const char *table, char text[ROW_SIZE]) {
  struct stat info;
  int file = spool_open_file(folder, table, &info);
  off_t at = file < 0 ? 0 : spool_last_line(file, info.st_size);
  ssize_t got = at > 0 ? pread(file, text, ROW_SIZE - 1, at) : 0;
  if (file >= 0) close(file);
  text[got > 0 ? got : 0] = 0;
  text[strcspn(text, "\n")] = 0;
  return text;
}

static double number_at(const char *text) {
  double number = strtod(text, NULL);
  return isfinite(number) && number > 0 ? number : 0;
}

/* Reads the last row of search.csv, which has the form round,evaluations,..,seconds. */
static void read_search(int folder, JobProgress *progress) {
  char text[ROW_SIZE];
  const char *row = last_row(folder, "search.csv", text), *second = strchr(row, ','), *last = strrchr(row, ',');
  progress->rounds = number_at(row);
  progress->evaluations = second ? number_at(second + 1) : 0;
  progress->seconds = last ? number_at(last + 1) : 0;
}

JobProgress job_progress_read(int folder) {
  char text[ROW_SIZE];
  if (folder < 0) return (JobProgress){0};
  json_t *sweep = read_small(folder, "checkpoint/progress.json");
  json_t *record = sweep ? NULL : read_small(folder, "checkpoint/run.json");
  const json_t *limits = json_object_get(record, "limits");
  JobProgress progress = {.runs = whole(sweep, "runs"),
                          .runs_in_all = whole(sweep, "runs_in_all"),
                          .runs_not_met = whole(sweep, "runs_not_met"),
                          .runs_failed = whole(sweep, "runs_failed"),
                          .max_seconds = positive(limits, "seconds"),
                          .max_simplexes = positive(limits, "simplexes"),
                          .max_evaluations = positive(limits, "evaluations"),
                          .t = limits ? number_at(last_row(folder, "energy.csv", text)) : 0,
                          .end = positive(limits, "end")};
  if (limits) read_search(folder, &progress);
  json_decref(sweep);
  json_decref(record);
  return progress;
}

void job_progress_put(const JobProgress *progress, json_t *job) {
  if (!progress->runs_in_all) return;
  json_object_set_new(job, "runs", json_integer(progress->runs));
  json_object_set_new(job, "runs_in_all", json_integer(progress->runs_in_all));
  json_object_set_new(job, "runs_not_met", json_integer(progress->runs_not_met));
  json_object_set_new(job, "runs_failed", json_integer(progress->runs_failed));
}
