/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads vectors and matrices in all forms that a problem file allows. Matrices are filled with these values in
 * matrix.c. */
#include "src/file/values/matrix_market.h"
#include "src/file/values/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the allowed forms into text, e.g. "a number or a list of numbers or {file: NAME}". Returns text. */
static const char *values_expected(unsigned forms, char text[SIM_EXPECTED_SIZE]) {
  static const struct {
    unsigned form;
    const char *name;
  } names[] = {{SIM_FORM_NUMBER, "a number"},        {SIM_FORM_LIST, "a list of numbers"},
               {SIM_FORM_ROWS, "a list of rows"},    {SIM_FORM_SPRINGS, "{springs: [...]}"},
               {SIM_FORM_SECTION, "{links: [...]}"}, {SIM_FORM_FILE, "{file: NAME}"}};
  size_t length = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (forms & names[i].form)
      length +=
          (size_t)snprintf(text + length, SIM_EXPECTED_SIZE - length, "%s%s", length ? " or " : "", names[i].name);
  return text;
}

static void form_error(Reader *reader, const Node *node, unsigned forms) {
  char expected[SIM_EXPECTED_SIZE];
  value_expected(reader, node, "%s", values_expected(forms, expected));
}

/* Allocates rows x columns numbers. Returns false if there is no memory. */
static bool reserve(Reader *reader, Values *values, size_t rows, size_t columns) {
  values->data = diagnostics_calloc(reader->diagnostics, rows * columns, sizeof(double));
  values->rows = (int)rows;
  values->columns = (int)columns;
  return values->data != NULL;
}

/* Returns whether a node stands for a missing value: it is null, or infinite if the allowed forms treat infinity like
 * null. */
static bool is_none(const Node *node, unsigned forms) {
  bool infinite = node->kind == NODE_SCALAR && (strcmp(node->text, ".inf") == 0 || strcmp(node->text, "inf") == 0);
  return forms & SIM_FORM_NULLS && (node_is_null(node) || (forms & SIM_FORM_INFINITE && infinite));
}

/* Reads the entries of a list. Reports every invalid one. */
static bool read_entries(Reader *reader, Node *list, unsigned forms, double *data) {
  bool good = true;
  for (Node *entry = list->first; entry; entry = entry->next, data++) {
    if (diagnostics_full(reader->diagnostics)) return false;
    if (is_none(entry, forms))
      *data = NAN;
    else if (!node_number(reader, entry, data))
      good = false;
  }
  return good;
}

static bool read_list(Reader *reader, Node *list, unsigned forms, Values *values) {
  values->form = SIM_FORM_LIST;
  return reserve(reader, values, list->n, 1) && read_entries(reader, list, forms, values->data);
}

static bool read_rows(Reader *reader, Node *list, Values *values) {
  bool good = true;
  size_t columns = list->first->n;
  values->form = SIM_FORM_ROWS;
  for (Node *row = list->first; row; row = row->next) {
    if (row->kind != NODE_SEQUENCE)
      value_expected(reader, row, "a row of the matrix, a list");
    else if (row->n != columns || columns == 0)
      value_error(reader, row, "a row of %zu entries (expected %zu, as the first row has)", row->n,
                  columns ? columns : 1);
    else
      continue;
    good = false;
  }
  /* If rows differ in length, only the number of rows is known. */
  if (!good) {
    values->rows = (int)list->n;
    return false;
  }
  if (!reserve(reader, values, list->n, columns)) return false;
  double *data = values->data;
  for (Node *row = list->first; row; row = row->next, data += columns)
    if (!read_entries(reader, row, 0, data)) good = false;
  return good;
}

/* Reads a matrix given by springs. walls: they connect masses in a row between two walls; otherwise they connect
 * neighbours (links), and masses with the ground (anchors). */
static bool read_springs(Reader *reader, Node *node, bool walls, Values *values) {
  values->form = walls ? SIM_FORM_SPRINGS : SIM_FORM_SECTION;
  Values *springs = values->springs = diagnostics_calloc(reader->diagnostics, 2, sizeof *springs);
  if (!springs) return false;
  springs[0] = values_read(reader, node, walls ? "springs" : "links", SIM_FORM_LIST | (walls ? 0 : SIM_FORM_NUMBER));
  if (!walls) springs[1] = values_read(reader, node, "anchors", SIM_FORM_NUMBER | SIM_FORM_LIST);
  int links = values_size(&springs[0]), anchors = values_size(&springs[1]);
  if (walls && springs[0].good && links < 2)
    return value_error(reader, springs[0].node, "one spring (expected one more than masses)");
  values->rows = walls ? links - 1 : anchors ? anchors : links ? links + 1 : 0;
  return springs[0].good && (!springs[1].node || springs[1].good);
}

