/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_problem.h"

#include "src/figures/html.h"
#include "src/file/sections/keys.h"

#include <stdlib.h>
#include <string.h>

/* The keys that a problem file may have, and the kind of model and the scheme of this file. */
typedef struct Meanings {
  const Key *keys;
  int n;
  const char *kind, *scheme; /* "" if there is none */
} Meanings;

/* Returns whether a list of words, separated by ", ", contains a word. */
static bool lists(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; length && (at = strstr(at, word)) != NULL; at += length)
    if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ',')) return true;
  return false;
}

static const char *meaning_of(const void *context, const char *path) {
  const Meanings *m = context;
  for (int i = 0; i < m->n; i++) {
    const Key *key = &m->keys[i];
    if (strcmp(key->path, path) == 0 && (!*key->owners || lists(key->owners, m->kind) || lists(key->owners, m->scheme)))
      return key->row->sentence;
  }
  return NULL;
}

static const char *word_of(const json_t *problem, const char *section, const char *key) {
  const char *word = json_string_value(json_object_get(json_object_get(problem, section), key));
  return word ? word : "";
}

void report_problem(FILE *page, const char *heading, const json_t *problem) {
  Key *keys = calloc(KEYS_MAX, sizeof *keys);
  Meanings meanings = {.keys = keys,
                       .n = keys ? keys_list(keys) : 0,
                       .kind = word_of(problem, "model", "kind"),
                       .scheme = word_of(problem, "scheme", "name")};
  fprintf(page, "<section><h2>%s</h2><div class=\"scroll\"><table><tbody>\n", heading);
  html_rows(page, problem, "", meaning_of, &meanings);
  fputs("</tbody></table></div></section>\n", page);
  free(keys);
}
