/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/scenarios.h"

#include "src/base/path.h"
#include "src/file/model/model.h"
#include "src/file/sections/keys.h"
#include "src/file/sections/motion_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Estimated time, in s, to read the model, its tables and its initial state for one scenario. */
static const double READ_SECONDS = 2e-4;

static const SimParameter width_keys[] = {
    {"relative", SIM_FORM_NUMBER, NULL, "as a part of the number", SIM_ABOVE(0), .default_text = "none"},
    {"absolute", SIM_FORM_NUMBER, NULL, "in the number's own unit", SIM_ABOVE(0), .default_text = "none"},
    {0}};

static const SimParameter vary_keys[] = {{ANY_MODEL_KEY, SIM_FORM_SECTION, NULL,
                                          "a number of the file, or a list of numbers, by its path as for --set; "
                                          "relative or absolute says by how much it varies",
                                          .parts = width_keys, .required = true},
                                         {0}};

static const SimChoice distributions[] = {
    {"uniform", SCENARIO_UNIFORM, "evenly between the number less its width and the number and its width"},
    {"normal", SCENARIO_NORMAL, "normally, the widths are standard deviations; cut off beyond three of them"},
    {0}};

static const SimChoice answers[] = {
    {"yes", true, "all entries of a key vary together"}, {"no", false, "each entry of a list varies on its own"}, {0}};

const SimParameter scenario_parameters[] = {
    {"count", SIM_FORM_INTEGER, NULL, "how many scenarios there are; powers of 2 fill the ranges most evenly",
     SIM_FROM_TO(1, SCENARIOS_MAX), .preset = 64, SIM_MEMBER(Scenarios, count)},
    {"seed", SIM_FORM_INTEGER, NULL, "which of many sets of points is taken", SIM_FROM_TO(0, 1000000000), .preset = 1,
     SIM_MEMBER(Scenarios, seed)},
    {"distribution", SIM_FORM_CHOICE, NULL, "how the numbers are spread", .choices = distributions,
     .preset = SCENARIO_UNIFORM, SIM_MEMBER(Scenarios, distribution)},
    {"correlated", SIM_FORM_CHOICE, NULL, "whether the entries of a list vary together", .choices = answers,
     .preset = false, SIM_MEMBER(Scenarios, correlated)},
    {"vary", SIM_FORM_SECTION, NULL, "which numbers of the model are not quite known", .parts = vary_keys,
     .required = true},
    {0}};

/* State of the reader while it reads one key of the section `vary`. */
typedef struct Varied {
  Reader *reader;
  Scenarios *scenarios;
  Node *node; /* node in the section `vary`; its key is the path of the number that varies */
  bool relative;
  double width;
} Varied;

static double width_of(const Varied *varied, double value) {
  return varied->relative ? varied->width * fabs(value) : varied->width;
}

/* Adds a random variable (dimension) to the scenarios. path: path of the number that varies with it. Returns the index
 * of the dimension, or -1 after reporting an error. */
static int add_dimension(const Varied *varied, const char *path) {
  Scenarios *s = varied->scenarios;
  if (s->n == SCENARIO_DIMENSIONS_MAX) {
    value_error(varied->reader, varied->node,
                "too many numbers that vary on their own (expected at most %d: correlated: yes makes fewer)",
                SCENARIO_DIMENSIONS_MAX);
    return -1;
  }
  s->dimensions[s->n] = (VariedDimension){.several = false};
  snprintf(s->dimensions[s->n].path, NODE_PATH_SIZE, "%s", path);
  return s->n++;
}

/* Returns whether control.initial replaces the value at a path of the model, which is an entry of x0 or v0, or all
 * entries. */
static bool is_replaced(const Reader *reader, const char *path) {
  static const char *const keys[] = {"model.x0", "model.v0"};
  const MotionPlan *plan = reader->problem->plan;
  int d = reader->d;
  for (int k = 0; k < 2 && plan && plan->initial; k++) {
    size_t length = strlen(keys[k]);
    const char *rest = path + length;
    if (strncmp(path, keys[k], length) != 0 || !strchr(".[", *rest)) continue;
    PathStep step = {0};
    if (*rest == '[') path_step(rest, &step);
    int named = *rest == '.' ? labels_find(&reader->problem->labels, d, rest + 1) : (int)step.entry;
    bool all = true;
    for (int i = 0; i < d; i++) all = all && (plan->initial[k * d + i] || (named > 0 && i != named - 1));
    return all;
  }
  return false;
}

