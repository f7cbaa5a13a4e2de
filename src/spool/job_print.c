/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_print.h"

#include "src/base/diagnostics.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

enum { CELL_SIZE = 32, NAME_WIDTH_MAX = 40, OUTCOME_WIDTH = 100 };

static const char *text_of(const json_t *json, const char *key) {
  const char *text = json_string_value(json_object_get(json, key));
  return text ? text : "";
}

static bool is_known(const json_t *json, const char *key) { return json_is_number(json_object_get(json, key)); }

static double number_of(const json_t *json, const char *key) { return json_number_value(json_object_get(json, key)); }

/* Formats a number in a job's description. format: format for a double. Returns "-" if the number is not known. */
static const char *cell(const json_t *job, const char *key, const char *format, char buffer[CELL_SIZE]) {
  if (is_known(job, key))
    snprintf(buffer, CELL_SIZE, format, number_of(job, key));
  else
    snprintf(buffer, CELL_SIZE, "-");
  return buffer;
}

/* Formats a duration in s as text: 12 s, 3 min, 2.5 h. */
static const char *duration(const json_t *job, const char *key, char buffer[CELL_SIZE]) {
  double s = number_of(job, key);
  if (!is_known(job, key)) return cell(job, key, "", buffer);
  if (s < 100)
    snprintf(buffer, CELL_SIZE, "%.3g s", s);
  else if (s < 6000)
    snprintf(buffer, CELL_SIZE, "%.0f min", s / 60);
  else
    snprintf(buffer, CELL_SIZE, "%.1f h", s / 3600);
  return buffer;
}

/* Formats the progress of a job: "12 of 300 runs" for a sweep, "45" (rounds) for a search, otherwise "-". */
static const char *progress_cell(const json_t *job, char buffer[CELL_SIZE]) {
  if (!is_known(job, "runs_in_all")) return cell(job, "rounds", "%.0f", buffer);
  double n = number_of(job, "runs"), all = number_of(job, "runs_in_all");
  if (n < all)
    snprintf(buffer, CELL_SIZE, "%.0f of %.0f runs", n, all);
  else
    snprintf(buffer, CELL_SIZE, "%.0f run%s", all, all == 1 ? "" : "s");
  return buffer;
}

/* Appends formatted text to a buffer of JOB_OUTCOME_SIZE bytes. */
static void append(char *text, const char *format, ...) LIKE_PRINTF(2, 3);
static void append(char *text, const char *format, ...) {
  size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + length, JOB_OUTCOME_SIZE - length, format, arguments);
  va_end(arguments);
}

/* Describes how the runs of a sweep ended, e.g. "9 good, 2 not met, 1 failed"; "" if all are good. Returns outcome. */
static const char *runs_outcome(const json_t *job, char outcome[JOB_OUTCOME_SIZE]) {
  double not_met = number_of(job, "runs_not_met"), failed = number_of(job, "runs_failed"),
         good = number_of(job, "runs") - not_met - failed;
  *outcome = 0;
  if (not_met > 0 || failed > 0) append(outcome, "%.0f good", good);
  if (not_met > 0) append(outcome, ", %.0f not met", not_met);
  if (failed > 0) append(outcome, ", %.0f failed", failed);
  return outcome;
}

const char *job_outcome(const json_t *job, char outcome[JOB_OUTCOME_SIZE]) {
  const char *state = text_of(job, "state"), *reason = text_of(job, "reason"), *error = text_of(job, "error");
  bool search = is_known(job, "E1") || is_known(job, "J");
  int code = (int)number_of(job, "exit");
  if (strcmp(state, "failed") == 0)
    snprintf(outcome, JOB_OUTCOME_SIZE, "%s", *error ? error : *reason ? reason : "see error.txt");
  else if (strcmp(state, "done") == 0 && is_known(job, "runs"))
    runs_outcome(job, outcome);
  else if (strcmp(state, "done") == 0 && search && *reason)
    snprintf(outcome, JOB_OUTCOME_SIZE, "%s (%s)", code == EXIT_NOT_MET ? "target not met" : "target met", reason);
  else if (strcmp(state, "done") == 0)
    snprintf(outcome, JOB_OUTCOME_SIZE, "%s", *reason ? reason : code == EXIT_NOT_MET ? "target not met" : "");
  else
    snprintf(outcome, JOB_OUTCOME_SIZE, "%s", strcmp(reason, state) == 0 ? "" : reason);
  return outcome;
}

void job_print_service(const SpoolService *service, const JobList *list, FILE *out) {
  const json_t *status = service->status;
  char rate[CELL_SIZE];
  switch (service->phase) {
  case SPOOL_UNSERVED: fprintf(out, "no service has worked here yet"); break;
  case SPOOL_DEAD:
    fprintf(out, "dead: nothing has been heard of the service for %.0f s; jobs go on when it is started again",
            service->age);
    break;
  case SPOOL_ENDED: fprintf(out, "ended: jobs go on when the service is started again"); break;
  default:
    fprintf(out, "%s on %.0f ranks, %.0f busy, %s simulations a second", spool_phase_names[service->phase],
            number_of(status, "ranks"), number_of(status, "busy"), cell(status, "ivps_per_second", "%.0f", rate));
  }
  fprintf(out, ";");
  for (int f = 0; f < SPOOL_FOLDERS; f++)
    fprintf(out, "%s %ld %s", f ? "," : "", list->counts[f], job_state_name((SpoolFolder)f));
}

