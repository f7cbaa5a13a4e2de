/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/service_log.h"

#include "src/spool/job_print.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

static void begin(const char *name) {
  char text[32] = "";
  time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  printf("%s %s: ", text, name);
}

void service_log(const char *name, const char *format, ...) {
  va_list arguments;
  begin(name);
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

static void print_number(const json_t *job, const char *key, const char *format) {
  const json_t *value = json_object_get(job, key);
  if (json_is_number(value)) printf(format, json_number_value(value));
}

void service_log_end(const Spool *spool, const char *name, const char *word) {
  char outcome[JOB_OUTCOME_SIZE];
  json_t *job = job_list_begun(&spool->at, NULL, name);
  begin(name);
  fputs(word, stdout);
  if (job && *job_outcome(job, outcome) && strcmp(outcome, word) != 0) {
    fputs(": ", stdout);
    text_print(outcome, false, stdout); /* text_print escapes control characters, since users write this text */
  }
  print_number(job, "J", ", J %.6g");
  print_number(job, "E1", ", E1 %.3g");
  print_number(job, "seconds", ", %.3g s");
  putchar('\n');
  fflush(stdout);
  json_decref(job);
}
