#include "src/model/sparse_model.h"

#include <string.h>

/* A new kind is one file and one line here. */
static const ModelKind *const kinds[] = {&model_friction, &model_dashpot, &model_chain, &model_string};
enum { N_KINDS = sizeof kinds / sizeof *kinds, LIST_SIZE = 256 };

const ModelKind *model_kind(int k) { return k >= 0 && k < N_KINDS ? kinds[k] : NULL; }

const SimChoice model_storages[] = {{"dense", 0, "all entries, by one rank"},
                                    {"sparse", 0, "entries that are not 0, by several ranks if wanted; no gear box"},
                                    {0}};

static const ModelKind *find_kind(const char *name) {
  for (int i = 0; i < N_KINDS; i++)
    if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
  return NULL;
}

/* The model's kind; a missing one is told, and taken to be the first, to go on. NULL when it is told to be
 * unknown. */
static const ModelKind *read_kind(Reader *reader, Node *model) {
  char list[LIST_SIZE] = "", excerpt[EXCERPT_SIZE];
  size_t length = 0;
  for (int i = 0; i < N_KINDS && length < sizeof list; i++)
    length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? " or " : "", kinds[i]->name);
  Node *node = node_get(model, "kind", reader->diagnostics);
  if (!node) {
    require(reader, model, "model.kind", list);
    return kinds[0];
  }
  const ModelKind *kind = node->kind == NODE_SCALAR ? find_kind(node->text) : NULL;
  int ignored;
  if (kind == &model_friction) read_choice(reader, model, "matrices", model_storages, &ignored);
  if (kind == &model_friction && model_storage(model, document_name(reader->document)) == MODEL_SPARSE)
    kind = &model_sparse;
  if (!kind) node_error(node, reader->diagnostics, "unknown kind %s (expected %s)", node_describe(node, excerpt), list);
  return kind;
}

void find_controls(Reader *reader, const Values *matrix) {
  bool told = matrix->form == SIM_FORM_ROWS, wrong = matrix->node && !matrix->good;
  int p = told ? matrix->columns : wrong ? 0 : reader->d;
  if (reader->problem->has_control && p > CTL_CONTROLS_MAX) {
    document_error(reader->document, reader->diagnostics, "control.matrix", "%d controls (expected at most %d)", p,
                   CTL_CONTROLS_MAX);
    p = 0;
  }
  reader->p = p;
}

bool start_problem(Reader *reader, SimKind kind) {
  SimProblem *sim = &reader->problem->sim;
  int d = reader->d ? reader->d : 1;
  if (sim_problem_init(sim, kind, d, reader->p ? reader->p : d) != SIM_OK) {
    reader->diagnostics->no_memory = true;
    return false;
  }
  for (int i = 0; i < d && kind == SIM_FRICTION; i++) sim->system.mass[i * d + i] = 1;
  return true;
}

void read_model(Reader *reader, Node *root) {
  Problem *problem = reader->problem;
  Node *model = read_section(reader, root, "model"), *control = read_section(reader, root, "control");
  if (!is_wrong(reader, "model")) require(reader, model ? NULL : root, "model", "what is to move");
  problem->has_control = control != NULL;
  problem->kind = read_kind(reader, model);
  Values matrix = {0};
  if (!problem->kind || !problem->kind->sparse)
    matrix = values_read(reader, control, "matrix", SIM_FORM_NUMBER | SIM_FORM_ROWS | SIM_FORM_FILE);
  if (problem->kind && model) {
    problem->kind->read(reader, model, &matrix);
  } else {
    if (model) model->ignored = true;
    start_problem(reader, SIM_FRICTION);
  }
  values_clear(&matrix);
}

json_t *echo_model(const Problem *problem) { return problem->kind->echo(problem); }
