/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests paths of values in a problem file (e.g. model.mass[2]): their parts, malformed paths, and an older form, which
 * is refused. */
#include "tests/fixture.h"

#include "src/base/path.h"

#include <string.h>

static void steps_go_down(void **state) {
  (void)state;
  PathStep step;
  const char *rest = path_step("model.mass[2][13].x", &step);
  assert_int_equal(step.length, 5);
  rest = path_step(rest, &step);
  assert_memory_equal(step.key, "mass", step.length);
  rest = path_step(rest, &step);
  assert_null(step.key);
  assert_int_equal(step.entry, 2);
  rest = path_step(rest, &step);
  assert_int_equal(step.entry, 13);
  rest = path_step(rest, &step);
  assert_memory_equal(step.key, "x", 1);
  assert_string_equal(rest, "");
}

static void only_paths_are_counted(void **state) {
  (void)state;
  static const struct {
    const char *path;
    size_t steps;
  } cases[] = {{"title", 1}, {"model.mass[1]", 3}, {"a[1][2].b", 4}, {"", 0},   {".a", 0},
               {"a.", 0},    {"a..b", 0},          {"[1]", 0},       {"a[", 0}, {"a[x]", 0},
               {"a[1", 0},   {"a[1]b", 0},         {"a.[1]", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_int_equal(path_steps(cases[i].path), cases[i].steps);
}

static void old_form_is_seen(void **state) {
  (void)state;
  char modern[64], cut[8];
  assert_true(path_is_old("model.mass.0", modern, sizeof modern));
  assert_string_equal(modern, "model.mass[1]");
  assert_true(path_is_old("model.mass.1.2", modern, sizeof modern));
  assert_string_equal(modern, "model.mass[2][3]");
  assert_true(path_is_old("model.force.0.value", modern, sizeof modern));
  assert_string_equal(modern, "model.force[1].value");
  assert_false(path_is_old("model.mass[1]", modern, sizeof modern));
  assert_string_equal(modern, "model.mass[1]");
  assert_false(path_is_old("search.x2", modern, sizeof modern));
  path_is_old("model.friction.0", cut, sizeof cut);
  assert_true(strlen(cut) < sizeof cut);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_go_down), cmocka_unit_test(only_paths_are_counted),
                                     cmocka_unit_test(old_form_is_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
