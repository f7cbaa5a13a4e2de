/* SPDX-License-Identifier: BSD-2-Clause */
/* A spool for a test, and jobs submitted to it. */
#ifndef TESTS_SRC_SPOOL_FIXTURE_H
#define TESTS_SRC_SPOOL_FIXTURE_H

#include "tests/fixture.h"

#include "src/serve/spool.h"
#include "src/serve/turns.h"

#include <sys/stat.h>
#include <unistd.h>

static char top[FIXTURE_DIRECTORY_SIZE];

static inline const char *in_top(const char *name) {
  static char path[FIXTURE_PATH_SIZE];
  fixture_path(top, name, path);
  return path;
}

static inline void drop(const char *name, const char *text) {
  FILE *file = fopen(in_top(name), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static inline bool is_there(const char *name) { return access(in_top(name), F_OK) == 0; }

static inline int make_top(void **state) {
  (void)state;
  return fixture_directory(top);
}

static inline int remove_top(void **state) {
  char command[FIXTURE_PATH_SIZE];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", top);
  return system(command);
}

static inline void open_spool(Spool *spool) { assert_int_equal(spool_open(spool, top, NULL), 0); }

static const TurnsRoom anywhere = {.on_ranks = true, .in_process = true};

/* Claims the oldest job of the last scan. Returns 1, 0 or -1 as spool_claim does. */
static inline int claim_oldest(Spool *spool, char name[SPOOL_NAME_MAX]) {
  const Turns none = {0};
  SpoolEntry *next = turns_next(&none, spool, anywhere);
  return next ? spool_claim(spool, next, name) : 0;
}

/* Claims all waiting jobs in turn, and checks that each has one of the expected names. */
static inline void expect_claims(Spool *spool, const char *const *names, size_t n) {
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

#endif
