/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds what a problem file requires of the process that will read it: storage, PETSc, a plan. Reads no other parts of
 * the file. */
#include "src/file/model/model.h"
#include "src/file/sections/file.h"
#include "src/file/sections/motion_plan_read.h"
#include "src/file/sections/resolve.h"

static int storage_of(Document *document, bool by_pattern, Diagnostics *diagnostics) {
  Node *model = node_get(document_root(document), "model", diagnostics);
  bool there = model && !diagnostics->no_memory;
  return there ? (int)model_storage(model, document_name(document), by_pattern) : MODEL_DENSE;
}

static int storage_of_any(Document *document, Diagnostics *diagnostics) {
  return storage_of(document, false, diagnostics);
}

static int storage_by_pattern(Document *document, Diagnostics *diagnostics) {
  return storage_of(document, true, diagnostics);
}

static int search_wants(Document *document, Diagnostics *diagnostics) {
  Node *root = document_root(document), *search;
  if (!node_get(root, "control", diagnostics)) return false;
  search = node_get(root, "search", diagnostics);
  return !diagnostics->no_memory && search_wants_petsc(search, derivatives_may_be(root, diagnostics), diagnostics);
}

static int has_evaluator(Document *document, Diagnostics *diagnostics) {
  return node_get(document_root(document), "evaluator", diagnostics) != NULL;
}

static int has_plan(Document *document, Diagnostics *diagnostics) {
  (void)diagnostics;
  return motion_plan_key(document) != NULL;
}

/* Opens the document of a file, calls answer() for it and returns the result; 0 if the file cannot be read. */
static int ask(const char *path, char *const *settings, int n_settings,
               int (*answer)(Document *document, Diagnostics *diagnostics)) {
  Diagnostics diagnostics = {0};
  Document *document = document_open(path, settings, n_settings, &diagnostics);
  int said = document ? answer(document, &diagnostics) : 0;
  document_destroy(document);
  diagnostics_clear(&diagnostics);
  return said;
}

ModelStorage problem_file_storage(const char *path, char *const *settings, int n_settings, bool by_pattern) {
  return (ModelStorage)ask(path, settings, n_settings, by_pattern ? storage_by_pattern : storage_of_any);
}

bool problem_file_wants_petsc(const char *path, char *const *settings, int n_settings) {
  return ask(path, settings, n_settings, search_wants);
}

bool problem_file_has_evaluator(const char *path, char *const *settings, int n_settings) {
  return ask(path, settings, n_settings, has_evaluator);
}

bool problem_file_has_plan(const char *path, char *const *settings, int n_settings) {
  return ask(path, settings, n_settings, has_plan);
}

bool problem_document_wants_petsc(Document *document) {
  Diagnostics diagnostics = {0};
  bool wants = storage_of(document, false, &diagnostics) == MODEL_SPARSE || search_wants(document, &diagnostics);
  diagnostics_clear(&diagnostics);
  return wants;
}