static bool add_number(const Varied *varied, const char *path, int dimension, double value) {
  Scenarios *s = varied->scenarios;
  for (int k = 0; k < s->numbers; k++)
    if (strcmp(s->number[k].path, path) == 0) return value_error(varied->reader, varied->node, "%s twice", path);
  if (is_replaced(varied->reader, path))
    return value_error(varied->reader, varied->node,
                       "%s has no effect: control.initial replaces it (expected another number, or null there)", path);
  VariedNumber *more = realloc(s->number, (size_t)(s->numbers + 1) * sizeof *more);
  if (!more) {
    varied->reader->diagnostics->no_memory = true;
    return false;
  }
  s->number = more;
  VariedNumber *number = &s->number[s->numbers++];
  *number = (VariedNumber){.dimension = dimension, .value = value, .width = width_of(varied, value)};
  snprintf(number->path, sizeof number->path, "%s", path);
  return true;
}

/* Adds a number of a list to those that vary. It depends on the random variable `shared` or, if shared is -1, on one of
 * its own. A number with zero width does not vary and is left out. */
static bool add_entry(const Varied *varied, const char *path, int shared, double value) {
  if (width_of(varied, value) == 0) return true;
  if (shared >= 0) return add_number(varied, path, shared, value);
  int own = add_dimension(varied, path);
  if (own < 0) return false;
  VariedDimension *dimension = &varied->scenarios->dimensions[own];
  dimension->value = value;
  dimension->width = width_of(varied, value);
  return add_number(varied, path, own, value);
}

/* Reads the number at a node of the model. Returns false after reporting an error at the path in the section `vary`. */
static bool number_of(const Varied *varied, Node *node, double *value) {
  Reader *reader = varied->reader;
  Diagnostics *diagnostics = reader->diagnostics, dropped = {0};
  char path[NODE_PATH_SIZE];
  reader->diagnostics = &dropped;
  bool good = node_number(reader, node, value);
  reader->diagnostics = diagnostics;
  diagnostics->no_memory = diagnostics->no_memory || dropped.no_memory;
  diagnostics_clear(&dropped);
  if (!good)
    node_error(varied->node, diagnostics, "%s is not a number (expected paths of entries that are)",
               node_path(node, path));
  return good;
}

static bool add_leaves(const Varied *varied, Node *node, int shared) {
  char path[NODE_PATH_SIZE];
  double value;
  if (node->kind == NODE_SCALAR)
    return number_of(varied, node, &value) && add_entry(varied, node_path(node, path), shared, value);
  bool good = true;
  for (Node *child = node->first; child && good; child = child->next) good = add_leaves(varied, child, shared);
  return good;
}

static int together(const Varied *varied, const char *path) {
  int k = add_dimension(varied, path);
  if (k < 0) return k;
  VariedDimension *dimension = &varied->scenarios->dimensions[k];
  dimension->several = true;
  dimension->value = varied->relative;
  dimension->width = varied->width;
  return k;
}

/* Returns, for a path "model.KEY", the row of the table of keys that describes KEY, if KEY may have one number for all
 * degrees of freedom; otherwise NULL. */
static const SimParameter *row_of(const Reader *reader, const char *path) {
  const SimParameter *row = sim_parameter_find(model_keys(reader->problem->kind), path + sizeof "model." - 1);
  return row && (row->extent == SIM_EACH || row->extent == SIM_SQUARE) && row->size ? row : NULL;
}

/* Expands one number that stands for all entries to a list, so that each entry can vary on its own. For a matrix this
 * is a list of its diagonal, which may already include viscous friction. */
static bool add_each(const Varied *varied, const SimParameter *row, Node *named) {
  const SimProblem *sim = &varied->reader->problem->sim;
  const double *array = sim_parameter_array(row, sim);
  /* for friction, the thresholds before their position-dependent part is added */
  if (array == sim->friction && sim->rise_base) array = sim->rise_base;
  char path[NODE_PATH_SIZE];
  double diagonal = 0;
  if (row->extent == SIM_SQUARE && !number_of(varied, named, &diagonal)) return false;
  json_t *list = json_array();
  bool good = list && array;
  for (int i = 0; i < sim->d && good; i++) {
    double value = row->extent == SIM_SQUARE ? diagonal : array[i];
    snprintf(path, sizeof path, "model.%s[%d]", row->key, i + 1);
    good = json_array_append_new(list, json_real(value)) == 0 && add_entry(varied, path, -1, value);
  }
  keep_json(varied->reader, varied->scenarios->lists, row->key, list);
  return good;
}

