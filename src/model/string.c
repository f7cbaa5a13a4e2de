/* model.kind: string, with fixed ends and dry friction along it, and what is read of its control. */
#include "src/model/sparse_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"s", "t"};

/* The functions of s that make up a string; force is apart. */
enum { TENSION, DENSITY, FRICTION, X0, V0, BETA, EPSILON, N_FUNCTIONS };

typedef struct Function {
  const char *key, *expected; /* NULL: may be left out, and is 0 */
  double least;               /* allowed values; > least if `above` */
  bool above;
  double harmless; /* while there is none, or the file's is wrong */
} Function;

static const Function functions[N_FUNCTIONS] = {
    [TENSION] = {"tension", "an expression in s, N", 0, true, 1},
    [DENSITY] = {"density", "an expression in s, kg/m", 0, true, 1},
    [FRICTION] = {"friction", NULL, 0, false, 0},
    [X0] = {"x0", NULL, -INFINITY, true, 0},
    [V0] = {"v0", NULL, -INFINITY, true, 0},
    [BETA] = {"beta", NULL, 0, true, 0.5}, /* these two in stribeck */
    [EPSILON] = {"epsilon", NULL, 0, true, 1},
};

double string_position(double spacing, int row) { return (row + 1.0) * spacing; }

/* values[i] = f(s), s = from + i h; tells the first that is not allowed. Whether all are. */
static bool sample(Reader *reader, const Function *function, Node *node, double from, int count, double *values) {
  double h = reader->problem->sparse->spacing;
  Expression *f = node_expression(reader, node, 1, variables);
  bool good = f != NULL || !node;
  for (int i = 0; i < count && good && f; i++) {
    double s = from + i * h;
    values[i] = expression_evaluate(f, &s) + 0.0;
    good = isfinite(values[i]) && (function->above ? values[i] > function->least : values[i] >= function->least);
    if (!good)
      node_error(node, reader->diagnostics, "%g at s = %.9g (expected %s)", values[i], s,
                 isinf(function->least) ? "a finite number"
                 : function->above      ? "> 0"
                                        : ">= 0");
  }
  for (int i = 0; i < count && !(good && f); i++) values[i] = function->harmless;
  expression_destroy(f);
  return good;
}

static void fill_string(Reader *reader, double length, Node *const *nodes) {
  SimProblem *sim = &reader->problem->sim;
  const SparseModel *sparse = reader->problem->sparse;
  size_t count = (size_t)sparse->count;
  double *values = diagnostics_calloc(reader->diagnostics, 3 * count + 1, sizeof *values);
  if (!values) return;
  double *tension = values, *density = values + count + 1, *friction = density + count;
  double *const places[N_FUNCTIONS] = {
      tension, density, friction, sim->x0, sim->v0, sim->stribeck_beta, sim->stribeck_epsilon};
  for (int k = 0; k < (sim->stribeck ? N_FUNCTIONS : BETA); k++) {
    double from = string_position(sparse->spacing, sparse->first) - (k == TENSION ? sparse->spacing / 2 : 0);
    sample(reader, &functions[k], nodes[k], from, sparse->count + (k == TENSION), places[k]);
  }
  if (sim_string_fill(sim, length, density, tension, friction) != SIM_OK) reader->diagnostics->no_memory = true;
  free(values);
}

static void keep_echo(Reader *reader, Node *const *nodes, Node *stribeck, Node *force, double length) {
  SparseModel *sparse = reader->problem->sparse;
  sparse->model =
      json_pack("{s:s, s:i, s:f}", "kind", model_string.name, "nodes", reader->problem->sim.d, "length", length);
  for (int k = 0; k < BETA; k++)
    json_object_set_new(sparse->model, functions[k].key, nodes[k] ? node_echo(nodes[k]) : json_string("0"));
  if (stribeck) json_object_set_new(sparse->model, "stribeck", node_echo(stribeck));
  json_object_set_new(sparse->model, "force", force ? node_echo(force) : json_string("0"));
}

