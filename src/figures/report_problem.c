/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_problem.h"

#include "src/figures/html.h"
#include "src/file/sections/keys.h"

#include <stdlib.h>
#include <string.h>

/* The keys that a file may have, and which kind of model and scheme this file has. */
typedef struct Meanings {
  const Key *keys;
  int n;
  const char *kind, *scheme; /* "" if there is none */
} Meanings;

/* Whether a list of words, separated by ", ", has a word. */
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

static const char *word_of(const RunResults *run, const char *path) {
  const char *word = json_string_value(run_results_member(run, path));
  return word ? word : "";
}

void report_problem(FILE *page, const RunResults *run) {
  Key *keys = calloc(KEYS_MAX, sizeof *keys);
  Meanings meanings = {.keys = keys,
                       .n = keys ? keys_list(keys) : 0,
                       .kind = word_of(run, "problem.model.kind"),
                       .scheme = word_of(run, "problem.scheme.name")};
  fputs("<section><h2>Problem</h2><div class=\"scroll\"><table><tbody>\n", page);
  html_rows(page, run_results_member(run, "problem"), "", meaning_of, &meanings);
  fputs("</tbody></table></div></section>\n", page);
  free(keys);
}
