/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests runs of SQP near the best answer of many starts. */
#include "tests/control/sqp/found.h"

#include "control/sqp/starts.h"

/* A bowl with ripples: a local minimum about every 0.3 in each of eight variables. */
static void rippled(const OwnNumber *x, OwnNumber *y) {
  y[0] = 0;
  for (int i = 0; i < 8; i++) y[0] += square(x[i]) + 0.5 * (1 - ccos(20 * x[i]));
}

/* If one run alone ends at the least f, as many runs again begin near it. */
static void further_runs_begin_near_the_best(void **state) {
  static const OwnProblem own = {.name = "ripples", .n = 8, .m = 1, .roles = "o", .values = rippled, .start = {1}};
  enum { STARTS = 20 };
  (void)state;
  double best = INFINITY;
  CtlProblem p, all;
  assert_int_equal(own_problem(&own, &all), SIM_OK);
  all.starts = malloc((STARTS - 1) * 8 * sizeof *all.starts);
  all.start_count = STARTS - 1;
  all.local_starts = STARTS;
  all.step = 0.1; /* longer steps pass over the ripples */
  for (int k = 0; k < STARTS; k++) {
    assert_int_equal(own_problem(&own, &p), SIM_OK);
    for (int i = 0; i < 8 && k > 0; i++) {
      double at = 2 * ctl_start_number((uint64_t)k, (uint64_t)i);
      p.start[i] = all.starts[8 * (k - 1) + i] = at;
    }
    p.restarts = 0;
    p.step = all.step;
    best = fmin(best, search_from(&own, &p).state.J);
    ctl_problem_clear(&p);
  }
  Found found = search_from(&own, &all);
  print_message("least f of %d runs %g, with as many near it %g\n", STARTS, best, found.state.J);
  assert_int_equal(found.state.starts, 2 * STARTS);
  assert_true(found.state.J < 0.7 * best);
  ctl_problem_clear(&all);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(further_runs_begin_near_the_best)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
