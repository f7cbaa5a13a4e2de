/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses how a model's matrices are stored. If the file does not choose it, the pattern of the matrices decides. The
 * choice is made before values are read. */
#include "src/file/model/model.h"
#include "src/file/values/matrix_market.h"

#include <stdlib.h>
#include <string.h>

/* Number of degrees of freedom from which a step with banded matrices is faster than with dense ones; at 100 the banded
 * step takes half the time. */
enum { BANDED_LEAST = 100 };

/* Returns the value of a key in a mapping; NULL if there is none. Unlike key_get, does not mark the key as known. */
static const Node *child(const Node *node, const char *key) {
  const Node *found = node && node->kind == NODE_MAPPING ? node->first : NULL;
  while (found && strcmp(found->key, key) != 0) found = found->next;
  return found;
}

static bool choose(const SimParameter *row, const Node *node, int *value) {
  return node && node->kind == NODE_SCALAR && sim_parameter_choose(row, node->text, value);
}

/* Returns the number of masses that a list of springs connects; 0 if the matrix is not written as a list of springs. */
static long masses_between(const Node *matrix) {
  const Node *springs = child(matrix, "springs"), *links = child(matrix, "links");
  if (springs && springs->kind == NODE_SEQUENCE) return (long)springs->n - 1;
  return links && links->kind == NODE_SEQUENCE ? (long)links->n + 1 : 0;
}

static bool is_scalar(const Node *node) { return node->kind == NODE_SCALAR && !node_is_null(node); }

/* Returns whether a node is a list of numbers, or one value or formula for all entries of a vector. */
static bool is_vector(const Node *node) {
  bool good = is_scalar(node) || (node->kind == NODE_SEQUENCE && node->n > 0);
  for (const Node *entry = node->kind == NODE_SEQUENCE ? node->first : NULL; entry && good; entry = entry->next) {
    char *end;
    good = is_scalar(entry) && (strtod(entry->text, &end), *entry->text && !*end);
  }
  return good;
}

static bool are_vectors(const Node *mapping) {
  bool good = mapping->kind == NODE_MAPPING;
  for (const Node *part = mapping->first; part && good; part = part->next) good = is_vector(part);
  return good;
}

/* Returns whether all numbers of a node are >= 0. Springs with such stiffnesses give a positive semi-definite matrix;
 * for other numbers sparse storage cannot check this property. */
static bool is_no_less_than_0(const Node *node) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double value = 0;
  if (node->kind == NODE_SCALAR) return expression_constant(node->text, &value, message) && value >= 0;
  bool good = true;
  for (const Node *entry = node->first; entry && good; entry = entry->next) good = is_no_less_than_0(entry);
  return good;
}

/* Returns whether a matrix couples only neighbours, because it is written as a diagonal or as springs. */
static bool is_banded(const Node *matrix) {
  return is_vector(matrix) || (!child(matrix, "file") && are_vectors(matrix));
}

static bool are_banded(const Node *model, const SimParameter *keys) {
  bool good = true;
  for (const SimParameter *row = keys; row->key && good; row++) {
    const Node *matrix = row->extent == SIM_SQUARE ? child(model, row->key) : NULL;
    good = !matrix || is_banded(matrix);
  }
  return good;
}

/* Returns whether the section has springs or dampers between neighbours, written as `links`. Without them, storage
 * stays dense, and the resolved problem lists all entries of the matrices. */
static bool has_links(const Node *model, const SimParameter *keys) {
  bool found = false;
  for (const SimParameter *row = keys; row->key && !found; row++) {
    const Node *matrix = row->extent == SIM_SQUARE ? child(model, row->key) : NULL;
    found = child(matrix, "links") || child(matrix, "springs");
  }
  return found;
}