static bool read_file(Reader *reader, Node *node, Values *values) {
  char path[FILE_PATH_SIZE], key[NODE_PATH_SIZE];
  Node *file = key_get(reader, node, "file");
  values->form = reader->sparse ? SIM_FORM_FILE : SIM_FORM_ROWS;
  if (!node_file(reader, file, path)) return false;
  if (reader->sparse) {
    long rows = matrix_market_rows(path);
    values->rows = values->columns = rows <= INT_MAX ? (int)rows : 0;
    return true;
  }
  values->data = matrix_market_read(path, node_path(node, key), &file->place, &values->rows, &values->columns,
                                    reader->diagnostics);
  return values->data != NULL;
}

/* Reads a number, or a formula with the number of the entry as its variable. */
static bool read_scalar(Reader *reader, Node *node, unsigned forms, Values *values) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double number;
  if (forms & SIM_FORM_INFINITE && is_none(node, forms)) {
    values->form = SIM_FORM_NUMBER;
    bool room = reserve(reader, values, 1, 1);
    if (room) values->data[0] = NAN;
    values->rows = 0;
    return room;
  }
  bool plain = (forms & SIM_FORM_NUMBER) && expression_constant(node->text, &number, message);
  if (plain || !(forms & SIM_FORM_FORMULA)) {
    values->form = SIM_FORM_NUMBER;
    bool good = reserve(reader, values, 1 + node->n, 1) && node_number(reader, node, values->data) &&
                read_entries(reader, node, forms, values->data + 1);
    for (Node *entry = node->first; entry; entry = entry->next) entry->known = true;
    values->own = node->n;
    values->rows = 0;
    return good;
  }
  values->form = SIM_FORM_FORMULA;
  values->formula = node_expression(reader, node, 1, &reader->variable);
  return values->formula != NULL;
}

static bool read_form(Reader *reader, Node *node, unsigned forms, Values *values) {
  if (node->kind == NODE_SEQUENCE && node->n) {
    bool rows = (forms & SIM_FORM_ROWS) && node->first->kind == NODE_SEQUENCE;
    if (rows) return read_rows(reader, node, values);
    if (forms & SIM_FORM_LIST) return read_list(reader, node, forms, values);
  } else if (node->kind == NODE_MAPPING) {
    if ((forms & SIM_FORM_SPRINGS) && key_get(reader, node, "springs")) return read_springs(reader, node, true, values);
    if ((forms & SIM_FORM_SECTION) && key_get(reader, node, "links")) return read_springs(reader, node, false, values);
    if ((forms & SIM_FORM_FILE) && key_get(reader, node, "file")) return read_file(reader, node, values);
    const char *meant = node->first ? document_nearest(node, node->first->key) : NULL;
    node->ignored = true; /* one message about the whole node suffices; its keys may be names */
    values->form = SIM_FORM_WEIGHTED;
    if (forms & SIM_FORM_WEIGHTED && node->first) return true;
    if (meant) return value_error(reader, node->first, "unknown key (did you mean %s?)", meant);
  } else if (node->kind == NODE_SCALAR && (forms & (SIM_FORM_NUMBER | SIM_FORM_FORMULA)) && !node_is_null(node)) {
    return read_scalar(reader, node, forms, values);
  }
  form_error(reader, node, forms);
  return false;
}

Values values_read(Reader *reader, Node *section, const char *key, unsigned forms) {
  Values values = {.node = key_get(reader, section, key), .forms = forms};
  if (values.node) values.good = read_form(reader, values.node, forms, &values);
  return values;
}

void values_clear(Values *values) {
  free(values->data);
  expression_destroy(values->formula);
  for (int i = 0; values->springs && i < 2; i++) values_clear(&values->springs[i]);
  free(values->springs);
  *values = (Values){0};
}

bool values_fit(Reader *reader, const Values *values, int n) {
  bool good = true;
  if (values->form == SIM_FORM_LIST && values->rows != n)
    good = value_error(reader, values->node, "%d entries (expected %d)", values->rows, n);
  for (const Node *entry = values->form == SIM_FORM_NUMBER ? values->node->first : NULL; entry; entry = entry->next)
    if (entry->index >= (size_t)n)
      good = value_error(reader, entry, "there is no such entry (there are %d, which count from 1)", n);
  return good;
}

double values_entry(const Values *values, int k) {
  if (values->form == SIM_FORM_LIST) return values->data[k];
  const Node *entry = values->node->first;
  for (size_t j = 1; j <= values->own; j++, entry = entry->next)
    if (entry->index == (size_t)k) return values->data[j];
  return values->data[0];
}

