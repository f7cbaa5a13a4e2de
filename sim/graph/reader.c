/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY_NUMBER = -1, SHOWN = 40 };

/* Table of the functions. A function of any number of operands is applied repeatedly: min(a, b, c) = min(min(a, b),
 * c). */
static const struct Function {
  const char *name;
  int operands;
  GraphKind kind;
} functions[] = {{"sin", 1, GRAPH_SIN},          {"cos", 1, GRAPH_COS},
                 {"tan", 1, GRAPH_TAN},          {"asin", 1, GRAPH_ASIN},
                 {"acos", 1, GRAPH_ACOS},        {"atan", 1, GRAPH_ATAN},
                 {"sinh", 1, GRAPH_SINH},        {"cosh", 1, GRAPH_COSH},
                 {"tanh", 1, GRAPH_TANH},        {"asinh", 1, GRAPH_ASINH},
                 {"acosh", 1, GRAPH_ACOSH},      {"atanh", 1, GRAPH_ATANH},
                 {"exp", 1, GRAPH_EXP},          {"ln", 1, GRAPH_LN},
                 {"log", 1, GRAPH_LN},           {"log2", 1, GRAPH_LOG2},
                 {"log10", 1, GRAPH_LOG10},      {"sqrt", 1, GRAPH_SQRT},
                 {"abs", 1, GRAPH_ABS},          {"sign", 1, GRAPH_SIGN},
                 {"rint", 1, GRAPH_RINT},        {"atan2", 2, GRAPH_ATAN2},
                 {"min", ANY_NUMBER, GRAPH_MIN}, {"max", ANY_NUMBER, GRAPH_MAX},
                 {"sum", ANY_NUMBER, GRAPH_ADD}, {"avg", ANY_NUMBER, GRAPH_ADD}};

/* Table of the binary operators. An operator of two characters, as <=, stands before the one that is its first
 * character. */
static const struct Operator {
  const char *text;
  int precedence;
  GraphKind kind;
  bool swapped; /* whether the operands are swapped: a > b becomes b < a */
} operators[] = {{"||", 1, GRAPH_OR, false},      {"&&", 2, GRAPH_AND, false},     {"<=", 3, GRAPH_AT_MOST, false},
                 {">=", 3, GRAPH_AT_MOST, true},  {"==", 3, GRAPH_EQUAL, false},   {"!=", 3, GRAPH_UNEQUAL, false},
                 {"<", 3, GRAPH_LESS, false},     {">", 3, GRAPH_LESS, true},      {"+", 4, GRAPH_ADD, false},
                 {"-", 4, GRAPH_SUBTRACT, false}, {"*", 5, GRAPH_MULTIPLY, false}, {"/", 5, GRAPH_DIVIDE, false}};
enum { N_OPERATORS = sizeof operators / sizeof *operators, LOOSEST = 1 };

typedef struct Reader {
  Graph *graph;
  const GraphNames *names;
  const char *text, *at;
  int depth;
  char *message;
} Reader;

static int read_choice(Reader *reader);
static int read_signed(Reader *reader);

/* Skips blanks: all characters with codes up to 32. */
static void skip(Reader *reader) {
  while (*reader->at && (unsigned char)*reader->at <= ' ') reader->at++;
}

