/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests jobs that are submitted to a spool, withdrawn and fetched: names of files, no partially written files, and only
 * the job's own files. */
#include "tests/fixture.h"

#include "src/spool/job_fetch.h"
#include "src/spool/job_inputs.h"
#include "src/spool/job_request.h"
#include "src/spool/job_submit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OTHER_USER = 65534 };
static char top[FIXTURE_DIRECTORY_SIZE];
static SpoolFolders spool;
static Diagnostics reported;

static const char *in_top(const char *name) {
  static char path[4][FIXTURE_PATH_SIZE];
  static int k;
  k = (k + 1) % 4;
  fixture_path(top, name, path[k]);
  return path[k];
}

static void drop(const char *name, const char *text) {
  FILE *file = fopen(in_top(name), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void folder(const char *name) { assert_int_equal(mkdir(in_top(name), 0777), 0); }

static bool is_there(const char *name) {
  struct stat info;
  return lstat(in_top(name), &info) == 0;
}

static bool holds(const char *name, const char *text) {
  char found[512] = "";
  FILE *file = fopen(in_top(name), "r");
  if (!file) return false;
  size_t size = fread(found, 1, sizeof found - 1, file);
  fclose(file);
  return size == strlen(text) && strcmp(found, text) == 0;
}

/* Returns the number of entries of a folder. */
static int count(const char *name) {
  DIR *handle = opendir(in_top(name));
  int n = 0;
  assert_non_null(handle);
  while (readdir(handle)) n++;
  closedir(handle);
  return n - 2;
}

static int make_spool(void **state) {
  (void)state;
  if (fixture_directory(top)) return -1;
  for (int f = 0; f < SPOOL_FOLDERS; f++) folder(spool_folder_names[f]);
  reported = (Diagnostics){0};
  return spool_folders_open(&spool, top, &reported);
}

static int remove_spool(void **state) {
  char command[FIXTURE_PATH_SIZE];
  (void)state;
  spool_folders_close(&spool);
  diagnostics_clear(&reported);
  snprintf(command, sizeof command, "rm -rf '%s'", top);
  return system(command);
}

static int submit(const char *file, JobFile *job, const char *as, char name[SPOOL_NAME_MAX]) {
  JobPacked packed;
  int code = job_submit_pack(&spool, in_top(file), job, as, &reported, &packed);
  if (!code) code = job_submit_put(&spool, &packed, name, &reported);
  job_submit_drop(&spool, &packed);
  job_file_clear(job);
  return code;
}

static void what_says_all_is_one_file(void **state) {
  char name[SPOOL_NAME_MAX];
  JobFile plain = {.command = JOB_SIMULATE}, other = {.command = JOB_CONTROL},
          first = {.command = JOB_CONTROL, .priority = 1};
  (void)state;
  drop("a.yaml", "# stiction: simulate\nmodel: {}\n");
  assert_int_equal(submit("a.yaml", &plain, NULL, name), 0);
  assert_string_equal(name, "a");
  assert_true(holds("incoming/a.yaml", "# stiction: simulate\nmodel: {}\n"));
  assert_int_equal(submit("a.yaml", &other, NULL, name), 0);
  assert_string_equal(name, "a-2");
  assert_true(holds("incoming/a-2/problem.yaml", "# stiction: simulate\nmodel: {}\n"));
  folder("done/a-3");
  assert_int_equal(submit("a.yaml", &first, NULL, name), 0);
  assert_string_equal(name, "a-4");
  JobFile read;
  assert_int_equal(job_file_load(in_top("incoming/a-4"), &reported, &read), 0);
  assert_true(read.command == JOB_CONTROL && read.priority == 1);
  job_file_clear(&read);
  assert_int_equal(count("incoming"), 3); /* there are no hidden entries */
}

static void names_asked_for_are_given_or_refused(void **state) {
  static const char *const bad[] = {"", ".", "..", "a/b", "-a", "a.cancel", "a.yaml", "\xc3\xa9"};
  char name[SPOOL_NAME_MAX];
  JobFile job = {.command = JOB_CONTROL};
  (void)state;
  drop("a.yaml", "model: {}\n");
  assert_int_equal(submit("a.yaml", &job, "b", name), 0);
  assert_true(is_there("incoming/b.yaml"));
  job.command = JOB_CONTROL;
  assert_int_equal(submit("a.yaml", &job, "b", name), EXIT_USAGE);
  folder("failed/c");
  job.command = JOB_CONTROL;
  assert_int_equal(submit("a.yaml", &job, "c", name), EXIT_USAGE);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    job.command = JOB_CONTROL;
    assert_int_equal(submit("a.yaml", &job, bad[i], name), EXIT_USAGE);
  }
  assert_int_equal(count("incoming"), 1);
}

/* Each file is packed once, under a unique bare name, and the problem refers to it by that name. */
static void files_travel_under_bare_names(void **state) {
  char name[SPOOL_NAME_MAX];
  JobFile job = {.command = JOB_CONTROL}, read;
  (void)state;
  folder("data");
  drop("M.mtx", "here\n");
  drop("data/M.mtx", "there\n");
  drop("data/.odd name", "odd\n");
  drop("job.json", "a matrix\n");
  drop("a.yaml", "model:\n  mass: {file: M.mtx}\n  stiffness: {file: data/M.mtx}\n  damping: {file: data/M.mtx}\n"
                 "  force: [{until: 1, file: ./data/.odd name}, {file: job.json}]\n  x0: {file: [1]}\n");
  assert_true(job_file_add(job.settings, &job.n_settings, "model.mass.file=M.mtx"));
  assert_int_equal(submit("a.yaml", &job, NULL, name), 0);
  assert_true(holds("incoming/a/M.mtx", "here\n") && holds("incoming/a/2-M.mtx", "there\n"));
  assert_true(holds("incoming/a/_odd_name", "odd\n") && holds("incoming/a/2-job.json", "a matrix\n"));
  assert_int_equal(count("incoming/a"), 6);
  assert_int_equal(job_file_load(in_top("incoming/a"), &reported, &read), 0);
  static const char *const settings[] = {"model.mass.file=M.mtx", "model.stiffness.file=\"2-M.mtx\"",
                                         "model.damping.file=\"2-M.mtx\"", "model.force[1].file=\"_odd_name\"",
                                         "model.force[2].file=\"2-job.json\""};
  assert_int_equal(read.n_settings, 5);
  for (int i = 0; i < 5; i++) assert_string_equal(read.settings[i], settings[i]);
  job_file_clear(&read);
}

static void files_that_cannot_travel_are_reported(void **state) {
  char name[SPOOL_NAME_MAX];
  JobFile job = {.command = JOB_CONTROL}, sweep = {.command = JOB_SWEEP}, missing = {.command = JOB_CONTROL};
  (void)state;
  drop("from.yaml", "control:\n  start: {from: ../results}\n");
  assert_int_equal(submit("from.yaml", &job, NULL, name), EXIT_USAGE);
  assert_int_equal(reported.count, 1);
  assert_true(reported.list[0].place.line == 2 && strcmp(reported.list[0].key, "control.start.from") == 0);
  drop("a.yaml", "model: {mass: 1, force: {file: none.csv}}\n");
  assert_true(job_file_add(sweep.options, &sweep.n_options, "--vary=model.mass=[1, {file: M.mtx}]"));
  assert_true(job_file_add(sweep.options, &sweep.n_options, "--vary=model.force.file=[a.csv, b.csv]"));
  assert_int_equal(submit("a.yaml", &sweep, NULL, name), EXIT_USAGE);
  assert_int_equal(reported.count, 3);
  assert_int_equal(submit("a.yaml", &missing, NULL, name), EXIT_USAGE); /* none.csv */
  assert_int_equal(count("incoming"), 0);
}

/* If a disk or folder refuses the job, the error is reported and nothing remains. */
static void nothing_half_written_stays(void **state) {
  char name[SPOOL_NAME_MAX];
  JobFile job = {.command = JOB_CONTROL};
  JobPacked packed;
  (void)state;
  drop("a.yaml", "model: {mass: {file: large}}\n");
  drop("large", "");
  assert_int_equal(truncate(in_top("large"), SPOOL_JOB_MAX), 0); /* the file is too large together with the problem */
  assert_int_equal(submit("a.yaml", &job, NULL, name), EXIT_USAGE);
  drop("b.yaml", "model: {}\n");
  assert_int_equal(truncate(in_top("b.yaml"), SPOOL_FILE_MAX + 1), 0);
  job.command = JOB_CONTROL;
  assert_int_equal(submit("b.yaml", &job, NULL, name), EXIT_USAGE);
  drop("large", "");
  job.command = JOB_CONTROL;
  assert_int_equal(job_submit_pack(&spool, in_top("a.yaml"), &job, NULL, &reported, &packed), 0);
  assert_int_equal(count("incoming"), 1); /* hidden */
  job_submit_drop(&spool, &packed);
  job_submit_drop(&spool, &packed);
  job_file_clear(&job);
  assert_int_equal(count("incoming"), 0);
}

/* Another user's service can take the jobs in its incoming/; if it is this user's or root's, no other user can read
 * them. */
static void a_service_of_another_can_take_jobs(void **state) {
  char name[SPOOL_NAME_MAX];
  struct stat info;
  JobFile job = {.command = JOB_CONTROL, .priority = 1};
  (void)state;
  drop("a.yaml", "model: {}\n");
  assert_int_equal(submit("a.yaml", &job, NULL, name), 0);
  assert_true(stat(in_top("incoming/a"), &info) == 0 && (info.st_mode & 07777) == 0700);
  if (geteuid() != 0) skip();
  assert_int_equal(chown(in_top("incoming"), OTHER_USER, OTHER_USER), 0);
  assert_int_equal(chmod(in_top("incoming"), 01770), 0);
  job = (JobFile){.command = JOB_CONTROL, .priority = 1};
  assert_int_equal(submit("a.yaml", &job, "b", name), 0);
  assert_true(stat(in_top("incoming/b"), &info) == 0 && (info.st_mode & 0777) == 0770 && info.st_gid == OTHER_USER);
  assert_true(stat(in_top("incoming/b/job.json"), &info) == 0 && (info.st_mode & 07777) == 0640);
}

static void jobs_are_taken_back(void **state) {
  (void)state;
  drop("incoming/a.yaml", "a\n");
  folder("incoming/b");
  drop("incoming/b/problem.yaml", "b\n");
  assert_int_equal(job_request_take_back(&spool, "a"), 0);
  assert_int_equal(job_request_take_back(&spool, "b"), 0);
  assert_true(holds("cancelled/a/problem.yaml", "a\n") && holds("cancelled/b/problem.yaml", "b\n"));
  assert_int_equal(job_request_take_back(&spool, "c"), ENOENT);
  assert_int_equal(count("incoming"), 0);
  assert_int_equal(job_request_cancel(&spool, "c", &reported), 0);
  assert_int_equal(job_request_cancel(&spool, "c", &reported), 0); /* this user's */
  assert_true(job_request_waits(&spool, "c") && is_there("incoming/c.cancel"));
  job_request_drop(&spool, "c");
  assert_false(job_request_waits(&spool, "c"));
  assert_int_equal(symlink("c", in_top("incoming/c.cancel")), 0);
  assert_int_equal(job_request_cancel(&spool, "c", &reported), EXIT_USAGE);
  assert_false(is_there("incoming/c"));
}

static void what_is_fetched_is_files_alone(void **state) {
  (void)state;
  drop("secret", "secret\n");
  folder("done/a");
  folder("done/a/checkpoint");
  folder("done/a/figures");
  drop("done/a/summary.json", "{}\n");
  drop("done/a/summary.json.part", "{");
  drop("done/a/checkpoint/lock", "");
  drop("done/a/checkpoint/run.json", "[]\n");
  drop("done/a/figures/energy.svg", "svg\n");
  assert_int_equal(symlink("../../secret", in_top("done/a/link")), 0);
  assert_int_equal(symlink("../..", in_top("done/a/all")), 0);
  assert_int_equal(mkfifo(in_top("done/a/pipe"), 0666), 0);
  folder("to");
  assert_int_equal(job_fetch(&spool, SPOOL_DONE, "a", in_top("to"), &reported), 0);
  assert_true(holds("to/summary.json", "{}\n") && holds("to/checkpoint/run.json", "[]\n") &&
              holds("to/figures/energy.svg", "svg\n"));
  assert_int_equal(count("to"), 3);
  assert_int_equal(count("to/checkpoint"), 1);
  assert_int_equal(unlink(in_top("to/summary.json")), 0); /* a file is not written through a link, either */
  assert_int_equal(symlink("../secret", in_top("to/summary.json")), 0);
  assert_int_equal(job_fetch(&spool, SPOOL_DONE, "a", in_top("to"), &reported), EXIT_USAGE);
  assert_true(holds("secret", "secret\n"));
  assert_int_equal(symlink("a", in_top("done/b")), 0);
  assert_int_equal(job_fetch(&spool, SPOOL_DONE, "b", in_top("to"), &reported), EXIT_USAGE);
}

int main(void) {
#define SUBMIT_TEST(f) cmocka_unit_test_setup_teardown(f, make_spool, remove_spool)
  const struct CMUnitTest tests[] = {
      SUBMIT_TEST(what_says_all_is_one_file),     SUBMIT_TEST(names_asked_for_are_given_or_refused),
      SUBMIT_TEST(files_travel_under_bare_names), SUBMIT_TEST(files_that_cannot_travel_are_reported),
      SUBMIT_TEST(nothing_half_written_stays),    SUBMIT_TEST(a_service_of_another_can_take_jobs),
      SUBMIT_TEST(jobs_are_taken_back),           SUBMIT_TEST(what_is_fetched_is_files_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
