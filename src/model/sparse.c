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

enum { FRICTION, X0, V0, BETA, EPSILON, N_VECTORS };
static const char *const vector_keys[N_VECTORS] = {"friction", "x0", "v0", "beta", "epsilon"};

/* A vector before the size is known: a list, or an expression in the row's number. */
typedef struct Vector {
  Node *node; /* NULL: absent */
  Values values;
  Expression *formula; /* NULL: a list */
} Vector;

/* A matrix before the size is known. */
typedef struct Source {
  Node *node;    /* NULL: absent */
  Node *file;    /* {file: NAME} */
  bool springs;  /* values are spring constants, d + 1; */
  bool links;    /* or d - 1 between neighbours; */
  Values values; /* diagonal otherwise */
  Values anchors;
  char path[FILE_PATH_SIZE];
} Source;

static void read_source(Reader *reader, Node *model, const char *key, Source *source) {
  *source = (Source){.node = node_get(model, key, reader->diagnostics)};
  Node *node = source->node;
  bool mapping = node && node->kind == NODE_MAPPING;
  if (mapping && strcmp(key, "mass") != 0 && node_get(node, "springs", reader->diagnostics)) {
    source->springs = true;
    source->values = values_read(reader, node, "springs", SIM_FORM_LIST);
  } else if (mapping && strcmp(key, "mass") != 0 && node_get(node, "links", reader->diagnostics)) {
    source->links = true;
    source->values = values_read(reader, node, "links", SIM_FORM_NUMBER | SIM_FORM_LIST);
    source->anchors = values_read(reader, node, "anchors", SIM_FORM_NUMBER | SIM_FORM_LIST);
  } else if (mapping && (source->file = node_get(node, "file", reader->diagnostics)) != NULL) {
    bool named = source->file->kind == NODE_SCALAR && !node_is_null(source->file);
    if (named) named = file_beside(document_name(reader->document), source->file->text, source->path);
    if (named) return;
    node_error(source->file, reader->diagnostics, "not a file name (expected {file: NAME})");
    source->file = NULL;
  } else if (node) {
    source->values = values_read(reader, model, key, SIM_FORM_NUMBER | SIM_FORM_LIST);
  }
}

/* Rows that a source tells of; 0: any number, or not known. */
static int source_rows(const Source *source) {
  if (source->file) {
    long rows = matrix_market_rows(source->path);
    return rows < SPARSE_SIZE_MAX ? (int)rows : 0;
  }
  int n = values_size(&source->values);
  if (source->links && values_size(&source->anchors)) return values_size(&source->anchors);
  return !n ? 0 : source->springs ? n - 1 : source->links ? n + 1 : n;
}

static Vector read_row_vector(Reader *reader, Node *section, const char *key) {
  static const char *const variables[] = {"i"};
  Vector vector = {.node = node_get(section, key, reader->diagnostics)};
  if (vector.node && vector.node->kind == NODE_SCALAR)
    vector.formula = node_expression(reader, vector.node, 1, variables);
  else
    vector.values = values_read(reader, section, key, SIM_FORM_LIST);
  return vector;
}

static void find_size(Reader *reader, Node *model, const Source *sources, const Vector *vectors, const Force *force) {
  long nodes = 0;
  int d = read_integer(reader, model, "nodes", 1, SPARSE_SIZE_MAX, &nodes) ? (int)nodes : 0;
  for (int k = 0; k < N_MATRICES && !d; k++) d = source_rows(&sources[k]);
  for (int k = 0; k < N_VECTORS && !d; k++) d = values_size(&vectors[k].values);
  if (!d) d = force_size(force);
  reader->d = d;
}

/* Whether a number or a list of n; tells another length. */
static bool has_length(Reader *reader, const Values *values, int n) {
  if (values->form != SIM_FORM_LIST || values->rows == n) return true;
  node_error(values->node, reader->diagnostics, "%d entries (expected %d)", values->rows, n);
  return false;
}

/* Entry k of a number or a list; 0 of nothing, and beyond its n. */
static double value_at(const Values *values, int k, int n) {
  if (!values->good || k < 0 || k >= n) return 0;
  return values->data[values->form == SIM_FORM_LIST ? k : 0];
}

