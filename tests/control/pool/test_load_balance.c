/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how the pool chooses the sizes of its batches, and the model of the pool that bench-pool prints. */
#include "tests/fixture.h"

#include "bench/pool/model.h"
#include "control/pool/load_balance.h"
#include "tests/no_memory.h"

#include <math.h>

static LoadBalance load_of(int workers, int evaluators, int block) {
  LoadBalance load;
  assert_int_equal(load_balance_init(&load, workers, evaluators, block, 1024), SIM_OK);
  return load;
}

/* Sets the measured speed of evaluation: one point takes this number of seconds. */
static void know_speed(LoadBalance *load, double point_seconds) {
  load_balance_give(load, 0, 1000 * load->block, 0);
  load_balance_take(load, 0, 1000 * load->block, 1000 * load->block * point_seconds, 0);
}

static void halves_of_what_a_worker_lacks(void **state) {
  (void)state;
  LoadBalance load = load_of(2, 2, 1);
  assert_int_equal(load_balance_batch(&load, 0, 1744, 0), 436);
  load_balance_give(&load, 0, 436, 0);
  assert_int_equal(load_balance_batch(&load, 1, 1308, 0), 436);
  load_balance_give(&load, 1, 436, 0);
  assert_int_equal(load_balance_batch(&load, 0, 872, 0), 218);
  assert_int_equal(load_balance_batch(&load, 0, 1, 0), 1);
  load_balance_clear(&load);
}

/* Both workers have finished their 436 points, but one has not reported this yet. This does not affect the next batch
 * of the other one. */
static void what_is_done_by_now_is_not_left(void **state) {
  (void)state;
  LoadBalance load = load_of(2, 2, 1);
  know_speed(&load, 1);
  for (int w = 0; w < 2; w++) {
    load_balance_give(&load, w, 436, 0);
    load_balance_give(&load, w, 218, 0);
  }
  load_balance_take(&load, 0, 436, 436, 436);
  int first = load_balance_batch(&load, 0, 436, 436);
  assert_int_equal(first, 109);
  load_balance_give(&load, 0, first, 436);
  load_balance_take(&load, 1, 436, 436, 436);
  assert_int_equal(load_balance_batch(&load, 1, 436 - first, 436), 109);
  assert_int_equal(load.out, 2 * 218 + 109);
  assert_int_equal(load.busy, 2);
  load_balance_clear(&load);
}

static void rank_with_its_share_gets_no_point(void **state) {
  (void)state;
  LoadBalance load = load_of(2, 2, 1);
  load_balance_give(&load, 0, 40, 0);
  assert_int_equal(load_balance_batch(&load, 0, 10, 0), 0);
  assert_int_equal(load_balance_batch(&load, 1, 10, 0), 10);
  load_balance_clear(&load);
}

/* Workers get whole blocks (points that are evaluated together in vector lanes) while there are enough points. Later
 * all get equal numbers, as a part of a block takes as long as a whole one. */
static void blocks(void **state) {
  (void)state;
  LoadBalance load = load_of(3, 3, 32);
  long unasked = 1744;
  int last = 1024;
  while (unasked >= 3 * 32) {
    int count = load_balance_batch(&load, 0, unasked, 0);
    assert_int_equal(count % 32, 0);
    assert_in_range(count, 32, last);
    unasked -= last = count;
  }
  assert_int_equal(load_balance_batch(&load, 0, 64, 0), 22);
  load_balance_give(&load, 0, 22, 0);
  assert_int_equal(load_balance_batch(&load, 1, 42, 0), 22);
  load_balance_clear(&load);
}

/* Short evaluations are sent in batches large enough to be worth a message. Long evaluations are sent one by one at the
 * end. */
static void batches_are_worth_a_message(void **state) {
  (void)state;
  for (int workers = 2; workers <= 512; workers *= 4) {
    LoadBalance load = load_of(workers, workers, 1);
    know_speed(&load, 1e-6);
    double least = fmax(50, 2 * workers);
    int count = load_balance_batch(&load, 0, 4 * (long)least * workers / 3, 0);
    assert_true(count >= (int)(0.999 * least) && count <= 1024);
    load_balance_clear(&load);
    load = load_of(workers, workers, 1);
    know_speed(&load, 1);
    assert_int_equal(load_balance_batch(&load, 0, workers, 0), 1);
    load_balance_clear(&load);
  }
}

/* The coordinator evaluates as many points as take 200 us, or a block, but never more than an idle worker would get. */
static void pieces_are_small(void **state) {
  (void)state;
  static const double speeds[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-2};
  for (int block = 1; block <= 32; block += 31)
    for (int k = 0; k < 5; k++)
      for (long unasked = 1; unasked <= 4096; unasked *= 4) {
        LoadBalance load = load_of(2, 3, block);
        know_speed(&load, speeds[k]);
        int piece = load_balance_piece(&load, unasked, 0), batch = load_balance_batch(&load, 1, unasked, 0);
        assert_in_range(piece, 1, batch);
        assert_true(piece <= block || piece * speeds[k] <= 200.001e-6);
        load_balance_clear(&load);
      }
}

