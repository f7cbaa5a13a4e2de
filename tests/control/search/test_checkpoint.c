/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the two files of a checkpoint, which are written in turn. If one is damaged, the other is used, and the reason
 * is reported. */
#include "tests/fixture.h"

#include "control/base/checkpoint.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

enum { SIZE = 1000, HEAD = 48 };

static char directory[FIXTURE_DIRECTORY_SIZE];
static unsigned char first[SIZE], second[2 * SIZE];

static CtlCheckpoint opened(uint64_t identity) {
  CtlCheckpoint c;
  assert_int_equal(ctl_checkpoint_open(&c, directory, identity, 0, 0), 0);
  return c;
}

/* Writes the first state to state.0, and the second to state.1. */
static void write_two(void) {
  CtlCheckpoint c = opened(7);
  ctl_checkpoint_clear(&c);
  assert_int_equal(ctl_checkpoint_write(&c, first, sizeof first, 0), 0);
  assert_int_equal(ctl_checkpoint_write(&c, second, sizeof second, 0), 0);
}

/* Returns which of the two files is read, 1 or 2, or the code of a failure. text: expected message; NULL: none. */
static int read_which(uint64_t identity, const char *text) {
  CtlCheckpoint c = opened(identity);
  void *bytes;
  size_t size = 0;
  int found = ctl_checkpoint_read(&c, &bytes, &size), which = found;
  if (text ? !strstr(c.text, text) : c.text[0] != 0) fail_msg("\"%s\"", c.text);
  if (found == 1) {
    which = size == sizeof first ? 1 : 2;
    assert_int_equal(size, which == 1 ? sizeof first : sizeof second);
    assert_memory_equal(bytes, which == 1 ? first : second, size);
    assert_int_equal(c.serial, which);
    assert_int_equal(c.next, which == 1); /* the next write overwrites the damaged file, not the intact one */
  }
  free(bytes);
  return which;
}

static void spoil(const char *name, long at, int value) {
  char path[FIXTURE_PATH_SIZE];
  fixture_path(directory, name, path);
  FILE *file = fopen(path, "r+");
  assert_non_null(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  int before = fgetc(file);
  fseek(file, at, SEEK_SET);
  fputc(value >= 0 ? value : before ^ 0x10, file);
  fclose(file);
}

static void the_latest_is_read(void **state) {
  (void)state;
  CtlCheckpoint c = opened(7);
  ctl_checkpoint_clear(&c);
  assert_int_equal(read_which(7, NULL), 0);
  assert_int_equal(ctl_checkpoint_write(&c, first, sizeof first, 0), 0);
  assert_int_equal(read_which(7, NULL), 1);
  write_two();
  assert_int_equal(read_which(7, NULL), 2);
}

static void a_torn_one_gives_way(void **state) {
  (void)state;
  char path[FIXTURE_PATH_SIZE];
  fixture_path(directory, "state.1", path);
  for (long size = 0; size < HEAD + (long)sizeof second; size += size < HEAD + 8 ? 1 : 37) {
    write_two();
    assert_int_equal(truncate(path, size), 0);
    assert_int_equal(read_which(7, "truncated"), 1);
  }
  for (long at = 0; at < HEAD + (long)sizeof second; at += at < HEAD + 8 ? 1 : 37) {
    write_two();
    spoil("state.1", at, -1);
    assert_int_equal(read_which(7, path), 1);
  }
  spoil("state.0", HEAD + 5, -1);
  assert_int_equal(read_which(7, "damaged"), -1);
}

static void foreign_ones_are_refused(void **state) {
  (void)state;
  write_two();
  assert_int_equal(read_which(8, "another problem"), -1);
  spoil("state.1", 0, 'S');
  assert_int_equal(read_which(7, "not a checkpoint"), 1);
  write_two();
  spoil("state.1", 8, 1);
  assert_int_equal(read_which(7, "byte order"), 1);
  write_two();
  spoil("state.1", 12, 99);
  assert_int_equal(read_which(7, "format"), 1);
}

static void a_full_disk_leaves_the_last_one(void **state) {
  (void)state;
  struct rlimit before, small = {.rlim_cur = SIZE, .rlim_max = RLIM_INFINITY};
  write_two();
  CtlCheckpoint c = opened(7);
  void *bytes;
  size_t size;
  assert_int_equal(ctl_checkpoint_read(&c, &bytes, &size), 1);
  free(bytes);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small.rlim_max = before.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  int code = ctl_checkpoint_write(&c, second, sizeof second, 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(code, -1);
  assert_non_null(strstr(c.text, "state.0: "));
  assert_int_equal(read_which(7, NULL), 2);
  assert_int_equal(ctl_checkpoint_write(&c, first, sizeof first, 0), 0); /* there is space again, so this is no error */
  assert_string_equal(c.text, "");
}

/* Other programs can check a checkpoint. It has the CRC-32 of the state, and of the head before it. */
static void sums_are_those_of_zlib(void **state) {
  (void)state;
  char path[FIXTURE_PATH_SIZE];
  unsigned char head[HEAD];
  uint32_t sums[2];
  write_two();
  fixture_path(directory, "state.0", path);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(head, 1, HEAD, file), HEAD);
  fclose(file);
  memcpy(sums, head + HEAD - sizeof sums, sizeof sums);
  assert_int_equal(sums[0], crc32_z(0, first, sizeof first));
  assert_int_equal(sums[1], crc32_z(0, head, HEAD - sizeof sums[1]));
}

/* If standard input is closed, a file gets descriptor 0. An old value of errno has no effect. */
static void any_descriptor_will_do(void **state) {
  (void)state;
  void *bytes;
  size_t size = 0;
  int input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  CtlCheckpoint c = opened(7);
  ctl_checkpoint_clear(&c);
  assert_int_equal(ctl_checkpoint_write(&c, first, sizeof first, 0), 0);
  errno = ENOENT;
  int found = ctl_checkpoint_read(&c, &bytes, &size);
  if (input >= 0) {
    dup2(input, STDIN_FILENO);
    close(input);
  }
  free(bytes);
  assert_int_equal(found, 1);
  assert_int_equal(c.serial, 1);
}

static void the_time_between_is_kept(void **state) {
  (void)state;
  CtlCheckpoint c = {.seconds = 10, .last = 100, .cost = 0.1};
  assert_false(ctl_checkpoint_due(&c, 109.9));
  assert_true(ctl_checkpoint_due(&c, 110));
  c.cost = 1; /* cost of a checkpoint in s, 2 percent of 50 s */
  assert_false(ctl_checkpoint_due(&c, 149.9));
  assert_true(ctl_checkpoint_due(&c, 150));
  c.seconds = 0;
  assert_true(ctl_checkpoint_due(&c, 100));
}

static int begin(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof first; i++) first[i] = (unsigned char)(100 * fixture_random(&seed));
  for (size_t i = 0; i < sizeof second; i++) second[i] = (unsigned char)(100 * fixture_random(&seed));
  return fixture_directory(directory);
}

static int end(void **state) {
  (void)state;
  CtlCheckpoint c = opened(7);
  ctl_checkpoint_clear(&c);
  return rmdir(directory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_latest_is_read),       cmocka_unit_test(a_torn_one_gives_way),
      cmocka_unit_test(foreign_ones_are_refused), cmocka_unit_test(a_full_disk_leaves_the_last_one),
      cmocka_unit_test(sums_are_those_of_zlib),   cmocka_unit_test(any_descriptor_will_do),
      cmocka_unit_test(the_time_between_is_kept),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
