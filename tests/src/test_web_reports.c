/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the reports that the page caches: their owners, the order of removal, and the limit of their number. */
#include "tests/fixture.h"

#include "src/web/reports.h"

#include <dirent.h>
#include <unistd.h>

static WebReports reports;

static int begin(void **state) {
  (void)state;
  reports = (WebReports){.asked = 0};
  web_reports_init(&reports);
  return 0;
}

static int end(void **state) {
  (void)state;
  web_reports_clear(&reports);
  return 0;
}

static WebResults results(int k, long changed) {
  WebResults of = {.folder = (ino_t)(100 + k), .changed = {.tv_sec = 1, .tv_nsec = changed}};
  snprintf(of.name, sizeof of.name, "job%d", k);
  return of;
}

/* Makes a file without a name that contains a job's number. */
static int number_file(int k) {
  FILE *file = tmpfile();
  assert_non_null(file);
  fprintf(file, "%d", k);
  fflush(file);
  int copy = dup(fileno(file));
  fclose(file);
  return copy;
}

static void keep(int k, size_t size) {
  WebResults of = results(k, 0);
  web_reports_keep(&reports, &of, number_file(k), size);
}

/* Returns whether that job's report is cached, with its own bytes from the beginning. */
static bool is_kept(int k) {
  WebResults of = results(k, 0);
  char text[16] = "", wanted[16];
  int file = -1;
  size_t size;
  if (web_reports_find(&reports, &of, &file, &size) != WEB_REPORT_KEPT) return false;
  assert_true(read(file, text, sizeof text - 1) > 0);
  close(file);
  snprintf(wanted, sizeof wanted, "%d", k);
  assert_string_equal(text, wanted);
  return true;
}

static int open_files(void) {
  DIR *folder = opendir("/proc/self/fd");
  int n = 0;
  while (readdir(folder)) n++;
  closedir(folder);
  return n;
}

static void each_viewer_has_it_from_its_beginning(void **state) {
  (void)state;
  keep(1, 1);
  assert_true(is_kept(1));
  assert_true(is_kept(1));
  assert_false(is_kept(2));
}

static void other_results_are_others(void **state) {
  (void)state;
  keep(1, 1);
  WebResults later = results(1, 5), moved = results(1, 0);
  moved.folder = 7;
  assert_int_equal(web_reports_find(&reports, &later, NULL, NULL), WEB_REPORT_UNKNOWN);
  assert_int_equal(web_reports_find(&reports, &moved, NULL, NULL), WEB_REPORT_UNKNOWN);
  web_reports_keep(&reports, &later, -1, 0);
  assert_int_equal(web_reports_find(&reports, &later, NULL, NULL), WEB_REPORT_FAILED);
  assert_false(is_kept(1));
}

static void those_not_asked_for_go_first(void **state) {
  (void)state;
  int before = open_files();
  for (int k = 0; k < WEB_REPORTS_MAX; k++) keep(k, 1);
  assert_true(is_kept(0));
  keep(1000, 1);
  assert_true(is_kept(0) && is_kept(2) && is_kept(1000));
  assert_false(is_kept(1));
  assert_int_equal(open_files() - before, WEB_REPORTS_MAX);
}

static void bytes_are_bounded(void **state) {
  (void)state;
  int before = open_files();
  for (int k = 0; k < 4; k++) keep(k, WEB_REPORTS_BYTES / 4);
  assert_true(is_kept(0));
  keep(4, WEB_REPORTS_BYTES / 2);
  assert_true(is_kept(0) && is_kept(4) && is_kept(3));
  assert_false(is_kept(1) || is_kept(2));
  keep(5, (size_t)WEB_REPORTS_BYTES + 1);
  assert_false(is_kept(5));
  assert_true(is_kept(0));
  assert_int_equal(open_files() - before, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(each_viewer_has_it_from_its_beginning, begin, end),
      cmocka_unit_test_setup_teardown(other_results_are_others, begin, end),
      cmocka_unit_test_setup_teardown(those_not_asked_for_go_first, begin, end),
      cmocka_unit_test_setup_teardown(bytes_are_bounded, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
