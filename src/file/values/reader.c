/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/reader.h"

#include "src/base/decimal.h"
#include "src/base/path.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 512 };

Node *key_get(Reader *reader, Node *mapping, const char *key) { return node_get(mapping, key, reader->diagnostics); }

bool value_error(const Reader *reader, const Node *node, const char *format, ...) {
  char text[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  node_error(node, reader->diagnostics, "%s", text);
  return false;
}

bool value_expected(const Reader *reader, const Node *node, const char *format, ...) {
  char text[MESSAGE_SIZE], excerpt[EXCERPT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return value_error(reader, node, "%s (expected %s)", node_describe(node, excerpt), text);
}

bool key_error(const Reader *reader, const char *path, const char *format, ...) {
  char text[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  document_error(reader->document, reader->diagnostics, path, "%s", text);
  return false;
}

Node *read_section(Reader *reader, Node *parent, const char *key) {
  Node *section = key_get(reader, parent, key);
  char path[NODE_PATH_SIZE];
  if (!section || section->kind == NODE_MAPPING) return section;
  if (!is_wrong(reader, node_path(section, path))) value_expected(reader, section, "a mapping");
  return NULL;
}

void require(Reader *reader, const Node *section, const char *path, const char *expected) {
  if (section && !is_wrong(reader, path)) key_error(reader, path, "missing (expected %s)", expected);
}

/* Returns the text of a scalar. Returns NULL if the key is absent, or after reporting that it is not a text. */
static const char *read_text(Reader *reader, Node *node, const char *expected) {
  if (!node) return NULL;
  if (node->kind == NODE_SCALAR && !node_is_null(node)) return node->text;
  value_expected(reader, node, "%s", expected);
  node->ignored = true; /* keys inside the node are not reported as unknown, since one message suffices */
  return NULL;
}

bool unit_refused(const Reader *reader, const Node *node, int n, const char *const *variables) {
  char path[NODE_PATH_SIZE], excerpt[EXCERPT_SIZE];
  const char *written, *unit = NULL;
  if (!decimal_with_unit(node->text, &written)) return false;
  for (int k = 0; k < n; k++)
    if (strcmp(written, variables[k]) == 0) return false;
  if (reader->unit_of && !document_find(reader->document, "model.units"))
    unit = reader->unit_of(reader->problem, node_path(node, path));
  value_error(reader, node, "%s: units are not written (expected a number%s%s)", text_excerpt(node->text, excerpt),
              unit ? " in " : " alone", unit ? unit : "");
  return true;
}

/* Reports a text that is not a valid value. message: the reason as the expression reader gives it; empty if there was
 * no memory. */
static bool text_error(Reader *reader, const Node *node, const char *message, const char *expected) {
  char excerpt[EXCERPT_SIZE];
  char pointed[2 * DECIMAL_SIZE];
  if (!*message) reader->diagnostics->no_memory = true;
  if (decimal_with_comma(node->text, pointed, sizeof pointed))
    return value_error(reader, node, "%s (expected a decimal point, not a comma: %s)", node->text, pointed);
  if (strncmp(message, "a list of ", strlen("a list of ")) == 0)
    return value_error(reader, node, "%s: %s without brackets (expected brackets around it)",
                       text_excerpt(node->text, excerpt), message);
  return value_error(reader, node, "%s (expected %s)", message, expected);
}

bool node_number(Reader *reader, Node *node, double *value) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double read;
  const char *text = read_text(reader, node, "a number");
  if (!text) return false;
  if (!work_allows_expression(reader, node, text)) return false;
  if (expression_constant(text, &read, message)) {
    *value = read;
    return true;
  }
  return !unit_refused(reader, node, 0, NULL) && text_error(reader, node, message, "a number");
}

bool node_file(Reader *reader, Node *file, char path[FILE_PATH_SIZE]) {
  char excerpt[EXCERPT_SIZE];
  const char *text = read_text(reader, file, "{file: NAME}");
  if (!text) return false;
  if (file_beside(document_name(reader->document), text, path)) return true;
  return value_error(reader, file,
                     "%s is not in this file's folder, to which reading is confined, or has too long a name",
                     text_excerpt(text, excerpt));
}

bool path_read(Reader *reader, Node *node, const char *expected, Node **named) {
  char modern[NODE_PATH_SIZE];
  *named = document_entry(reader->document, node->key, (size_t)reader->d, reader->diagnostics);
  node->known = true;
  if (node->kind != NODE_MAPPING) return value_expected(reader, node, "%s", expected);
  if (!path_is_old(node->key, modern, sizeof modern)) return true;
  value_error(reader, node, "entries of lists count from 1, in brackets (expected \"%s\")", modern);
  node->ignored = true;
  return false;
}

bool is_wrong(const Reader *reader, const char *path) {
  return diagnostics_concern(reader->diagnostics, reader->diagnostics->count, path);
}

Expression *node_expression(Reader *reader, Node *node, int n, const char *const *variables) {
  char message[EXPRESSION_MESSAGE_SIZE], expected[EXPRESSION_MESSAGE_SIZE];
  const char *text = read_text(reader, node, "an expression");
  if (!text || !work_allows_expression(reader, node, text)) return NULL;
  Expression *expression = expression_create(text, n, variables, message);
  if (expression || unit_refused(reader, node, n, variables)) return expression;
  snprintf(expected, sizeof expected, "an expression in %s%s%s%s%s", variables[0], n > 2 ? ", " : "",
           n > 2 ? variables[1] : "", n > 1 ? " and " : "", n > 1 ? variables[n - 1] : "");
  text_error(reader, node, message, expected);
  return NULL;
}

void note_memory(Reader *reader, SimStatus status) {
  if (status == SIM_NO_MEMORY) reader->diagnostics->no_memory = true;
}

void keep_json(Reader *reader, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) reader->diagnostics->no_memory = true;
}

/* Returns the entries of a vector as a list, for a number that stands for all entries except those that --set has
 * changed. */
static json_t *entries_echo(const Reader *reader, const Node *node) {
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t i = 0; good && i < (size_t)reader->d; i++) {
    const Node *from = node;
    for (const Node *entry = node->first; entry; entry = entry->next)
      if (entry->index == i) from = entry;
    good = json_array_append_new(list, json_string(from->text)) == 0;
  }
  return json_if(good, list);
}

json_t *node_echo(const Reader *reader, const Node *node) {
  char path[FILE_PATH_SIZE];
  if (node->kind == NODE_SCALAR && node_names_file(node) && strcmp(node->key, "from") != 0 &&
      file_beside(document_name(reader->document), node->text, path)) {
    char *real = realpath(path, NULL);
    json_t *echo = json_string(real ? real : path);
    free(real);
    return echo;
  }
  if (node->kind == NODE_SCALAR && node->first) return entries_echo(reader, node);
  if (node->kind == NODE_SCALAR) return node_is_null(node) ? json_null() : json_string(node->text);
  json_t *echo = node->kind == NODE_SEQUENCE ? json_array() : json_object();
  bool good = echo != NULL;
  for (const Node *child = node->first; child && good; child = child->next)
    good = (node->kind == NODE_SEQUENCE ? json_array_append_new(echo, node_echo(reader, child))
                                        : json_object_set_new(echo, child->key, node_echo(reader, child))) == 0;
  return json_if(good, echo);
}
