/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests YAML texts that once took quadratic time. They are refused at once, with their place, or read. Also tests the
 * values that aliases stand for. */
#include "tests/fixture.h"

#include "src/file/text/document.h"

#include <string.h>
#include <time.h>

#define SECONDS_MAX 5. /* limit, s of processor time, also under valgrind; quadratic time would be minutes */

/* Returns head, then n times the unit, in which %d is a number; the caller frees it. */
static char *repeat(const char *head, const char *unit, int n) {
  size_t room = strlen(head) + (size_t)n * (strlen(unit) + 10) + 1, length = strlen(head);
  char *text = malloc(room);
  assert_non_null(text);
  memcpy(text, head, length + 1);
  for (int i = 0; i < n; i++) {
    const char *number = strstr(unit, "%d");
    if (number)
      length += (size_t)snprintf(text + length, room - length, "%.*s%d%s", (int)(number - unit), unit, i, number + 2);
    else
      length += (size_t)snprintf(text + length, room - length, "%s", unit);
  }
  return text;
}

typedef struct Hostile {
  const char *head, *unit;
  int n;
  long line, column; /* place of the first error */
  const char *text;
} Hostile;

static void hostile_texts_are_refused_where_they_stand(void **state) {
  (void)state;
  static const Hostile hostile[] = {
      {"", "{a: ", 100000, 1, 126, "nested too deeply"},
      {"", "[", 400000, 1, 33, "nested too deeply"},
      {"", "- ", 200000, 1, 65, "nested too deeply"},
      {"", "? ", 200000, 1, 65, "nested too deeply"},
      {"", "%TAG !a%d! x\n", 40000, 1, 1, "%TAG"},
      {"a: 1\n...\n", "%TAG !a%d! x\n", 40000, 3, 1, "a second document"},
      {"[", "&a%d x, ", 100000, 1, 792, "too many anchors"},
      {"a: &a [1, 1]\nb: [", "*a, ", 1100000, 2, 2666661, "too many values"},
      {"[", "1,", 2000000, 1, 4000000, "too many values"},
      {"", "k%d: 1\n", 100000, 1001, 1, "too many keys"},
      {"", "a: 1\n", 100000, 1001, 1, "too many keys"},
      {"a: [", "{a, a}, ", 100000, 1, 9, "duplicate key"},
      {"a: [", "\"\\0\", ", 100000, 1, 5, "a NUL character"},
      {"", "? [a]\n", 100000, 1, 3, "a list or a mapping as a key"},
  };
  for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
    const Hostile *h = &hostile[i];
    char *text = repeat(h->head, h->unit, h->n);
    Diagnostics reported = {0};
    clock_t begun = clock();
    Document *document = document_create("file", text, strlen(text), &reported);
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (seconds > SECONDS_MAX) print_message("%s%s...: %g s\n", h->head, h->unit, seconds);
    assert_true(seconds < SECONDS_MAX);
    assert_true(reported.count >= 1);
    const Diagnostic *first = &reported.list[0];
    if (first->place.line != h->line || first->place.column != h->column || !strstr(first->text, h->text))
      print_message("%s%s...: %ld:%ld: %s\n", h->head, h->unit, first->place.line, first->place.column, first->text);
    assert_int_equal(first->place.line, h->line);
    assert_int_equal(first->place.column, h->column);
    assert_non_null(strstr(first->text, h->text));
    document_destroy(document);
    diagnostics_clear(&reported);
    free(text);
  }
}

static void long_texts_are_read(void **state) {
  (void)state;
  static const char *const units[] = {"x", "x\\x41", "1", "x ", "x\n\n  "};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    char *text = repeat("a: \"", units[i], 1000000);
    strcpy(text + strlen(text), "\"\n"); /* uses the space of the missing numbers */
    Diagnostics reported = {0};
    clock_t begun = clock();
    Document *document = document_create("file", text, strlen(text), &reported);
    assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < SECONDS_MAX);
    assert_non_null(document);
    assert_int_equal(reported.errors, 0);
    assert_true(strlen(document_find(document, "a")->text) >= 1000000);
    document_destroy(document);
    free(text);
  }
}

static const char *text_at(const Document *document, const char *path) {
  const Node *node = document_find(document, path);
  assert_non_null(node);
  return node->text;
}

static void aliases_stand_for_copies(void **state) {
  (void)state;
  static const char text[] = "a: &list [1, {b: &word two}]\n"
                             "c: *list\n"
                             "d: {*word : *word}\n"
                             "e: &self x\n"
                             "f: *self\n";
  char path[NODE_PATH_SIZE];
  Diagnostics reported = {0};
  Document *document = document_create("file", text, strlen(text), &reported);
  assert_non_null(document);
  assert_int_equal(reported.errors, 0);
  document_set(document, "c[2].b=three", 1, &reported);
  assert_string_equal(text_at(document, "a[2].b"), "two");
  assert_string_equal(text_at(document, "c[2].b"), "three");
  assert_string_equal(text_at(document, "c[1]"), "1");
  assert_string_equal(text_at(document, "d.two"), "two");
  assert_string_equal(text_at(document, "f"), "x");
  assert_string_equal(node_path(document_find(document, "c[2].b"), path), "c[2].b");
  const Node *copied = document_find(document, "c[1]");
  assert_int_equal(copied->place.line, 1); /* position of the original */
  assert_int_equal(copied->place.column, 11);
  document_destroy(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hostile_texts_are_refused_where_they_stand),
      cmocka_unit_test(long_texts_are_read),
      cmocka_unit_test(aliases_stand_for_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
