/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a model with replaced numbers moves like one created with them, bit for bit. Problems that differ in more
 * are refused. */
#include "tests/sim/core/batch.h"

#include <string.h>

static const Trial trials[] = {
    {"moreau", SIM_UNREGULARIZED, SIM_EXACT, true, true, false, SIM_STRIBECK_SQRT, false},
    {"moreau", SIM_UNREGULARIZED, SIM_FIXED_POINT, false, false, false, SIM_STRIBECK_TABLE, false},
    {"centered", SIM_UNREGULARIZED, SIM_EXACT, true, false, false, SIM_STRIBECK_NONE, false},
    {"centered", SIM_REGULARIZED, SIM_EXACT, true, true, false, SIM_STRIBECK_EXPONENTIAL, false},
};
enum { TRIALS = sizeof trials / sizeof *trials };

static double pull(int i, double t) { return 3 * cos(2 * t + i); }

static void make(SimProblem *p, int d, const Trial *trial, uint64_t *seed) {
  random_problem(p, d, trial, seed);
  fixture_fill_force(p, pull);
  assert_int_equal(stiction_problem_finalize(p, NULL), SIM_OK);
}

static void open(const SimProblem *p, SimModel **model, SimWorkspace **work) {
  assert_int_equal(stiction_model_create(p, NULL, model), SIM_OK);
  assert_int_equal(stiction_workspace_create(*model, work), SIM_OK);
}

