/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the folders of a service: names, claims, refused entries, and leftovers of a killed service. */
#include "tests/src/spool_fixture.h"

#include <time.h>

static void names_are_sanitised(void **state) {
  static const char *const files[] = {"incoming/plain.yaml", "incoming/a b\n.yml",    "incoming/-rf.yaml",
                                      "incoming/x.y.z",      "incoming/\xff\x01$(a)", "incoming/..yaml.yaml"};
  static const char *const names[] = {"plain", "a_b_", "_rf", "x.y.z", "____a_"};
  Spool spool;
  (void)state;
  open_spool(&spool);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) drop(files[i], "x: 1\n");
  expect_claims(&spool, names, sizeof names / sizeof *names);
  assert_true(is_there("incoming/..yaml.yaml")); /* hidden */
  assert_true(is_there("running/a_b_/problem.yaml"));
  spool_close(&spool);
}

static void names_are_not_taken_twice(void **state) {
  char name[SPOOL_NAME_MAX], file[300];
  Spool spool;
  (void)state;
  open_spool(&spool);
  drop("incoming/a.yaml", "first\n");
  drop("incoming/a.yml", "second\n");
  expect_claims(&spool, (const char *const[]){"a", "a-2"}, 2);
  assert_int_equal(spool_finish(&spool, "a", SPOOL_DONE), 0);
  assert_int_equal(spool_finish(&spool, "a-2", SPOOL_FAILED), 0);
  drop("incoming/a", "third\n");
  expect_claims(&spool, (const char *const[]){"a-3"}, 1);
  assert_true(is_there("done/a/problem.yaml") && is_there("failed/a-2/problem.yaml"));

  assert_int_equal(mkdir(in_top("done/a-3"), 0777), 0); /* this folder was not made by the service */
  drop("done/a-3/file", "");
  assert_int_equal(spool_finish(&spool, "a-3", SPOOL_DONE), 0);
  assert_true(is_there("done/a-3/file") && is_there("done/a-3-2/problem.yaml"));

  memset(file, 'n', sizeof file);
  memcpy(file, "incoming/", 9);
  file[9 + 250] = 0;
  drop(file, "");
  spool_look(&spool);
  assert_int_equal(claim_oldest(&spool, name), 1);
  assert_int_equal(strlen(name), 100);
  spool_close(&spool);
}

static void older_files_come_first(void **state) {
  char name[SPOOL_NAME_MAX];
  Spool spool;
  (void)state;
  open_spool(&spool);
  drop("incoming/z", "");
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  drop("incoming/a", "");
  spool_look(&spool);
  assert_int_equal(unlink(in_top("incoming/a")), 0); /* withdrawn */
  assert_int_equal(claim_oldest(&spool, name), 1);
  assert_string_equal(name, "z");
  assert_int_equal(claim_oldest(&spool, name), 0);
  assert_false(is_there("running/a"));
  spool_close(&spool);
}

static void only_files_are_read(void **state) {
  static const char *const bad[] = {"link", "twin", "folder", "pipe", "large"};
  char name[SPOOL_NAME_MAX];
  Spool spool;
  (void)state;
  open_spool(&spool);
  drop("outside", "x: 1\n");
  char outside[FIXTURE_PATH_SIZE];
  strcpy(outside, in_top("outside"));
  assert_int_equal(symlink(outside, in_top("incoming/link")), 0);
  assert_int_equal(link(outside, in_top("incoming/twin")), 0);
  assert_int_equal(mkdir(in_top("incoming/folder"), 0777), 0);
  drop("incoming/folder/file", "");
  assert_int_equal(mkfifo(in_top("incoming/pipe"), 0666), 0);
  drop("incoming/large", "");
  assert_int_equal(truncate(in_top("incoming/large"), SPOOL_FILE_MAX + 1), 0);
  drop("incoming/good", "x: 1\n");
  spool_look(&spool);
  for (int k = 0; k < 6; k++) assert_int_equal(claim_oldest(&spool, name), 1);
  assert_int_equal(spool_adopt(&spool, "good", NULL), 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(spool_adopt(&spool, bad[i], NULL), EXIT_USAGE);
    assert_int_equal(spool_finish(&spool, bad[i], SPOOL_FAILED), 0);
  }
  assert_true(is_there("outside") && is_there("failed/folder/.package/file"));
  spool_close(&spool);
}

