/* What a problem file wants of the process that is to read it, told without reading the rest. */
#include "src/model/model.h"
#include "src/problem/derivatives.h"
#include "src/problem/file.h"

static ModelStorage storage_of(Document *document, bool by_pattern, Diagnostics *diagnostics) {
  Node *model = node_get(document_root(document), "model", diagnostics);
  return model && !diagnostics->no_memory ? model_storage(model, document_name(document), by_pattern) : MODEL_DENSE;
}

static bool search_wants(Document *document, Diagnostics *diagnostics) {
  Node *root = document_root(document), *search;
  if (!node_get(root, "control", diagnostics)) return false;
  search = node_get(root, "search", diagnostics);
  return !diagnostics->no_memory && search_wants_petsc(search, derivatives_may_be(root, diagnostics), diagnostics);
}

ModelStorage problem_file_storage(const char *path, char *const *settings, int n_settings, bool by_pattern) {
  Diagnostics diagnostics = {0};
  Document *document = document_open(path, settings, n_settings, &diagnostics);
  ModelStorage storage = document ? storage_of(document, by_pattern, &diagnostics) : MODEL_DENSE;
  document_destroy(document);
  diagnostics_clear(&diagnostics);
  return storage;
}

bool problem_file_wants_petsc(const char *path, char *const *settings, int n_settings) {
  Diagnostics diagnostics = {0};
  Document *document = document_open(path, settings, n_settings, &diagnostics);
  bool wants = document && search_wants(document, &diagnostics);
  document_destroy(document);
  diagnostics_clear(&diagnostics);
  return wants;
}

bool problem_file_has_evaluator(const char *path, char *const *settings, int n_settings) {
  Diagnostics diagnostics = {0};
  Document *document = document_open(path, settings, n_settings, &diagnostics);
  bool has = document && node_get(document_root(document), "evaluator", &diagnostics);
  document_destroy(document);
  diagnostics_clear(&diagnostics);
  return has;
}

bool problem_document_wants_petsc(Document *document) {
  Diagnostics diagnostics = {0};
  bool wants = storage_of(document, false, &diagnostics) == MODEL_SPARSE || search_wants(document, &diagnostics);
  diagnostics_clear(&diagnostics);
  return wants;
}
