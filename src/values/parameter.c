#include "src/values/parameter.h"

#include <math.h>

static const char *const variables[] = {"step", "T", "delta"};
enum { N_VARIABLES = sizeof variables / sizeof *variables };

static bool store(Reader *reader, const Node *node, const SimParameter *row, void *owner, double value) {
  char expected[SIM_EXPECTED_SIZE];
  if (sim_parameter_allows(row, value)) {
    sim_parameter_set(row, owner, value);
    return true;
  }
  node_error(node, reader->diagnostics, "%g (expected %s)", value, sim_parameter_expected(row, expected));
  return false;
}

/* An expression in the time grid and delta; where T and dt are wrong, what it gives is not judged. */
static bool evaluate(Reader *reader, const WaitingFormula *formula, double delta) {
  const SimProblem *sim = &reader->problem->sim;
  const double values[] = {sim->step, sim->end, delta};
  double value = expression_evaluate(formula->expression, values);
  if (isfinite(value)) return store(reader, formula->node, formula->row, formula->owner, value);
  node_error(formula->node, reader->diagnostics, "%g at step = %g, T = %g, delta = %g (expected a finite number)",
             value, sim->step, sim->end, delta);
  return false;
}

static bool read_formula(Reader *reader, Node *node, const SimParameter *row, void *owner) {
  WaitingFormula formula = {row, node, owner, node_expression(reader, node, N_VARIABLES, variables)};
  if (!formula.expression) return false;
  if (expression_uses(formula.expression, "delta") && reader->n_waiting < WAITING_MAX) {
    reader->waiting[reader->n_waiting++] = formula;
    return true;
  }
  bool good = is_wrong(reader, "time") || evaluate(reader, &formula, NAN);
  expression_destroy(formula.expression);
  return good;
}

void parameters_evaluate(Reader *reader) {
  double delta = reader->problem->bounds.delta;
  for (int i = 0; i < reader->n_waiting && delta > 0; i++) /* without friction any value will do */
    evaluate(reader, &reader->waiting[i], delta);
}

void parameters_forget(Reader *reader) {
  while (reader->n_waiting > 0) expression_destroy(reader->waiting[--reader->n_waiting].expression);
}

static void report_choice(Reader *reader, const Node *node, const SimParameter *row) {
  char excerpt[EXCERPT_SIZE], expected[SIM_EXPECTED_SIZE];
  bool word = node->kind == NODE_SCALAR && !node_is_null(node);
  node_describe(node, excerpt);
  sim_parameter_expected(row, expected);
  if (word)
    node_error(node, reader->diagnostics, "unknown %s %s (expected %s)", row->key, excerpt, expected);
  else
    node_error(node, reader->diagnostics, "%s (expected %s)", excerpt, expected);
}

bool parameter_read(Reader *reader, Node *section, const SimParameter *row, void *owner) {
  Node *node = node_get(section, row->key, reader->diagnostics);
  if (!node) return false;
  if (row->forms & SIM_FORM_FORMULA) return read_formula(reader, node, row, owner);
  if ((row->forms & SIM_FORM_ROWS) && node->kind != NODE_SCALAR) return false; /* the owner's to read */
  int choice;
  if ((row->forms & SIM_FORM_CHOICE) && node->kind == NODE_SCALAR && sim_parameter_choose(row, node->text, &choice)) {
    sim_parameter_set(row, owner, choice);
    return true;
  }
  if ((row->forms & SIM_FORM_CHOICE) && !(row->forms & SIM_FORM_INTEGER)) {
    report_choice(reader, node, row);
    return false;
  }
  double value;
  if (!node_number(reader, node, &value)) return false;
  if (!(row->forms & SIM_FORM_INTEGER) || value == floor(value)) return store(reader, node, row, owner, value);
  char expected[SIM_EXPECTED_SIZE];
  node_error(node, reader->diagnostics, "%g (expected %s)", value, sim_parameter_expected(row, expected));
  return false;
}

void parameters_read(Reader *reader, Node *section, const SimParameter *rows, void *owner) {
  for (const SimParameter *row = rows; row && row->key; row++)
    if (row->size) parameter_read(reader, section, row, owner);
}

bool parameter_echo(const SimParameter *row, const void *owner, json_t *object) {
  double value = sim_parameter_get(row, owner);
  if (row->zero_is_none && value == 0) return true;
  const char *word = row->forms & SIM_FORM_CHOICE ? sim_parameter_word(row, (int)value) : NULL;
  if ((row->forms & SIM_FORM_ROWS) && !word) return true; /* the owner's to echo */
  json_t *echo = row->forms & SIM_FORM_INTEGER ? json_integer((json_int_t)value)
                 : word                        ? json_string(word)
                                               : json_real(value);
  return json_object_set_new(object, row->key, echo) == 0;
}

bool parameters_echo(const SimParameter *rows, const void *owner, json_t *object) {
  for (const SimParameter *row = rows; row && row->key; row++)
    if (row->size && !parameter_echo(row, owner, object)) return false;
  return true;
}
