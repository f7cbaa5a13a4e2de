/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the section model and control.matrix. First the keys are read as written, then the sizes are derived from them,
 * then the values are stored in the problem. */
#include "src/file/model/model.h"

#include <stdlib.h>
#include <string.h>

/* maximum number of controls of a chain that is only simulated and has no control.matrix */
enum { CHAIN_CONTROLS = 64 };

/* Reads the model's kind. If it is missing, reports an error and continues with the first kind. Returns NULL after
 * reporting an unknown kind. */
static const ModelKind *read_kind(Reader *reader, Node *model) {
  Node *node = key_get(reader, model, model_parameters->key);
  double kind;
  if (!node) keys_require(reader, model, "model.kind", model_parameters);
  if (!node) return model_kind(0);
  return parameter_value(reader, node, model_parameters, &kind) ? model_kind((int)kind) : NULL;
}

void require_key(Reader *reader, const Node *model, WrittenKeys *keys, const char *key) {
  char path[NODE_PATH_SIZE];
  const WrittenKey *written = keys_find(keys, key);
  snprintf(path, sizeof path, "model.%s", key);
  if (written && !written->node) keys_require(reader, model, path, written->row);
}

/* Returns the member of the problem in which the force of a key is stored. */
static Force **force_of(Problem *problem, const char *key) {
  return strcmp(key, "force") == 0              ? &problem->force
         : strcmp(key, "force_rate") == 0       ? &problem->force_rate
         : strcmp(key, "end_rate") == 0         ? &problem->end_rate
         : strcmp(key, "surface_velocity") == 0 ? &problem->surface
                                                : &problem->end;
}

static void read_forces(Reader *reader, WrittenKeys *keys) {
  for (const WrittenKey *key = keys->list; key < keys->list + keys->n; key++) {
    if (key->row->forms != SIM_FORM_FORCE) continue;
    Force **force = force_of(reader->problem, key->row->key);
    if (key->node || force == &reader->problem->force)
      *force = force_read(reader, key->node); /* only model.force has a default; the other forces stay absent */
    if (*force && key->row->extent == SIM_ONE && force_size(*force) > 0)
      value_error(reader, key->node, "a list (expected one expression, or pieces of time)");
  }
}

/* Returns the number of degrees of freedom that the value of a key implies. Returns 0 if the value fits any number of
 * degrees of freedom, or if its number is not known. */
static int key_size(Reader *reader, const WrittenKey *key) {
  const SimParameter *row = key->row;
  double nodes = 0;
  if (row->forms == SIM_FORM_INTEGER && key->node) parameter_value(reader, key->node, row, &nodes);
  int n = nodes > 0 ? (int)nodes : values_size(&key->values);
  return row->extent == SIM_AROUND && n > 0 ? n - 1 : n;
}

/* Returns the size that all keys except `but` imply, if there are at least two such keys and they agree; otherwise 0.
 * If a size is returned and `but` implies another size, the error is in `but`. */
static int size_of_others(Reader *reader, const WrittenKeys *keys, const WrittenKey *but) {
  int size = 0, count = 0;
  for (const WrittenKey *key = keys->list; key < keys->list + keys->n; key++) {
    int n = key == but || key->row->extent == SIM_ONE || key->row->forms == SIM_FORM_FORCE ? 0 : key_size(reader, key);
    if (n && size && n != size) return 0;
    if (!n) continue;
    size = n;
    count++;
  }
  return count > 1 ? size : 0;
}

/* Sets reader->d, the number of degrees of freedom. It follows from the number of nodes or, without one, from the first
 * key that implies it, where arrays come before the force. Reports a force of another size, and too many degrees of
 * freedom. */
