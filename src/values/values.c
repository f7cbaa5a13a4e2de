/* Vectors and matrices, in the forms a problem file may give them. */
#include "src/values/matrix_market.h"
#include "src/values/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *values_expected(unsigned forms, char text[SIM_EXPECTED_SIZE]) {
  static const struct {
    unsigned form;
    const char *name;
  } names[] = {{SIM_FORM_NUMBER, "a number"},
               {SIM_FORM_LIST, "a list of numbers"},
               {SIM_FORM_ROWS, "a list of rows"},
               {SIM_FORM_SPRINGS, "{springs: [...]}"},
               {SIM_FORM_FILE, "{file: NAME}"}};
  size_t length = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (forms & names[i].form)
      length +=
          (size_t)snprintf(text + length, SIM_EXPECTED_SIZE - length, "%s%s", length ? " or " : "", names[i].name);
  return text;
}

static void form_error(Reader *reader, const Node *node, unsigned forms) {
  char expected[SIM_EXPECTED_SIZE], excerpt[EXCERPT_SIZE];
  node_error(node, reader->diagnostics, "%s (expected %s)", node_describe(node, excerpt),
             values_expected(forms, expected));
}

/* Gives values room for rows x columns numbers. */
static bool reserve(Reader *reader, Values *values, size_t rows, size_t columns) {
  values->data = diagnostics_calloc(reader->diagnostics, rows * columns, sizeof(double));
  values->rows = (int)rows;
  values->columns = (int)columns;
  return values->data != NULL;
}

