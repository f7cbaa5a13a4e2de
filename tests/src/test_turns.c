/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the order in which a service begins jobs, and pauses them. */
#include "tests/fixture.h"

#include "control/base/clock.h"
#include "src/serve/status_file.h"
#include "src/serve/turns.h"

#include <math.h>
#include <unistd.h>

static const TurnsRoom anywhere = {.on_ranks = true, .in_process = true};

static SpoolEntry *next_of(const Turns *turns, Spool *spool, TurnsRoom room) {
  assert_true(spool_queues_make(&spool->queues, &spool->waiting));
  return turns_next(turns, spool, room);
}

/* Work done before `seconds` began, by a killed process, does not count towards a job's speed: it is 2 runs a second,
 * not 55. */
static void time_left_is_by_what_is_done_in_it(void **state) {
  const StatusShare shares[] = {{300, 3000, 0}, {300, 3000, 275}, {10, 0, 0}, {275, 3000, 275}, {20, 3000, 30}};
  (void)state;
  assert_true(status_time_left(shares, 1, 5) == 45);
  assert_true(status_time_left(shares + 1, 1, 12.5) == 1350);
  assert_true(status_time_left(shares, 5, 12.5) == 112.5);
  /* shares without a limit, or in which nothing was done yet, give no estimate */
  for (int k = 2; k < 5; k++) assert_true(isinf(status_time_left(shares + k, 1, 1)));
}

/* The submitter that has used less time goes first. Priorities count among the jobs of one submitter. A job that has
 * had its turn pauses. */
static void turns_are_shared(void **state) {
  enum { ALICE = 1001, BOB = 1002, ME = 1003 };
  SpoolEntry entries[] = {{.name = (char *)"old", .user = ALICE, .since = {1, 0}},
                          {.name = (char *)"urgent", .user = ALICE, .since = {3, 0}, .priority = 5},
                          {.name = (char *)"other", .user = BOB, .since = {2, 0}, .priority = -7}};
  TurnShare shares[] = {{ALICE, 10}, {BOB, 20}};
  Turns turns = {.shares = shares, .n = 2};
  Spool spool = {.waiting = {.entries = entries, .n = 3}};
  (void)state;
  assert_string_equal(next_of(&turns, &spool, anywhere)->name, "urgent");
  shares[0].used = 30;
  assert_string_equal(next_of(&turns, &spool, anywhere)->name, "other");
  entries[2].taken = true;
  entries[1].priority = 0;
  assert_string_equal(next_of(&turns, &spool, anywhere)->name, "old");
  entries[1].user = geteuid(); /* a priority set by the service's own user counts among all jobs */
  entries[1].priority = 1;
  assert_string_equal(next_of(&turns, &spool, anywhere)->name, "urgent");
  entries[1].priority = -1;
  assert_string_equal(next_of(&turns, &spool, anywhere)->name, "old");
  entries[0].in_process = true;
  assert_string_equal(next_of(&turns, &spool, (TurnsRoom){.on_ranks = true})->name, "urgent");
  assert_string_equal(next_of(&turns, &spool, (TurnsRoom){.in_process = true})->name, "old");
  entries[0].taken = true;
  assert_null(next_of(&turns, &spool, (TurnsRoom){.in_process = true}));
  spool_queues_clear(&spool.queues);

  ServeJob later = {.submitter = {.user = ALICE}, .stage = STAGE_SEARCH, .placed = -1000},
           first = {.next = &later, .submitter = {.user = ALICE}, .stage = STAGE_SEARCH, .placed = -2000};
  assert_ptr_equal(turns_yielding(&turns, &first, STAGE_SEARCH, (TurnsClaim){ALICE, 0, false}, 100), &first);
  assert_ptr_equal(turns_yielding(&turns, &first, STAGE_SEARCH, (TurnsClaim){BOB, -7, false}, 100), &first);
  assert_null(turns_yielding(&turns, &first, STAGE_SEARCH, (TurnsClaim){ALICE, -1, false}, 100));
  assert_null(turns_yielding(&turns, &first, STAGE_SEARCH, (TurnsClaim){ALICE, 0, false}, 1e9));
  assert_null(turns_yielding(&turns, &first, STAGE_PROCESS, (TurnsClaim){ALICE, 0, false}, 100));
  shares[1].used = 40;
  assert_null(turns_yielding(&turns, &first, STAGE_SEARCH, (TurnsClaim){BOB, 0, false}, 100));
  first.wanted.priority = 1;
  assert_ptr_equal(turns_yielding(&turns, &first, STAGE_SEARCH, (TurnsClaim){ALICE, 0, false}, 100), &later);

  /* A job that only waits for a process has used no time. Such jobs are in the same order. */
  ServeJob bobs = {.submitter = {.user = BOB}, .stage = STAGE_QUEUE},
           alices = {.next = &bobs, .submitter = {.user = ALICE}, .stage = STAGE_QUEUE};
  shares[0].used = shares[1].used = 1;
  assert_ptr_equal(turns_queued(&turns, &alices, false), &alices);
  bobs.stage = STAGE_PROCESS;
  turns.charged = ctl_seconds() - 100;
  turns_charge(&turns, &alices);
  assert_true(shares[0].used < 1 && shares[1].used > 99);
  bobs.stage = STAGE_QUEUE;
  shares[0].used = 200;
  assert_ptr_equal(turns_queued(&turns, &alices, false), &bobs);
  assert_null(turns_queued(&turns, &later, false));
}