static void close(SimModel *model, SimWorkspace *work) {
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

/* Compares the final states of n controls, by rollouts and in lanes. */
static void assert_moves_alike(SimModel *model, SimWorkspace *work, SimModel *other, SimWorkspace *others,
                               uint64_t *seed) {
  static Batch own, anew;
  enum { CONTROLS = 5 };
  randomise(&own, 2, seed);
  memcpy(anew.u, own.u, sizeof anew.u);
  for (int kernel = 0; sim_kernel_name(kernel); kernel++) {
    batch_run(model, work, kernel, CONTROLS, &own);
    batch_run(other, others, kernel, CONTROLS, &anew);
    for (int i = 0; i < CONTROLS; i++) assert_same(other, &anew, i, &own, i);
  }
}

/* Gives a problem the matrices of another one. A model then keeps its factorisation if its numbers are replaced. */
static void take_matrices(SimProblem *p, const SimProblem *from) {
  size_t size = (size_t)p->d * (size_t)p->d * sizeof(double);
  memcpy(p->system.mass, from->system.mass, size);
  memcpy(p->system.stiffness, from->system.stiffness, size);
  memcpy(p->system.damping, from->system.damping, size);
  sim_problem_set(p, "r", 0); /* 0 means that it is computed again */
  assert_int_equal(stiction_problem_finalize(p, NULL), SIM_OK);
}

static void numbers_in_place(void **state) {
  uint64_t seed = 36;
  (void)state;
  for (int t = 0; t < TRIALS; t++)
    for (int d = 1; d <= D_MAX; d += 3) {
      SimProblem first, next;
      SimModel *model, *other;
      SimWorkspace *work, *others;
      make(&first, d, &trials[t], &seed);
      open(&first, &model, &work);
      for (int again = 0; again < 3; again++) {
        make(&next, d, &trials[t], &seed);
        if (again == 0) take_matrices(&next, &first);
        open(&next, &other, &others);
        free(next.force); /* the model has its own copy */
        next.force = NULL;
        assert_int_equal(sim_model_set_numbers(model, work, &next), SIM_OK);
        assert_moves_alike(model, work, other, others, &seed);
        close(other, others);
        sim_problem_clear(&next);
      }
      close(model, work);
      sim_problem_clear(&first);
    }
}

/* Makes change number `what` to a problem; 0: none. */
static void change(SimProblem *p, int what) {
  if (what == 1) fixture_time(p, 1, 61);
  if (what == 2) p->system.stribeck = SIM_STRIBECK_EXPONENTIAL;
  if (what == 3) sim_problem_set(p, "solver", SIM_FIXED_POINT);
  if (what == 4) fixture_scheme(p, "centered");
  if (what == 5) memset(p->system.damping, 0, 9 * sizeof *p->system.damping);
}

static void more_is_refused(void **state) {
  static const Trial splitting = {"lie", SIM_UNREGULARIZED, SIM_EXACT, true, true, false, SIM_STRIBECK_SQRT, false};
  uint64_t seed = 7;
  SimProblem first, next;
  SimModel *model;
  SimWorkspace *work;
  (void)state;
  make(&first, 3, &trials[0], &seed);
  open(&first, &model, &work);
  for (int what = 0; what <= 5; what++) {
    assert_int_equal(sim_problem_copy(&first, &next), SIM_OK);
    change(&next, what);
    /* a problem that was changed is not finalized */
    assert_int_equal(sim_model_set_numbers(model, work, &next), what ? SIM_BAD_ARGUMENT : SIM_OK);
    assert_int_equal(stiction_problem_finalize(&next, NULL), SIM_OK);
    assert_int_equal(sim_model_set_numbers(model, work, &next), what ? SIM_BAD_ARGUMENT : SIM_OK);
    sim_problem_clear(&next);
  }
  assert_int_equal(sim_model_set_numbers(model, NULL, &first), SIM_BAD_ARGUMENT);
  close(model, work);
  sim_problem_clear(&first);
  make(&first, 3, &splitting, &seed);
  open(&first, &model, &work);
  assert_int_equal(sim_model_set_numbers(model, work, &first), SIM_BAD_ARGUMENT);
  close(model, work);
  sim_problem_clear(&first);
}

/* Makes a problem with other thresholds; each is > 0 and the same in both directions. */
static void with_thresholds(const SimProblem *first, uint64_t *seed, SimProblem *next) {
  assert_int_equal(sim_problem_copy(first, next), SIM_OK);
  next->by_direction = false;
  for (int i = 0; i < next->d; i++) {
    next->friction[i] = 1.5 + fixture_random(seed);
    next->friction_bias[i] = 0;
  }
  sim_problem_set(next, "r", 0); /* 0 means that it is computed again */
}

static void thresholds_in_place(void **state) {
  uint64_t seed = 5;
  (void)state;
  for (int t = 0; t < TRIALS; t++)
    for (int d = 1; d <= D_MAX; d += 3) {
      SimProblem first, given, next;
      SimModel *model, *other;
      SimWorkspace *work, *others;
      make(&next, d, &trials[t], &seed);
      with_thresholds(&next, &seed, &first);
      sim_problem_clear(&next);
      assert_int_equal(stiction_problem_finalize(&first, NULL), SIM_OK);
      assert_int_equal(sim_thresholds_apart(&first), trials[t].stribeck != SIM_STRIBECK_TABLE);
      with_thresholds(&first, &seed, &given);
      void *store = calloc(1, sim_thresholds_size(&given));
      open(&first, &model, &work);
      for (int again = 0; again < 3 && sim_thresholds_apart(&first); again++) {
        with_thresholds(&first, &seed, &next);
        assert_true(sim_thresholds_settle(&given, next.friction, store));
        assert_int_equal(stiction_problem_finalize(&next, NULL), SIM_OK);
        assert_memory_equal(store, &next.bounds, sizeof next.bounds);
        open(&next, &other, &others);
        assert_int_equal(sim_model_set_thresholds(model, work, store), SIM_OK);
        assert_moves_alike(model, work, other, others, &seed);
        close(other, others);
        sim_problem_clear(&next);
      }
      if (!sim_thresholds_apart(&first))
        assert_int_equal(sim_model_set_thresholds(model, work, store), SIM_BAD_ARGUMENT);
      for (int k = 0; k < 4; k++) {
        first.friction[d - 1] = (double[]){0, -1, NAN, INFINITY}[k];
        assert_false(sim_thresholds_apart(&first));
        assert_false(sim_thresholds_settle(&given, first.friction, store));
      }
      free(store);
      close(model, work);
      sim_problem_clear(&given);
      sim_problem_clear(&first);
    }
}

/* Bounds and constants of a problem finalized like another do not depend on the other. */
static void finalized_like_another(void **state) {
  uint64_t seed = 11;
  (void)state;
  for (int t = 0; t < TRIALS; t++)
    for (int d = 1; d <= D_MAX; d += 2)
      for (int which = 0; which < 3; which++) {
        SimProblem first, next, plain;
        make(&first, d, &trials[t], &seed);
        assert_int_equal(sim_problem_copy(&first, &next), SIM_OK);
        if (which < 2) next.friction[0] += 1;
        if (which > 0) next.system.mass[0] *= 1.5;
        sim_problem_set(&next, "r", 0); /* 0 means that it is computed again */
        assert_int_equal(sim_problem_copy(&next, &plain), SIM_OK);
        assert_int_equal(stiction_problem_finalize(&plain, NULL), SIM_OK);
        assert_int_equal(sim_problem_finalize_like(&next, &first, NULL), SIM_OK);
        assert_memory_equal(&next.bounds, &plain.bounds, sizeof plain.bounds);
        assert_true(next.finalized == plain.finalized);
        sim_problem_clear(&first);
        sim_problem_clear(&next);
        sim_problem_clear(&plain);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_in_place), cmocka_unit_test(thresholds_in_place),
                                     cmocka_unit_test(more_is_refused), cmocka_unit_test(finalized_like_another)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