static const char TABLE[] = "model.friction_table";

/* Varies a table of friction, which is in the problem file or in a file of its own. The table is scaled so that it
 * begins with the value of the key `friction`. Thus one factor varies all values of the table. */
static bool add_table(const Varied *varied) {
  const Reader *reader = varied->reader;
  Scenarios *s = varied->scenarios;
  const SimProblem *sim = &reader->problem->sim;
  char path[NODE_PATH_SIZE];
  bool given = document_find(reader->document, "model.friction");
  if (given || !varied->relative)
    return value_error(reader, varied->node,
                       given ? "beside friction, which the table is scaled to begin with (expected model.friction)"
                             : "absolute for a table (expected relative: it varies as a whole)");
  json_t *list = json_array();
  int shared = together(varied, TABLE);
  bool good = list && shared >= 0;
  for (int i = 0; i < sim->d && good; i++) {
    snprintf(path, sizeof path, "model.friction[%d]", i + 1);
    good = json_array_append_new(list, json_real(sim->friction[i])) == 0 &&
           add_number(varied, path, shared, sim->friction[i]);
  }
  s->table = true;
  keep_json(varied->reader, s->lists, "friction", list);
  return good;
}

/* Returns a value as JSON: numbers as JSON numbers, other texts unchanged. */
static json_t *numbers_echo(const Reader *reader, const Node *node) {
  char *end;
  double value = node->kind == NODE_SCALAR ? strtod(node->text, &end) : 0;
  if (node->kind == NODE_SCALAR && *node->text && !*end && isfinite(value)) return json_real(value);
  if (node->kind == NODE_SCALAR || node->kind == NODE_MAPPING) return node_echo(reader, node);
  json_t *list = json_array();
  for (const Node *child = node->first; child && list; child = child->next)
    json_array_append_new(list, numbers_echo(reader, child));
  return list;
}

/* Stores the key of the model to which the path belongs, as written in the file. Its resolved value may have more
 * numbers, which would all vary if the resolved problem were read. */
static void keep_written(const Varied *varied) {
  Reader *reader = varied->reader;
  char path[NODE_PATH_SIZE];
  snprintf(path, sizeof path, "%s", varied->node->key);
  path[sizeof "model." - 1 + strcspn(path + sizeof "model." - 1, ".[")] = 0;
  const Node *node = document_find(reader->document, path);
  json_t *written = node ? numbers_echo(reader, node) : NULL;
  keep_json(reader, varied->scenarios->written, path + sizeof "model." - 1, written);
}

/* Adds the numbers that a path denotes to those that vary. Returns false after reporting an error. */
static bool add_path(const Varied *varied, Node *named) {
  const char *path = varied->node->key;
  Scenarios *s = varied->scenarios;
  bool rows = named->kind == NODE_SEQUENCE && named->first && named->first->kind == NODE_SEQUENCE;
  const SimParameter *row = named->kind == NODE_SCALAR ? row_of(varied->reader, path) : NULL;
  int before = s->numbers;
  if (rows && !varied->relative)
    return value_error(varied->reader, varied->node, "absolute for a matrix (expected relative: it varies as a whole)");
  bool list = named->kind == NODE_SEQUENCE && (rows || s->correlated), good;
  if (row && varied->reader->d > 1 && !s->correlated)
    good = add_each(varied, row, named);
  else {
    int shared = list ? together(varied, path) : -1;
    good = (!list || shared >= 0) && add_leaves(varied, named, shared);
  }
  if (good && s->numbers == before)
    value_error(varied->reader, varied->node, "is 0, of which a relative change is none (expected absolute)");
  return good && s->numbers > before;
}

/* Reads the width by which a number varies: {relative: NUMBER} or {absolute: NUMBER}. Returns false after reporting an
 * error. */
static bool read_width(Varied *varied) {
  Reader *reader = varied->reader;
  Node *nodes[2];
  for (int k = 0; k < 2; k++) nodes[k] = key_get(reader, varied->node, width_keys[k].key);
  if (!nodes[0] == !nodes[1])
    return value_error(reader, varied->node, "%s (expected {relative: NUMBER} or {absolute: NUMBER})",
                       nodes[0] ? "both relative and absolute" : "neither relative nor absolute");
  varied->relative = nodes[0];
  int k = nodes[0] ? 0 : 1;
  return parameter_value(reader, nodes[k], &width_keys[k], &varied->width);
}

