/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests waiting and ended jobs in a service's folder: scans in parts, queues, cancel requests, endless packages, and
 * results that are given to submitters. */
#include "tests/src/spool_fixture.h"

#include "src/serve/hand_over.h"

/* Scans a folder in parts, with claims in between. Jobs that were there at the beginning of the scan are returned once,
 * at its end. */
static void looks_may_take_long(void **state) {
  enum { FILES = 60 };
  char name[SPOOL_NAME_MAX], file[32];
  int given = 0, pieces = 1;
  Spool spool;
  (void)state;
  open_spool(&spool);
  for (int k = 0; k < FILES; k++) {
    snprintf(file, sizeof file, "incoming/f%d", k);
    drop(file, "");
  }
  for (; !spool_look_on(&spool, 0); pieces++) assert_int_equal(spool_waiting(&spool), 0);
  assert_true(pieces >= FILES);
  assert_int_equal(spool_waiting(&spool), FILES);
  drop("incoming/late", "");
  for (int whole = 0; whole < 2;) { /* the scan is repeated until no job was claimed during it */
    whole += spool_look_on(&spool, 0);
    assert_true(claim_oldest(&spool, name) >= 0);
    given += *name != 0;
    *name = 0;
  }
  while (claim_oldest(&spool, name) == 1) given++;
  assert_int_equal(given, FILES + 1);
  assert_true(is_there("running/f0/problem.yaml") && is_there("running/late/problem.yaml"));
  spool_look(&spool);
  assert_int_equal(spool.waiting.n, 0);
  spool_close(&spool);
}

/* Each of two users has a queue; a queue is ordered by priority, then by age. */
static void queues_are_in_order(void **state) {
  SpoolEntry entries[] = {{.name = "a", .user = 7, .since = {.tv_sec = 3}},
                          {.name = "b", .user = 7, .since = {.tv_sec = 2}},
                          {.name = "c", .user = 5, .since = {.tv_sec = 9}},
                          {.name = "d", .user = 7, .since = {.tv_sec = 9}, .priority = 1},
                          {.name = "e", .user = 7, .since = {.tv_sec = 1}, .in_process = true},
                          {.name = "f", .user = 7, .cancelled = true},
                          {.name = "g", .user = 7, .since = {.tv_sec = 2}}};
  static const char *const expected[] = {"c", "dbga", "e"};
  const SpoolList list = {entries, sizeof entries / sizeof *entries, 0};
  SpoolQueues queues = {0};
  (void)state;
  assert_true(spool_queues_make(&queues, &list));
  assert_int_equal(queues.n, 3);
  for (size_t k = 0; k < 3; k++) {
    SpoolEntry *head;
    const char *next = expected[k];
    for (; (head = spool_queues_head(&queues, k)) != NULL; next++) {
      assert_int_equal(head->name[0], *next);
      head->taken = true;
    }
    assert_int_equal(*next, 0);
  }
  spool_queues_clear(&queues);
}

/* The list knows which jobs need a process before they begin: from job.json, or from the first line of the problem
 * file. */
static void cancel_requests_are_found(void **state) {
  static const char *const names[] = {"a", "b", "c.yaml", "d.yaml", "e.yaml", "f"};
  static const bool in_process[] = {true, false, true, false, false, true};
  Spool spool;
  (void)state;
  open_spool(&spool);
  assert_int_equal(mkdir(in_top("incoming/a"), 0777), 0);
  assert_int_equal(mkdir(in_top("incoming/b"), 0777), 0);
  assert_int_equal(mkdir(in_top("incoming/f"), 0777), 0);
  drop("incoming/a/job.json", "{\"format\": 1, \"command\": \"sweep\", \"priority\": 7}");
  drop("incoming/b/job.json", "{\"format\": 1, \"command\": \"control\"}");
  drop("incoming/b/problem.yaml", "# stiction: sweep\n");
  drop("incoming/c.yaml", "# stiction: simulate\nx: 1\n");
  drop("incoming/d.yaml", "x: 1\n# stiction: simulate\n");
  drop("incoming/e.yaml", "# stiction: rm -rf\n");
  drop("incoming/f/problem.yaml", "# stiction: identify\n");
  for (int looks = 0; looks < 2; looks++) { /* the second scan remembers this */
    spool_look(&spool);
    for (int k = 0; k < 6; k++) {
      const SpoolEntry *entry = spool_list_find(&spool.waiting, names[k]);
      assert_true(entry && entry->in_process == in_process[k]);
      assert_int_equal(entry->priority, k == 0 ? 7 : 0);
    }
  }
  spool_close(&spool);
}

