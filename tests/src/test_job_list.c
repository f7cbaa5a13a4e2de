/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* renameat2 */
/* Tests how commands and the page read a spool: the states of jobs, their details, the progress of searches, and
 * unexpected files. */
#include "tests/fixture.h"

#include "src/spool/job_list.h"
#include "src/spool/spool_read.h"
#include "src/spool/spool_service.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char top[FIXTURE_DIRECTORY_SIZE];

static const char *in_top(const char *name) {
  static char path[FIXTURE_PATH_SIZE];
  fixture_path(top, name, path);
  return path;
}

static void folder(const char *name) { assert_int_equal(mkdir(in_top(name), 0777), 0); }

static void drop(const char *name, const char *text) {
  FILE *file = fopen(in_top(name), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void name_twice(const char *name, const char *other) {
  char path[FIXTURE_PATH_SIZE];
  fixture_path(top, name, path);
  assert_int_equal(link(path, in_top(other)), 0);
}

static int make_spool(void **state) {
  (void)state;
  if (fixture_directory(top)) return -1;
  for (int f = 0; f < SPOOL_FOLDERS; f++) folder(spool_folder_names[f]);
  return 0;
}

static int remove_spool(void **state) {
  char command[FIXTURE_PATH_SIZE];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", top);
  return system(command);
}

static void make_done(const char *name, double J) {
  char path[FIXTURE_PATH_SIZE], text[256];
  snprintf(path, sizeof path, "done/%s", name);
  folder(path);
  snprintf(path, sizeof path, "done/%s/problem.yaml", name);
  drop(path, "# stiction: control\nmodel: {}\n");
  snprintf(text, sizeof text,
           "{\"problem\": {\"title\": \"<b>\"}, \"outcome\": {\"J\": 99, \"E1\": 0.5, \"refined\": {\"u\": [1], \"J\": "
           "%g}, \"reason\": \"tolerance\", "
           "\"P\": [1]}, "
           "\"counts\": {\"rounds\": 3, \"ivps\": 40}, \"seconds\": {\"wall\": 2}}",
           J);
  snprintf(path, sizeof path, "done/%s/summary.json", name);
  drop(path, text);
}

static const char *text_of(const json_t *job, const char *key) {
  const char *text = json_string_value(json_object_get(job, key));
  return text ? text : "";
}

static double number_of(const json_t *job, const char *key) { return json_number_value(json_object_get(job, key)); }

static void all_states_are_reported(void **state) {
  static const char *const names[] = {"r", "w", "p", "f", "c", "d"};
  static const char *const states[] = {"running", "waiting", "waiting", "failed", "cancelled", "done"};
  static const char *const commands[] = {"sweep", "identify", "simulate", "control", "", "control"};
  SpoolFolders spool;
  JobList list;
  (void)state;
  make_done("d", 7);
  folder("cancelled/c");
  folder("failed/f");
  drop("failed/f/problem.yaml", "model: {}\n");
  drop("failed/f/error.txt", "a.yaml:1:1: first\nsecond\n");
  folder("running/r");
  drop("failed/f/submitted.json", "{\"user\": 4000000123, \"group\": 1, \"at\": 17, \"exit\": 70}");
  drop("incoming/w.yaml", "# stiction: identify\n");
  folder("incoming/p");
  drop("incoming/p/problem.yaml", "# stiction: sweep\n");
  drop("incoming/p/job.json", "{\"format\": 1, \"command\": \"simulate\", \"priority\": 5}");
  drop("incoming/.hidden.yaml", "");
  drop("incoming/r.cancel", "");
  const struct timespec ages[][2] = {
      {{.tv_sec = 9}, {.tv_sec = 100}}, {{.tv_sec = 9}, {.tv_sec = 200}}, {{.tv_sec = 9}, {.tv_sec = 300}}};
  assert_int_equal(utimensat(-1, in_top("done/d"), ages[0], 0), 0);
  assert_int_equal(utimensat(-1, in_top("cancelled/c"), ages[1], 0), 0);
  assert_int_equal(utimensat(-1, in_top("failed/f"), ages[2], 0), 0);
  assert_int_equal(utimensat(-1, in_top("incoming/w.yaml"), ages[0], 0), 0);
  json_t *status =
      json_loads("{\"running\": [7, {\"name\": \"x\"}, {\"name\": \"r\", \"command\": \"sweep\", \"J\": 3, "
                 "\"E1\": null, \"rounds\": []}]}",
                 0, NULL);
  assert_int_equal(spool_folders_open(&spool, top, NULL), 0);
  assert_true(job_list_read(&spool, status, 10, &list));
  assert_int_equal(json_array_size(list.jobs), 6);
  for (size_t i = 0; i < 6; i++) {
    const json_t *job = json_array_get(list.jobs, i);
    assert_string_equal(text_of(job, "name"), names[i]);
    assert_string_equal(text_of(job, "state"), states[i]);
    assert_string_equal(text_of(job, "command"), commands[i]);
    assert_int_equal(json_object_size(job), 25);
    json_t *one = job_list_one(&spool, status, names[i]);
    assert_true(json_equal(one, job));
    json_decref(one);
  }
  for (int f = 0; f < SPOOL_FOLDERS; f++) assert_int_equal(list.counts[f], f == SPOOL_INCOMING ? 2 : 1);
  json_t *from = job_list_from(&spool, status, SPOOL_DONE, "d");
  assert_string_equal(text_of(from, "state"), "done");
  json_decref(from);
  assert_null(job_list_from(&spool, status, SPOOL_FAILED, "d"));
  assert_true(number_of(json_array_get(list.jobs, 0), "J") == 3);
  assert_true(json_is_null(json_object_get(json_array_get(list.jobs, 0), "rounds")));
  assert_true(number_of(json_array_get(list.jobs, 2), "priority") == 5);
  assert_string_equal(text_of(json_array_get(list.jobs, 3), "error"), "a.yaml:1:1: first");
  assert_string_equal(text_of(json_array_get(list.jobs, 3), "submitter"), "4000000123");
  assert_true(number_of(json_array_get(list.jobs, 3), "submitted") == 17);
  assert_true(number_of(json_array_get(list.jobs, 3), "exit") == 70);
  assert_true(number_of(json_array_get(list.jobs, 5), "J") == 7); /* J of the refined answer is shown */
  assert_true(number_of(json_array_get(list.jobs, 5), "E1") == 0.5);
  assert_true(number_of(json_array_get(list.jobs, 5), "ivps_per_second") == 20);
  assert_true(json_is_null(json_object_get(json_array_get(list.jobs, 5), "best")));
  job_list_clear(&list);
  assert_true(job_list_read(&spool, NULL, 1, &list)); /* with a limit of 1 the list has the oldest waiting job and
                                                       * the newest ended one */
  assert_int_equal(json_array_size(list.jobs), 3);
  assert_string_equal(text_of(json_array_get(list.jobs, 1), "name"), "w");
  assert_string_equal(text_of(json_array_get(list.jobs, 2), "name"), "f");
  job_list_clear(&list);
  static const char *const no[] = {"", "unknown", "..", "../done/d", "r.cancel", ".hidden", "done"};
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_null(job_list_one(&spool, status, no[i]));
  json_decref(status);
  spool_folders_close(&spool);
}

/* Links, pipes, folders, and files that are too large or not JSON: the list skips these, and never blocks. */
static void odd_files_are_left_alone(void **state) {
  SpoolFolders spool;
  (void)state;
  drop("secret", "{\"outcome\": {\"J\": 1}}");
  make_done("link", 7);
  assert_int_equal(unlink(in_top("done/link/summary.json")), 0);
  assert_int_equal(symlink("../../secret", in_top("done/link/summary.json")), 0);
  make_done("pipe", 7);
  assert_int_equal(unlink(in_top("done/pipe/summary.json")), 0);
  assert_int_equal(mkfifo(in_top("done/pipe/summary.json"), 0666), 0);
  assert_int_equal(mkfifo(in_top("done/pipe/search.csv"), 0666), 0);
  make_done("large", 7);
  assert_int_equal(truncate(in_top("done/large/summary.json"), SPOOL_JSON_MAX + 1), 0);
  make_done("text", 7);
  drop("done/text/summary.json", "[[[[");
  assert_int_equal(mkfifo(in_top("incoming/fifo"), 0666), 0);
  assert_int_equal(symlink("done/link", in_top("done/other")), 0);
  drop("done/file", "");
  make_done("twice", 7);
  drop("done/twice/search.csv", "head\n1,2,3,4,5,6,7,8\n");
  name_twice("done/twice/summary.json", "summary");
  name_twice("done/twice/search.csv", "search");
  assert_int_equal(spool_folders_open(&spool, top, NULL), 0);
  static const char *const names[] = {"link", "pipe", "large", "text", "fifo", "other", "file", "twice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    json_t *job = job_list_one(&spool, NULL, names[i]);
    assert_non_null(job);
    assert_true(json_is_null(json_object_get(job, "J")));
    json_decref(job);
    assert_null(job_search(&spool, SPOOL_DONE, names[i], 10));
  }
  spool_folders_close(&spool);
}

static double listed_J(const SpoolFolders *spool, JobList *list) {
  assert_true(job_list_read(spool, NULL, 10, list));
  assert_int_equal(json_array_size(list->jobs), 1);
  return number_of(json_array_get(list->jobs, 0), "J");
}

/* The folder of an ended job is read only once. It is read again if its permissions change, even with the same time, or
 * if it could not be read. */
static void what_has_ended_is_kept(void **state) {
  const struct timespec old[2] = {{.tv_sec = 100}, {.tv_sec = 100}};
  static const char good[] = "{\"outcome\": {\"J\": 5}}";
  SpoolFolders spool;
  JobList list = {0};
  (void)state;
  make_done("d", 7);
  assert_int_equal(utimensat(-1, in_top("done/d"), old, 0), 0);
  assert_int_equal(spool_folders_open(&spool, top, NULL), 0);
  assert_true(listed_J(&spool, &list) == 7);
  drop("done/d/summary.json", good); /* the file is replaced without changing its folder */
  assert_true(listed_J(&spool, &list) == 7);
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  assert_int_equal(chmod(in_top("done/d"), 0755), 0);
  assert_true(listed_J(&spool, &list) == 5);
  drop("done/d/summary.json", "{");
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  assert_int_equal(chmod(in_top("done/d"), 0700), 0);
  assert_true(listed_J(&spool, &list) == 0);
  drop("done/d/summary.json", good);
  assert_true(listed_J(&spool, &list) == 5);
  job_list_clear(&list);
  spool_folders_close(&spool);
}

static int exchange(const char *a, const char *b) { return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE); }

static void *find_again_and_again(void *context) {
  SpoolFolder folder;
  for (int k = 0; k < 2000; k++)
    if (!spool_folders_find(context, "d", &folder)) return context;
  return NULL;
}

/* A folder, or the whole spool, that was removed and created again is used, also by other threads. */
static void folders_are_opened_again(void **state) {
  SpoolFolders spool;
  char moved[FIXTURE_PATH_SIZE], file[SPOOL_WAITING_MAX];
  pthread_t reader;
  void *failed;
  (void)state;
  make_done("d", 7);
  assert_int_equal(spool_folders_open(&spool, top, NULL), 0);
  const int before = spool.folders[SPOOL_INCOMING];
  snprintf(moved, sizeof moved, "%s", in_top("moved"));
  assert_int_equal(rename(in_top("incoming"), moved), 0);
  spool_folders_again(&spool); /* the old folder stays open as long as there is no new one */
  folder("incoming");
  drop("incoming/w.yaml", "model: {}\n");
  assert_false(spool_find_waiting(&spool, "w", file, NULL));
  spool_folders_again(&spool);
  assert_true(spool_find_waiting(&spool, "w", file, NULL));
  assert_int_equal(spool.folders[SPOOL_INCOMING], before);
  folder("moved/d");
  assert_int_equal(pthread_create(&reader, NULL, find_again_and_again, &spool), 0);
  for (int k = 0; k < 200; k++) { /* done/ is available at any time, as the old folder or the new one */
    assert_int_equal(exchange(in_top("done"), moved), 0);
    spool_folders_again(&spool);
  }
  assert_int_equal(pthread_join(reader, &failed), 0);
  assert_null(failed);
  spool_folders_close(&spool);
}

/* Very long texts from a job's files are cut before they reach another user's screen; no character is cut in two. */
static void long_texts_are_cut(void **state) {
  enum { CHARACTERS = 4000, SIZE = 2 * CHARACTERS + 1 };
  char text[SIZE], json[SIZE + 100];
  SpoolFolders spool;
  (void)state;
  text[0] = 'a';
  for (int k = 0; k < CHARACTERS - 1; k++) memcpy(text + 1 + 2 * k, "\xc3\xa9", 2);
  text[SIZE - 2] = 0;
  make_done("a", 7);
  snprintf(json, sizeof json, "{\"problem\": {\"title\": \"%s\"}, \"outcome\": {\"reason\": \"short\"}}", text);
  drop("done/a/summary.json", json);
  folder("failed/f");
  drop("failed/f/error.txt", text);
  assert_int_equal(spool_folders_open(&spool, top, NULL), 0);
  json_t *done = job_list_one(&spool, NULL, "a"), *failed = job_list_one(&spool, NULL, "f");
  assert_string_equal(text_of(done, "reason"), "short");
  text[299] = 0; /* a two-byte character does not fit into the last byte */
  assert_string_equal(text_of(done, "title"), text);
  assert_string_equal(text_of(failed, "error"), text);
  json_decref(done);
  json_decref(failed);
  spool_folders_close(&spool);
}

static void what_is_no_spool_is_refused(void **state) {
  SpoolFolders spool;
  Diagnostics reported = {0};
  (void)state;
  assert_int_equal(spool_folders_open(&spool, in_top("done"), &reported), EXIT_USAGE);
  assert_non_null(strstr(reported.list[0].text, "--init"));
  spool_folders_close(&spool);
  assert_int_equal(spool_folders_open(&spool, in_top("nowhere"), &reported), EXIT_USAGE);
  spool_folders_close(&spool);
  diagnostics_clear(&reported);
}

/* A long search is reduced to a number of rows, including the first and the last, in order. */
static void a_search_is_thinned(void **state) {
  enum { ROWS = 5000 };
  SpoolFolders spool;
  (void)state;
  make_done("a", 1);
  FILE *file = fopen(in_top("done/a/search.csv"), "w");
  assert_non_null(file);
  fprintf(file, "round,evaluations,best,J,E1,E2,edge,rho1,seconds\n");
  for (int k = 1; k <= ROWS; k++) fprintf(file, "%d,%d,%.*f,inf,1e-3,0,1,2,3\n", k, 2 * k, k % 50, 1. / k);
  fprintf(file, "5001,10002,1"); /* being written */
  assert_int_equal(fclose(file), 0);
  assert_int_equal(spool_folders_open(&spool, top, NULL), 0);
  static const int most[] = {2, 3, 100, 20000};
  for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
    json_t *search = job_search(&spool, SPOOL_DONE, "a", most[i]), *rows = json_object_get(search, "rows");
    size_t n = json_array_size(rows);
    assert_true(n >= 2 && n <= (size_t)most[i] && (most[i] < 20000 || n > ROWS * 9 / 10));
    double before = 0;
    for (size_t k = 0; k < n; k++) {
      const json_t *row = json_array_get(rows, k);
      double round = json_number_value(json_array_get(row, 0));
      assert_true(round > before && json_number_value(json_array_get(row, 1)) == 2 * round);
      assert_true(json_is_null(json_array_get(row, 3)) && json_array_size(row) == 7);
      if (k == 0) assert_true(round == 1);
      before = round;
    }
    assert_true(before == ROWS);
    json_decref(search);
  }
  static const char *const few[] = {"", "round,evaluations", "round,evaluations,best,J,E1,E2,edge\n",
                                    "head\n1,2,3,4,5,6,7\n", "head\n1,2,3,4,5,6,7,8\n"};
  for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
    drop("done/a/search.csv", few[i]);
    json_t *search = job_search(&spool, SPOOL_DONE, "a", 10);
    assert_int_equal(json_array_size(json_object_get(search, "rows")), i == 4);
    json_decref(search);
  }
  spool_folders_close(&spool);
}

