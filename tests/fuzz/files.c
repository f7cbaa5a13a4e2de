/* SPDX-License-Identifier: BSD-2-Clause */
/* Targets that read files of earlier runs and of a service: the record of a run, results, trajectory.h5, names of
 * problems. */
#include "tests/fuzz/fuzz.h"

#include "src/figures/figure_sweep.h"
#include "src/file/sections/file.h"
#include "src/file/sections/saved_control.h"
#include "src/results/hdf5_read.h"
#include "src/results/run_results.h"
#include "src/run/run_record.h"
#include "src/serve/spool.h"
#include "src/serve/spool_adopt.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Problem problem;

static void make_folder(const char *name) {
  char path[FUZZ_PATH_SIZE];
  FUZZ_HOLDS(mkdir(fuzz_path(name, path), 0700) == 0);
}

static void begin_with_problem(void) {
  Diagnostics reported = {.report = diagnostic_print, .to = stderr};
  FUZZ_HOLDS(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", NULL, 0, true, &reported, &problem) == 0);
}

static void begin_record(void) {
  begin_with_problem();
  make_folder("checkpoint");
}

static void take_record(const uint8_t *bytes, size_t size) {
  char path[FILE_PATH_SIZE];
  double control[64];
  bool given;
  int code;
  Diagnostics reported = {0};
  Options options = {.argument = ""};
  RunRecord record;
  fuzz_write("checkpoint/run.json", bytes, size);
  code = run_record_open(&record, fuzz_folder(), &reported);
  FUZZ_HOLDS(code == 0 || reported.errors);
  if (!code) {
    run_record_ended(&record, &code);
    run_record_options(&record, path, &options);
    run_record_control(&record, stiction_problem_variables(&problem.sim), control, &given);
    run_record_command(&record);
  }
  run_record_close(&record);
  diagnostics_clear(&reported);
}

/* Reads sweep.csv and makes its figures. */
static void take_sweep(const uint8_t *bytes, size_t size) {
  Diagnostics reported = {0};
  Table sweep;
  SweepFigures figures = {0};
  fuzz_write("sweep.csv", bytes, size);
  int code = sweep_results_read(&sweep, fuzz_folder(), &reported);
  if (!code) code = figure_sweep(&sweep, &figures, &reported);
  FUZZ_HOLDS(code == 0 || reported.errors);
  FUZZ_HOLDS(figures.n <= FIGURES_MAX);
  figure_sweep_clear(&figures);
  table_clear(&sweep);
  diagnostics_clear(&reported);
}

/* Reads summary.json, trajectory.csv, energy.csv, events.csv and search.csv, separated by NULs, and then a sweep.csv if
 * bytes are left. */
static void take_results(const uint8_t *bytes, size_t size) {
  static const char *const names[] = {"summary.json", "trajectory.csv", "energy.csv", "events.csv", "search.csv"};
  char message[SAVED_CONTROL_MESSAGE_SIZE] = "";
  const uint8_t *part;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[FUZZ_PATH_SIZE];
    bool there = size > 0;
    size_t length = fuzz_part(&bytes, &size, &part);
    if (there)
      fuzz_write(names[i], part, length);
    else
      remove(fuzz_path(names[i], path));
  }
  if (size > 0) take_sweep(bytes, size);
  Diagnostics reported = {0};
  RunResults run;
  int code = run_results_read(&run, fuzz_folder(), &reported);
  FUZZ_HOLDS(code == 0 || reported.errors);
  if (!code) {
    run_results_stopped(&run);
    run_results_shown(&run);
    for (int dof = 1; run.intervals && dof <= 2; dof++) {
      long intervals;
      run_results_time_in(&run, dof, STATE_STICK, &intervals);
    }
  }
  run_results_clear(&run);
  diagnostics_clear(&reported);
  double *control = calloc((size_t)stiction_problem_variables(&problem.sim), sizeof *control);
  FUZZ_HOLDS(control && (saved_control_read(fuzz_folder(), &problem.sim, false, control, message) || *message));
  free(control);
}

static void take_hdf5(const uint8_t *bytes, size_t size) {
  Diagnostics reported = {0};
  Table table;
  fuzz_write("trajectory.h5", bytes, size);
  int code = table_read(&table, fuzz_folder(), "trajectory.h5", NULL, &reported);
  FUZZ_HOLDS(code == 0 || reported.errors);
  FUZZ_HOLDS(code == 0 || table.columns == 0);
  table_clear(&table);
  fuzz_write("events.h5", bytes, size);
  code = table_read(&table, fuzz_folder(), "events.h5", NULL, &reported);
  FUZZ_HOLDS(code == 0 || reported.errors);
  FUZZ_HOLDS(code == 0 || table.columns == 0);
  table_clear(&table);
  diagnostics_clear(&reported);
}

static void begin_spool(void) {
  static const char *const folders[] = {"spool", "spool/incoming"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) make_folder(folders[i]);
}

/* Names in incoming/ become safe names, and each job is in one place at a time. */
static void take_spool(const uint8_t *bytes, size_t size) {
  char path[FUZZ_PATH_SIZE], file[300], name[SPOOL_NAME_MAX], inside[FILE_PATH_SIZE];
  const uint8_t *part;
  Diagnostics reported = {0};
  Spool spool;
  size_t length = fuzz_part(&bytes, &size, &part);
  if (length == 0 || length > 255 || memchr(part, '/', length)) return;
  if ((length == 1 && *part == '.') || (length == 2 && memcmp(part, "..", 2) == 0)) return;
  snprintf(file, sizeof file, "spool/incoming/%.*s", (int)length, (const char *)part);
  fuzz_write(file, bytes, size);
  FUZZ_HOLDS(spool_open(&spool, fuzz_path("spool", path), &reported) == 0);
  spool_look(&spool);
  if (spool_waiting(&spool)) {
    FUZZ_HOLDS(spool_claim(&spool, &spool.waiting.entries[0], name) == 1);
    size_t safe = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._");
    FUZZ_HOLDS(*name && name[0] != '.' && name[0] != '-' && !name[safe] && strlen(name) <= 110);
    FUZZ_HOLDS(spool_adopt(&spool, name, &reported) == 0);
    FUZZ_HOLDS(spool_path(&spool, name, "problem.yaml", inside) == 0 && access(inside, F_OK) == 0);
    FUZZ_HOLDS(spool_finish(&spool, name, SPOOL_DONE) == 0);
    snprintf(file, sizeof file, "spool/done/%s/problem.yaml", name);
    FUZZ_HOLDS(remove(fuzz_path(file, path)) == 0);
    snprintf(file, sizeof file, "spool/done/%s/submitted.json", name);
    FUZZ_HOLDS(remove(fuzz_path(file, path)) == 0);
    snprintf(file, sizeof file, "spool/done/%s", name);
    FUZZ_HOLDS(remove(fuzz_path(file, path)) == 0);
  } else {
    FUZZ_HOLDS(*part == '.' || spool.waiting.entries[0].cancelled); /* the entry is hidden, or a request to cancel */
    remove(fuzz_path(file, path));
  }
  spool_close(&spool);
  diagnostics_clear(&reported);
}

const FuzzTarget fuzz_record = {.name = "record", .begin = begin_record, .take = take_record};
const FuzzTarget fuzz_results = {.name = "results", .begin = begin_with_problem, .take = take_results};
const FuzzTarget fuzz_hdf5 = {.name = "hdf5", .take = take_hdf5};
const FuzzTarget fuzz_spool = {.name = "spool", .begin = begin_spool, .take = take_spool};
