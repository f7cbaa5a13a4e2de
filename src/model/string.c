/* model.kind: string, with fixed ends and dry friction along it, and what is read of its control. */
#include "src/model/sparse_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"s", "t"};

/* The functions of s that make up a string; force is apart. */
enum { TENSION, DENSITY, FRICTION, X0, V0, BETA, EPSILON, N_FUNCTIONS };

#define LAW_CHOICE(law, name, sentence, ...) {name, law, sentence},
static const SimChoice laws[] = {SIM_STRIBECK_LAWS(LAW_CHOICE){0}};
#undef LAW_CHOICE

/* The presets stand in while a file's values are wrong. */
static const SimParameter stribeck_keys[] = {
    {.key = "law", .forms = SIM_FORM_CHOICE, .choices = laws, .required = true, .sentence = "the law of the drop"},
    {.key = "beta",
     .forms = SIM_FORM_FORMULA,
     .variables = "s",
     SIM_BETWEEN(0, 1),
     .required = true,
     .preset = 0.5,
     .sentence = "the share of the threshold that is lost at high speed"},
    {.key = "epsilon",
     .forms = SIM_FORM_FORMULA,
     .variables = "s",
     SIM_ABOVE(0),
     .unit = "m/s",
     .required = true,
     .preset = 1,
     .sentence = "the speed at which it is lost"},
    {0}};

static const SimParameter keys[] = {{.key = "nodes",
                                     .forms = SIM_FORM_INTEGER,
                                     SIM_FROM_TO(1, SPARSE_SIZE_MAX),
                                     .required = true,
                                     .sentence = "masses between the ends"},
                                    {.key = "length",
                                     .forms = SIM_FORM_NUMBER,
                                     SIM_ABOVE(0),
                                     .unit = "m",
                                     .required = true,
                                     .sentence = "from end to end"},
                                    {.key = "tension",
                                     .forms = SIM_FORM_FORMULA,
                                     .variables = "s",
                                     SIM_ABOVE(0),
                                     .unit = "N",
                                     .required = true,
                                     .preset = 1,
                                     .sentence = "T, taken halfway between nodes"},
                                    {.key = "density",
                                     .forms = SIM_FORM_FORMULA,
                                     .variables = "s",
                                     SIM_ABOVE(0),
                                     .unit = "kg/m",
                                     .required = true,
                                     .preset = 1,
                                     .sentence = "rho"},
                                    {.key = "friction",
                                     .forms = SIM_FORM_FORMULA,
                                     .variables = "s",
                                     SIM_AT_LEAST(0),
                                     .unit = "N/m",
                                     .default_text = "0",
                                     .sentence = "c: the force along the string up to which it sticks"},
                                    {.key = "x0",
                                     .forms = SIM_FORM_FORMULA,
                                     .variables = "s",
                                     .unit = "m",
                                     .default_text = "0",
                                     .sentence = "x at t = 0"},
                                    {.key = "v0",
                                     .forms = SIM_FORM_FORMULA,
                                     .variables = "s",
                                     .unit = "m/s",
                                     .default_text = "0",
                                     .sentence = "x' at t = 0"},
                                    {.key = "force",
                                     .forms = SIM_FORM_FORMULA,
                                     .variables = "s, t",
                                     .unit = "N/m",
                                     .default_text = "0",
                                     .sentence = "f"},
                                    {.key = "stribeck",
                                     .forms = SIM_FORM_SECTION,
                                     .parts = stribeck_keys,
                                     .default_text = "none",
                                     .sentence = "the drop of friction with speed"},
                                    {0}};

/* Of a function of s, by the number it has above. */
static const SimParameter *function_row(int k) {
  static const char *const names[N_FUNCTIONS] = {"tension", "density", "friction", "x0", "v0", "beta", "epsilon"};
  return sim_parameter_find(k < BETA ? keys : stribeck_keys, names[k]);
}

double string_position(double spacing, int row) { return (row + 1.0) * spacing; }

/* values[i] = f(s), s = from + i h; tells the first that is not allowed. Whether all are. */
static bool sample(Reader *reader, const SimParameter *row, Node *node, double from, int count, double *values) {
  char expected[SIM_EXPECTED_SIZE];
  double h = reader->problem->sparse->spacing;
  Expression *f = node_expression(reader, node, 1, variables);
  bool good = f != NULL || !node;
  for (int i = 0; i < count && good && f; i++) {
    double s = from + i * h;
    values[i] = expression_evaluate(f, &s) + 0.0;
    good = sim_parameter_allows(row, values[i]);
    if (!good)
      node_error(node, reader->diagnostics, "%g at s = %.9g (expected %s)", values[i], s,
                 row->most > 0 ? sim_parameter_expected(row, expected) : "a finite number");
  }
  for (int i = 0; i < count && !(good && f); i++) values[i] = row->preset;
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
      tension, density, friction, sim->x0, sim->v0, sim->system.stribeck_beta, sim->system.stribeck_epsilon};
  for (int k = 0; k < (sim->system.stribeck ? N_FUNCTIONS : BETA); k++) {
    double from = string_position(sparse->spacing, sparse->first) - (k == TENSION ? sparse->spacing / 2 : 0);
    sample(reader, function_row(k), nodes[k], from, sparse->count + (k == TENSION), places[k]);
  }
  if (sim_string_fill(sim, length, density, tension, friction) != SIM_OK) reader->diagnostics->no_memory = true;
  free(values);
}

static void keep_echo(Reader *reader, Node *const *nodes, Node *stribeck, Node *force, double length) {
  SparseModel *sparse = reader->problem->sparse;
  sparse->model =
      json_pack("{s:s, s:i, s:f}", "kind", model_string.name, "nodes", reader->problem->sim.d, "length", length);
  for (int k = 0; k < BETA; k++)
    json_object_set_new(sparse->model, function_row(k)->key, nodes[k] ? node_echo(nodes[k]) : json_string("0"));
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
  static const SimParameter any = {.key = "shapes"};
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
    const SimParameter *row = function_row(k);
    nodes[k] = node_get(k < BETA ? model : stribeck, row->key, reader->diagnostics);
    if (!nodes[k] && row->required && k < BETA) {
      char path[NODE_PATH_SIZE];
      snprintf(path, sizeof path, "model.%s", row->key);
      require(reader, model, path, k == TENSION ? "an expression in s, N" : "an expression in s, kg/m");
    }
  }
  Node *force = node_get(model, "force", reader->diagnostics), *shapes = find_shapes(reader);
  reader->d = (int)n;
  if (!start_sparse(reader, "model.nodes", 4)) return;
  SparseModel *sparse = reader->problem->sparse;
  sparse->spacing = length / (reader->problem->sim.d + 1.0);
  sparse->force = node_expression(reader, force, 2, variables);
  reader->problem->sim.system.stribeck = read_stribeck_law(reader, stribeck);
  fill_string(reader, length, nodes);
  fill_shapes(reader, shapes);
  keep_echo(reader, nodes, stribeck, force, length);
}

const ModelKind model_string = {.name = "string",
                                .sentence = "an elastic string that slides with friction along its length",
                                .keys = keys,
                                .read = read_string,
                                .echo = echo_sparse,
                                .finish = finish_sparse,
                                .sparse = true};