static long size_of(const Node *model, const SimParameter *keys) {
  const Node *nodes = child(model, "nodes");
  char message[EXPRESSION_MESSAGE_SIZE];
  double n = 0;
  if (nodes && is_scalar(nodes) && expression_constant(nodes->text, &n, message)) return (long)n;
  for (const SimParameter *row = keys; row->key && n < 1; row++) {
    const Node *value = child(model, row->key);
    bool each = row->extent == SIM_SQUARE || row->extent == SIM_EACH;
    if (each && value && value->kind == NODE_SEQUENCE) n = (double)value->n;
    if (row->extent == SIM_SQUARE && n < 1) n = (double)masses_between(value);
  }
  return (long)n;
}

/* Returns whether sparse storage supports all keys of the section and is faster. Any key that is not in the lists below
 * requires dense storage. */
static bool takes_all(const Node *model) {
  static const char *const vectors[] = {"mass", "stiffness", "damping", "viscous", "x0", "v0", "friction"},
                           *const others[] = {"kind", "names", "units", "nodes"};
  enum { STIFFNESS = 1, DAMPING, VECTORS = sizeof vectors / sizeof *vectors, OTHERS = sizeof others / sizeof *others };
  for (const Node *value = model->first; value; value = value->next) {
    bool good =
        ((strcmp(value->key, "force") == 0 || strcmp(value->key, "surface_velocity") == 0) && is_scalar(value)) ||
        ((strcmp(value->key, "stribeck") == 0 || strcmp(value->key, "friction") == 0) && are_vectors(value));
    for (int k = 0; k < OTHERS && !good; k++) good = strcmp(value->key, others[k]) == 0;
    for (int k = 0; k < VECTORS && !good; k++)
      good = strcmp(value->key, vectors[k]) == 0 &&
             (k == STIFFNESS || k == DAMPING ? is_banded(value) && is_no_less_than_0(value) : is_vector(value));
    if (!good) return false;
  }
  return true;
}

/* Returns whether the rest of the file supports sparse storage. The scheme must solve each step with the matrix, and
 * the file must have no search, fit or scenarios. */
static bool is_simulated(const Node *root) {
  static const char *const sections[] = {"control", "identify", "measured", "scenarios", "evaluator"};
  const Node *name = child(child(root, "scheme"), "name");
  bool good = !name || (is_scalar(name) && (strcmp(name->text, "moreau") == 0 || strcmp(name->text, "centered") == 0));
  for (size_t k = 0; k < sizeof sections / sizeof *sections && good; k++) good = !child(root, sections[k]);
  return good;
}

static bool is_large(const Node *model, const ModelKind *kind, const char *problem_path) {
  for (const SimParameter *row = model_keys(kind); row->key; row++) {
    const Node *matrix = row->extent == SIM_SQUARE ? child(model, row->key) : NULL, *file = child(matrix, "file");
    char path[FILE_PATH_SIZE];
    if (masses_between(matrix) > kind->most) return true;
    if (file && file->kind == NODE_SCALAR && file_beside(problem_path, file->text, path) &&
        matrix_market_rows(path) > kind->most)
      return true;
  }
  return false;
}

ModelStorage model_storage(const Node *model, const char *problem_path, bool by_pattern) {
  int k, storage;
  if (!choose(model_parameters, child(model, "kind"), &k)) return MODEL_DENSE;
  const ModelKind *kind = model_kind(k);
  const SimParameter *matrices = sim_parameter_find(model_keys(kind), "matrices");
  if (!matrices) return kind->storage;
  const ModelStorage sparse = are_banded(model, model_keys(kind)) ? MODEL_BANDED : MODEL_SPARSE;
  if (choose(matrices, child(model, "matrices"), &storage)) return storage == SIM_SPARSE ? sparse : MODEL_DENSE;
  if (is_large(model, kind, problem_path)) return sparse;
  bool quicker = by_pattern && sparse == MODEL_BANDED && has_links(model, model_keys(kind)) &&
                 size_of(model, model_keys(kind)) >= BANDED_LEAST && takes_all(model) && is_simulated(model->parent);
  return quicker ? MODEL_BANDED : MODEL_DENSE;
}
