#include "src/sweep/table.h"

#include "src/base/exit_code.h"
#include "src/process/hdf5_library.h"
#include "src/sweep/one_run.h"
#include "src/sweep/table_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A text as a CSV field, in quotes where it must be. */
static void write_text(FILE *file, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

static void write_cell(FILE *file, const json_t *cell) {
  fputc(',', file);
  if (json_is_integer(cell))
    fprintf(file, "%lld", (long long)json_integer_value(cell));
  else if (json_is_real(cell))
    fprintf(file, "%.17g", json_real_value(cell));
  else if (json_is_string(cell))
    write_text(file, json_string_value(cell));
  else if (json_is_boolean(cell))
    fputs(json_is_true(cell) ? "true" : "false", file);
}

static void write_header(FILE *file, const SweepPlan *plan) {
  fputs("run", file);
  for (int k = 0; k < plan->axes.n; k++) {
    fputc(',', file);
    write_text(file, plan->axes.axes[k].key);
  }
  for (int k = 0; k < ROW_COLUMNS; k++) fprintf(file, ",%s", sweep_columns_fixed[k]);
  for (int k = 0; k < plan->n_columns; k++) {
    fputc(',', file);
    write_text(file, plan->columns[k].name);
  }
  fputc('\n', file);
}

static bool write_rows(FILE *file, const SweepPlan *plan, const SweepRows *rows) {
  write_header(file, plan);
  for (long run = 0; run < rows->count; run++) {
    long index[SWEEP_AXES_MAX];
    if (!rows->done[run]) continue;
    json_t *row = json_loads(rows->rows[run], 0, NULL), *cell;
    size_t c;
    if (!row) return false;
    fprintf(file, "%ld", run);
    axes_index(&plan->axes, run, index);
    for (int k = 0; k < plan->axes.n; k++) {
      fputc(',', file);
      write_text(file, axes_value(&plan->axes.axes[k], index[k]));
    }
    json_array_foreach(row, c, cell) write_cell(file, cell);
    fputc('\n', file);
    json_decref(row);
  }
  return true;
}

static bool write_times(FILE *file, const SweepPlan *plan, const SweepRows *rows) {
  (void)plan;
  fputs("run,seconds,simulating\n", file);
  for (long run = 0; run < rows->count; run++)
    if (rows->done[run]) fprintf(file, "%ld,%.6f,%.6f\n", run, rows->seconds[run].all, rows->seconds[run].simulating);
  return true;
}

/* What has been written beside a file takes its place, or goes. */
static int put_in_place(const Results *results, const char *part, const char *name, bool good) {
  char from[FILE_PATH_SIZE], to[FILE_PATH_SIZE];
  if (results_path(results, part, from) || results_path(results, name, to)) return EXIT_INTERNAL;
  if (good && rename(from, to) == 0) return 0;
  unlink(from);
  return diagnostics_error(results->diagnostics, EXIT_INTERNAL, "%s could not be written in full (is the disk full?)",
                           to);
}

static int write_file(const SweepPlan *plan, const SweepRows *rows, const char *name,
                      bool (*write)(FILE *, const SweepPlan *, const SweepRows *)) {
  char part[64];
  snprintf(part, sizeof part, "%s.part", name);
  FILE *file = results_open(rows->results, part);
  if (!file) return EXIT_INTERNAL;
  bool good = write(file, plan, rows) && fflush(file) == 0 && fsync(fileno(file)) == 0;
  good = results_close(rows->results, part, file) == 0 && good;
  return put_in_place(rows->results, part, name, good);
}

static int write_hdf5(const SweepPlan *plan, const SweepRows *rows) {
  static const char part[] = "sweep.h5.part";
  char path[FILE_PATH_SIZE];
  if (!hdf5_begin(rows->results->diagnostics)) return EXIT_INTERNAL;
  if (results_path(rows->results, part, path) || !results_clear_way(rows->results, part, false)) return EXIT_INTERNAL;
  const char *names[SWEEP_HDF5_COLUMNS] = {0};
  for (int k = 0; k < ROW_COLUMNS; k++) names[k] = sweep_columns_fixed[k];
  for (int k = 0; k < plan->n_columns; k++) names[ROW_COLUMNS + k] = plan->columns[k].name;
  return put_in_place(rows->results, part, "sweep.h5", sweep_table_hdf5(path, plan, rows, names));
}

int sweep_table_write(const SweepPlan *plan, const SweepRows *rows) {
  int code = write_file(plan, rows, "sweep.csv", write_rows);
  if (!code) code = write_file(plan, rows, "times.csv", write_times);
  return code ? code : write_hdf5(plan, rows);
}
