#include "src/file/model/model.h"
#include "src/file/values/matrix_market.h"

#include <string.h>

/* A new kind is one file and one line here. */
static const ModelKind *const kinds[] = {&model_friction, &model_dashpot, &model_chain, &model_string};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

const ModelKind *model_kind(int k) { return k >= 0 && k < N_KINDS ? kinds[k] : NULL; }

static const char *kind_name(int k) { return model_kind(k) ? model_kind(k)->name : NULL; }
static const char *kind_sentence(int k) { return model_kind(k) ? model_kind(k)->sentence : NULL; }

const SimParameter model_units[] = {
    {"position", SIM_FORM_TEXT, NULL, "of x; v is in this a second", .default_text = "m"},
    {"force", SIM_FORM_TEXT, NULL, "of forces, thresholds and controls", .default_text = "N"},
    {0}};

const SimParameter model_parameters[] = {
    [MODEL_KIND] = {"kind", SIM_FORM_CHOICE, NULL, "the kind of model, which says what its other keys are",
                    .word = kind_name, .about = kind_sentence, .required = true},
    [MODEL_NAMES] = {"names", SIM_FORM_NAMES, NULL,
                     "what each degree of freedom is called in columns, pictures and messages",
                     .default_text = "1, 2, ..", .extent = SIM_EACH},
    [MODEL_UNITS] = {"units", SIM_FORM_SECTION, NULL, "in which units it is told; nothing is converted",
                     .default_text = "m and N", .parts = model_units},
    {0}};

/* Looks a key up without noting it as known. */
static const Node *child(const Node *node, const char *key) {
  const Node *found = node && node->kind == NODE_MAPPING ? node->first : NULL;
  while (found && strcmp(found->key, key) != 0) found = found->next;
  return found;
}

static bool choose(const SimParameter *row, const Node *node, int *value) {
  return node && node->kind == NODE_SCALAR && sim_parameter_choose(row, node->text, value);
}

/* How many masses a list of springs is for; 0: it is none. */
static long masses_between(const Node *matrix) {
  const Node *springs = child(matrix, "springs"), *links = child(matrix, "links");
  if (springs && springs->kind == NODE_SEQUENCE) return (long)springs->n - 1;
  return links && links->kind == NODE_SEQUENCE ? (long)links->n + 1 : 0;
}

ModelStorage model_storage(const Node *model, const char *problem_path) {
  int kind, storage;
  if (!choose(model_parameters, child(model, "kind"), &kind)) return MODEL_DENSE;
  const SimParameter *keys = kinds[kind]->keys, *matrices = sim_parameter_find(keys, "matrices");
  if (!matrices) return kinds[kind]->storage;
  if (choose(matrices, child(model, "matrices"), &storage)) return storage == SIM_SPARSE ? MODEL_SPARSE : MODEL_DENSE;
  for (const SimParameter *row = keys; row->key; row++) {
    const Node *matrix = row->extent == SIM_SQUARE ? child(model, row->key) : NULL, *file = child(matrix, "file");
    char path[FILE_PATH_SIZE];
    if (masses_between(matrix) > kinds[kind]->most) return MODEL_SPARSE;
    if (file && file->kind == NODE_SCALAR && file_beside(problem_path, file->text, path) &&
        matrix_market_rows(path) > kinds[kind]->most)
      return MODEL_SPARSE;
  }
  return MODEL_DENSE;
}