static bool take(Reader *reader, char c) {
  skip(reader);
  if (*reader->at != c) return false;
  reader->at++;
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Returns the length of the name that begins at `at`; 0 if there is none. */
static size_t name_length(const char *at) {
  size_t length = 0;
  if (!is_letter(*at)) return 0;
  while (is_letter(at[length]) || is_digit(at[length])) length++;
  return at[length] == '\'' ? length + 1 : length;
}

/* Returns the position of `place` in the text, in characters counted from 1. A character has one byte or more
 * (UTF-8). */
static int character(const Reader *reader, const char *place) {
  int n = 1;
  for (const char *c = reader->text; c < place; c++) n += ((unsigned char)*c & 0xC0) != 0x80;
  return n;
}

/* Returns the length of the name, number, operator or single character at `place`, for an error message. */
static int shown_length(const char *place) {
  size_t length = name_length(place);
  if (is_digit(*place)) {
    char *end;
    strtod(place, &end);
    length = (size_t)(end - place);
  }
  for (int i = 0; !length && i < N_OPERATORS; i++)
    if (strncmp(place, operators[i].text, strlen(operators[i].text)) == 0) length = strlen(operators[i].text);
  if (!length) length = 1;
  if ((unsigned char)*place >= 0x80)
    while (length < 4 && ((unsigned char)place[length] & 0xC0) == 0x80) length++;
  return length > SHOWN ? SHOWN : (int)length;
}

/* Writes an error message, unless one has been written: `text`, then `found` and the token at `place`, or a remark
 * that the text ends. Returns -1. */
static int fail(Reader *reader, const char *place, const char *text, const char *found) {
  if (*reader->message) return -1;
  if (!*place)
    snprintf(reader->message, GRAPH_MESSAGE_SIZE, "%s at the end", text);
  else
    snprintf(reader->message, GRAPH_MESSAGE_SIZE, "%s%s \"%.*s\" at character %d", text, found, shown_length(place),
             place, character(reader, place));
  return -1;
}

static int expected(Reader *reader, const char *what) {
  skip(reader);
  if (reader->at[0] == '=' && reader->at[1] != '=')
    return fail(reader, reader->at, "an assignment; to compare, write ==:", "");
  return fail(reader, reader->at, what, ", found");
}

/* Reads a closing parenthesis. Returns false, with an error message, if there is none. */
static bool close(Reader *reader) {
  if (take(reader, ')')) return true;
  expected(reader, "expected an operator or \")\"");
  return false;
}

static int read_number(Reader *reader) {
  const char *start = reader->at;
  char *end;
  double value = strtod(start, &end);
  if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X')) { /* strtod would also read hexadecimal numbers */
    end = (char *)start + 1;
    value = 0;
  }
  if (!isfinite(value)) return fail(reader, start, "too large a number", "");
  reader->at = end;
  return graph_number(reader->graph, value);
}

/* Reads the operands of a function after its opening parenthesis. Returns the node of the function; -1: an error. */
static int read_call(Reader *reader, const char *name, const struct Function *function) {
  Graph *graph = reader->graph;
  int made = -1, n = 0;
  bool any = function->operands == ANY_NUMBER;
  if (!any || !take(reader, ')')) do {
      int operand = read_choice(reader);
      if (operand < 0) return -1;
      if (function->operands == 1 || n == 0)
        made = n == 0 ? operand : made;
      else
        made = graph_make(graph, function->kind, made, operand, 0);
      n++;
    } while (take(reader, ','));
  if (n && !close(reader)) return -1;
  if (any ? n == 0 : n != function->operands) {
    if (!*reader->message)
      snprintf(reader->message, GRAPH_MESSAGE_SIZE, "%s of %d values (expected %s) at character %d", function->name, n,
               any                       ? "one or more"
               : function->operands == 1 ? "one"
                                         : "two",
               character(reader, name));
    return -1;
  }
  if (function->operands == 1) return graph_of(graph, function->kind, made);
  return strcmp(function->name, "avg") ? made : graph_divide(graph, made, graph_number(graph, n));
}

/* Reads a name: of a function if a parenthesis follows, else of a constant or a variable. Returns its node. */
static int read_name(Reader *reader) {
  const char *name = reader->at;
  size_t length = name_length(name);
  const GraphNames *names = reader->names;
  reader->at += length;
  bool call = take(reader, '(');
  for (size_t i = 0; call && i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i].name) == length && strncmp(functions[i].name, name, length) == 0)
      return read_call(reader, name, &functions[i]);
  if (call) return fail(reader, name, "unknown function", "");
  for (int i = 0; i < names->n; i++)
    if (strlen(names->names[i]) == length && strncmp(names->names[i], name, length) == 0) return names->nodes[i];
  if (length == 2 && strncmp(name, "pi", 2) == 0) return graph_number(reader->graph, 3.14159265358979323846);
  if (length == 1 && *name == 'e') return graph_number(reader->graph, 2.71828182845904523536);
  return fail(reader, name, "unknown name", "");
}

