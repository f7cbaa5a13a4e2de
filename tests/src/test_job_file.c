/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the content of job.json, and the valid names of jobs. */
#include "tests/fixture.h"

#include "src/spool/job_file.h"
#include "src/spool/spool_folders.h"

static Diagnostics reported;

static int clear_reported(void **state) {
  (void)state;
  diagnostics_clear(&reported);
  reported = (Diagnostics){0};
  return 0;
}

static int read_job(const char *json, const char *problem, JobFile *job) {
  const JobText texts[] = {{"job.json", json, json ? strlen(json) : 0},
                           {"problem.yaml", problem, problem ? strlen(problem) : 0}};
  return job_file_read(&texts[0], &texts[1], &reported, job);
}

/* Checks that exactly one error is reported, with this part in its text and this key. */
static void expect_mistake(const char *json, const char *problem, const char *key, const char *part) {
  JobFile job;
  assert_int_equal(read_job(json, problem, &job), EXIT_USAGE);
  assert_int_equal(reported.errors, 1);
  if (strcmp(reported.list[0].key, key) != 0 || !strstr(reported.list[0].text, part))
    fail_msg("%s: reported %s: %s", json ? json : problem, reported.list[0].key, reported.list[0].text);
  job_file_clear(&job);
  clear_reported(NULL);
}

static void commands_come_from_the_first_line(void **state) {
  static const struct {
    const char *text;
    JobCommand command;
  } files[] = {{"model: {}\n", JOB_CONTROL},
               {"", JOB_CONTROL},
               {"# stiction: simulate\nmodel: {}\n", JOB_SIMULATE},
               {"# stiction:sweep", JOB_SWEEP},
               {"# stiction: identify\r\n", JOB_IDENTIFY},
               {"# stiction: control of a block\n", JOB_CONTROL},
               {" # stiction: simulate\n", JOB_CONTROL},
               {"\n# stiction: simulate\n", JOB_CONTROL}};
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    JobFile job;
    assert_int_equal(read_job(NULL, files[i].text, &job), 0);
    assert_int_equal(job.command, files[i].command);
    job_file_clear(&job);
  }
  expect_mistake(NULL, "# stiction: plot\n", "document", "\"plot\" is no command of a service");
  expect_mistake(NULL, "# stiction:\n", "document", "is no command");
  expect_mistake(NULL, "# stiction: simulatesimulatesimulatesimulatesimulate\n", "document", "is no command");
}

static void job_json_goes_before_the_first_line(void **state) {
  JobFile job;
  (void)state;
  assert_int_equal(read_job("{\"format\": 1}", "# stiction: simulate\n", &job), 0);
  assert_int_equal(job.command, JOB_SIMULATE);
  assert_true(job.priority == 0 && job.n_settings == 0 && job.n_options == 0 && !job.file);
  job_file_clear(&job);
  assert_int_equal(read_job("{\"format\": 1, \"command\": \"identify\"}", "# stiction: plot\n", &job), 0);
  assert_int_equal(job.command, JOB_IDENTIFY);
  job_file_clear(&job);
}

/* Each option becomes one word. A job that is written and read again is the same. */
static void what_is_written_reads_back(void **state) {
  static const char text[] =
      "{\"format\": 1, \"command\": \"sweep\", \"priority\": -7, \"settings\": [\"a.b=1\", \"c=\\\"x\\\"\"], "
      "\"options\": [\"--vary\", \"model.friction=[5, 10]\", \"--vary=time.step=1:2:3\", \"--zip\", \"--simulate\", "
      "\"--control=1,-2e3\", \"--column\", \"outcome.J\", \"--keep\"], \"file\": \"dir/\\u00e9.yaml\"}";
  static const char *const words[] = {"--vary=model.friction=[5, 10]",
                                      "--vary=time.step=1:2:3",
                                      "--zip",
                                      "--simulate",
                                      "--control=1,-2e3",
                                      "--column=outcome.J",
                                      "--keep"};
  JobFile job, again;
  (void)state;
  assert_int_equal(read_job(text, "", &job), 0);
  assert_int_equal(job.n_options, 7);
  for (int i = 0; i < 7; i++) assert_string_equal(job.options[i], words[i]);
  json_t *json = job_file_json(&job);
  char *written = json_dumps(json, 0);
  assert_non_null(written);
  assert_int_equal(read_job(written, "", &again), 0);
  assert_true(again.command == JOB_SWEEP && again.priority == -7 && again.n_settings == 2 && again.n_options == 7);
  for (int i = 0; i < 2; i++) assert_string_equal(again.settings[i], job.settings[i]);
  for (int i = 0; i < 7; i++) assert_string_equal(again.options[i], job.options[i]);
  assert_string_equal(again.file, "dir/\xc3\xa9.yaml");
  json_decref(json);
  free(job.file);
  job.file = strdup("a\x1b.yaml"); /* this name is not written, as it would be refused */
  json = job_file_json(&job);
  assert_null(json_object_get(json, "file"));
  free(written);
  json_decref(json);
  job_file_clear(&job);
  job_file_clear(&again);
}

