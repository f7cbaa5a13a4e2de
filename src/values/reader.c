#include "src/values/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST_SIZE = 256 };

Node *read_section(Reader *reader, Node *parent, const char *key) {
  char excerpt[EXCERPT_SIZE];
  Node *section = node_get(parent, key, reader->diagnostics);
  if (!section || section->kind == NODE_MAPPING) return section;
  node_error(section, reader->diagnostics, "%s (expected a mapping)", node_describe(section, excerpt));
  return NULL;
}

void require(Reader *reader, const Node *section, const char *path, const char *expected) {
  if (section) document_error(reader->document, reader->diagnostics, path, "missing (expected %s)", expected);
}

/* The text of a scalar; NULL when the key is absent, or told when it is something else. */
static const char *read_text(Reader *reader, Node *node, const char *expected) {
  char excerpt[EXCERPT_SIZE];
  if (!node) return NULL;
  if (node->kind == NODE_SCALAR && !node_is_null(node)) return node->text;
  node_error(node, reader->diagnostics, "%s (expected %s)", node_describe(node, excerpt), expected);
  return NULL;
}

bool node_number(Reader *reader, Node *node, double *value) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double read;
  const char *text = read_text(reader, node, "a number");
  if (!text) return false;
  if (expression_constant(text, &read, message)) {
    *value = read;
    return true;
  }
  if (!*message) reader->diagnostics->no_memory = true;
  node_error(node, reader->diagnostics, "%s (expected a number)", message);
  return false;
}

bool read_number(Reader *reader, Node *section, const char *key, double *value) {
  return node_number(reader, node_get(section, key, reader->diagnostics), value);
}

bool read_integer(Reader *reader, Node *section, const char *key, long least, long most, long *value) {
  double number;
  Node *node = node_get(section, key, reader->diagnostics);
  if (!node_number(reader, node, &number)) return false;
  if (number == floor(number) && number >= (double)least && number <= (double)most) {
    *value = (long)number;
    return true;
  }
  node_error(node, reader->diagnostics, "%g (expected an integer from %ld to %ld)", number, least, most);
  return false;
}

bool read_choice(Reader *reader, Node *section, const char *key, const SimChoice *choices, int *value) {
  char list[LIST_SIZE] = "", excerpt[EXCERPT_SIZE];
  size_t length = 0;
  for (const SimChoice *choice = choices; choice->name && length < sizeof list; choice++)
    length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? " or " : "", choice->name);
  Node *node = node_get(section, key, reader->diagnostics);
  const char *text = read_text(reader, node, list);
  if (!text) return false;
  for (const SimChoice *choice = choices; choice->name; choice++) {
    if (strcmp(choice->name, text) != 0) continue;
    *value = choice->value;
    return true;
  }
  node_error(node, reader->diagnostics, "unknown %s %s (expected %s)", key, text_excerpt(text, excerpt), list);
  return false;
}

bool is_wrong(const Reader *reader, const char *path) {
  return diagnostics_concern(reader->diagnostics, reader->diagnostics->count, path);
}

Expression *node_expression(Reader *reader, Node *node, int n, const char *const *variables) {
  char message[EXPRESSION_MESSAGE_SIZE];
  const char *text = read_text(reader, node, "an expression");
  if (!text) return NULL;
  Expression *expression = expression_create(text, n, variables, message);
  if (expression) return expression;
  if (!*message) reader->diagnostics->no_memory = true;
  node_error(node, reader->diagnostics, "%s (expected an expression in %s%s%s%s%s)", message, variables[0],
             n > 2 ? ", " : "", n > 2 ? variables[1] : "", n > 1 ? " and " : "", n > 1 ? variables[n - 1] : "");
  return NULL;
}

json_t *json_if(bool good, json_t *json) {
  if (good) return json;
  json_decref(json);
  return NULL;
}

json_t *echo_vector(int n, const double *vector) {
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < n && good; i++)
    good = json_array_append_new(list, isfinite(vector[i]) ? json_real(vector[i]) : json_null()) == 0;
  return json_if(good, list);
}

json_t *echo_rows(int rows, int columns, const double *matrix) {
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < rows && good; i++)
    good = json_array_append_new(list, echo_vector(columns, matrix + (size_t)i * (size_t)columns)) == 0;
  return json_if(good, list);
}

json_t *echo_matrix(int n, const double *matrix) {
  size_t size = (size_t)n;
  bool diagonal = true;
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) diagonal = diagonal && (i == j || matrix[i * size + j] == 0);
  if (!diagonal) return echo_rows(n, n, matrix);
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t i = 0; i < size && good; i++) good = json_array_append_new(list, json_real(matrix[i * size + i])) == 0;
  return json_if(good, list);
}
