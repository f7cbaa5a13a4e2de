/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/job_attempts.h"

#include "src/serve/serve_job.h"

#include <string.h>
#include <unistd.h>

static const char ATTEMPTS[] = "attempts.json", PROCESS[] = "process", RANKS[] = "ranks", CANCELLED[] = "cancelled";

Attempts job_attempts_read(const Spool *spool, const char *name, bool begun) {
  char path[FILE_PATH_SIZE];
  json_error_t ignored;
  const Attempts first = {.number = begun};
  if (spool_path(spool, name, ATTEMPTS, path) || access(path, F_OK)) return first;
  json_t *json = file_json(path, &ignored);
  const char *place = json_string_value(json_object_get(json, "place"));
  const Attempts attempts = {.number = (long)json_integer_value(json_object_get(json, "attempts")),
                             .seconds = json_number_value(json_object_get(json, "seconds")),
                             .cancelled = json_is_true(json_object_get(json, CANCELLED)),
                             .by_process = place && strcmp(place, PROCESS) == 0};
  json_decref(json);
  return attempts;
}

int job_attempts_write(const ServeJob *job) {
  Results there = {.diagnostics = job->service->spool->top.diagnostics, .lock = -1};
  const Attempts *a = &job->attempts;
  snprintf(there.directory, sizeof there.directory, "%s", job->directory);
  json_t *json = json_pack("{s:I, s:f, s:s, s:o*}", "attempts", (json_int_t)a->number, "seconds", a->seconds, "place",
                           a->by_process ? PROCESS : RANKS, CANCELLED, a->cancelled ? json_true() : NULL);
  int failed = results_write_json(&there, ATTEMPTS, json, 6);
  json_decref(json);
  return failed ? -1 : 0;
}

void job_attempts_forget(const ServeJob *job) {
  char path[FILE_PATH_SIZE];
  if (spool_path(job->service->spool, job->name, ATTEMPTS, path) == 0) unlink(path);
}