static void find_size(Reader *reader, const ModelKind *kind, WrittenKeys *keys) {
  char path[NODE_PATH_SIZE];
  const WrittenKey *nodes = keys_find(keys, "nodes"), *first = NULL;
  const Force *force = reader->problem->force;
  int others,
      d = reader->d ? reader->d : kind->d; /* some kinds have a fixed number of degrees of freedom; others read keys of
                                            * their own that determine it */
  if (!d && nodes) d = key_size(reader, nodes);
  for (int i = 0; i < keys->n; i++) {
    const WrittenKey *key = &keys->list[i];
    if (key->row->extent == SIM_ONE || key->row->forms == SIM_FORM_FORCE) continue;
    if (!d && (d = key_size(reader, key)) && (others = size_of_others(reader, keys, key))) d = others;
    if (!first) first = key;
  }
  if (!d && force) d = force_size(force);
  for (int i = 0; i < keys->n && !d; i++) /* the number of rows is used; that the matrix is not square is reported
                                           * later, when it is stored in the problem */
    if (keys->list[i].row->extent != SIM_ONE && keys->list[i].values.good) d = keys->list[i].values.rows;
  if (!d && first && first->values.good && first->values.form == SIM_FORM_NUMBER) d = 1;
  if (!reader->problem->storage && kind->most && d > kind->most) {
    snprintf(path, sizeof path, "model.%s", first->row->key);
    key_error(reader, path, "%d degrees of freedom (expected at most %d)", d, kind->most);
    d = 0;
  }
  reader->d = d;
  for (const WrittenKey *key = keys->list; key < keys->list + keys->n; key++) {
    if (key->row->forms != SIM_FORM_FORCE || key->row->extent == SIM_ONE) continue;
    force = *force_of(reader->problem, key->row->key);
    int n = force ? force_size(force) : 0;
    if (d && n && n != d) value_error(reader, key->node, "%d entries (expected %d)", n, d);
  }
}

/* The value of control.matrix as written in the file. */
typedef struct ControlMatrix {
  Node *node;    /* NULL: absent */
  Node *on;      /* node of control.on, a list of coordinates' names that replaces control.matrix; NULL: absent */
  Node *shapes;  /* list in {shapes: [EXPRESSION, ...]}; NULL for other forms */
  Values values; /* values of the other forms */
} ControlMatrix;

static void read_matrix_of_control(Reader *reader, Node *control, ControlMatrix *matrix) {
  Node *node = matrix->node = key_get(reader, control, "matrix");
  Node *on = key_get(reader, control, "on");
  if (on && node) value_error(reader, on, "with matrix (expected one of them)");
  if (on && !node && (on->kind != NODE_SEQUENCE || !on->first))
    value_expected(reader, on, "a list of names of degrees of freedom");
  else if (on && !node)
    matrix->on = on;
  Node *shapes = node && node->kind == NODE_MAPPING ? key_get(reader, node, "shapes") : NULL;
  if (!shapes) {
    matrix->values = values_read(reader, control, "matrix", sim_parameter_find(reader->control_keys, "matrix")->forms);
    return;
  }
  if (shapes->kind == NODE_SEQUENCE && shapes->n > 0)
    matrix->shapes = shapes;
  else
    value_expected(reader, shapes, "a list of expressions");
}

/* Sets reader->p, the number of columns of the control matrix B, from the file; d must be known. By default B is a
 * square d x d matrix, except for models with sparse matrices, which have no default. */
static void find_controls(Reader *reader, const Node *control, const ControlMatrix *matrix) {
  Problem *problem = reader->problem;
  const SimParameter *row = sim_parameter_find(reader->control_keys, "matrix");
  int d = problem->storage && !matrix->node ? 0 : reader->d;
  size_t p = matrix->on                             ? matrix->on->n
             : matrix->shapes                       ? matrix->shapes->n
             : matrix->values.form == SIM_FORM_ROWS ? (size_t)matrix->values.columns
                                                    : 0;
  if (problem->storage && control && !matrix->node && !matrix->on) keys_require(reader, control, "control.matrix", row);
  if (!p && (!matrix->node || matrix->values.good)) p = (size_t)d;
  if (problem->has_control && p > CTL_CONTROLS_MAX) {
    key_error(reader, "control.matrix", "%zu controls (expected at most %d)", p, CTL_CONTROLS_MAX);
    p = 0;
  }
  /* A chain may have 1e5 nodes. The default, a square control matrix B, would be too large, so a chain gets it only if
   * the file requests it. */
  bool unasked = !matrix->node && !problem->has_control && problem->kind && problem->kind->sim == SIM_CHAIN;
  if (unasked && p > CHAIN_CONTROLS) p = CHAIN_CONTROLS;
  reader->p = (int)p;
}

