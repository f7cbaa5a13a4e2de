/* A local method that never comes back, and holds malloc's lock of its arena, holds up nobody: hang_in_malloc.c. */
#include "tests/control/search/drive.h"

#include "src/process/settings.h"

static char told[256];

static void keep(void *context, const char *key, const char *text) {
  (void)context;
  snprintf(told, sizeof told, "%s: %s", key, text);
}

static void allocate(void) {
  enum { BLOCKS = 1000 };
  static void *blocks[BLOCKS];
  for (size_t k = 0; k < BLOCKS; k++) assert_non_null(blocks[k] = malloc(100 * k + 1));
  for (size_t k = 0; k < BLOCKS; k++) free(blocks[k]);
}

static void the_search_goes_on_without_it(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.method = ctl_method_find("hybrid");
  assert_false(ctl_thread_left());
  run(&p, rosenbrock, 1, 0, 0);
  assert_true(ctl_thread_left());
  assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
  assert_int_equal(drive.last.method_errors, 1);
  allocate();
  run(&p, linear, 1, 0, 0); /* its COBYLA looks at its start alone */
  assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
  assert_true(drive.last.method_errors > 0);
  ctl_problem_clear(&p);
}

static void it_is_not_used_again(void **state) {
  (void)state;
  const SimReport report = {NULL, keep};
  CtlProblem p = plain_problem(2);
  p.method = ctl_method_find("nlopt:cobyla");
  assert_int_equal(ctl_problem_check(&p, &report), SIM_BAD_PROBLEM);
  assert_string_equal(told, "search.method: nlopt:cobyla has not come back from its library, and is not used again in "
                            "this process");
  p.method = ctl_method_find("nlopt:bobyqa");
  assert_int_equal(ctl_problem_check(&p, &report), SIM_OK);
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(the_search_goes_on_without_it, drive_end),
      cmocka_unit_test(it_is_not_used_again),
  };
  process_prepare();
  if (process_petsc_start(NULL) != SIM_OK) return 1;
  return process_end(cmocka_run_group_tests(tests, NULL, NULL));
}
