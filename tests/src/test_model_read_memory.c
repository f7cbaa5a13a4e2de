/* SPDX-License-Identifier: BSD-2-Clause */
/* Lets each allocation while a mechanism is read fail once. The failure is reported as such. Texts that the C library
 * copies are not counted, so leaks are found by the sanitizers. */
#include "tests/fixture.h"

#include "src/file/sections/file.h"
#include "tests/no_memory.h"

static int attempt(const char *path, long k) {
  Diagnostics diagnostics = {0};
  Problem p;
  no_memory_left = k;
  char none[] = "control=null", *settings[] = {none};
  int n = strstr(path, "plate") ? 0 : 1; /* plate has no control */
  int code = problem_file_read(path, settings, n, false, &diagnostics, &p);
  if (code != (no_memory_failed() ? EXIT_INTERNAL : 0))
    fail_msg("%s, allocation %ld: code %d: %s", path, k, code, diagnostics.count ? diagnostics.list[0].text : "");
  no_memory_left = 0;
  diagnostics_clear(&diagnostics);
  if (!code) problem_clear(&p);
  return code;
}

static void no_memory_is_reported(void **state) {
  (void)state;
  static const char *const files[] = {
      STICTION_ROOT "/jobs/problems/furuta.yaml", STICTION_ROOT "/jobs/problems/two-links.yaml",
      STICTION_ROOT "/jobs/problems/plate.yaml", STICTION_ROOT "/jobs/problems/puma.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    long k = 1;
    while (attempt(files[i], k)) k++;
    assert_true(k > 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_memory_is_reported)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