/* Fills the control matrix B for control.on: each named coordinate has a control of its own. */
static void fill_control_on(Reader *reader, const Node *on) {
  SimProblem *sim = &reader->problem->sim;
  char excerpt[EXCERPT_SIZE];
  size_t p = (size_t)sim->n_control, k = 0;
  for (size_t i = 0; i < (size_t)sim->count * p; i++) sim->control_matrix[i] = 0;
  for (const Node *item = on->first; item && reader->d && k < p; item = item->next, k++) {
    int dof = labels_find(&reader->problem->labels, reader->d, item->text), before = 0;
    for (const Node *other = on->first; other != item; other = other->next) before += !strcmp(other->text, item->text);
    if (dof < 1)
      value_error(reader, item, "no degree of freedom %s (expected a name of one, or a number from 1 to %d)",
                  node_describe(item, excerpt), reader->d);
    else if (before)
      value_error(reader, item, "%s twice", item->text);
    else if (dof > sim->first && dof <= sim->first + sim->count)
      sim->control_matrix[(size_t)(dof - 1 - sim->first) * p + k] = 1;
  }
}

/* Fills this process's rows of the control matrix B. If the file gives shapes, row i of a column is shape(s_i) h on a
 * string with spacing h, and shape(i) in other models. */
static void fill_control(Reader *reader, const ControlMatrix *matrix) {
  SimProblem *sim = &reader->problem->sim;
  /* the size of the model is not known; the error has been reported already */
  if (sim->n_control != reader->p && reader->p) return;
  size_t p = (size_t)sim->n_control, k = 0, count = (size_t)sim->count;
  double h = reader->problem->spacing > 0 ? reader->problem->spacing : 1;
  if (matrix->on) {
    fill_control_on(reader, matrix->on);
    return;
  }
  if (!matrix->shapes)
    values_to_matrix(reader, &matrix->values, reader->d, reader->p, sim->first, sim->count, sim->control_matrix);
  if (!matrix->shapes || !reader->p) return;
  double *column = diagnostics_calloc(reader->diagnostics, count, sizeof *column);
  for (Node *node = matrix->shapes->first; node && column; node = node->next, k++) {
    Values shape = {.node = node, .formula = node_expression(reader, node, 1, &reader->variable)};
    bool acts = !shape.formula || !values_evaluate(reader, &shape, NULL, sim->first + 1, sim->count, column);
    for (size_t i = 0; i < count; i++) {
      sim->control_matrix[i * p + k] = column[i] * h;
      acts = acts || column[i] != 0;
    }
    if (!sim_group_agree(reader->ranks.group, acts))
      value_error(reader, node, "0 at every node (expected a shape that acts)");
    values_clear(&shape);
  }
  free(column);
}

/* Returns the section model as written in the file, with numbers as JSON numbers, and with the numeric defaults of keys
 * that the file does not give. */
