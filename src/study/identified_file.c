/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* declares open_memstream */
#include "src/study/fit_outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char NAME[] = "identified.yaml";

enum { EDITS_MAX = FIT_PARAMETERS_MAX + 64 };

/* A scalar in the text of the problem file, and the text that replaces it. */
typedef struct Edit {
  size_t from, length; /* position and length in the text, in bytes */
  char *text;          /* replacement; owned */
} Edit;

typedef struct Edits {
  const char *path, *text; /* path and text of the problem file */
  size_t size;
  Edit list[EDITS_MAX];
  int n;
  bool failed;    /* whether some scalar cannot be replaced */
  bool no_memory; /* whether there was no memory, so that it is not known whether all scalars can be replaced */
} Edits;

/* Returns the offset in bytes of a place in the text; edits->size if there is no such place. The column of a place
 * counts UTF-8 characters instead of bytes. */
static size_t offset_of(const Edits *edits, const Place *place) {
  size_t at = 0;
  for (long line = 1; line < place->line && at < edits->size; at++) line += edits->text[at] == '\n';
  for (long column = 1; column < place->column && at < edits->size; column++)
    for (at++; at < edits->size && ((unsigned char)edits->text[at] & 0xC0) == 0x80;) at++;
  return at;
}

/* Adds the replacement of the text of a node. text: from malloc; this function or apply frees it; NULL: there was no
 * memory. */
static void add(Edits *edits, const Node *node, char *text) {
  size_t from = offset_of(edits, &node->place), length = strlen(node->text), mark = node->plain ? 0 : 1;
  bool stands = from + length + 2 * mark <= edits->size && memcmp(edits->text + from + mark, node->text, length) == 0 &&
                text && edits->n < EDITS_MAX;
  edits->failed = edits->failed || !stands;
  edits->no_memory = edits->no_memory || !text;
  if (stands)
    edits->list[edits->n++] = (Edit){from, length + 2 * mark, text};
  else
    free(text);
}

/* Replaces all names of files by absolute paths in quotes. */
static void add_files(Edits *edits, const Node *node) {
  char path[FILE_PATH_SIZE];
  for (const Node *child = node->first; child; child = child->next) add_files(edits, child);
  if (!node_names_file(node) || node->kind != NODE_SCALAR || !file_beside(edits->path, node->text, path)) return;
  char *real = realpath(path, NULL);
  if (!real && errno != ENOMEM) { /* the file no longer exists */
    edits->failed = true;
    return;
  }
  json_t *quoted = real ? json_string(real) : NULL; /* NULL also for a name that is not UTF-8, which YAML does not
                                                     * allow */
  add(edits, node, quoted ? json_dumps(quoted, JSON_ENCODE_ANY) : NULL);
  json_decref(quoted);
  free(real);
}

static void add_values(Edits *edits, Document *document, const FitOutcome *o) {
  const Identification *id = o->evaluation->id;
  for (int k = 0; k < id->n; k++) {
    const Node *node = document_find(document, id->parameters[k].path);
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%.17g", o->p[k]);
    if (node)
      add(edits, node, strdup(number));
    else
      edits->failed = true;
  }
}

static int compare(const void *left, const void *right) {
  const Edit *a = left, *b = right;
  return (a->from > b->from) - (a->from < b->from);
}

/* Returns the text with all replacements; the caller frees it. NULL: no memory. */
static char *apply(Edits *edits, size_t *size) {
  char *made = NULL;
  size_t at = 0;
  FILE *out = open_memstream(&made, size);
  if (!out) return NULL;
  qsort(edits->list, (size_t)edits->n, sizeof *edits->list, compare);
  for (int k = 0; k < edits->n; k++) {
    const Edit *edit = &edits->list[k];
    if (edit->from < at) continue; /* the node is an alias of a text that has already been replaced */
    fwrite(edits->text + at, 1, edit->from - at, out);
    fputs(edit->text, out);
    at = edit->from + edit->length;
  }
  fwrite(edits->text + at, 1, edits->size - at, out);
  if (fclose(out) == 0) return made;
  free(made);
  return NULL;
}

/* Returns whether a text would be read as the problem `found` if it were the content of the file `path`. */
static bool reads_as(const char *path, const char *text, size_t size, const Problem *found, bool *no_memory) {
  Diagnostics dropped = {0};
  Problem problem;
  Document *document = document_create(path, text, size, &dropped);
  int code = document ? problem_document_read(document, &dropped, &problem) : EXIT_USAGE;
  bool same = code == 0;
  *no_memory = dropped.no_memory || code == EXIT_INTERNAL;
  if (same) {
    size_t bytes = sim_problem_packed_size(&found->sim);
    unsigned char *both = calloc(2, bytes);
    *no_memory = *no_memory || !both;
    same = both && sim_problem_packed_size(&problem.sim) == bytes;
    if (same) {
      sim_problem_pack(&found->sim, both);
      sim_problem_pack(&problem.sim, both + bytes);
      same = memcmp(both, both + bytes, bytes) == 0;
    }
    free(both);
    problem_clear(&problem);
  }
  document_destroy(document);
  diagnostics_clear(&dropped);
  return same;
}

/* Returns the text of the file at `path` with the values found; the caller frees it. NULL: it would not be read as the
 * problem found, or there is no memory. */
static char *edit(const char *path, const char *text, size_t length, const FitOutcome *o, const Problem *found,
                  const char *target, bool *no_memory) {
  Diagnostics dropped = {0};
  Edits edits = {.path = path, .text = text, .size = length};
  size_t size = 0;
  char *made = NULL;
  Document *document = document_create(path, text, length, &dropped);
  edits.no_memory = dropped.no_memory;
  if (document && !edits.no_memory) {
    add_values(&edits, document, o);
    add_files(&edits, document_root(document));
    if (!edits.failed) {
      made = apply(&edits, &size);
      edits.no_memory = edits.no_memory || !made;
    }
  }
  if (made && !reads_as(target, made, size, found, &edits.no_memory)) {
    free(made);
    made = NULL;
  }
  *no_memory = edits.no_memory;
  for (int k = 0; k < edits.n; k++) free(edits.list[k].text);
  document_destroy(document);
  diagnostics_clear(&dropped);
  return made;
}

int identified_file_write(const Options *options, const FitOutcome *outcome, const Problem *found,
                          const Results *results) {
  char target[FILE_PATH_SIZE];
  char *made = NULL;
  bool no_memory = false;
  if (results_path(results, NAME, target)) return EXIT_INTERNAL;
  if (options->n_settings == 0) {
    size_t length;
    char *text = file_read(options->argument, &length, results->diagnostics);
    if (!text) return EXIT_INTERNAL;
    made = edit(options->argument, text, length, outcome, found, target, &no_memory);
    free(text);
  }
  if (no_memory) {
    free(made);
    return diagnostics_no_memory(results->diagnostics);
  }
  json_t *echo = made ? NULL : problem_echo(found);
  int failed = made ? results_write(results, NAME, made) : results_write_json(results, NAME, echo, 17);
  free(made);
  json_decref(echo);
  return failed ? EXIT_INTERNAL : 0;
}
