/* The folders of a service: names, claims, what is refused, and what a killed service leaves. */
#include "tests/fixture.h"

#include "src/base/exit_code.h"
#include "src/serve/hand_over.h"
#include "src/serve/spool.h"
#include "src/serve/spool_adopt.h"
#include "src/serve/turns.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char top[FIXTURE_DIRECTORY_SIZE];

static const char *in_top(const char *name) {
  static char path[FIXTURE_PATH_SIZE];
  fixture_path(top, name, path);
  return path;
}

static void drop(const char *name, const char *text) {
  FILE *file = fopen(in_top(name), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static bool is_there(const char *name) { return access(in_top(name), F_OK) == 0; }

static int make_top(void **state) {
  (void)state;
  return fixture_directory(top);
}

static int remove_top(void **state) {
  char command[FIXTURE_PATH_SIZE];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", top);
  return system(command);
}

static void open_spool(Spool *spool) { assert_int_equal(spool_open(spool, top, NULL), 0); }

static const TurnsRoom anywhere = {.on_ranks = true, .in_process = true};

/* Claims the oldest of what has been seen: 1, 0, -1 as spool_claim. */
static int claim_oldest(Spool *spool, char name[SPOOL_NAME_MAX]) {
  const Turns none = {0};
  SpoolEntry *next = turns_next(&none, spool, anywhere);
  return next ? spool_claim(spool, next, name) : 0;
}

/* Claims what is there, by and by: each name must be one of those expected. */
static void expect_claims(Spool *spool, const char *const *names, size_t n) {
  char name[SPOOL_NAME_MAX];
  bool seen[16] = {false};
  spool_look(spool);
  assert_int_equal(spool_waiting(spool), n);
  for (size_t k = 0; k < n; k++) {
    assert_int_equal(claim_oldest(spool, name), 1);
    size_t i = 0;
    while (i < n && (seen[i] || strcmp(name, names[i]) != 0)) i++;
    if (i == n) fail_msg("claimed as %s", name);
    seen[i] = true;
  }
  assert_int_equal(claim_oldest(spool, name), 0);
}

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

  assert_int_equal(mkdir(in_top("done/a-3"), 0777), 0); /* not by the service */
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
  assert_int_equal(unlink(in_top("incoming/a")), 0); /* taken back */
  assert_int_equal(claim_oldest(&spool, name), 1);
  assert_string_equal(name, "z");
  assert_int_equal(claim_oldest(&spool, name), 0);
  assert_false(is_there("running/a"));
  spool_close(&spool);
}

/* A look in pieces, with claims in between: what has come before it began is given once, at its end. */
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
  for (int whole = 0; whole < 2;) { /* again, while they are taken */
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

/* Of two users each has the head of a queue of his own; there by priority, then by age. */
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

/* Only what was made for a withdrawal, and not used, is taken away. */
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

/* Who has put a problem in may still have it open: what he writes then reaches nobody. */
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
  assert_int_equal(unlink(in_top("running/mine/submitted.json")), 0); /* as if the claim had been cut off before */
  assert_int_equal(spool_adopt(&spool, name, NULL), 0);
  assert_true(is_there("running/mine/submitted.json"));
  assert_int_equal(spool_finish(&spool, name, SPOOL_DONE), 0);
  spool_close(&spool);
}

/* A claim that was cut off before its rename leaves nothing; one after it is found again. */
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

static bool is_users(const char *name, uid_t user) {
  struct stat info;
  return lstat(in_top(name), &info) == 0 && info.st_uid == user;
}

/* What is in it in pieces, but for what is the submitter's, or may be another's; it itself where it has been moved, by whichever service. */
static void moved_results_are_given_away(void **state) {
  enum { NOBODY = 65534, OTHER = 65533, DEEP = 12 };
  const Submitter to = {NOBODY, NOBODY, 0};
  char path[FIXTURE_PATH_SIZE], deep[8 + 2 * DEEP + 1] = "done/a";
  HandOver hand;
  int pieces = 1;
  Spool spool;
  (void)state;
  if (geteuid() != 0) skip();
  open_spool(&spool);
  drop("incoming/a", "");
  drop("incoming/b", "");
  assert_int_equal(chown(in_top("incoming/a"), NOBODY, NOBODY), 0);
  expect_claims(&spool, (const char *const[]){"a", "b"}, 2);
  drop("running/a/summary.json", "{}");
  drop("running/a/others", "");
  assert_int_equal(chown(in_top("running/a/others"), OTHER, OTHER), 0);
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
  assert_true(is_users("done/a", NOBODY) && is_users("done/a/summary.json", NOBODY) && is_users("done/a/link", NOBODY));
  assert_true(is_users("done/a/d/d/file", NOBODY) && is_users("done/a/.package", NOBODY));
  assert_true(is_users("done/a/others", OTHER) && is_users("done/a/twice", 0) &&
              is_users("done/a/.package/planted", 0));
  for (int k = 0; k < DEEP; k++) assert_true(is_users(strcat(deep, "/d"), k < HAND_OVER_DEPTH ? NOBODY : 0));
  assert_true(is_users("failed/b", 0));
  spool_close(&spool);
}

/* Files of a package that are copied, and the rest, for which the job is not begun: for the first of them, of however many. */
static void packages_are_copied(void **state) {
  static const char *const bad[] = {"link", "twin", "folder", "large", "name of a result", "hidden names"};
  static const char *const files[] = {"p/M.mtx", "p/M.mtx", "p/sub", "p/M.mtx", "p/summary.json", "p/.hidden"};
  char name[SPOOL_NAME_MAX], file[64], outside[FIXTURE_PATH_SIZE], path[FIXTURE_PATH_SIZE];
  Diagnostics told = {0};
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
    assert_int_equal(spool_adopt(&spool, name, &told), k < 0 ? 0 : EXIT_USAGE);
    assert_int_equal(told.errors, k + 1);
    assert_int_equal(spool_finish(&spool, name, k < 0 ? SPOOL_DONE : SPOOL_FAILED), 0);
  }
  assert_true(is_there("done/p0/M.mtx") && is_there("done/p0/problem.yaml") && !is_there("done/p0/.package"));
  diagnostics_clear(&told);
  assert_false(is_there("failed/p1/M.mtx") || is_there("failed/p2/M.mtx") || is_there("failed/p4/M.mtx"));
  spool_close(&spool);
}

