/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a local method that never returns, and holds the lock of its arena in malloc, does not delay the search
 * (hang_in_malloc.c). */
#include "sim/group.h"
#include "tests/control/search/drive.h"

#include "src/process/settings.h"

static void allocate(void) {
  enum { BLOCKS = 1000 };
  static void *blocks[BLOCKS];
  for (size_t k = 0; k < BLOCKS; k++) assert_non_null(blocks[k] = malloc(100 * k + 1));
  for (size_t k = 0; k < BLOCKS; k++) free(blocks[k]);
}

/* Drives a search until a method has hung or, if to_the_end, to its end. */
static CtlState go_on(const CtlProblem *p, CtlSearch *search, bool to_the_end) {
  CtlState state;
  double control[N_MAX], x[N_MAX], v[N_MAX];
  long ticket;
  for (;;) {
    while (stiction_asktell_advance(search)) {
    }
    stiction_asktell_state(search, &state);
    if ((!to_the_end && state.method_errors) || !stiction_asktell_ask(search, 1, &ticket, control, NULL)) return state;
    SimStatus status = unreachable(p->n, control, x, v);
    stiction_asktell_tell(search, ticket, &(CtlOutcome){.x = x, .v = v, .status = status}, 0);
  }
}

/* hybrid that is saved after one of its methods has hung continues as if it had not been saved. */
static void the_search_goes_on_without_it(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  CtlSearch *search, *loaded;
  p.method = ctl_method_find("hybrid");
  p.scheme_size = 9;
  p.max_simplexes = 300;
  p.tolerance = 1e-3;
  assert_false(stiction_thread_left());
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_int_equal(go_on(&p, search, false).method_errors, 1);
  assert_true(stiction_thread_left());
  size_t size = stiction_asktell_saved_size(search);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  stiction_asktell_save(search, bytes);
  CtlState end = go_on(&p, search, true);
  assert_int_equal(end.method_errors, 1);
  allocate();
  assert_int_equal(stiction_asktell_load(&p, bytes, size, NULL, &loaded), CTL_OK);
  CtlState other = go_on(&p, loaded, true);
  assert_int_equal(other.method_errors, 1);
  assert_int_equal(other.reason, end.reason);
  assert_int_equal(other.evaluations, end.evaluations);
  assert_int_equal(other.rounds, end.rounds);
  assert_memory_equal(other.control, end.control, 2 * sizeof *end.control);
  stiction_asktell_destroy(search);
  stiction_asktell_destroy(loaded);
  free(bytes);
  ctl_problem_clear(&p);
}

/* Runs of NLopt share nothing, so the next search is independent of the hung method. */
static void the_next_search_has_all_methods(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.lower[0] = -1000; /* this bound makes hang_in_malloc.c pass the problem to NLopt */
  for (int method = 0; method < 2; method++) {
    p.method = ctl_method_find(method ? "hybrid" : "nlopt:cobyla");
    run(&p, linear, 1, 0, 0);
    assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
    assert_int_equal(drive.last.method_errors, 0);
  }
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_search_goes_on_without_it),
      cmocka_unit_test_teardown(the_next_search_has_all_methods, drive_end),
  };
  process_prepare();
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  return process_end(cmocka_run_group_tests(tests, NULL, NULL));
}