static void what_a_service_does_not_do_is_refused(void **state) {
#define JOB(rest) "{\"format\": 1, " rest "}"
  (void)state;
  expect_mistake(JOB("\"command\": \"control\", \"options\": [\"--vary\"]"), "", "options",
                 "an option of sweep, not of control");
  expect_mistake(JOB("\"command\": \"simulate\", \"options\": [\"-o\"]"), "", "options", "no option of simulate");
  expect_mistake(JOB("\"command\": \"simulate\", \"options\": [\"--forc\"]"), "", "options", "\"--forc\" is no option");
  expect_mistake(JOB("\"command\": \"sweep\", \"options\": [\"--max-seconds=9\"]"), "", "options",
                 "no option of sweep");
  expect_mistake(JOB("\"command\": \"sweep\", \"options\": [\"--zip=1\"]"), "", "options", "takes no value");
  expect_mistake(JOB("\"command\": \"sweep\", \"options\": [\"--vary\"]"), "", "options", "needs a value");
  expect_mistake(JOB("\"command\": \"simulate\", \"options\": [\"--control\", \"../u\"]"), "", "options", "no control");
  expect_mistake(JOB("\"command\": \"simulate\", \"options\": [\"--control=\"]"), "", "options", "no control");
  expect_mistake(JOB("\"command\": \"sweep\", \"options\": [\"--control=results\"]"), "", "options", "no control");
  expect_mistake(JOB("\"options\": [\"--zip\"]"), "# stiction: simulate\n", "options",
                 "an option of sweep, not of simulate");
#undef JOB
}

static void wrong_members_are_reported(void **state) {
  (void)state;
  expect_mistake("", "", "document", "");
  expect_mistake("[]", "", "document", "object");
  expect_mistake("{\"format\": 1, \"format\": 1}", "", "document", "duplicate");
  expect_mistake("{}", "", "format", "expected 1");
  expect_mistake("{\"format\": 2}", "", "format", "reads up to format 1");
  expect_mistake("{\"format\": 1, \"prioritty\": 1}", "", "document", "\"prioritty\" is no member");
  expect_mistake("{\"format\": 1, \"priority\": 1.5}", "", "priority", "whole number");
  expect_mistake("{\"format\": 1, \"priority\": 101}", "", "priority", "-100 to 100");
  expect_mistake("{\"format\": 1, \"command\": \"serve\"}", "", "command", "control, simulate");
  expect_mistake("{\"format\": 1, \"command\": 3}", "", "command", "control, simulate");
  expect_mistake("{\"format\": 1, \"settings\": \"a=1\"}", "", "settings", "list");
  expect_mistake("{\"format\": 1, \"settings\": [1]}", "", "settings", "list");
  expect_mistake("{\"format\": 1, \"file\": []}", "", "file", "name");
  expect_mistake("{\"format\": 1, \"file\": \"a\\u001b[2J.yaml\"}", "", "file", "without control characters");
  expect_mistake("{\"format\": 1, \"file\": \"a\\n.yaml\"}", "", "file", "without control characters");
  expect_mistake("{\"format\": 1, \"file\": \"a\\u009b2J.yaml\"}", "", "file", "without control characters");
  JobFile job;
  assert_int_equal(read_job("{\"priority\": 1000,\n \"x\": 1}", "", &job), EXIT_USAGE);
  assert_int_equal(reported.errors, 3); /* one each */
  job_file_clear(&job);
  clear_reported(NULL);
  assert_int_equal(read_job("{\n\"format\": 1,,}", "", &job), EXIT_USAGE);
  assert_int_equal(reported.list[0].place.line, 2);
  job_file_clear(&job);
}

static void names_are_safe(void **state) {
  static const struct {
    const char *file, *name;
  } files[] = {{"plain.yaml", "plain"},   {"a b\n.yml", "a_b_"},    {"-rf.yaml", "_rf"},
               {"..yaml", "_"},           {".yaml", "_yaml"},       {"x.cancel.yaml", "x_cancel"},
               {"x.cancel", "x_cancel"},  {"x.yaml.yml", "x.yaml"}, {"../../etc/passwd", "_._.._etc_passwd"},
               {"\xff\x01$(a)", "____a_"}};
  static const char *const bad[] = {"", ".", "..", ".a", "-a", "a/b", "a b", "a.cancel", "\xc3\xa9", "a\n"};
  char name[SPOOL_NAME_MAX], numbered[SPOOL_NAME_MAX], longest[300];
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    spool_job_name(files[i].file, name);
    assert_string_equal(name, files[i].name);
    assert_true(spool_is_name(name));
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(spool_is_name(bad[i]));
  memset(longest, 'n', sizeof longest);
  longest[sizeof longest - 1] = 0;
  assert_false(spool_is_name(longest));
  spool_job_name(longest, name);
  assert_int_equal(strlen(name), SPOOL_NAME_CUT);
  spool_numbered_name(name, 1, numbered);
  assert_string_equal(numbered, name);
  spool_numbered_name(name, 1234567890123456789, numbered);
  assert_true(spool_is_name(numbered) && strstr(numbered, "-1234567890123456789"));
  assert_true(spool_is_file_name("M.mtx") && !spool_is_file_name("job.json") && !spool_is_file_name("problem.yaml"));
}

int main(void) {
#define JOB_TEST(f) cmocka_unit_test_teardown(f, clear_reported)
  const struct CMUnitTest tests[] = {
      JOB_TEST(commands_come_from_the_first_line), JOB_TEST(job_json_goes_before_the_first_line),
      JOB_TEST(what_is_written_reads_back),        JOB_TEST(what_a_service_does_not_do_is_refused),
      JOB_TEST(wrong_members_are_reported),        JOB_TEST(names_are_safe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
