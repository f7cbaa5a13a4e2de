/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L /* declares getline and strdup */
#include "src/study/sweep_rows.h"

#include "control/base/checkpoint.h"
#include "control/base/clock.h"
#include "src/study/sweep_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A line of the file: checksum, number of the run, its two durations in s, and its row. The checksum is wrong if the
 * line was cut off, or was not on the disk when the machine stopped. Such a line and all lines after it are ignored. */
static const char LINE[] = "%08lx %ld %.6f %.6f %s\n";

static unsigned long sum_of(long run, SweepSeconds seconds, const char *row) {
  char head[96];
  int length = snprintf(head, sizeof head, "%ld %.6f %.6f ", run, seconds.all, seconds.simulating);
  return ctl_checkpoint_sum(ctl_checkpoint_sum(0, head, (size_t)length), row, strlen(row));
}

static int no_memory(const SweepRows *rows) { return diagnostics_no_memory(rows->results->diagnostics); }

static bool begins(const char *row, const char *outcome) { return strncmp(row + 2, outcome, strlen(outcome)) == 0; }

/* Stores a row in memory. */
static int keep(SweepRows *rows, long run, SweepSeconds seconds, const char *row) {
  if (rows->done[run]) return 0;
  rows->rows[run] = strdup(row);
  if (!rows->rows[run]) return no_memory(rows);
  rows->seconds[run] = seconds;
  rows->done[run] = true;
  rows->n_done++;
  rows->n_failed += begins(row, "failed");
  rows->n_not_met += begins(row, "not ");
  rows->n_robust += begins(row, "converged") || begins(row, "not converged");
  return 0;
}

/* Parses a line. Returns whether it is complete. Sets *row to the row, which is a part of the line. */
static bool parse(char *line, long count, long *run, SweepSeconds *seconds, const char **row) {
  size_t length = strlen(line);
  unsigned long sum;
  int at = 0;
  if (!length || line[length - 1] != '\n') return false;
  line[length - 1] = '\0';
  if (sscanf(line, "%lx %ld %lf %lf %n", &sum, run, &seconds->all, &seconds->simulating, &at) < 4 || !at) return false;
  *row = line + at;
  return *run >= 0 && *run < count && sum == sum_of(*run, *seconds, *row);
}

/* Reads the complete lines of the file, and opens it for writing after them. */
static int reopen(SweepRows *rows) {
  char path[FILE_PATH_SIZE], fault[FILE_FAULT_SIZE], *line = NULL;
  size_t room = 0;
  ssize_t length;
  if (results_path(rows->results, SWEEP_ROWS, path)) return EXIT_USAGE;
  FILE *file = file_open(path, fault);
  if (!file && errno == ENOENT) { /* the file does not exist, since the sweep was killed before its first row */
    rows->file = results_open(rows->results, SWEEP_ROWS);
    return rows->file ? 0 : EXIT_USAGE;
  }
  if (!file) return diagnostics_error(rows->results->diagnostics, EXIT_USAGE, "%s: %s", path, fault);
  int code = 0;
  while (!code && (length = getline(&line, &room, file)) > 0) {
    long run;
    SweepSeconds seconds;
    const char *row;
    uint32_t sum = ctl_checkpoint_sum((uint32_t)rows->mark.sum, line, (size_t)length);
    if (!parse(line, rows->count, &run, &seconds, &row)) break;
    code = keep(rows, run, seconds, row);
    rows->mark.size += length;
    rows->mark.sum = sum;
  }
  free(line);
  fclose(file);
  if (!code) rows->file = results_reopen(rows->results, SWEEP_ROWS, &rows->mark);
  return code ? code : rows->file ? 0 : EXIT_USAGE;
}

/* Writes a small file with the progress, which other programs read every second. The rows of a large sweep would be too
 * long for this. */
static int write_progress(const SweepRows *rows) {
  json_t *json =
      json_pack("{s:I, s:I, s:I, s:I}", "runs", (json_int_t)rows->n_done, "runs_in_all", (json_int_t)rows->count,
                "runs_not_met", (json_int_t)rows->n_not_met, "runs_failed", (json_int_t)rows->n_failed);
  int failed = results_write_json(rows->results, SWEEP_PROGRESS, json, 17);
  json_decref(json);
  return failed ? EXIT_INTERNAL : 0;
}

static int open_rows(SweepRows *rows, bool resumed) {
  if (resumed) return reopen(rows);
  rows->file = results_open(rows->results, SWEEP_ROWS);
  return rows->file ? 0 : EXIT_USAGE;
}

int sweep_rows_open(SweepRows *rows, const SweepPlan *plan, const Results *results, bool resumed) {
  size_t count = (size_t)plan->axes.runs;
  *rows = (SweepRows){.results = results, .count = plan->axes.runs, .synced = ctl_seconds()};
  rows->rows = calloc(count, sizeof *rows->rows);
  rows->seconds = calloc(count, sizeof *rows->seconds);
  rows->done = calloc(count, sizeof *rows->done);
  if (!rows->rows || !rows->seconds || !rows->done) return no_memory(rows);
  int code = open_rows(rows, resumed);
  return code ? code : write_progress(rows);
}

static int failed(const SweepRows *rows) {
  return diagnostics_error(rows->results->diagnostics, EXIT_INTERNAL,
                           "%s/%s could not be written (is the disk full?); `stiction resume` goes on from what was",
                           rows->results->directory, SWEEP_ROWS);
}

int sweep_rows_sync(SweepRows *rows) {
  rows->synced = ctl_seconds();
  return results_sync(rows->file, &rows->mark) ? failed(rows) : write_progress(rows);
}

int sweep_rows_add(SweepRows *rows, long run, SweepSeconds seconds, const char *row) {
  static const double SYNC_SECONDS = 1;
  fprintf(rows->file, LINE, sum_of(run, seconds, row), run, seconds.all, seconds.simulating, row);
  if (fflush(rows->file) || ferror(rows->file)) return failed(rows);
  int code = keep(rows, run, seconds, row);
  return code || ctl_seconds() - rows->synced < SYNC_SECONDS ? code : sweep_rows_sync(rows);
}

void sweep_rows_close(SweepRows *rows) {
  for (long i = 0; rows->rows && i < rows->count; i++) free(rows->rows[i]);
  free(rows->rows);
  free(rows->seconds);
  free(rows->done);
  if (rows->file) fclose(rows->file);
  *rows = (SweepRows){0};
}
