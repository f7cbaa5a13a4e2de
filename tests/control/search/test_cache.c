/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the cache of evaluations. */
#include "tests/fixture.h"

#include "control/outcome/cache.h"
#include "control/outcome/objective.h"

static void cache_knows_bits_and_can_be_emptied(void **state) {
  (void)state;
  CtlCache cache;
  bool added;
  const double a[2] = {0, 1}, minus[2] = {-0.0, 1}, b[2] = {0x1p-1000, 1}, x[1] = {3}, v[1] = {4};
  assert_int_equal(ctl_cache_init(&cache, 2, 1, 3), SIM_OK);
  long entry = ctl_cache_entry(&cache, a, &added);
  assert_true(added && !cache.records[entry].known);
  ctl_cache_store(&cache, entry, 5, &(CtlOutcome){.x = x, .v = v, .iterations = 6});
  assert_int_equal(ctl_cache_entry(&cache, minus, &added), entry);
  assert_false(added);
  assert_true(ctl_cache_entry(&cache, b, &added) != entry);
  assert_true(added);
  assert_true(ctl_cache_J(&cache, entry) == 5 && ctl_cache_x(&cache, entry)[0] == 3);
  assert_true(ctl_cache_v(&cache, entry)[0] == 4 && cache.records[entry].iterations == 6);
  ctl_cache_empty(&cache);
  assert_int_equal(cache.count, 0);
  entry = ctl_cache_entry(&cache, a, &added);
  assert_true(added && !cache.records[entry].known);
  ctl_cache_clear(&cache);
}

/* Every entry is found again with its own values, however many there are. */
static void cache_grows(void **state) {
  enum { MANY = 30000 };
  (void)state;
  CtlCache cache;
  bool added;
  assert_int_equal(ctl_cache_init(&cache, 2, 1, MANY), SIM_OK);
  for (int turn = 0; turn < 2; turn++) {
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < MANY; i++) {
        const double u[2] = {i % 173 - 86.0, 0.125 * (i / 173)};
        assert_int_equal(ctl_cache_entry(&cache, u, &added), i);
        assert_true(added == (pass == 0));
      }
    ctl_cache_empty(&cache);
  }
  ctl_cache_clear(&cache);
}

/* A cleared cache holds no memory, and can be cleared again. */
static void cleared_twice(void **state) {
  (void)state;
  CtlProblem problem;
  CtlObjective objective;
  assert_int_equal(ctl_problem_init(&problem, 2, 1), SIM_OK);
  assert_true(ctl_objective_init(&objective, &problem));
  for (int k = 0; k < 2; k++) {
    ctl_objective_clear(&objective);
    assert_true(!objective.problem && !objective.best.control && !objective.cache.records && !objective.rows);
  }
  ctl_problem_clear(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cache_knows_bits_and_can_be_emptied),
      cmocka_unit_test(cache_grows),
      cmocka_unit_test(cleared_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