static json_t *written_model(Reader *reader, const Node *model, WrittenKeys *keys) {
  char message[EXPRESSION_MESSAGE_SIZE];
  json_t *echo = node_echo(reader, model);
  for (const WrittenKey *key = keys->list; key < keys->list + keys->n; key++) {
    const SimParameter *row = key->row;
    double value;
    bool number = row->forms == SIM_FORM_INTEGER || row->forms == SIM_FORM_NUMBER;
    if (key->node && number && !is_wrong(reader, "model") && parameter_value(reader, key->node, row, &value))
      json_object_set_new(echo, row->key,
                          row->forms == SIM_FORM_INTEGER ? json_integer((json_int_t)value) : json_real(value));
    else if (!key->node && row->default_text && row->extent != SIM_SQUARE &&
             expression_constant(row->default_text, &value, message))
      json_object_set_new(echo, row->key, json_string(row->default_text));
    const Force *force = row->forms == SIM_FORM_FORCE && key->node ? *force_of(reader->problem, row->key) : NULL;
    if (force && !is_wrong(reader, "model")) json_object_set_new(echo, row->key, force_echo(force));
  }
  if (sim_parameter_find(model_keys(reader->problem->kind), "matrices"))
    json_object_set_new(echo, "matrices", json_string("sparse"));
  labels_echo(&reader->problem->labels, echo);
  if (reader->problem->as_written) json_object_update(echo, reader->problem->as_written);
  bool from_table = reader->problem->sim.system.stribeck == SIM_STRIBECK_TABLE && !keys_find(keys, "friction")->node;
  if (from_table)
    json_object_del(echo, "friction"); /* if the default of friction comes from the friction table, the resolved problem
                                        * has only the table */
  return echo;
}

static void read_keys(Reader *reader, Node *model, Node *control, const ControlMatrix *matrix) {
  Problem *problem = reader->problem;
  const ModelKind *kind = problem->kind;
  WrittenKeys own = {.n = 0}, *keys = reader->keys ? reader->keys : &own;
  reader->sparse = problem->storage != MODEL_DENSE;
  problem->sim = (SimProblem){.system.storage = reader->sparse ? SIM_SPARSE : SIM_DENSE};
  keys_read(reader, model, "model", model_keys(kind), &kind->rules, &problem->sim, keys);
  reader->sparse = false;
  read_forces(reader, keys);
  if (kind->read) kind->read(reader, model, keys);
  find_size(reader, kind, keys);
  read_labels(reader, model);
  find_controls(reader, control, matrix);
  SimProblem single = problem->sim;
  if (start_problem(reader, kind)) {
    if (problem->spacing > 0) problem->spacing /= problem->sim.d + 1.0;
    keys_fill(reader, keys, &single);
    if (kind->fill) kind->fill(reader, model, keys);
    fill_control(reader, matrix);
    if (problem->storage)
      problem->written = json_pack("{s:o, s:o*, s:o*}", "model", written_model(reader, model, keys), "matrix",
                                   matrix->node ? node_echo(reader, matrix->node) : NULL, "on",
                                   matrix->on ? node_echo(reader, matrix->on) : NULL);
  }
  keys_clear(&own);
}

void read_model(Reader *reader, Node *root) {
  Problem *problem = reader->problem;
  Node *model = read_section(reader, root, "model"), *control = read_section(reader, root, "control");
  require(reader, model ? NULL : root, "model", "what is to move");
  problem->has_control = control != NULL;
  problem->kind = read_kind(reader, model);
  reader->variable = problem->kind ? problem->kind->variable : "i";
  ControlMatrix matrix = {0};
  read_matrix_of_control(reader, control, &matrix);
  if (problem->kind && model) {
    problem->storage = model_storage(model, document_name(reader->document), reader->ranks.by_pattern);
    read_keys(reader, model, control, &matrix);
  } else {
    if (model) model->ignored = true;
    if (start_problem(reader, model_kind(0))) problem->sim.system.mass[0] = 1;
  }
  values_clear(&matrix.values);
}

json_t *echo_model(const Problem *problem) {
  const ModelKind *kind = problem->kind;
  if (problem->written) return json_incref(json_object_get(problem->written, "model"));
  json_t *model = json_pack("{s:s}", "kind", kind->name);
  bool good =
      model && labels_echo(&problem->labels, model) && keys_echo(model_keys(kind), &kind->rules, &problem->sim, model);
  for (const SimParameter *row = model_keys(kind); row->key && good; row++) {
    const Force *force = row->forms == SIM_FORM_FORCE ? *force_of((Problem *)problem, row->key) : NULL;
    if (force && (!kind->rules.takes || kind->rules.takes(&problem->sim, row->key)))
      good = json_object_set_new(model, row->key, force_echo(force)) == 0;
  }
  return json_if(good && (!kind->echo || kind->echo(problem, model)), model);
}