/* A submitter may still have its problem file open: the service never reads what is written after it took the job. */
static void problems_are_copied(void **state) {
  char name[SPOOL_NAME_MAX], text[64] = "";
  Spool spool;
  struct stat folder;
  (void)state;
  open_spool(&spool);
  drop("incoming/mine", "x: 1\n");
  FILE *mine = fopen(in_top("incoming/mine"), "r+");
  assert_non_null(mine);
  spool_look(&spool);
  assert_int_equal(claim_oldest(&spool, name), 1);
  assert_int_equal(spool_adopt(&spool, name, NULL), 0);
  assert_true(fputs("y: {file: secret}\n", mine) >= 0);
  assert_int_equal(fclose(mine), 0);
  FILE *copy = fopen(in_top("running/mine/problem.yaml"), "r");
  assert_non_null(copy);
  assert_int_equal(fread(text, 1, sizeof text - 1, copy), 5);
  assert_string_equal(text, "x: 1\n");
  fclose(copy);
  assert_int_equal(stat(in_top("running/mine"), &folder), 0);
  assert_int_equal(folder.st_mode & 0777, 0700);
  json_t *noted = json_load_file(in_top("running/mine/submitted.json"), 0, NULL);
  assert_string_equal(json_string_value(json_object_get(noted, "file")), "mine");
  assert_int_equal(json_integer_value(json_object_get(noted, "user")), geteuid());
  json_decref(noted);
  /* as if the claim had been interrupted before this file was written */
  assert_int_equal(unlink(in_top("running/mine/submitted.json")), 0);
  assert_int_equal(spool_adopt(&spool, name, NULL), 0);
  assert_true(is_there("running/mine/submitted.json"));
  assert_int_equal(spool_finish(&spool, name, SPOOL_DONE), 0);
  spool_close(&spool);
}

/* A claim that was interrupted before its rename leaves nothing. A claim that was interrupted after it is found
 * again. */
static void interrupted_problems_are_found(void **state) {
  char name[SPOOL_NAME_MAX];
  Spool spool;
  (void)state;
  open_spool(&spool);
  drop("incoming/a", "");
  expect_claims(&spool, (const char *const[]){"a"}, 1);
  assert_int_equal(mkdir(in_top("running/b"), 0777), 0);
  spool_close(&spool);
  open_spool(&spool);
  assert_int_equal(claim_oldest(&spool, name), 1);
  assert_string_equal(name, "a");
  assert_int_equal(claim_oldest(&spool, name), 0);
  assert_false(is_there("running/b"));
  assert_false(spool_stop_wanted(&spool));
  drop("stop", "");
  assert_true(spool_stop_wanted(&spool));
  spool_stop_done(&spool);
  assert_false(is_there("stop"));
  spool_close(&spool);
}

/* The files of a package are copied. If some are invalid the job is not begun; only the first is reported, however many
 * there are. */
