/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/parameter.h"

#include "src/base/way_out.h"
#include "src/file/values/force.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"step", "T", "delta"};
enum { N_VARIABLES = sizeof variables / sizeof *variables };

/* Reports an error in a value. node NULL: the value belongs to a constant of the scheme and was computed from a
 * formula. */
static bool refuse(Reader *reader, const Node *node, const SimParameter *row, const char *text) {
  char path[NODE_PATH_SIZE];
  if (node) return value_error(reader, node, "%s", text);
  snprintf(path, sizeof path, "scheme.%s", row->key);
  return key_error(reader, path, "%s", text);
}

bool parameter_allowed(Reader *reader, const Node *node, const SimParameter *row, double value) {
  char expected[SIM_EXPECTED_SIZE], number[SIM_NUMBER_SIZE], text[SIM_EXPECTED_SIZE + SIM_NUMBER_SIZE + 16];
  bool whole = !(row->forms & SIM_FORM_INTEGER) || value == floor(value);
  bool none = value == 0 && row->least > 0; /* whether the value is 0 in place of a number that the file does not give;
                                             * the resolved problem then omits the key */
  if (whole && !none && sim_parameter_allows(row, value)) return true;
  snprintf(text, sizeof text, "%s (expected %s)", sim_number(value, number), sim_parameter_expected(row, expected));
  return refuse(reader, node, row, text);
}

/* Constants of the scheme ------------------------------------------------------------------------------------------ */

/* Evaluates the formula of a constant of the scheme, which may depend on the end time T, the step dt and delta. */
static bool evaluate(Reader *reader, const SimParameter *row, Expression *formula, double delta) {
  const SimProblem *sim = &reader->problem->sim;
  const double values[] = {sim->step, sim->end, delta};
  double value = expression_evaluate(formula, values);
  char text[128];
  if (isfinite(value)) {
    bool good = parameter_allowed(reader, NULL, row, value);
    if (good) sim_parameter_set(row, reader->problem->sim.parameters, value);
    return good;
  }
  snprintf(text, sizeof text, "%g at step = %g, T = %g, delta = %g (expected a finite number)", value, sim->step,
           sim->end, delta);
  return refuse(reader, NULL, row, text);
}

static bool needs_delta(const Expression *formula) { return formula && expression_uses(formula, "delta"); }

/* Reads a constant that is written as a formula. If T or dt is invalid, the value of the formula is not checked. A
 * formula in the elongation delta is evaluated later. */
static bool read_formula(Reader *reader, Node *node, const SimParameter *row) {
  ptrdiff_t k = row - sim_scheme_parameters(reader->problem->sim.scheme);
  Expression *formula = node_expression(reader, node, N_VARIABLES, variables);
  assert(k >= 0 && k < CONSTANTS_MAX);
  reader->problem->given->formulas[k] = formula;
  if (!formula || needs_delta(formula)) return formula;
  return is_wrong(reader, "time") || evaluate(reader, row, formula, NAN);
}

/* Returns the table of the scheme's constants. Sets *n to their number. */
static const SimParameter *constant_rows(const SimProblem *sim, int *n) {
  const SimParameter *rows = sim_scheme_parameters(sim->scheme);
  for (*n = 0; rows && rows[*n].key && *n < CONSTANTS_MAX;) ++*n;
  return rows;
}

void constants_keep(Reader *reader) {
  const SimProblem *sim = &reader->problem->sim;
  int n;
  const SimParameter *rows = constant_rows(sim, &n);
  for (int k = 0; k < n; k++) reader->problem->given->values[k] = sim_parameter_get(&rows[k], sim->parameters);
}

void constants_restore(Reader *reader) {
  const GivenConstants *given = reader->problem->given;
  SimProblem *sim = &reader->problem->sim;
  int n;
  const SimParameter *rows = constant_rows(sim, &n);
  for (int k = 0; k < n; k++) {
    Expression *formula = given->formulas[k];
    sim_parameter_set(&rows[k], sim->parameters, given->values[k]);
    if (formula && !needs_delta(formula)) evaluate(reader, &rows[k], formula, NAN);
  }
}

bool constants_wait(const Problem *problem, const char *key) {
  const GivenConstants *given = problem->given;
  int n;
  const SimParameter *rows = constant_rows(&problem->sim, &n);
  for (int k = 0; k < n && given; k++)
    if (needs_delta(given->formulas[k]) && (!key || strcmp(rows[k].key, key) == 0)) return true;
  return false;
}

void constants_evaluate(Reader *reader) {
  const GivenConstants *given = reader->problem->given;
  double delta = reader->problem->sim.bounds.delta;
  int n;
  const SimParameter *rows = constant_rows(&reader->problem->sim, &n);
  if (!given || !(delta > 0)) return; /* without friction delta is 0; any value of the constant is then accepted */
  for (int k = 0; k < n; k++)
    if (needs_delta(given->formulas[k])) evaluate(reader, &rows[k], given->formulas[k], delta);
}