static void read_path(Reader *reader, Node *node, Scenarios *scenarios) {
  Varied varied = {.reader = reader, .scenarios = scenarios, .node = node};
  Node *named;
  if (!path_read(reader, node, "{relative: NUMBER} or {absolute: NUMBER}", &named)) return;
  bool of_model = strncmp(node->key, "model.", 6) == 0, table = strcmp(node->key, TABLE) == 0;
  if (!named || !of_model || (named->kind == NODE_MAPPING && !table)) {
    char entry[NODE_PATH_SIZE];
    node->ignored = true;
    if (of_model && named && named->first && named->first->kind == NODE_SCALAR)
      value_error(reader, node, "a mapping, not what can vary (expected paths of its numbers, as %s)",
                  node_path(named->first, entry));
    else
      value_error(reader, node,
                  named ? "not what can vary (expected a number of the section model, or a list)"
                        : "not in the file (expected a key of the section model that is)");
    return;
  }
  if (!read_width(&varied) || !(table ? add_table(&varied) : add_path(&varied, named))) return;
  if (!table) keep_written(&varied);
  json_t *width = json_pack("{s:f}", varied.relative ? "relative" : "absolute", varied.width);
  keep_json(reader, scenarios->vary, node->key, width);
}

/* Reads the section `vary`. The model must have been read without errors. */
static void read_vary(Reader *reader, Node *section, Scenarios *scenarios) {
  if (!section) return;
  size_t before = reader->diagnostics->count;
  for (Node *child = section->first; child; child = child->next) read_path(reader, child, scenarios);
  if (scenarios->n == 0 && reader->diagnostics->count == before)
    value_error(reader, section, "nothing varies (expected paths like model.friction)");
}

void read_scenarios(Reader *reader, Node *root) {
  Problem *problem = reader->problem;
  Node *section = read_section(reader, root, "scenarios");
  if (!section) return;
  Scenarios *s = problem->scenarios = diagnostics_calloc(reader->diagnostics, 1, sizeof *s);
  if (!s) return;
  s->vary = json_object();
  s->lists = json_object();
  s->written = json_object();
  sim_parameters_set_defaults(scenario_parameters, s);
  parameters_read(reader, section, scenario_parameters, s);
  Node *vary = read_section(reader, section, "vary");
  if (!vary && !is_wrong(reader, "scenarios.vary"))
    key_error(reader, "scenarios.vary", "missing (expected {PATH: {relative: NUMBER}} or {PATH: {absolute: NUMBER}})");
  bool unread = problem->storage || is_wrong(reader, "model") || !reader->d;
  if (problem->storage) value_error(reader, section, "of sparse matrices (expected a model with dense ones)");
  if (unread && vary) vary->ignored = true;
  if (!unread) read_vary(reader, vary, s);
  if (motion_plan_statistic(problem) != CTL_NOMINAL && s->count > CTL_SCENARIOS_MAX)
    key_error(reader, "scenarios.count", "%ld with control.objective (expected at most %d)", s->count,
              CTL_SCENARIOS_MAX);
  double count = (double)s->count, numbers = (double)s->n + 2 * (double)problem->sim.d + 4;
  double model = (double)sim_problem_packed_size(&problem->sim);
  work_allowed(reader, "scenarios", "the models of all scenarios", count * READ_SECONDS, count * (model + 8 * numbers));
}

void pass_scenarios(Reader *reader, Node *root) {
  Node *section = key_get(reader, root, "scenarios");
  if (section) section->ignored = true;
}

void scenarios_destroy(Scenarios *s) {
  if (!s) return;
  free(s->number);
  json_decref(s->vary);
  json_decref(s->lists);
  json_decref(s->written);
  free(s);
}

bool scenarios_echo(const Scenarios *s, json_t *echo) {
  json_t *section = json_object(), *model = json_object_get(echo, "model");
  /* if the default of friction comes from the friction table, the resolved problem has only the table */
  if (model && s->table) json_object_del(model, "friction");
  return section && model && parameters_echo(scenario_parameters, s, section) &&
         json_object_set(section, "vary", s->vary) == 0 && json_object_update(model, s->written) == 0 &&
         json_object_set_new(echo, "scenarios", section) == 0;
}
