/* SPDX-License-Identifier: BSD-2-Clause */
/* Setting a number of a problem in memory gives the same bytes, or the same errors, as a file with this number. Tests
 * each number of the model in each problem of the gallery, and in one with many keys. */
#include "tests/fixture.h"

#include "src/file/sections/file.h"
#include "src/file/sections/variant.h"

#include <glob.h>
#include <math.h>
#include <string.h>

static const char many[] =
    "model: {kind: friction, mass: [[4, 1, 0], [1, 5, 0], [0, 0, 3]], stiffness: {links: [30, 20], anchors: [5, 4, "
    "3]},\n"
    "  damping: {springs: [1, 2, 1, 1]}, friction: 2+i, x0: 0.1, v0: [1, 0, -1], force: sin(t),\n"
    "  stribeck: {law: exponential, beta: [0.1, 0.2, 0.3], epsilon: 0.5, exponent: 2},\n"
    "  stops: {lower: -3, upper: [null, 3, 4], restitution: 0.5}}\n"
    "time: {end: 1, steps: 50}\nscheme: {name: moreau, r: 0.3/(delta*step)}\n";
static const char alone[] =
    "model: {kind: dashpot, mass: 2, stiffness: 30, law: bingham, gamma: 3, f_crit: 0.5, x0: 1, v0: 0,\n"
    "  support: {position: 0.5, stiffness: 100}}\ntime: {end: 1, steps: 50}\n";

static Document *open_text(const char *text) {
  Diagnostics found = {0};
  Document *document = document_create("file", text, strlen(text), &found);
  assert_non_null(document);
  return document;
}

static void *packed(const Problem *problem, size_t *size) {
  *size = sim_problem_packed_size(&problem->sim);
  void *bytes = malloc(*size);
  assert_non_null(bytes);
  sim_problem_pack(&problem->sim, bytes);
  return bytes;
}

static void assert_alike(const Problem *one, const Problem *other) {
  size_t size, size_of_other;
  void *bytes = packed(one, &size), *others = packed(other, &size_of_other);
  assert_int_equal(size, size_of_other);
  assert_memory_equal(bytes, others, size);
  free(bytes);
  free(others);
}

/* Sets a number in memory and by a file, and compares the results. */
static void compare(Document *document, Node *node, Problem *variant, const char *path, double value) {
  char text[32];
  const char *before = node->text;
  Diagnostics set = {0}, read = {0};
  Problem again;
  snprintf(text, sizeof text, "%.17g", value);
  assert_true(problem_set(variant, path, value));
  int code = problem_settle(variant, &set);
  node->text = text;
  int expected = problem_document_read(document, &read, &again);
  node->text = before;
  assert_int_equal(code, expected);
  if (expected) {
    assert_true(set.count > 0);
    assert_string_equal(set.list[0].key, read.list[0].key);
    assert_string_equal(set.list[0].text, read.list[0].text);
  } else {
    assert_alike(variant, &again);
    problem_clear(&again);
  }
  diagnostics_clear(&set);
  diagnostics_clear(&read);
}

/* Compares all numbers at and below a node; returns how many could be set. */
static int compare_all(Document *document, Node *node, Problem *variant) {
  static const double factors[] = {1.25, -3, 0}; /* new values relative to the old one; some of them are not allowed */
  char path[NODE_PATH_SIZE], *end;
  int n = 0;
  for (Node *child = node->first; child; child = child->next) n += compare_all(document, child, variant);
  double value = node->kind == NODE_SCALAR && *node->text ? strtod(node->text, &end) : NAN;
  if (isnan(value) || *end || !problem_can_set(variant, node_path(node, path))) return n;
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++)
    compare(document, node, variant, path, factors[k] * value + 0.0);
  compare(document, node, variant, path, value);
  return n + 1;
}

static int compare_document(Document *document) {
  Diagnostics found = {0};
  Problem variant;
  int n = 0;
  if (!problem_document_read(document, &found, &variant)) {
    n = compare_all(document, document_node(document, "model"), &variant);
    problem_clear(&variant);
  }
  diagnostics_clear(&found);
  document_destroy(document);
  return n;
}

static void every_number_as_in_a_file(void **state) {
  (void)state;
  assert_int_equal(compare_document(open_text(many)), 9 + 5 + 4 + 1 + 3 + 3 + 2 + 4);
  assert_int_equal(compare_document(open_text(alone)), 8);
}

static void every_number_of_the_gallery(void **state) {
  (void)state;
  glob_t files;
  int n = 0;
  assert_int_equal(glob(STICTION_ROOT "/jobs/problems/*.yaml", 0, NULL, &files), 0);
  for (size_t k = 0; k < files.gl_pathc; k++) {
    Diagnostics found = {0};
    Document *document = document_open(files.gl_pathv[k], NULL, 0, &found);
    if (document) n += compare_document(document);
    diagnostics_clear(&found);
  }
  globfree(&files);
  assert_true(n > 50);
}

/* One number for all entries, or a formula, becomes a list when one entry is set to another value. */
static void one_entry_of_many(void **state) {
  (void)state;
  static const struct {
    const char *path, *setting;
  } cases[] = {{"model.friction[2]", "model.friction=[3, 7, 5]"},
               {"model.x0[3]", "model.x0=[0.1, 0.1, 7]"},
               {"model.stops.restitution[1]", "model.stops.restitution=[7, 0.5, 0.5]"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Document *document = open_text(many), *list = open_text(many);
    Diagnostics found = {0}, expected = {0};
    Problem variant, read;
    assert_int_equal(problem_document_read(document, &found, &variant), 0);
    assert_true(problem_set(&variant, cases[k].path, 7));
    document_set(list, cases[k].setting, 1, &expected);
    int code = problem_document_read(list, &expected, &read);
    assert_int_equal(problem_settle(&variant, &found), code);
    if (!code) {
      assert_alike(&variant, &read);
      problem_clear(&read);
    }
    problem_clear(&variant);
    document_destroy(document);
    document_destroy(list);
    diagnostics_clear(&found);
    diagnostics_clear(&expected);
  }
}

static void what_is_no_number_is_refused(void **state) {
  (void)state;
  static const char *const paths[] = {"model.mass",
                                      "model.mass[4][1]",
                                      "model.mass[1]",
                                      "model.nothing",
                                      "model.force",
                                      "model.kind",
                                      "time.end",
                                      "model.x0[4]",
                                      "model.x0[0]",
                                      "model.stops.upper[5]",
                                      "model.friction.x",
                                      "model.stribeck",
                                      "",
                                      "model."};
  Document *document = open_text(many);
  Diagnostics found = {0};
  Problem variant;
  assert_int_equal(problem_document_read(document, &found, &variant), 0);
  for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) assert_false(problem_set(&variant, paths[k], 1));
  problem_clear(&variant);
  document_destroy(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_as_in_a_file),
                                     cmocka_unit_test(every_number_of_the_gallery), cmocka_unit_test(one_entry_of_many),
                                     cmocka_unit_test(what_is_no_number_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