GivenConstants *constants_share(const GivenConstants *given) {
  GivenConstants *copy = given ? malloc(sizeof *copy) : NULL;
  if (!copy) return NULL;
  *copy = *given;
  for (int k = 0; k < CONSTANTS_MAX; k++) expression_share(copy->formulas[k]);
  return copy;
}

void constants_destroy(GivenConstants *given) {
  for (int k = 0; given && k < CONSTANTS_MAX; k++) expression_destroy(given->formulas[k]);
  free(given);
}

/* Reading keys that a table describes ------------------------------------------------------------------------------ */

static bool report_choice(Reader *reader, const Node *node, const SimParameter *row) {
  char excerpt[EXCERPT_SIZE], expected[SIM_EXPECTED_SIZE];
  bool word = node->kind == NODE_SCALAR && !node_is_null(node);
  sim_parameter_expected(row, expected);
  if (!word) return value_expected(reader, node, "%s", expected);
  const char *way = way_out(node->text);
  return value_error(reader, node, "unknown %s %s (expected %s%s%s)", row->key, node_describe(node, excerpt), expected,
                     way ? "; " : "", way ? way : "");
}

bool parameter_value(Reader *reader, Node *node, const SimParameter *row, double *value) {
  bool words = row->forms & SIM_FORM_CHOICE;
  int choice;
  if (words && node->kind == NODE_SCALAR && sim_parameter_choose(row, node->text, &choice)) {
    *value = choice;
    return true;
  }
  if (words && !(row->forms & SIM_FORM_INTEGER)) return report_choice(reader, node, row);
  double number;
  if (!node_number(reader, node, &number) || !parameter_allowed(reader, node, row, number)) return false;
  *value = number;
  return true;
}

bool parameter_read(Reader *reader, Node *section, const SimParameter *row, void *owner) {
  Node *node = key_get(reader, section, row->key);
  double value;
  if (!node) return false;
  if (row->forms & SIM_FORM_FORMULA) return read_formula(reader, node, row);
  /* keys with rows of numbers are read by the code that uses them, not here */
  if ((row->forms & SIM_FORM_ROWS) && node->kind != NODE_SCALAR) return false;
  bool good = parameter_value(reader, node, row, &value);
  if (good) sim_parameter_set(row, owner, value);
  return good;
}

/* Reads an optional subsection into the struct `owner`. */
static void read_part(Reader *reader, Node *section, const SimParameter *row, void *owner) {
  const Node *node = key_get(reader, section, row->key);
  bool there = node && !node->ignored;
  sim_parameter_set(row, owner, there);
  if (there) parameters_read(reader, read_section(reader, section, row->key), row->parts, owner);
}

/* Returns whether the value of a key, which may be a word or a subsection, is a subsection. */
static bool is_mapping(Reader *reader, Node *section, const SimParameter *row) {
  const Node *node = row->forms & SIM_FORM_SECTION ? key_get(reader, section, row->key) : NULL;
  return node && node->kind == NODE_MAPPING;
}

void parameters_read(Reader *reader, Node *section, const SimParameter *rows, void *owner) {
  for (const SimParameter *row = rows; row && row->key; row++) {
    if (!row->size) continue;
    if (row->forms == SIM_FORM_SECTION || is_mapping(reader, section, row))
      read_part(reader, section, row, owner);
    else
      parameter_read(reader, section, row, owner);
  }
}

static json_t *echo_array(const SimParameter *row, const void *owner, int d) {
  const double *array = sim_parameter_array(row, owner);
  if (row->extent == SIM_SQUARE) return echo_matrix(d, array);
  if (!(row->forms & SIM_FORM_LIST)) return json_real(array[0]);
  return echo_vector(row->extent == SIM_AROUND ? d + 1 : d, array);
}

/* Returns whether the value of a key in `owner` was a subsection instead of a word. */
static bool is_part(const SimParameter *row, const void *owner) {
  if (!(row->forms & SIM_FORM_CHOICE)) return row->forms & SIM_FORM_SECTION;
  return (row->forms & SIM_FORM_SECTION) && !sim_parameter_word(row, (int)sim_parameter_get(row, owner));
}

/* Returns a single value as JSON. Returns NULL and sets *none if there is no value, or if other code adds this key to
 * the resolved problem. */
static json_t *echo_single(const SimParameter *row, const void *owner, bool *none) {
  double value = sim_parameter_get(row, owner);
  const char *word = row->forms & SIM_FORM_CHOICE ? sim_parameter_word(row, (int)value) : NULL;
  *none = (row->zero_is_none && value == 0) || isinf(value) || ((row->forms & SIM_FORM_ROWS) && !word);
  if (*none) return NULL;
  if (row->forms & SIM_FORM_INTEGER) return json_integer((json_int_t)value);
  return word ? json_string(word) : json_real(value);
}