/* The model -------------------------------------------------------------------------------------------------- */

static const PoolCosts nothing = {0};

static double wall_of(const PoolCosts *costs, int workers, double evaluation, long points, int rounds) {
  long each[8];
  for (int k = 0; k < rounds; k++) each[k] = points;
  const PoolJob job = {workers, 1, evaluation, rounds, each, points, 0};
  double wall = pool_model_wall(costs, &job, NULL);
  assert_true(wall >= pool_model_bound(&job) * (1 - 1e-12));
  assert_true(fabs(pool_model_efficiency(&job, wall) * workers * wall - (double)rounds * (double)points * evaluation) <
              1e-9 * wall * workers);
  return wall;
}

static void free_messages_cost_nothing(void **state) {
  (void)state;
  for (int workers = 1; workers <= 4096; workers *= 4)
    for (long share = 1; share <= 64; share *= 8)
      assert_true(fabs(wall_of(&nothing, workers, 1, share * workers, 3) - 3.0 * (double)share) < 1e-9);
  /* If the workers cannot share the points equally, the remaining points cost the time of one evaluation. */
  for (int workers = 2; workers <= 128; workers *= 2)
    assert_true(fabs(wall_of(&nothing, workers, 1, 20L * workers + 1, 1) - 21) < 1e-9);
}

/* With one worker and one point the time is that of a message, an evaluation and an answer. */
static void one_point_takes_a_round_trip(void **state) {
  (void)state;
  const PoolCosts costs = {.batch = 0.5, .point = 0.25, .move = 0.125, .poll = 0.0625, .latency = 2};
  double expected = 0.25 + 0.125 + 2 + 10 + 2 + 2 * 0.0625 + 0.25 + 0.125 + 0.125;
  assert_true(fabs(wall_of(&costs, 1, 10, 1, 1) - expected) < 1e-12);
}

/* With more workers than the coordinator can serve, the time is the coordinator's own. */
static void a_busy_coordinator_is_the_limit(void **state) {
  (void)state;
  const PoolCosts costs = {.batch = 1e-3, .point = 1e-4, .move = 1e-5, .latency = 1e-6};
  for (int workers = 256; workers <= 4096; workers *= 4) {
    const double evaluation = 1e-3, work = workers * (costs.batch + costs.point + costs.move);
    double wall = wall_of(&costs, workers, evaluation, workers, 1);
    assert_true(wall >= work * (1 - 1e-12) && wall <= work + evaluation + 2e-6);
  }
}

/* If any cost increases, the predicted time increases. Points in full blocks take `evaluation` each: 256 of them on 4
 * workers take 64 s. */
static void the_model_is_monotone(void **state) {
  (void)state;
  const PoolCosts costs = {1e-6, 1e-7, 1e-7, 1e-9, 1e-6};
  for (int workers = 1; workers <= 1024; workers *= 8)
    for (double evaluation = 1e-5; evaluation < 1; evaluation *= 10)
      assert_true(wall_of(&costs, workers, evaluation, 1744, 4) > wall_of(&nothing, workers, evaluation, 1744, 4));
  const long points = 256;
  const PoolJob job = {4, 32, 1, 1, &points, points, 0};
  assert_true(fabs(pool_model_wall(&nothing, &job, NULL) - 64) < 1e-9);
}

/* A cleared balance holds no memory, and can be cleared again. */
static void cleared_twice(void **state) {
  (void)state;
  LoadBalance load;
  assert_int_equal(load_balance_init(&load, 2, 2, 1, 100), SIM_OK);
  for (int k = 0; k < 2; k++) {
    load_balance_clear(&load);
    assert_true(!load.held && !load.since && load.workers == 0);
  }
}

static void attempt(void *context, long k) {
  LoadBalance load;
  SimStatus status = load_balance_init(&load, 2, 2, 1, 100);
  bool failed = no_memory_failed();
  (void)context;
  load_balance_clear(&load);
  assert_int_equal(status, failed ? SIM_NO_MEMORY : SIM_OK);
  assert_int_equal(failed, k <= 2);
}

/* Lets each of the two allocations fail. */
static void no_memory_is_reported(void **state) {
  (void)state;
  no_memory_each(attempt, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_of_what_a_worker_lacks),
      cmocka_unit_test(what_is_done_by_now_is_not_left),
      cmocka_unit_test(rank_with_its_share_gets_no_point),
      cmocka_unit_test(blocks),
      cmocka_unit_test(batches_are_worth_a_message),
      cmocka_unit_test(pieces_are_small),
      cmocka_unit_test(free_messages_cost_nothing),
      cmocka_unit_test(one_point_takes_a_round_trip),
      cmocka_unit_test(a_busy_coordinator_is_the_limit),
      cmocka_unit_test(the_model_is_monotone),
      cmocka_unit_test(cleared_twice),
      cmocka_unit_test(no_memory_is_reported),
  };
  /* Some tests do not work with shared libraries, which do not use the malloc of this program. */
  cmocka_set_skip_filter(getenv("STICTION_SKIP"));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
