/* SPDX-License-Identifier: BSD-2-Clause */
/* Targets that read files that users may have put into a spool, as the commands and the page do. */
#include "tests/fuzz/fuzz.h"

#include "src/spool/job_inputs.h"
#include "src/spool/job_list.h"
#include "src/spool/job_print.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *nowhere;

static void make(const char *name) {
  char path[FUZZ_PATH_SIZE];
  FUZZ_HOLDS(mkdir(fuzz_path(name, path), 0700) == 0);
}

static void begin_job(void) {
  static const char *const folders[] = {"incoming",  "running",    "done",   "failed",
                                        "cancelled", "incoming/a", "done/b", "running/a"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) make(folders[i]);
  nowhere = fopen("/dev/null", "w");
  FUZZ_HOLDS(nowhere);
}

/* A job that was read, written and read again is the same. Each option is one word. */
static void job_round_trip(const JobText *json, const JobText *problem) {
  JobFile job, again;
  Diagnostics found = {0};
  int code = job_file_read(json, problem, &found, &job);
  FUZZ_HOLDS(code ? found.errors : job.command > JOB_AS_FILE && job.command < JOB_COMMANDS);
  for (int i = 0; i < job.n_options && !code; i++) FUZZ_HOLDS(strncmp(job.options[i], "--", 2) == 0);
  if (!code) {
    json_t *file = job_file_json(&job);
    char *text = json_dumps(file, 0);
    FUZZ_HOLDS(text);
    const JobText written = {"written", text, strlen(text)}, none = {.name = "none"};
    FUZZ_HOLDS(job_file_read(&written, &none, &found, &again) == 0);
    FUZZ_HOLDS(again.command == job.command && again.priority == job.priority && again.n_settings == job.n_settings &&
               again.n_options == job.n_options);
    for (int i = 0; i < job.n_options; i++) FUZZ_HOLDS(strcmp(job.options[i], again.options[i]) == 0);
    for (int i = 0; i < job.n_settings; i++) FUZZ_HOLDS(strcmp(job.settings[i], again.settings[i]) == 0);
    job_file_clear(&again);
    free(text);
    json_decref(file);
  }
  job_file_clear(&job);
  diagnostics_clear(&found);
}

/* Names of files become safe, and differ from each other. */
static void take_inputs(void) {
  char path[FUZZ_PATH_SIZE];
  JobFile job = {.command = JOB_CONTROL};
  JobInputs inputs;
  Diagnostics found = {0};
  int code = job_inputs_find(fuzz_path("incoming/a/problem.yaml", path), &job, &found, &inputs);
  FUZZ_HOLDS(code == 0 || found.errors);
  for (int i = 0; i < inputs.n; i++) {
    FUZZ_HOLDS(spool_is_file_name(inputs.list[i].name));
    for (int k = 0; k < i; k++)
      FUZZ_HOLDS((strcmp(inputs.list[i].name, inputs.list[k].name) == 0) ==
                 (strcmp(inputs.list[i].path, inputs.list[k].path) == 0));
  }
  job_inputs_clear(&inputs);
  job_file_clear(&job);
  diagnostics_clear(&found);
}

static void take_list(const SpoolFolders *spool) {
  SpoolService service = {0};
  JobList list;
  spool_service_look(spool, &service);
  FUZZ_HOLDS(job_list_read(spool, service.status, 5, &list));
  FUZZ_HOLDS(json_array_size(list.jobs) == 3);
  job_print_service(&service, &list, nowhere);
  job_print_table(&list, nowhere);
  for (size_t i = 0; i < 3; i++) {
    job_print_one(json_array_get(list.jobs, i), nowhere);
    job_print_outcome(json_array_get(list.jobs, i), "spool", nowhere);
  }
  job_list_clear(&list);
  spool_service_clear(&service);
}

/* Reads job.json, problem.yaml, status.json, search.csv, summary.json, separated by NULs. */
static void take_job(const uint8_t *bytes, size_t size) {
  static const char *const names[] = {"incoming/a/job.json", "incoming/a/problem.yaml", "status.json",
                                      "done/b/search.csv", "done/b/summary.json"};
  JobText texts[2];
  SpoolFolders spool;
  Diagnostics found = {0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const uint8_t *part;
    size_t length = fuzz_part(&bytes, &size, &part);
    fuzz_write(names[i], part, length);
    if (i < 2) texts[i] = (JobText){names[i], (const char *)part, length};
  }
  job_round_trip(&texts[0], &texts[1]);
  take_inputs();
  FUZZ_HOLDS(spool_folders_open(&spool, fuzz_folder(), &found) == 0);
  take_list(&spool);
  json_t *search = job_search(&spool, SPOOL_DONE, "b", 7);
  FUZZ_HOLDS(search && json_array_size(json_object_get(search, "rows")) <= 7);
  json_decref(search);
  spool_folders_close(&spool);
}

const FuzzTarget fuzz_job = {.name = "job", .begin = begin_job, .take = take_job};
