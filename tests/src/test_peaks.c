/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests minimum, maximum, amplitude and frequency of known motions from a given time on. One is an oscillation that
 * sticks twice per period. The record may be saved and continued in between. */
#include "src/results/peaks.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10000 };
/* OMEGA: angular frequency of an oscillation with the period 1 s */
static const double END = 10, FROM = 2.05, OMEGA = 2 * 3.14159265358979323846;

static double of(const json_t *root, const char *quantity, const char *member, int i) {
  return json_number_value(json_array_get(json_object_get(json_object_get(root, quantity), member), (size_t)i));
}

/* Observes dof 0, which moves as 3 + 2 sin(OMEGA t) and sticks for 0.1 s at each turning point; and dof 1, without
 * friction, which moves as 5 exp(-t). */
static void observe(Peaks *peaks, long n) {
  double t = END * (double)n / STEPS, phase = fmod(t + 0.25, 0.5);
  const double x[] = {3 + 2 * sin(OMEGA * t), 5 * exp(-t)}, v[] = {2 * OMEGA * cos(OMEGA * t), -5 * exp(-t)};
  const signed char slip[] = {phase < 0.1 ? 0 : v[0] > 0 ? 1 : -1, -1};
  SimStep step = {.n = n, .t = t, .x = x, .v = v, .slip = slip};
  peaks_observe(peaks, &step);
}

static json_t *follow(bool interrupted) {
  const bool has_friction[] = {true, false};
  Peaks *peaks = peaks_create(2, FROM, has_friction, NULL);
  assert_non_null(peaks);
  for (long n = 0; n <= STEPS; n++) {
    observe(peaks, n);
    if (!interrupted || n != STEPS / 2) continue;
    char *saved = malloc(peaks_saved_size(2));
    assert_non_null(saved);
    peaks_save(peaks, saved);
    peaks_free(peaks);
    peaks = peaks_create(2, FROM, has_friction, saved);
    assert_non_null(peaks);
    free(saved);
  }
  json_t *json = peaks_json(peaks);
  peaks_free(peaks);
  return json;
}

static void test_known_motions(void **state) {
  (void)state;
  json_t *root = follow(false);
  assert_true(fabs(of(root, "x", "least", 0) - 1) < 1e-5 && fabs(of(root, "x", "greatest", 0) - 5) < 1e-5);
  assert_true(fabs(of(root, "x", "amplitude", 0) - 2) < 1e-5);
  assert_true(fabs(of(root, "v", "amplitude", 0) - 2 * OMEGA) < 1e-4);
  /* the largest value is not 5, as times before FROM are not included */
  assert_true(fabs(of(root, "x", "greatest", 1) - 5 * exp(-FROM)) < 1e-9);
  assert_true(fabs(of(root, "sticks", "frequency", 0) - 2) < 1e-9);
  assert_true(of(root, "sticks", "count", 0) == 16); /* it sticks at 2.25, 2.75, .. 9.75 s */
  assert_true(of(root, "sticks", "count", 1) == 0);
  assert_true(json_is_null(json_array_get(json_object_get(json_object_get(root, "sticks"), "frequency"), 1)));
  assert_true(fabs(json_number_value(json_object_get(root, "amplitude")) - 2) < 1e-5);
  assert_true(fabs(json_number_value(json_object_get(root, "frequency")) - 2) < 1e-9);
  json_decref(root);
}

static void test_goes_on(void **state) {
  (void)state;
  json_t *whole = follow(false), *parts = follow(true);
  assert_true(json_equal(whole, parts));
  json_decref(whole);
  json_decref(parts);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_motions), cmocka_unit_test(test_goes_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