static void a_silent_service_is_dead(void **state) {
  SpoolFolders spool;
  SpoolService service = {0};
  (void)state;
  assert_int_equal(spool_folders_open(&spool, top, NULL), 0);
  spool_service_look(&spool, &service);
  assert_int_equal(service.phase, SPOOL_UNSERVED);
  drop("status.json", "{\"phase\": \"serving\", \"updated\": 1000}"); /* another clock */
  spool_service_look(&spool, &service);
  assert_true(service.phase == SPOOL_SERVING && spool_service_lives(&service));
  service.changed -= 11; /* sets the clock as if the scans had gone on for that long */
  spool_service_look(&spool, &service);
  assert_true(service.phase == SPOOL_DEAD && service.age > SPOOL_SILENCE);
  drop("status.json", "{\"phase\": \"stopping\", \"updated\": 1001}");
  spool_service_look(&spool, &service);
  assert_int_equal(service.phase, SPOOL_STOPPING);
  drop("status.json", "{\"phase\": \"ended\", \"updated\": 1002}");
  service.changed -= 1000;
  spool_service_look(&spool, &service);
  assert_int_equal(service.phase, SPOOL_ENDED);
  spool_service_clear(&service);
  drop("status.json", "{\"phase\": \"serving\", \"updated\": 1002}");
  const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  assert_int_equal(utimensat(-1, in_top("status.json"), old, 0), 0);
  spool_service_look(&spool, &service);
  assert_int_equal(service.phase, SPOOL_DEAD);
  spool_service_clear(&service);
  spool_folders_close(&spool);
}

int main(void) {
#define LIST_TEST(f) cmocka_unit_test_setup_teardown(f, make_spool, remove_spool)
  const struct CMUnitTest tests[] = {
      LIST_TEST(all_states_are_reported),     LIST_TEST(odd_files_are_left_alone), LIST_TEST(long_texts_are_cut),
      LIST_TEST(what_is_no_spool_is_refused), LIST_TEST(a_search_is_thinned),      LIST_TEST(a_silent_service_is_dead),
      LIST_TEST(what_has_ended_is_kept),      LIST_TEST(folders_are_opened_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
