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