/* Adds the keys of an owner that apply to it to a JSON object. d: number of entries of the owner's vectors. */
static bool echo_rows_of(const SimParameter *rows, const KeyRules *rules, const void *owner, int d, json_t *object) {
  bool good = true;
  for (const SimParameter *row = rows; row && row->key && good; row++) {
    json_t *value;
    bool none = false;
    if (!row->size || (rules && rules->takes && !rules->takes(owner, row->key))) continue;
    if (row->extent != SIM_ONE) {
      value = echo_array(row, owner, d);
    } else if (is_part(row, owner)) {
      none = sim_parameter_get(row, owner) == 0;
      value = none ? NULL : json_object();
      good = none || (value && echo_rows_of(row->parts, NULL, owner, d, value));
    } else {
      value = echo_single(row, owner, &none);
    }
    good = (none || json_object_set_new(object, row->key, value) == 0) && good;
  }
  return good;
}

bool parameters_echo(const SimParameter *rows, const void *owner, json_t *object) {
  return echo_rows_of(rows, NULL, owner, 0, object);
}

bool keys_echo(const SimParameter *rows, const KeyRules *rules, const SimProblem *problem, json_t *object) {
  return echo_rows_of(rows, rules, problem, problem->d, object);
}

void keys_require(Reader *reader, const Node *section, const char *path, const SimParameter *row) {
  char range[SIM_EXPECTED_SIZE], expected[SIM_EXPECTED_SIZE + 16];
  bool any = row->least == 0 && row->most == 0 && !(row->forms & SIM_FORM_CHOICE);
  sim_parameter_expected(row, range);
  snprintf(expected, sizeof expected, "%s%s", *range == '>' ? "a number " : "", range);
  require(reader, section, path, any ? row->sentence : expected);
}

void keys_read(Reader *reader, Node *section, const char *path, const SimParameter *rows, const KeyRules *rules,
               SimProblem *problem, WrittenKeys *keys) {
  char below[NODE_PATH_SIZE];
  for (const SimParameter *row = rows; row->key; row++) {
    assert(keys->n < WRITTEN_MAX);
    Node *node = key_get(reader, section, row->key);
    bool timed = (row->forms & SIM_FORM_FORCE) && row->forms != SIM_FORM_FORCE && node && force_in_time(node);
    /* whether the key is written as a subsection although it may also be a plain vector; it is then read separately */
    bool apart = !timed && row->parts && row->extent == SIM_EACH && node && node->kind == NODE_MAPPING;
    bool part = row->forms == SIM_FORM_SECTION || apart, single = row->size && row->extent == SIM_ONE;
    double value = part ? node && !node->ignored : row->preset;
    snprintf(below, sizeof below, "%s.%s", path, row->key);
    if (single) sim_parameter_set(row, problem, value);
    if (rules && rules->takes && !rules->takes(problem, row->key)) {
      if (node) rules->refuse(reader, node, row);
      continue;
    }
    if (!node && row->required) keys_require(reader, section, below, row);
    WrittenKey *key = &keys->list[keys->n++];
    *key = (WrittenKey){.row = row, .node = node, .timed = timed};
    if (row->extent != SIM_ONE && row->forms != SIM_FORM_FORCE && !apart && !timed)
      key->values = values_read(reader, section, row->key,
                                row->extent == SIM_EACH ? row->forms & ~(unsigned)(SIM_FORM_SECTION | SIM_FORM_FORCE)
                                                        : row->forms);
    if (part && value != 0)
      keys_read(reader, read_section(reader, section, row->key), below, row->parts, NULL, problem, keys);
    else if (node && !part && (single || row->choices) && parameter_value(reader, node, row, &value) && single)
      sim_parameter_set(row, problem, value);
  }
}

WrittenKey *keys_find(WrittenKeys *keys, const char *key) {
  for (int i = 0; i < keys->n; i++)
    if (strcmp(keys->list[i].row->key, key) == 0) return &keys->list[i];
  return NULL;
}

void keys_fill(Reader *reader, WrittenKeys *keys, const SimProblem *single) {
  SimProblem *sim = &reader->problem->sim;
  int d = reader->d;
  for (const WrittenKey *key = keys->list; key < keys->list + keys->n; key++) {
    const SimParameter *row = key->row;
    if (row->size && row->extent == SIM_ONE) sim_parameter_set(row, sim, sim_parameter_get(row, single));
    if (!row->size || row->extent == SIM_ONE || (row->extent == SIM_SQUARE && reader->problem->storage)) continue;
    double *array = sim_parameter_array(row, sim);
    bool square = row->extent == SIM_SQUARE, around = row->extent == SIM_AROUND;
    int count = around ? sim->d + 1 : sim->count;
    for (int i = 0; i < count; i++) array[square ? i * sim->d + i : i] = row->preset;
    if (square)
      values_to_matrix(reader, &key->values, d, d, 0, d, array);
    else
      values_to_vector(reader, &key->values, row, d && around ? d + 1 : d, sim->first, count, array);
  }
}

void keys_clear(WrittenKeys *keys) {
  while (keys->n > 0) values_clear(&keys->list[--keys->n].values);
}