int values_size(const Values *values) {
  bool oblong = (values->form & (SIM_FORM_ROWS | SIM_FORM_FILE)) && values->good && values->rows != values->columns;
  return oblong ? 0 : values->rows;
}

bool values_evaluate(Reader *reader, const Values *values, const SimParameter *row, double first, int count,
                     double *vector) {
  static const SimParameter any = {.key = "any"};
  char expected[SIM_EXPECTED_SIZE];
  double spacing = reader->problem->spacing;
  char path[NODE_PATH_SIZE];
  if (!row) row = &any;
  if (!work_allowed(reader, node_path(values->node, path), "a formula at every entry",
                    count * expression_seconds(values->formula), 0)) {
    for (int i = 0; i < count; i++) vector[i] = row->preset;
    return false;
  }
  for (int i = 0; i < count; i++) {
    double place = (first + i) * (spacing > 0 ? spacing : 1);
    vector[i] = expression_evaluate(values->formula, &place) + 0.0;
    if (!isnan(vector[i]) && sim_parameter_allows(row, vector[i])) continue;
    value_error(reader, values->node, "%g at %s = %.9g (expected %s)", vector[i], reader->variable, place,
                sim_parameter_expected(row, expected));
    for (i = 0; i < count; i++) vector[i] = row->preset;
    return false;
  }
  return true;
}

/* Returns the number, from 1, of the control that acts on a degree of freedom, if it is the only one and acts on no
 * other degree of freedom; otherwise 0. */
static int control_on(const Reader *reader, int dof) {
  const SimProblem *sim = &reader->problem->sim;
  int found = 0, acting = 0;
  for (int j = 0; j < sim->n_control && sim->control_matrix; j++) {
    int others = 0;
    for (int i = 0; i < sim->d; i++) others += i + 1 != dof && sim->control_matrix[i * sim->n_control + j] != 0;
    if (sim->control_matrix[(dof - 1) * sim->n_control + j] == 0) continue;
    acting++;
    if (!others) found = j + 1;
  }
  return acting == 1 ? found : 0;
}

/* Reads {NAME: NUMBER, ..}. NAME is the name or number of a degree of freedom. The number becomes the entry of this
 * degree of freedom or, in vectors of controls, of the control that acts on it. Other entries are unchanged. */
static void read_by_names(Reader *reader, const Values *values, double *vector) {
  values->node->ignored = true; /* the keys of this mapping are names, so they must not be reported as unknown */
  for (Node *entry = values->node->first; entry && reader->d; entry = entry->next) {
    int dof = labels_find(&reader->problem->labels, reader->d, entry->key), at = dof;
    if (dof > 0 && values->controls) at = control_on(reader, dof);
    if (dof < 1)
      value_error(reader, entry, "no degree of freedom %.40s (expected a name of one, or a number from 1 to %d)",
                  entry->key, reader->d);
    else if (at < 1)
      value_error(reader, entry, "no control acts on %.40s alone (expected a list, one a control)", entry->key);
    else if (is_none(entry, values->forms))
      vector[at - 1] = NAN;
    else
      node_number(reader, entry, &vector[at - 1]);
  }
}

void values_to_vector(Reader *reader, const Values *values, const SimParameter *row, int n, int first, int count,
                      double *vector) {
  if (!values->good || n == 0 || !values_fit(reader, values, n)) return;
  if (values->form == SIM_FORM_WEIGHTED && count < n)
    value_error(reader, values->node, "names, of a model on several ranks (expected a list)");
  else if (values->form == SIM_FORM_WEIGHTED)
    read_by_names(reader, values, vector);
  else if (values->formula)
    values_evaluate(reader, values, row, first + 1, count, vector);
  else
    for (int i = 0; i < count; i++) vector[i] = values_entry(values, first + i);
}

void read_vector(Reader *reader, Node *section, const SimParameter *row, int n, double *vector) {
  Values values = values_read(reader, section, row->key, row->forms);
  values_to_vector(reader, &values, NULL, n, 0, n, vector);
  values_clear(&values);
}

void read_controls(Reader *reader, Node *section, const SimParameter *row, double *vector) {
  Values values = values_read(reader, section, row->key, row->forms);
  values.controls = true;
  values_to_vector(reader, &values, NULL, reader->p, 0, reader->p, vector);
  values_clear(&values);
}

void read_matrix(Reader *reader, Node *section, const SimParameter *row, int n, double *matrix) {
  Values values = values_read(reader, section, row->key, row->forms);
  values_to_matrix(reader, &values, n, n, 0, n, matrix);
  values_clear(&values);
}
