/* model.kind: friction with sparse matrices (model.matrices: sparse, or matrix files beyond the dense limit). */
#include "src/model/sparse_model.h"
#include "src/values/force.h"
#include "src/values/matrix_market.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, STIFFNESS, DAMPING, N_MATRICES };
static const char *const matrix_keys[N_MATRICES] = {"mass", "stiffness", "damping"};

enum { FRICTION, X0, V0, N_VECTORS };
static const char *const vector_keys[N_VECTORS] = {"friction", "x0", "v0"};

/* A matrix before the size is known. */
typedef struct Source {
  Node *node;    /* NULL: absent */
  Node *file;    /* {file: NAME} */
  bool springs;  /* values are spring constants, d + 1 */
  Values values; /* diagonal otherwise */
  char path[FILE_PATH_SIZE];
} Source;

static void read_source(Reader *reader, Node *model, const char *key, Source *source) {
  *source = (Source){.node = node_get(model, key, reader->diagnostics)};
  Node *node = source->node;
  bool mapping = node && node->kind == NODE_MAPPING;
  if (mapping && strcmp(key, "mass") != 0 && node_get(node, "springs", reader->diagnostics)) {
    source->springs = true;
    source->values = values_read(reader, node, "springs", FORM_LIST);
  } else if (mapping && (source->file = node_get(node, "file", reader->diagnostics)) != NULL) {
    bool named = source->file->kind == NODE_SCALAR && !node_is_null(source->file);
    if (named) named = file_beside(document_name(reader->document), source->file->text, source->path);
    if (named) return;
    node_error(source->file, reader->diagnostics, "not a file name (expected {file: NAME})");
    source->file = NULL;
  } else if (node) {
    source->values = values_read(reader, model, key, FORM_NUMBER | FORM_LIST);
  }
}

/* Rows that a source tells of; 0: any number, or not known. */
static int source_rows(const Source *source) {
  if (source->file) {
    long rows = matrix_market_rows(source->path);
    return rows < SPARSE_SIZE_MAX ? (int)rows : 0;
  }
  int n = values_size(&source->values);
  return source->springs && n ? n - 1 : n;
}

static void find_size(Reader *reader, const Source *sources, const Values *vectors, const Force *force) {
  int d = 0;
  for (int k = 0; k < N_MATRICES && !d; k++) d = source_rows(&sources[k]);
  for (int k = 0; k < N_VECTORS && !d; k++) d = values_size(&vectors[k]);
  if (!d) d = force_size(force);
  reader->d = d;
}

/* A diagonal, from a number or a list, or springs between masses. */
static void fill_values(Reader *reader, const Source *source, SimMatrix *matrix) {
  const SimProblem *sparse = &reader->problem->sim;
  const Values *values = &source->values;
  int d = reader->problem->sim.d, n = 0, expected = source->springs ? d + 1 : d;
  if (values->form == FORM_LIST && values->rows != expected) {
    node_error(values->node, reader->diagnostics, "%d entries (expected %d)", values->rows, expected);
    return;
  }
  if (sim_matrix_alloc(matrix, sparse->count, (source->springs ? 3L : 1L) * sparse->count) != SIM_OK) {
    reader->diagnostics->no_memory = true;
    return;
  }
  const double *k = values->data;
  for (int i = 0; i < sparse->count; i++) {
    int row = sparse->first + i;
    if (source->springs && row > 0) matrix->column[n] = row - 1, matrix->value[n++] = 0 - k[row];
    matrix->column[n] = row;
    matrix->value[n++] = source->springs ? k[row] + k[row + 1] : k[values->form == FORM_LIST ? row : 0];
    if (source->springs && row < d - 1) matrix->column[n] = row + 1, matrix->value[n++] = 0 - k[row + 1];
    matrix->start[i + 1] = n;
  }
}

static void fill_matrix(Reader *reader, const Source *source, SimMatrix *matrix) {
  char key[NODE_PATH_SIZE];
  const SimProblem *sparse = &reader->problem->sim;
  if (source->file)
    matrix_market_read_rows(source->path, node_path(source->node, key), &source->file->place, reader->d, sparse->first,
                            sparse->count, matrix, reader->diagnostics);
  else if (source->values.good)
    fill_values(reader, source, matrix);
}

static void fill_vector(Reader *reader, const Values *values, double *vector) {
  const SimProblem *sparse = &reader->problem->sim;
  int d = reader->d;
  if (!values->good) return;
  if (values->form == FORM_LIST && values->rows != d) {
    node_error(values->node, reader->diagnostics, "%d entries (expected %d)", values->rows, d);
    return;
  }
  for (int i = 0; i < sparse->count; i++) vector[i] = values->data[values->form == FORM_LIST ? sparse->first + i : 0];
}