static void packages_are_copied(void **state) {
  static const char *const bad[] = {"link", "twin", "folder", "large", "name of a result", "hidden names"};
  static const char *const files[] = {"p/M.mtx", "p/M.mtx", "p/sub", "p/M.mtx", "p/summary.json", "p/.hidden"};
  char name[SPOOL_NAME_MAX], file[64], outside[FIXTURE_PATH_SIZE], path[FIXTURE_PATH_SIZE];
  Diagnostics reported = {0};
  Spool spool;
  (void)state;
  open_spool(&spool);
  drop("outside", "secret");
  strcpy(outside, in_top("outside"));
  for (int k = -1; k < (int)(sizeof bad / sizeof *bad); k++) {
    assert_int_equal(mkdir(in_top("p"), 0777), 0);
    drop("p/problem.yaml", "x: 1\n");
    if (k == -1) drop("p/M.mtx", "1");
    if (k >= 0) strcpy(path, in_top(files[k]));
    if (k == 0) assert_int_equal(symlink(outside, path), 0);
    if (k == 1) assert_int_equal(link(outside, path), 0);
    if (k == 2) assert_int_equal(mkdir(path, 0777), 0);
    if (k >= 3) drop(files[k], "");
    if (k == 3) assert_int_equal(truncate(path, SPOOL_JOB_MAX + 1), 0);
    for (int i = 0; k == 5 && i < 100; i++) {
      snprintf(file, sizeof file, "p/.hidden%d", i);
      drop(file, "");
    }
    snprintf(file, sizeof file, "incoming/p%d", k + 1);
    strcpy(path, in_top("p"));
    assert_int_equal(rename(path, in_top(file)), 0);
    spool_look(&spool);
    assert_int_equal(claim_oldest(&spool, name), 1);
    assert_int_equal(spool_adopt(&spool, name, &reported), k < 0 ? 0 : EXIT_USAGE);
    assert_int_equal(reported.errors, k + 1);
    assert_int_equal(spool_finish(&spool, name, k < 0 ? SPOOL_DONE : SPOOL_FAILED), 0);
  }
  assert_true(is_there("done/p0/M.mtx") && is_there("done/p0/problem.yaml") && !is_there("done/p0/.package"));
  diagnostics_clear(&reported);
  assert_false(is_there("failed/p1/M.mtx") || is_there("failed/p2/M.mtx") || is_there("failed/p4/M.mtx"));
  spool_close(&spool);
}

/* A removed folder of the spool is created again; jobs in other folders continue. */
static void folders_are_mended(void **state) {
  char name[SPOOL_NAME_MAX];
  Spool spool;
  (void)state;
  open_spool(&spool);
  drop("incoming/a", "");
  expect_claims(&spool, (const char *const[]){"a"}, 1);
  assert_int_equal(rmdir(in_top("done")), 0);
  assert_int_equal(spool_finish(&spool, "a", SPOOL_DONE), 0);
  assert_true(is_there("done/a/problem.yaml"));
  assert_int_equal(rmdir(in_top("incoming")), 0);
  assert_int_equal(mkdir(in_top("incoming"), 0777), 0);
  assert_int_equal(spool_mend(&spool), 0);
  drop("incoming/b", "");
  spool_look(&spool);
  assert_int_equal(claim_oldest(&spool, name), 1);
  assert_string_equal(name, "b");
  spool_close(&spool);
}

static void linked_folders_are_refused(void **state) {
  Spool spool;
  (void)state;
  assert_int_equal(mkdir(in_top("elsewhere"), 0777), 0);
  assert_int_equal(symlink("elsewhere", in_top("done")), 0);
  assert_int_equal(spool_open(&spool, top, NULL), EXIT_USAGE);
  spool_close(&spool);
  assert_int_equal(spool_open(&spool, in_top("missing/deeper"), NULL), EXIT_USAGE);
  spool_close(&spool);
}

int main(void) {
#define SPOOL_TEST(f) cmocka_unit_test_setup_teardown(f, make_top, remove_top)
  const struct CMUnitTest tests[] = {
      SPOOL_TEST(names_are_sanitised),        SPOOL_TEST(names_are_not_taken_twice),
      SPOOL_TEST(older_files_come_first),     SPOOL_TEST(only_files_are_read),
      SPOOL_TEST(problems_are_copied),        SPOOL_TEST(interrupted_problems_are_found),
      SPOOL_TEST(linked_folders_are_refused), SPOOL_TEST(packages_are_copied),
      SPOOL_TEST(folders_are_mended),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