/* A diagonal, from a number or a list, or springs between masses, and from them to what holds them. */
static void fill_values(Reader *reader, const Source *source, SimMatrix *matrix) {
  const SimProblem *sim = &reader->problem->sim;
  const Values *values = &source->values;
  int d = sim->d, n = 0, length = source->springs ? d + 1 : source->links ? d - 1 : d;
  bool chain = source->springs || source->links;
  if (!has_length(reader, values, length) || !has_length(reader, &source->anchors, d)) return;
  if (sim_matrix_alloc(matrix, sim->count, (chain ? 3L : 1L) * sim->count) != SIM_OK) {
    reader->diagnostics->no_memory = true;
    return;
  }
  for (int i = 0; i < sim->count; i++) {
    int row = sim->first + i, left = row - source->links;
    double k = value_at(values, left, length), next = value_at(values, left + 1, length);
    if (chain && row > 0) matrix->column[n] = row - 1, matrix->value[n++] = 0 - k;
    matrix->column[n] = row;
    matrix->value[n++] = chain ? k + next + value_at(&source->anchors, row, d) : value_at(values, row, d);
    if (chain && row < d - 1) matrix->column[n] = row + 1, matrix->value[n++] = 0 - next;
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

static void fill_vector(Reader *reader, const Vector *vector, double *rows) {
  const SimProblem *sim = &reader->problem->sim;
  const Values *values = &vector->values;
  if (!vector->formula && (!values->good || !has_length(reader, values, reader->d))) return;
  for (int i = 0; i < sim->count; i++) {
    double number = sim->first + i + 1;
    rows[i] = vector->formula ? expression_evaluate(vector->formula, &number) + 0.0 : values->data[sim->first + i];
  }
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
  memcpy(sim->control_matrix, matrix->data + (size_t)sim->first * p, (size_t)sim->count * p * sizeof(double));
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

static void keep_echo(Reader *reader, Node *model, const Source *sources, const Vector *vectors,
                      const Values *control) {
  SparseModel *sparse = reader->problem->sparse;
  sparse->model = json_pack("{s:s, s:s, s:o}", "kind", model_sparse.name, "matrices", "sparse", "force",
                            force_echo(reader->problem->force));
  for (int k = 0; k < N_MATRICES; k++)
    if (sources[k].node) json_object_set_new(sparse->model, matrix_keys[k], echo_source(&sources[k]));
  for (int k = 0; k < BETA; k++)
    if (vectors[k].node) json_object_set_new(sparse->model, vector_keys[k], node_echo(vectors[k].node));
  Node *stribeck = node_get(model, "stribeck", reader->diagnostics);
  if (stribeck) json_object_set_new(sparse->model, "stribeck", node_echo(stribeck));
  if (node_get(model, "nodes", reader->diagnostics))
    json_object_set_new(sparse->model, "nodes", json_integer(reader->problem->sim.d));
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
  Vector vectors[N_VECTORS];
  Node *stribeck = read_section(reader, model, "stribeck");
  Node *control = read_section(reader, document_root(reader->document), "control");
  (void)ignored;
  for (int k = 0; k < N_MATRICES; k++) read_source(reader, model, matrix_keys[k], &sources[k]);
  for (int k = 0; k < N_VECTORS; k++) vectors[k] = read_row_vector(reader, k < BETA ? model : stribeck, vector_keys[k]);
  if (!sources[MASS].node) require(reader, model, "model.mass", "a list of masses, or {file: NAME}");
  refuse(reader, model, "gearbox");
  Values matrix = values_read(reader, control, "matrix", SIM_FORM_ROWS | SIM_FORM_FILE);
  Node *force = node_get(model, "force", reader->diagnostics);
  problem->force = force_read(reader, force);
  if (problem->force) find_size(reader, model, sources, vectors, problem->force);
  find_sparse_controls(reader, &matrix, control);
  int n_force = problem->force ? force_size(problem->force) : 0;
  if (reader->d && n_force && n_force != reader->d)
    node_error(force, reader->diagnostics, "%d entries (expected %d)", n_force, reader->d);
  if (problem->force && start_sparse(reader, "model.mass", 8)) {
    SimMatrix *const matrices[N_MATRICES] = {&problem->sim.system.sparse.mass, &problem->sim.system.sparse.stiffness,
                                             &problem->sim.system.sparse.damping};
    double *const places[N_VECTORS] = {problem->sim.friction, problem->sim.x0, problem->sim.v0,
                                       problem->sim.system.stribeck_beta, problem->sim.system.stribeck_epsilon};
    problem->sim.system.stribeck = read_stribeck_law(reader, stribeck);
    for (int k = 0; k < N_MATRICES && reader->d; k++) fill_matrix(reader, &sources[k], matrices[k]);
    for (int k = 0; k < N_VECTORS && reader->d; k++) fill_vector(reader, &vectors[k], places[k]);
    if (reader->d) fill_control(reader, &matrix);
    keep_echo(reader, model, sources, vectors, &matrix);
  }
  for (int k = 0; k < N_MATRICES; k++) {
    values_clear(&sources[k].values);
    values_clear(&sources[k].anchors);
  }
  for (int k = 0; k < N_VECTORS; k++) {
    values_clear(&vectors[k].values);
    expression_destroy(vectors[k].formula);
  }
  values_clear(&matrix);
}

const ModelKind model_sparse = {
    .name = "friction", .read = read_sparse, .echo = echo_sparse, .finish = finish_sparse, .sparse = true};