/* B, this rank's rows of it; the number of controls is its own. */
static void fill_control(Reader *reader, const Values *matrix) {
  SimProblem *sim = &reader->problem->sim;
  size_t p = (size_t)reader->p;
  if (!p) return;
  if (matrix->rows != reader->d) {
    node_error(matrix->node, reader->diagnostics, "a %d x %d matrix (expected %d rows)", matrix->rows, matrix->columns,
               reader->d);
    return;
  }
  memcpy(sim->control_matrix, matrix->data + (size_t)sim->first * p,
         (size_t)sim->count * p * sizeof(double));
}

static void find_sparse_controls(Reader *reader, const Values *matrix, const Node *control) {
  reader->p = 0;
  if (control && !matrix->node) require(reader, control, "control.matrix", "a list of rows, or {file: NAME}");
  if (!matrix->good) return;
  reader->p = matrix->columns;
  if (matrix->columns <= CTL_CONTROLS_MAX) return;
  node_error(matrix->node, reader->diagnostics, "%d controls (expected at most %d)", matrix->columns, CTL_CONTROLS_MAX);
  reader->p = 0;
}

/* As written, but for the names of files, which hold wherever the echo is read. */
static json_t *echo_source(const Source *source) {
  if (!source->file) return node_echo(source->node);
  char *path = realpath(source->path, NULL);
  json_t *echo = json_pack("{s:s}", "file", path ? path : source->path);
  free(path);
  return echo;
}

static void keep_echo(Reader *reader, const Source *sources, const Values *vectors, const Values *control) {
  SparseModel *sparse = reader->problem->sparse;
  sparse->model = json_pack("{s:s, s:s, s:o}", "kind", model_sparse.name, "matrices", "sparse", "force",
                            force_echo(reader->problem->force));
  for (int k = 0; k < N_MATRICES; k++)
    if (sources[k].node) json_object_set_new(sparse->model, matrix_keys[k], echo_source(&sources[k]));
  for (int k = 0; k < N_VECTORS; k++)
    if (vectors[k].node) json_object_set_new(sparse->model, vector_keys[k], node_echo(vectors[k].node));
  if (reader->p) sparse->matrix = echo_rows(control->rows, control->columns, control->data);
}

static void refuse(Reader *reader, Node *model, const char *key) {
  Node *node = node_get(model, key, reader->diagnostics);
  if (!node) return;
  node->ignored = true;
  node_error(node, reader->diagnostics, "not with sparse matrices (matrices: dense has it)");
}

static void read_sparse(Reader *reader, Node *model, const Values *ignored) {
  Problem *problem = reader->problem;
  Source sources[N_MATRICES];
  Values vectors[N_VECTORS];
  Node *control = read_section(reader, document_root(reader->document), "control");
  (void)ignored;
  for (int k = 0; k < N_MATRICES; k++) read_source(reader, model, matrix_keys[k], &sources[k]);
  for (int k = 0; k < N_VECTORS; k++) vectors[k] = values_read(reader, model, vector_keys[k], FORM_NUMBER | FORM_LIST);
  if (!sources[MASS].node) require(reader, model, "model.mass", "a list of masses, or {file: NAME}");
  refuse(reader, model, "stribeck");
  refuse(reader, model, "gearbox");
  Values matrix = values_read(reader, control, "matrix", FORM_ROWS | FORM_FILE);
  Node *force = node_get(model, "force", reader->diagnostics);
  problem->force = force_read(reader, force);
  if (problem->force) find_size(reader, sources, vectors, problem->force);
  find_sparse_controls(reader, &matrix, control);
  int n_force = problem->force ? force_size(problem->force) : 0;
  if (reader->d && n_force && n_force != reader->d)
    node_error(force, reader->diagnostics, "%d entries (expected %d)", n_force, reader->d);
  if (problem->force && start_sparse(reader, "model.mass", 8)) {
    SimMatrix *const matrices[N_MATRICES] = {&problem->sim.sparse.mass, &problem->sim.sparse.stiffness,
                                             &problem->sim.sparse.damping};
    double *const places[N_VECTORS] = {problem->sim.friction, problem->sim.x0, problem->sim.v0};
    for (int k = 0; k < N_MATRICES && reader->d; k++) fill_matrix(reader, &sources[k], matrices[k]);
    for (int k = 0; k < N_VECTORS && reader->d; k++) fill_vector(reader, &vectors[k], places[k]);
    if (reader->d) fill_control(reader, &matrix);
    keep_echo(reader, sources, vectors, &matrix);
  }
  for (int k = 0; k < N_MATRICES; k++) values_clear(&sources[k].values);
  for (int k = 0; k < N_VECTORS; k++) values_clear(&vectors[k]);
  values_clear(&matrix);
}

const ModelKind model_sparse = {
    .name = "friction", .read = read_sparse, .echo = echo_sparse, .finish = finish_sparse, .sparse = true};