void job_print_table(const JobList *list, FILE *out) {
  size_t i;
  json_t *job;
  char progress[CELL_SIZE];
  int width = 4, wide = 7;
  json_array_foreach(list->jobs, i, job) {
    int length = (int)strlen(text_of(job, "name")); /* names consist of ASCII characters, so the number of bytes is the
                                                     * width */
    if (length > width) width = length < NAME_WIDTH_MAX ? length : NAME_WIDTH_MAX;
  }
  json_array_foreach(list->jobs, i, job) {
    int length = (int)strlen(progress_cell(job, progress));
    if (length > wide) wide = length;
  }
  fprintf(out, "%-*s  %-9s  %-8s  %*s  %12s  %8s  %8s  %9s  %s\n", width, "name", "state", "command", wide, "rounds",
          "J", "E1", "rate 1/s", "time left", "outcome");
  json_array_foreach(list->jobs, i, job) {
    char cells[5][CELL_SIZE], outcome[JOB_OUTCOME_SIZE];
    job_outcome(job, outcome);
    fprintf(out, "%-*s  %-9s  %-8s  %*s  %12s  %8s  %8s  %9s", width, text_of(job, "name"), text_of(job, "state"),
            text_of(job, "command"), wide, progress_cell(job, cells[0]), cell(job, "J", "%.8g", cells[1]),
            cell(job, "E1", "%.1e", cells[2]), cell(job, "ivps_per_second", "%.0f", cells[3]),
            duration(job, "time_left", cells[4]));
    size_t cut = text_cut(outcome, OUTCOME_WIDTH);
    bool more = outcome[cut];
    outcome[cut] = 0;
    if (*outcome) fprintf(out, "  ");
    text_print(outcome, false, out);
    fprintf(out, "%s\n", more ? ".." : "");
  }
}

/* Prints a time as 2026-05-01 12:00:00. */
static void print_time(const json_t *job, const char *key, FILE *out) {
  char text[CELL_SIZE];
  struct tm parts;
  time_t when = (time_t)number_of(job, key);
  if (localtime_r(&when, &parts) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts)) fprintf(out, "%s", text);
}

void job_print_one(const json_t *job, FILE *out) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)job, key, value) {
    if (json_is_null(value)) continue;
    fprintf(out, "%-15s  ", key);
    if (json_is_string(value))
      text_print(json_string_value(value), false, out);
    else if (strcmp(key, "submitted") == 0 || strcmp(key, "ended") == 0)
      print_time(job, key, out);
    else
      fprintf(out, "%.10g", json_number_value(value));
    fprintf(out, "\n");
  }
}

const char *job_progress_text(const json_t *job, char text[JOB_OUTCOME_SIZE]) {
  char buffer[CELL_SIZE];
  snprintf(text, JOB_OUTCOME_SIZE, "%s: %s", text_of(job, "name"), text_of(job, "state"));
  if (is_known(job, "runs_in_all"))
    append(text, "  %s", progress_cell(job, buffer));
  else if (is_known(job, "rounds"))
    append(text, "  round %.0f", number_of(job, "rounds"));
  if (is_known(job, "J")) append(text, "  J %.6g", number_of(job, "J"));
  if (is_known(job, "E1")) append(text, "  E1 %.1e", number_of(job, "E1"));
  if (is_known(job, "time_left")) append(text, "  %s left", duration(job, "time_left", buffer));
  return text;
}

void job_print_outcome(const json_t *job, const char *spool, FILE *out) {
  char outcome[JOB_OUTCOME_SIZE];
  const char *name = text_of(job, "name"), *state = text_of(job, "state");
  fprintf(out, "%s: %s", name, state);
  if (*job_outcome(job, outcome)) {
    fprintf(out, ", ");
    text_print(outcome, false, out);
  }
  if (is_known(job, "rounds")) fprintf(out, " after %.0f rounds", number_of(job, "rounds"));
  fprintf(out, "\n");
  if (is_known(job, "J")) fprintf(out, "J(u*) = %.10g", number_of(job, "J"));
  if (is_known(job, "E1")) fprintf(out, "   E1 = %.2e", number_of(job, "E1"));
  if (is_known(job, "E2")) fprintf(out, "   E2 = %.2e", number_of(job, "E2"));
  if (is_known(job, "J")) fprintf(out, "\n");
  fprintf(out, "results in ");
  text_print(spool, false, out);
  fprintf(out, "/%s/%s\n", state, name);
}
