#include "src/spool/job_progress.h"

#include "src/spool/spool_read.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 16 /* bytes: the record of a sweep has its problem in it, and is left alone */ };

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

/* t of the last row of energy.csv. */
static double last_time(int folder) {
  char text[64];
  struct stat info;
  int file = spool_open_file(folder, "energy.csv", &info);
  off_t at = file < 0 ? 0 : spool_last_line(file, info.st_size);
  ssize_t got = at > 0 ? pread(file, text, sizeof text - 1, at) : 0;
  if (file >= 0) close(file);
  text[got > 0 ? got : 0] = 0;
  double t = strtod(text, NULL);
  return isfinite(t) ? t : 0;
}

JobProgress job_progress_read(int folder) {
  if (folder < 0) return (JobProgress){0};
  json_t *sweep = read_small(folder, "checkpoint/progress.json");
  json_t *record = sweep ? NULL : read_small(folder, "checkpoint/run.json");
  const json_t *limits = json_object_get(record, "limits");
  const JobProgress progress = {.runs = whole(sweep, "runs"),
                                .runs_in_all = whole(sweep, "runs_in_all"),
                                .runs_not_met = whole(sweep, "runs_not_met"),
                                .runs_failed = whole(sweep, "runs_failed"),
                                .max_seconds = positive(limits, "seconds"),
                                .max_simplexes = positive(limits, "simplexes"),
                                .max_evaluations = positive(limits, "evaluations"),
                                .t = limits ? last_time(folder) : 0,
                                .end = positive(limits, "end")};
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