/* Files that other users put into a package do not count, unless they are very many. */
static void a_package_is_not_searched_for_ever(void **state) {
  static const int others[] = {900, 1001};
  char name[SPOOL_NAME_MAX], file[64];
  Spool spool;
  (void)state;
  if (geteuid() != 0) skip(); /* only root can give files away */
  open_spool(&spool);
  for (size_t i = 0; i < 2; i++) {
    Diagnostics reported = {0};
    assert_int_equal(mkdir(in_top("incoming/.p"), 0777), 0);
    drop("incoming/.p/problem.yaml", "x: 1\n");
    for (int k = 0; k < others[i]; k++) {
      snprintf(file, sizeof file, "incoming/.p/%d", k);
      drop(file, "");
      assert_int_equal(chown(in_top(file), 1003, 1003), 0);
    }
    char path[FIXTURE_PATH_SIZE];
    strcpy(path, in_top("incoming/.p"));
    assert_int_equal(rename(path, in_top("incoming/p")), 0);
    spool_look(&spool);
    assert_int_equal(claim_oldest(&spool, name), 1);
    assert_int_equal(spool_adopt(&spool, name, &reported), i ? EXIT_USAGE : 0);
    assert_int_equal(reported.errors, i);
    diagnostics_clear(&reported);
  }
  spool_close(&spool);
}

/* Only folders made for a withdrawal, and not used, are removed. */
static void emptied_folders_stay(void **state) {
  Spool spool;
  (void)state;
  open_spool(&spool);
  spool_close(&spool);
  assert_int_equal(mkdir(in_top("done/emptied"), 0700), 0);
  assert_int_equal(mkdir(in_top("cancelled/empty"), 0700), 0);
  assert_int_equal(mkdir(in_top("cancelled/full"), 0700), 0);
  drop("cancelled/full/problem.yaml", "");
  open_spool(&spool);
  assert_int_equal(spool_count_ended(&spool, SPOOL_DONE), 1);
  assert_int_equal(spool_count_ended(&spool, SPOOL_CANCELLED), 1);
  assert_true(is_there("done/emptied") && is_there("cancelled/full/problem.yaml") && !is_there("cancelled/empty"));
  spool_close(&spool);
}

static bool is_users(const char *name, uid_t user) {
  struct stat info;
  return lstat(in_top(name), &info) == 0 && info.st_uid == user;
}

/* The content of a job's folder is given away in parts. Files that already belong to the submitter, or may belong to
 * others, are left out. The folder itself is given after its move, also by a later service. */
static void moved_results_are_given_away(void **state) {
  enum { OTHER_USER = 65534, THIRD_USER = 65533, DEEP = 12 };
  const Submitter to = {OTHER_USER, OTHER_USER, 0};
  char path[FIXTURE_PATH_SIZE], deep[8 + 2 * DEEP + 1] = "done/a";
  HandOver hand;
  int pieces = 1;
  Spool spool;
  (void)state;
  if (geteuid() != 0) skip();
  open_spool(&spool);
  drop("incoming/a", "");
  drop("incoming/b", "");
  assert_int_equal(chown(in_top("incoming/a"), OTHER_USER, OTHER_USER), 0);
  expect_claims(&spool, (const char *const[]){"a", "b"}, 2);
  drop("running/a/summary.json", "{}");
  drop("running/a/others", "");
  assert_int_equal(chown(in_top("running/a/others"), THIRD_USER, THIRD_USER), 0);
  drop("running/a/twice", "");
  strcpy(path, in_top("running/a/twice"));
  assert_int_equal(link(path, in_top("outside")), 0);
  assert_int_equal(symlink("/etc/passwd", in_top("running/a/link")), 0);
  assert_int_equal(mkdir(in_top("running/a/.package"), 0700), 0);
  drop("running/a/.package/planted", "");
  strcpy(path, "running/a");
  for (int k = 0; k < DEEP; k++) assert_int_equal(mkdir(in_top(strcat(path, "/d")), 0700), 0);
  drop("running/a/d/d/file", "");
  hand_over_begin(&hand, &spool, "a", &to);
  for (; !hand_over_go_on(&hand, 0); pieces++) {
  }
  assert_true(pieces > 10);
  assert_true(is_users("running/a", 0));
  strcpy(path, in_top("running/a"));
  assert_int_equal(rename(path, in_top("done/a")), 0);
  assert_int_equal(spool_finish(&spool, "b", SPOOL_FAILED), 0);
  spool_close(&spool);
  open_spool(&spool);
  assert_true(is_users("done/a", OTHER_USER) && is_users("done/a/summary.json", OTHER_USER) &&
              is_users("done/a/link", OTHER_USER));
  assert_true(is_users("done/a/d/d/file", OTHER_USER) && is_users("done/a/.package", OTHER_USER));
  assert_true(is_users("done/a/others", THIRD_USER) && is_users("done/a/twice", 0) &&
              is_users("done/a/.package/planted", 0));
  for (int k = 0; k < DEEP; k++) assert_true(is_users(strcat(deep, "/d"), k < HAND_OVER_DEPTH ? OTHER_USER : 0));
  assert_true(is_users("failed/b", 0));
  spool_close(&spool);
}

int main(void) {
#define SPOOL_TEST(f) cmocka_unit_test_setup_teardown(f, make_top, remove_top)
  const struct CMUnitTest tests[] = {
      SPOOL_TEST(looks_may_take_long),       SPOOL_TEST(queues_are_in_order),
      SPOOL_TEST(cancel_requests_are_found), SPOOL_TEST(a_package_is_not_searched_for_ever),
      SPOOL_TEST(emptied_folders_stay),      SPOOL_TEST(moved_results_are_given_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