static int read_primary(Reader *reader) {
  skip(reader);
  if (is_digit(*reader->at) || (*reader->at == '.' && is_digit(reader->at[1]))) return read_number(reader);
  if (name_length(reader->at)) return read_name(reader);
  if (!take(reader, '(')) return expected(reader, "expected a number, a name or \"(\"");
  int inner = read_choice(reader);
  return inner < 0 || !close(reader) ? -1 : inner;
}

/* Reads x or x^y, where y may have a sign. Returns the node; -1: an error. */
static int read_power(Reader *reader) {
  int base = read_primary(reader);
  if (base < 0 || !take(reader, '^')) return base;
  return graph_make(reader->graph, GRAPH_POWER, base, read_signed(reader), 0);
}

/* Reads an operand with an optional sign. A sign has lower precedence than a power: -2^2 = -4. */
static int read_signed(Reader *reader) {
  if (reader->depth++ == GRAPH_DEPTH_MAX)
    return fail(reader, reader->at, "more than 200 parts within each other", ", at");
  int made = -1;
  if (take(reader, '-'))
    made = graph_of(reader->graph, GRAPH_NEGATE, read_power(reader));
  else {
    take(reader, '+');
    made = read_power(reader);
  }
  reader->depth--;
  return made;
}

/* Returns the operator at the reading position and skips it if its precedence is at least `least`; otherwise NULL. */
static const struct Operator *take_operator(Reader *reader, int least) {
  skip(reader);
  for (int i = 0; i < N_OPERATORS; i++) {
    size_t length = strlen(operators[i].text);
    if (strncmp(reader->at, operators[i].text, length) != 0) continue;
    if (operators[i].precedence < least) return NULL;
    reader->at += length;
    return &operators[i];
  }
  return NULL;
}

/* Reads operands that are joined by operators with a precedence of at least `least`, and combines them from the
 * left. */
static int read_joined(Reader *reader, int least) {
  int left = read_signed(reader);
  const struct Operator *operator;
  while (left >= 0 && (operator= take_operator(reader, least))) {
    int right = read_joined(reader, operator->precedence + 1);
    if (right < 0) return -1;
    left = operator->swapped ? graph_make(reader->graph, operator->kind, right, left, 0)
                             : graph_make(reader->graph, operator->kind, left, right, 0);
  }
  return left;
}

static int read_choice(Reader *reader) {
  int condition = read_joined(reader, LOOSEST);
  if (condition < 0 || !take(reader, '?')) return condition;
  if (reader->depth++ == GRAPH_DEPTH_MAX)
    return fail(reader, reader->at, "more than 200 parts within each other", ", at");
  int then = read_choice(reader);
  if (then < 0) return -1;
  if (!take(reader, ':')) return expected(reader, "expected an operator or \":\"");
  int otherwise = read_choice(reader);
  reader->depth--;
  return otherwise < 0 ? -1 : graph_make(reader->graph, GRAPH_CHOOSE, condition, then, otherwise);
}

int graph_read(Graph *graph, const char *text, const GraphNames *names, char message[GRAPH_MESSAGE_SIZE]) {
  Reader reader = {.graph = graph, .names = names, .text = text, .at = text, .message = message};
  message[0] = '\0';
  int made = read_choice(&reader), values = 1;
  for (; made >= 0 && take(&reader, ','); values++)
    if (read_choice(&reader) < 0) return -1;
  if (made < 0) return -1;
  skip(&reader);
  if (*reader.at) return expected(&reader, "expected an operator");
  if (values == 1) return made;
  snprintf(message, GRAPH_MESSAGE_SIZE, "a list of %d values", values);
  return -1;
}
