/* SPDX-License-Identifier: BSD-2-Clause */
/* A submitter modifies its job while the service takes it. No outside file is read, and the job is judged by one
 * version of its text. Also tests leftovers of submitters that were killed while they submitted. */
#include "tests/fixture.h"
#include "tests/open_files.h"

#include "control/base/clock.h"
#include "src/serve/spool_adopt.h"
#include "src/serve/untrusted_input.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 400, TEXT_SIZE = 4096 };
static const double SECONDS = 2; /* time for all rounds, s, except the first LEAST_ROUNDS, which a slow machine does
                                  * in any case */
enum { LEAST_ROUNDS = 20 };
static const char GOOD[] = "model: {mass: [1, 2, 3]}\n###########################\n",
                  BAD[] = "model: {mass: {file: ../../../secret}}\n# as long ###\n", SECRET[] = "secret";

static char top[FIXTURE_DIRECTORY_SIZE];

static const char *in_top(const char *name, char path[FIXTURE_PATH_SIZE]) {
  fixture_path(top, name, path);
  return path;
}

static void drop(const char *name, const char *text) {
  char path[FIXTURE_PATH_SIZE];
  FILE *file = fopen(in_top(name, path), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static size_t read_back(const char *name, char text[TEXT_SIZE]) {
  char path[FIXTURE_PATH_SIZE];
  FILE *file = fopen(in_top(name, path), "r");
  if (!file) return 0;
  size_t length = fread(text, 1, TEXT_SIZE - 1, file);
  text[length] = 0;
  fclose(file);
  return length;
}

static int make_top(void **state) {
  (void)state;
  if (fixture_directory(top)) return -1;
  drop("secret", SECRET);
  return 0;
}

static int remove_top(void **state) {
  char command[FIXTURE_PATH_SIZE];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", top);
  return system(command);
}

/* State of an attacker. Until it is asked to end, it writes to a descriptor that it opened before the job was taken. */
typedef struct Attack {
  int at; /* descriptor of the file, or of the package's folder */
  atomic_bool over;
  atomic_long turns;
} Attack;

static void *rewrite(void *context) {
  Attack *attack = context;
  while (!attack->over) {
    ssize_t put = pwrite(attack->at, BAD, sizeof BAD - 1, 0) + pwrite(attack->at, GOOD, sizeof GOOD - 1, 0);
    attack->turns += put > 0;
  }
  return NULL;
}

/* Replaces M.mtx again and again: by a file, a link, a file with a second name, a pipe, and nothing. */
static void *swap(void *context) {
  static const char *const forms[] = {"good", "link", "twin", "pipe"};
  Attack *attack = context;
  for (long k = 0; !attack->over; k++) {
    const char *form = forms[k % 4];
    renameat(attack->at, "M.mtx", attack->at, forms[(k + 3) % 4]);
    attack->turns += renameat(attack->at, form, attack->at, "M.mtx") == 0;
  }
  return NULL;
}

static void take(Spool *spool, const char *expected, bool *whole) {
  char name[SPOOL_NAME_MAX];
  spool_look(spool);
  SpoolEntry *entry = spool_list_find(&spool->waiting, expected);
  assert_non_null(entry);
  assert_int_equal(spool_claim(spool, entry, name), 1);
  assert_string_equal(name, expected);
  int code = spool_adopt(spool, name, NULL);
  assert_true(code == 0 || code == EXIT_USAGE);
  *whole = code == 0;
}

static void clear(const char *name) {
  char command[2 * FIXTURE_PATH_SIZE];
  snprintf(command, sizeof command, "rm -rf '%s/running/%s'", top, name);
  assert_int_equal(system(command), 0);
}

static void a_file_is_judged_by_one_text(void **state) {
  char path[FIXTURE_PATH_SIZE], judged[TEXT_SIZE], later[TEXT_SIZE];
  long accepted = 0, refused = 0;
  Spool spool;
  bool whole;
  (void)state;
  assert_int_equal(sizeof GOOD, sizeof BAD);
  assert_int_equal(spool_open(&spool, top, NULL), 0);
  int before = open_files();
  double start = ctl_seconds();
  for (int k = 0; k < ROUNDS && (k <= LEAST_ROUNDS || ctl_seconds() - start < SECONDS); k++) {
    Attack attack = {0};
    pthread_t thread;
    drop("incoming/a", GOOD);
    attack.at = open(in_top("incoming/a", path), O_RDWR);
    assert_true(attack.at >= 0);
    assert_int_equal(pthread_create(&thread, NULL, rewrite, &attack), 0);
    while (attack.turns < 1 + k % 7) {
    }
    take(&spool, "a", &whole);
    assert_true(whole);
    int code = untrusted_input_check(in_top("running/a/problem.yaml", path), NULL, 0, NULL);
    size_t length = read_back("running/a/problem.yaml", judged);
    for (long from = attack.turns; attack.turns < from + 3;) {
    }
    assert_int_equal(read_back("running/a/problem.yaml", later), length);
    assert_memory_equal(judged, later, length);
    bool names_secret = strstr(judged, "file: ../../../secret") != NULL;
    if (names_secret) assert_int_equal(code, EXIT_USAGE);
    if (strcmp(judged, GOOD) == 0) assert_int_equal(code, 0);
    accepted += code == 0;
    refused += code != 0;
    attack.over = true;
    pthread_join(thread, NULL);
    close(attack.at);
    clear("a");
  }
  assert_true(accepted + refused > LEAST_ROUNDS); /* the number of all rounds */
  assert_int_equal(open_files(), before);
  spool_close(&spool);
}

static void links_in_a_package_are_not_followed(void **state) {
  char path[FIXTURE_PATH_SIZE], secret[FIXTURE_PATH_SIZE], text[TEXT_SIZE];
  long rounds = 0;
  Spool spool;
  bool whole;
  (void)state;
  assert_int_equal(spool_open(&spool, top, NULL), 0);
  int before = open_files();
  in_top("secret", secret);
  double start = ctl_seconds();
  for (; rounds < ROUNDS && (rounds <= LEAST_ROUNDS || ctl_seconds() - start < SECONDS); rounds++) {
    Attack attack = {0};
    pthread_t thread;
    struct stat info;
    assert_int_equal(mkdir(in_top("incoming/p", path), 0777), 0);
    drop("incoming/p/problem.yaml", GOOD);
    drop("incoming/p/good", "1");
    assert_int_equal(symlink(secret, in_top("incoming/p/link", path)), 0);
    assert_int_equal(link(secret, in_top("incoming/p/twin", path)), 0);
    assert_int_equal(mkfifo(in_top("incoming/p/pipe", path), 0666), 0);
    attack.at = open(in_top("incoming/p", path), O_RDONLY | O_DIRECTORY);
    assert_int_equal(pthread_create(&thread, NULL, swap, &attack), 0);
    while (attack.turns < 1 + rounds % 7) {
    }
    take(&spool, "p", &whole);
    attack.over = true;
    pthread_join(thread, NULL);
    close(attack.at);
    static const char *const names[] = {"running/p/M.mtx", "running/p/link", "running/p/twin", "running/p/pipe",
                                        "running/p/good"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      if (lstat(in_top(names[i], path), &info)) continue;
      assert_true(S_ISREG(info.st_mode) && info.st_nlink == 1);
      assert_int_equal(read_back(names[i], text), 1);
      assert_string_equal(text, "1");
    }
    clear("p");
  }
  assert_true(rounds > LEAST_ROUNDS);
  assert_int_equal(open_files(), before);
  assert_int_equal(read_back("secret", text), strlen(SECRET));
  spool_close(&spool);
}

static const char *at_top(const char *name) {
  static char path[FIXTURE_PATH_SIZE];
  return in_top(name, path);
}

static bool is_there(const char *name) { return access(at_top(name), F_OK) == 0; }

static void make_old(const char *name, long hours) {
  const struct timespec then = {.tv_sec = time(NULL) - 3600 * hours}, times[] = {then, then};
  assert_int_equal(utimensat(AT_FDCWD, at_top(name), times, AT_SYMLINK_NOFOLLOW), 0);
}

/* Files left by a killed `submit` are cleared after a day; other hidden files are not. */
static void leftovers_are_cleared(void **state) {
  static const char *const files[] = {"incoming/.a.12-0", "incoming/.b.yaml", "incoming/.c.12", "incoming/.d.12-0x",
                                      "incoming/.12-0"};
  static const char *const folders[] = {"incoming/.empty.1-0", "incoming/.whole.123-45", "incoming/.p.q.1-0",
                                        "incoming/.deep.1-0",  "incoming/.link.1-0",     "incoming/.odd.1-0",
                                        "incoming/.half.1-0"};
  static const char *const in[] = {"incoming/.whole.123-45/problem.yaml", "incoming/.whole.123-45/job.json",
                                   "incoming/.whole.123-45/M.mtx", "incoming/.odd.1-0/.hidden",
                                   "incoming/.half.1-0/problem.yaml"};
  enum { FILES = sizeof files / sizeof *files, FOLDERS = sizeof folders / sizeof *folders };
  Diagnostics reported = {0};
  Spool spool;
  (void)state;
  assert_int_equal(spool_open(&spool, top, &reported), 0);
  for (size_t i = 0; i < FILES; i++) drop(files[i], "x: 1\n");
  for (size_t i = 0; i < FOLDERS; i++) assert_int_equal(mkdir(at_top(folders[i]), 0700), 0);
  for (size_t i = 0; i < sizeof in / sizeof *in; i++) drop(in[i], "x: 1\n");
  assert_int_equal(mkdir(at_top("incoming/.deep.1-0/M"), 0700), 0);
  assert_int_equal(symlink("/etc/passwd", at_top("incoming/.link.1-0/M.mtx")), 0);
  drop("incoming/.new.1-0", "");
  make_old("incoming/.new.1-0", 23);
  for (size_t i = 0; i < 4; i++) make_old(in[i], 25); /* .half is still being written, so that it is not made old */
  make_old("incoming/.deep.1-0/M", 25);
  make_old("incoming/.link.1-0/M.mtx", 25);
  for (size_t i = 0; i < FILES; i++) make_old(files[i], 25);
  for (size_t i = 0; i < FOLDERS; i++) make_old(folders[i], 25);
  spool_look(&spool);
  for (size_t i = 0; i < FILES; i++) assert_int_equal(is_there(files[i]), i > 0);
  for (size_t i = 0; i < FOLDERS; i++) assert_int_equal(is_there(folders[i]), i > 2);
  assert_true(is_there("incoming/.new.1-0") && is_there("incoming/.half.1-0/problem.yaml"));
  assert_int_equal(reported.count, 1);
  assert_true(reported.list[0].warning);
  assert_non_null(strstr(reported.list[0].text, "4 jobs were begun"));
  drop("incoming/.later.1-0", "");
  make_old("incoming/.later.1-0", 25);
  spool_look(&spool); /* leftovers are not cleared at each scan */
  assert_true(is_there("incoming/.later.1-0"));
  diagnostics_clear(&reported);
  spool_close(&spool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_file_is_judged_by_one_text, make_top, remove_top),
      cmocka_unit_test_setup_teardown(links_in_a_package_are_not_followed, make_top, remove_top),
      cmocka_unit_test_setup_teardown(leftovers_are_cleared, make_top, remove_top),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
