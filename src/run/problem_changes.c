/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/run_record.h"

#include "src/file/text/document.h"

#include <stdlib.h>
#include <string.h>

/* Data for the comparison of two problems: where differences are reported. */
typedef struct Changes {
  const Document *document;
  Diagnostics *diagnostics;
} Changes;

enum { VALUE_SIZE = 60 };

static const char *excerpt(const json_t *value, char text[VALUE_SIZE]) {
  char *all = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  snprintf(text, VALUE_SIZE, "%s", all ? all : "nothing");
  if (all && strlen(all) >= VALUE_SIZE) memcpy(text + VALUE_SIZE - 4, "...", 4);
  free(all);
  return text;
}

/* Joins path and key by a dot. A path that is too long is cut, as it is only used in messages. */
static void join(const char *path, const char *key, char below[NODE_PATH_SIZE]) {
  int length = snprintf(below, NODE_PATH_SIZE, "%s%s%s", path, *path ? "." : "", key);
  below[length < NODE_PATH_SIZE ? length : NODE_PATH_SIZE - 1] = '\0';
}

/* Compares two JSON values: mappings key by key, other values as a whole. Reports all differences. */
static void compare(const Changes *changes, const char *path, const json_t *then, const json_t *now) {
  char below[NODE_PATH_SIZE], old_text[VALUE_SIZE], new_text[VALUE_SIZE];
  const char *key;
  json_t *value;
  if (json_equal(then, now)) return;
  if (!json_is_object(then) || !json_is_object(now)) {
    document_error(changes->document, changes->diagnostics, path, "%s, but %s when the run began",
                   excerpt(now, new_text), excerpt(then, old_text));
    return;
  }
  json_object_foreach((json_t *)then, key, value) { /* the cast is safe, since the value is only read */
    join(path, key, below);
    compare(changes, below, value, json_object_get(now, key));
  }
  json_object_foreach((json_t *)now, key, value) {
    join(path, key, below);
    if (!json_object_get(then, key)) compare(changes, below, NULL, value);
  }
}

int problem_changes_report(const char *path, char *const *settings, int n_settings, bool control, const json_t *then,
                           const WorkLimits *limits, Diagnostics *diagnostics) {
  Problem problem;
  const json_t *matrices =
      /* the resolved problem of a dense model does not have this key */
      json_object_get(json_object_get(then, "model"), "matrices");
  const ModelRanks alone = {.copies = 1, .limits = *limits, .by_pattern = matrices != NULL};
  int code = json_object_get(then, "evaluator")
                 ? problem_evaluator_read(path, settings, n_settings, limits, diagnostics, &problem)
                 : problem_file_read_shared(path, settings, n_settings, control, &alone, diagnostics, &problem);
  if (code) return code;
  /* a shallow copy: the mapping is new and shares its values */
  json_t *now = problem_echo(&problem), *before = json_copy((json_t *)then);
  problem_clear(&problem);
  json_object_del(now, "checkpoint");
  json_object_del(before, "checkpoint");
  if (!now || !before) {
    code = EXIT_INTERNAL;
  } else if (!json_equal(before, now)) {
    Diagnostics found = {0};
    Document *document = document_open(path, settings, n_settings, &found);
    code = EXIT_USAGE;
    if (document) compare(&(Changes){document, &found}, "", before, now);
    diagnostics_pass(&found, diagnostics);
    document_destroy(document);
  }
  json_decref(now);
  json_decref(before);
  return code;
}