/* The entries of a list; every one that is wrong is told. */
static bool read_entries(Reader *reader, Node *list, unsigned forms, double *data) {
  bool good = true;
  for (Node *entry = list->first; entry; entry = entry->next, data++) {
    if ((forms & SIM_FORM_NULLS) && node_is_null(entry))
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
  char excerpt[EXCERPT_SIZE];
  bool good = true;
  size_t columns = list->first->n;
  values->form = SIM_FORM_ROWS;
  for (Node *row = list->first; row; row = row->next) {
    if (row->kind != NODE_SEQUENCE)
      node_error(row, reader->diagnostics, "%s (expected a row of the matrix, a list)", node_describe(row, excerpt));
    else if (row->n != columns || columns == 0)
      node_error(row, reader->diagnostics, "a row of %zu entries (expected %zu, as the first row has)", row->n,
                 columns ? columns : 1);
    else
      continue;
    good = false;
  }
  /* The size of ragged rows is told by their number alone. */
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

/* Masses in a row between two walls: k_1 holds the first mass to the left wall, k_{n+1} the last one to the
 * right. */
static bool read_springs(Reader *reader, Node *node, Values *values) {
  Node *springs = node_get(node, "springs", reader->diagnostics);
  values->form = SIM_FORM_ROWS;
  if (springs->kind != NODE_SEQUENCE || springs->n < 2 || springs->n > MATRIX_SIZE_MAX) {
    node_error(springs, reader->diagnostics, "not springs (expected a list of 2 to %d numbers, one more than masses)",
               MATRIX_SIZE_MAX);
    return false;
  }
  size_t n = springs->n - 1;
  double *k = diagnostics_calloc(reader->diagnostics, n + 1, sizeof *k);
  bool good = k && reserve(reader, values, n, n) && read_entries(reader, springs, 0, k);
  for (size_t i = 0; good && i < n; i++) {
    values->data[i * n + i] = k[i] + k[i + 1];
    if (i + 1 < n) values->data[i * n + i + 1] = values->data[(i + 1) * n + i] = 0 - k[i + 1]; /* never -0 */
  }
  free(k);
  return good;
}

static bool read_file(Reader *reader, Node *node, Values *values) {
  char path[FILE_PATH_SIZE], key[NODE_PATH_SIZE];
  Node *file = node_get(node, "file", reader->diagnostics);
  values->form = SIM_FORM_ROWS;
  if (file->kind != NODE_SCALAR || node_is_null(file)) {
    node_error(file, reader->diagnostics, "not a file name (expected {file: NAME})");
    return false;
  }
  if (!file_beside(document_name(reader->document), file->text, path)) {
    node_error(file, reader->diagnostics, "the file's name is too long");
    return false;
  }
  values->data = matrix_market_read(path, node_path(node, key), &file->place, &values->rows, &values->columns,
                                    reader->diagnostics);
  return values->data != NULL;
}

static bool read_form(Reader *reader, Node *node, unsigned forms, Values *values) {
  if (node->kind == NODE_SEQUENCE && node->n) {
    bool rows = (forms & SIM_FORM_ROWS) && node->first->kind == NODE_SEQUENCE;
    if (rows) return read_rows(reader, node, values);
    if (forms & SIM_FORM_LIST) return read_list(reader, node, forms, values);
  } else if (node->kind == NODE_MAPPING) {
    if ((forms & SIM_FORM_SPRINGS) && node_get(node, "springs", reader->diagnostics))
      return read_springs(reader, node, values);
    if ((forms & SIM_FORM_FILE) && node_get(node, "file", reader->diagnostics)) return read_file(reader, node, values);
    node->ignored = true; /* told as a whole */
  } else if (node->kind == NODE_SCALAR && (forms & SIM_FORM_NUMBER) && !node_is_null(node)) {
    values->form = SIM_FORM_NUMBER;
    bool good = reserve(reader, values, 1, 1) && node_number(reader, node, values->data);
    values->rows = 0;
    return good;
  }
  form_error(reader, node, forms);
  return false;
}

Values values_read(Reader *reader, Node *section, const char *key, unsigned forms) {
  Values values = {.node = node_get(section, key, reader->diagnostics)};
  if (values.node) values.good = read_form(reader, values.node, forms, &values);
  return values;
}

void values_clear(Values *values) {
  free(values->data);
  *values = (Values){0};
}

int values_size(const Values *values) {
  bool oblong = values->form == SIM_FORM_ROWS && values->good && values->rows != values->columns;
  return oblong ? 0 : values->rows;
}

void values_to_vector(Reader *reader, const Values *values, int n, double *vector) {
  if (!values->good || n == 0) return;
  if (values->form == SIM_FORM_LIST && values->rows != n) {
    node_error(values->node, reader->diagnostics, "%d entries (expected %d)", values->rows, n);
    return;
  }
  for (int i = 0; i < n; i++) vector[i] = values->data[values->form == SIM_FORM_LIST ? i : 0];
}

void values_to_matrix(Reader *reader, const Values *values, int rows, int columns, double *matrix) {
  if (!values->good || rows == 0 || columns == 0) return;
  size_t n = (size_t)rows, m = (size_t)columns;
  if (values->form == SIM_FORM_ROWS && (values->rows != rows || values->columns != columns)) {
    node_error(values->node, reader->diagnostics, "a %d x %d matrix (expected %d x %d)", values->rows, values->columns,
               rows, columns);
  } else if (values->form == SIM_FORM_LIST && values->rows != rows) {
    node_error(values->node, reader->diagnostics, "%d entries (expected %d)", values->rows, rows);
  } else if (values->form == SIM_FORM_ROWS) {
    memcpy(matrix, values->data, n * m * sizeof *matrix);
  } else {
    memset(matrix, 0, n * m * sizeof *matrix);
    for (size_t i = 0; i < n && i < m; i++) matrix[i * m + i] = values->data[values->form == SIM_FORM_LIST ? i : 0];
  }
}

void read_vector(Reader *reader, Node *section, const char *key, int n, unsigned forms, double *vector) {
  Values values = values_read(reader, section, key, forms);
  values_to_vector(reader, &values, n, vector);
  values_clear(&values);
}

void read_matrix(Reader *reader, Node *section, const char *key, int n, unsigned forms, double *matrix) {
  Values values = values_read(reader, section, key, forms);
  values_to_matrix(reader, &values, n, n, matrix);
  values_clear(&values);
}
