/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests coroutines: owner and body run alternately, and an abandoned body ends. */
#include "tests/fixture.h"

#include "control/local/coroutine.h"

#include <stdatomic.h>
#include <time.h>

static const double SECONDS = 1;

typedef struct Talk {
  CtlCoroutine *coroutine;
  int said[8], n; /* numbers written by the owner (even) and by the body (odd) */
  int turns;      /* number of turns of the body */
  bool given_up, waited_again;
} Talk;

static void say(Talk *talk, int what) { talk->said[talk->n++] = what; }

static void body(void *context) {
  Talk *talk = context;
  ctl_coroutine_enter(talk->coroutine);
  for (int k = 0; k < talk->turns && !talk->given_up; k++) {
    say(talk, 2 * k + 1);
    if (ctl_coroutine_wait(talk->coroutine)) continue;
    talk->given_up = true;
    talk->waited_again = ctl_coroutine_wait(talk->coroutine);
  }
  ctl_coroutine_leave(talk->coroutine);
}

static void they_take_turns(void **state) {
  (void)state;
  Talk talk = {.turns = 3};
  talk.coroutine = ctl_coroutine_create(body, &talk, SECONDS);
  assert_non_null(talk.coroutine);
  assert_int_equal(talk.n, 0);
  for (int k = 0; k < 3; k++) {
    say(&talk, 2 * k);
    assert_int_equal(ctl_coroutine_resume(talk.coroutine), CTL_TURN_WAITS);
  }
  assert_int_equal(ctl_coroutine_resume(talk.coroutine), CTL_TURN_ENDED);
  assert_int_equal(ctl_coroutine_resume(talk.coroutine), CTL_TURN_ENDED); /* the body has ended */
  assert_int_equal(talk.n, 6);
  for (int k = 0; k < 6; k++) assert_int_equal(talk.said[k], k);
  assert_false(talk.given_up);
  ctl_coroutine_destroy(talk.coroutine);
}

/* A coroutine can be abandoned before it begins, while it waits, and after its end. */
static void it_may_be_given_up_anywhere(void **state) {
  (void)state;
  for (int turns = 0; turns < 4; turns++) {
    Talk talk = {.turns = 2};
    talk.coroutine = ctl_coroutine_create(body, &talk, SECONDS);
    assert_non_null(talk.coroutine);
    for (int k = 0; k < turns; k++) ctl_coroutine_resume(talk.coroutine);
    assert_true(ctl_coroutine_destroy(talk.coroutine));
    assert_int_equal(talk.n, turns < 2 ? turns : 2);
    assert_int_equal(talk.given_up, turns == 1 || turns == 2);
    assert_false(talk.waited_again);
  }
  ctl_coroutine_destroy(NULL);
}

static void many_stand_side_by_side(void **state) {
  (void)state;
  enum { MANY = 50 };
  static Talk talks[MANY];
  for (int i = 0; i < MANY; i++) {
    talks[i] = (Talk){.turns = 3};
    talks[i].coroutine = ctl_coroutine_create(body, &talks[i], SECONDS);
    assert_non_null(talks[i].coroutine);
  }
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < MANY; i++) assert_int_equal(ctl_coroutine_resume(talks[i].coroutine), CTL_TURN_WAITS);
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(talks[i].n, 3);
    ctl_coroutine_destroy(talks[i].coroutine);
    assert_true(talks[i].given_up);
  }
}

/* A body that asks for a known value again and again. */
static void ask_in_vain(void *context) {
  Talk *talk = context;
  while (!talk->given_up) {
    talk->given_up = !ctl_coroutine_enter(talk->coroutine);
    ctl_coroutine_leave(talk->coroutine);
  }
}

static void coroutine_without_answer_is_asked_to_end(void **state) {
  (void)state;
  Talk talk = {0};
  talk.coroutine = ctl_coroutine_create(ask_in_vain, &talk, SECONDS);
  assert_non_null(talk.coroutine);
  assert_int_equal(ctl_coroutine_resume(talk.coroutine), CTL_TURN_HUNG);
  assert_int_equal(ctl_coroutine_resume(talk.coroutine), CTL_TURN_HUNG);
  assert_true(talk.given_up);
  assert_true(ctl_coroutine_destroy(talk.coroutine));
  assert_false(ctl_coroutine_any_left());
}

/* A turn has a limit of time, although the limit for all time without progress is far longer. */
static void a_turn_ends_at_its_limit(void **state) {
  (void)state;
  Talk talk = {0};
  time_t begun = time(NULL);
  talk.coroutine = ctl_coroutine_create(ask_in_vain, &talk, 1000);
  assert_non_null(talk.coroutine);
  ctl_coroutine_limit(talk.coroutine, 1);
  assert_int_equal(ctl_coroutine_resume(talk.coroutine), CTL_TURN_LATE);
  assert_true(time(NULL) - begun < 30);
  assert_true(talk.given_up);
  assert_true(ctl_coroutine_destroy(talk.coroutine));
  assert_false(ctl_coroutine_any_left());
}

/* A body that runs longer in total than the limit of time without progress, but makes progress all the time. A method
 * that finds most of its points in the cache does this. */
static void get_on(void *context) {
  Talk *talk = context;
  for (clock_t start = clock(); clock() - start < 2 * CLOCKS_PER_SEC;) ctl_coroutine_progress(talk->coroutine);
}

static void one_that_gets_on_may_take_long(void **state) {
  (void)state;
  Talk talk = {0};
  talk.coroutine = ctl_coroutine_create(get_on, &talk, SECONDS);
  assert_non_null(talk.coroutine);
  assert_int_equal(ctl_coroutine_resume(talk.coroutine), CTL_TURN_ENDED);
  assert_true(ctl_coroutine_destroy(talk.coroutine));
}

/* An abandoned body. If the library in which it hangs returns after all, nothing happens. */
typedef struct Lost {
  CtlCoroutine *coroutine;
  atomic_bool back, asked;
  bool blocked;
} Lost;

static void lose(void *context) {
  Lost *lost = context;
  while (!lost->back)
    if (lost->blocked) nanosleep(&(struct timespec){.tv_sec = 1000}, NULL);
  ctl_coroutine_enter(lost->coroutine);
  lost->asked = true;
  ctl_coroutine_leave(lost->coroutine);
}

static void one_that_never_comes_back_is_left(void **state) {
  (void)state;
  for (int blocked = 0; blocked < 2; blocked++) {
    static Lost all[2];
    Lost *lost = &all[blocked];
    lost->blocked = blocked;
    lost->coroutine = ctl_coroutine_create(lose, lost, SECONDS);
    assert_non_null(lost->coroutine);
    assert_int_equal(ctl_coroutine_resume(lost->coroutine), CTL_TURN_HUNG);
    assert_int_equal(ctl_coroutine_resume(lost->coroutine), CTL_TURN_HUNG);
    assert_false(ctl_coroutine_destroy(lost->coroutine));
    assert_true(ctl_coroutine_any_left());
    lost->back = true;
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    assert_false(lost->asked);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_take_turns),
      cmocka_unit_test(it_may_be_given_up_anywhere),
      cmocka_unit_test(many_stand_side_by_side),
      cmocka_unit_test(coroutine_without_answer_is_asked_to_end),
      cmocka_unit_test(a_turn_ends_at_its_limit),
      cmocka_unit_test(one_that_gets_on_may_take_long),
      cmocka_unit_test(one_that_never_comes_back_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