/* control.matrix: {shapes: [EXPRESSION, ...]}: sets reader->p. */
static Node *find_shapes(Reader *reader) {
  Node *control = node_get(document_root(reader->document), "control", reader->diagnostics);
  Node *matrix = node_get(control, "matrix", reader->diagnostics), *shapes = NULL;
  char excerpt[EXCERPT_SIZE];
  reader->p = 0;
  if (!reader->problem->has_control) return NULL;
  if (matrix && matrix->kind == NODE_MAPPING) shapes = node_get(matrix, "shapes", reader->diagnostics);
  if (!matrix) {
    if (control->kind == NODE_MAPPING) require(reader, control, "control.matrix", "{shapes: [EXPRESSION in s, ...]}");
  } else if (!shapes || shapes->kind != NODE_SEQUENCE || shapes->n == 0) {
    bool empty = shapes && shapes->kind == NODE_SEQUENCE;
    node_error(shapes ? shapes : matrix, reader->diagnostics, "%s (expected {shapes: [EXPRESSION in s, ...]})",
               empty ? "an empty list" : node_describe(shapes ? shapes : matrix, excerpt));
    shapes = NULL;
  } else if (shapes->n > CTL_CONTROLS_MAX) {
    node_error(shapes, reader->diagnostics, "%zu controls (expected at most %d)", shapes->n, CTL_CONTROLS_MAX);
    shapes = NULL;
  }
  if (shapes) reader->p = (int)shapes->n;
  return shapes;
}

/* B, shape(s_i) h */
static void fill_shapes(Reader *reader, Node *shapes) {
  static const Function any = {"shapes", NULL, -INFINITY, true, 0};
  SimProblem *sim = &reader->problem->sim;
  const SparseModel *sparse = reader->problem->sparse;
  size_t p = (size_t)sim->n_control, k = 0;
  if (!shapes) return;
  double *values = diagnostics_calloc(reader->diagnostics, (size_t)sparse->count + 1, sizeof *values);
  for (Node *shape = shapes->first; shape && values; shape = shape->next, k++) {
    bool acts = !sample(reader, &any, shape, string_position(sparse->spacing, sparse->first), sparse->count, values);
    for (size_t i = 0; i < (size_t)sparse->count; i++) {
      sim->control_matrix[i * p + k] = values[i] * sparse->spacing;
      acts = acts || values[i] != 0;
    }
    if (!sim_group_agree(reader->ranks.group, acts))
      node_error(shape, reader->diagnostics, "0 at every node (expected a shape that acts on the string)");
  }
  free(values);
  reader->problem->sparse->matrix = json_pack("{s:o}", "shapes", node_echo(shapes));
}

static void read_string(Reader *reader, Node *model, const Values *ignored) {
  double length = 1;
  long n = 0;
  Node *nodes[N_FUNCTIONS];
  (void)ignored;
  if (!read_integer(reader, model, "nodes", 1, SPARSE_SIZE_MAX, &n) && !is_wrong(reader, "model.nodes"))
    require(reader, model, "model.nodes", "the number of nodes between the ends");
  bool given = read_number(reader, model, "length", &length);
  if (!given && !is_wrong(reader, "model.length")) require(reader, model, "model.length", "the string's length, m");
  if (given && !(length > 0)) {
    document_error(reader->document, reader->diagnostics, "model.length", "%g (expected > 0)", length);
    length = 1;
  }
  Node *stribeck = read_section(reader, model, "stribeck");
  for (int k = 0; k < N_FUNCTIONS; k++) {
    nodes[k] = node_get(k < BETA ? model : stribeck, functions[k].key, reader->diagnostics);
    if (!nodes[k] && functions[k].expected) {
      char path[NODE_PATH_SIZE];
      snprintf(path, sizeof path, "model.%s", functions[k].key);
      require(reader, model, path, functions[k].expected);
    }
  }
  Node *force = node_get(model, "force", reader->diagnostics), *shapes = find_shapes(reader);
  reader->d = (int)n;
  if (!start_sparse(reader, "model.nodes", 4)) return;
  SparseModel *sparse = reader->problem->sparse;
  sparse->spacing = length / (reader->problem->sim.d + 1.0);
  sparse->force = node_expression(reader, force, 2, variables);
  reader->problem->sim.stribeck = read_stribeck_law(reader, stribeck);
  fill_string(reader, length, nodes);
  fill_shapes(reader, shapes);
  keep_echo(reader, nodes, stribeck, force, length);
}

const ModelKind model_string = {
    .name = "string", .read = read_string, .echo = echo_sparse, .finish = finish_sparse, .sparse = true};