/* The steps after a search on the ranks have one process of their own, whatever other jobs use. A job in this process
 * does not count against the others. */
static void one_process_is_for_what_follows(void **state) {
  const Turns turns = {0};
  ServeJob extra = {.stage = STAGE_PROCESS, .ends = true, .extra = true, .placed = -1000},
           follows = {.next = &extra, .stage = STAGE_QUEUE, .ends = true},
           other = {.next = &follows, .stage = STAGE_QUEUE};
  (void)state;
  assert_ptr_equal(turns_for_process(&turns, &other, 1, 1, false), &follows);
  assert_ptr_equal(turns_for_process(&turns, &other, 0, 1, false), &follows);
  assert_ptr_equal(turns_for_process(&turns, &other, 0, 1, true), &other);
  assert_null(turns_for_process(&turns, &other, 1, 1, true));
  follows.stage = STAGE_PROCESS;
  assert_null(turns_for_process(&turns, &other, 1, 1, false));
  follows.stage = STAGE_QUEUE;
  other.stage = STAGE_PROCESS;
  /* a job that follows its search may use any free process */
  assert_ptr_equal(turns_for_process(&turns, &other, 0, 1, true), &follows);
  /* a job does not pause for jobs that cannot use its process */
  other.placed = -500;
  assert_ptr_equal(turns_yielding(&turns, &other, STAGE_PROCESS, (TurnsClaim){0, 0, false}, 100), &other);
}

/* The next service reads the recorded times, less their decay since then. Malformed entries count as no time. */
static void shares_are_reported(void **state) {
  TurnShare shares[] = {{1001, 400}, {1002, 1e-9}, {1003, 100}};
  const Turns turns = {.shares = shares, .n = 3};
  Turns next = {0}, bad = {0};
  (void)state;
  json_t *saved = turns_json(&turns), *odd = json_pack("{s:f, s:s, s:f, s:f, s:n}", "1001", -5.0, "1002", "much", "bob",
                                                       7.0, "99999999999", 3.0, "5");
  assert_int_equal(json_object_size(saved), 2);
  turns_begin(&next, saved, 7200);
  assert_float_equal(turns_used(&next, 1001), 100, 1e-9);
  assert_float_equal(turns_used(&next, 1003), 25, 1e-9);
  turns_clear(&next);
  turns_begin(&next, saved, -50); /* a negative time has passed, as the clock was set back */
  assert_float_equal(turns_used(&next, 1001), 400, 0);
  turns_begin(&bad, odd, 0);
  turns_begin(&bad, NULL, 0);
  assert_int_equal(bad.n, 0);
  json_decref(saved);
  json_decref(odd);
  turns_clear(&next);
  turns_clear(&bad);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(turns_are_shared), cmocka_unit_test(shares_are_reported),
                                     cmocka_unit_test(one_process_is_for_what_follows),
                                     cmocka_unit_test(time_left_is_by_what_is_done_in_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