/* What others have put into a package does not count, unless there is no end of it. */
static void a_package_is_not_searched_for_ever(void **state) {
  static const int others[] = {900, 1001};
  char name[SPOOL_NAME_MAX], file[64];
  Spool spool;
  (void)state;
  if (geteuid() != 0) skip(); /* nobody else can give files away */
  open_spool(&spool);
  for (size_t i = 0; i < 2; i++) {
    Diagnostics told = {0};
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
    assert_int_equal(spool_adopt(&spool, name, &told), i ? EXIT_USAGE : 0);
    assert_int_equal(told.errors, i);
    diagnostics_clear(&told);
  }
  spool_close(&spool);
}

/* What surely needs a process is known before it begins: by job.json, or by the first line. */
static void wishes_are_known(void **state) {
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
  for (int looks = 0; looks < 2; looks++) { /* the second time it is remembered */
    spool_look(&spool);
    for (int k = 0; k < 6; k++) {
      const SpoolEntry *entry = spool_list_find(&spool.waiting, names[k]);
      assert_true(entry && entry->in_process == in_process[k]);
      assert_int_equal(entry->priority, k == 0 ? 7 : 0);
    }
  }
  spool_close(&spool);
}

/* A folder that somebody removes is made again; what is in another one goes on. */
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
      SPOOL_TEST(names_are_sanitised),
      SPOOL_TEST(names_are_not_taken_twice),
      SPOOL_TEST(older_files_come_first),
      SPOOL_TEST(only_files_are_read),
      SPOOL_TEST(problems_are_copied),
      SPOOL_TEST(interrupted_problems_are_found),
      SPOOL_TEST(moved_results_are_given_away),
      SPOOL_TEST(linked_folders_are_refused),
      SPOOL_TEST(packages_are_copied),
      SPOOL_TEST(wishes_are_known),
      SPOOL_TEST(folders_are_mended),
      SPOOL_TEST(looks_may_take_long),
      SPOOL_TEST(queues_are_in_order),
      SPOOL_TEST(emptied_folders_stay),
      SPOOL_TEST(a_package_is_not_searched_for_ever),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
