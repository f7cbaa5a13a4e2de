/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/text/expression.h"
#include "sim/graph/formula.h"
#include "sim/graph/reader.h"
#include "src/base/decimal.h"
#include "src/base/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_SIZE = 8 };

struct Expression {
  int shares; /* number of references to the expression in addition to the first */
  char *text;
  GraphFormula *formula; /* formula that evaluates the expression. NULL: the expression is a plain number. Files may
                          * contain so many numbers that a formula for each would need too much memory */
  double number;
  int n;
  char names[EXPRESSION_VARIABLES_MAX][NAME_SIZE];
};

/* Parses the text into the expression's formula. */
static bool parse(Expression *expression, const char *const *variables, char message[EXPRESSION_MESSAGE_SIZE]) {
  Graph graph;
  int nodes[EXPRESSION_VARIABLES_MAX] = {0};
  const GraphNames names = {expression->n, variables, nodes};
  graph_init(&graph, GRAPH_AS_WRITTEN);
  for (int i = 0; i < expression->n; i++) {
    nodes[i] = graph_variable(&graph, i);
    snprintf(expression->names[i], NAME_SIZE, "%s", variables[i]);
  }
  int read = graph_read(&graph, expression->text, &names, message);
  if (read >= 0) expression->formula = graph_formula_create(&graph, expression->n, 1, &read);
  graph_clear(&graph);
  return expression->formula;
}

Expression *expression_create(const char *text, int n, const char *const *variables,
                              char message[EXPRESSION_MESSAGE_SIZE]) {
  message[0] = '\0';
  const char *forbidden = strlen(text) > EXPRESSION_LENGTH_MAX ? "longer than 4000 characters"
                          : !text[strspn(text, " \t\r\n")]     ? "empty"
                                                               : NULL;
  if (forbidden) {
    snprintf(message, EXPRESSION_MESSAGE_SIZE, "%s", forbidden);
    return NULL;
  }
  Expression *expression = calloc(1, sizeof *expression);
  if (!expression) return NULL;
  expression->n = n;
  expression->text = strdup(text);
  bool done = expression->text && (decimal_read(text, &expression->number) || parse(expression, variables, message));
  if (done) return expression;
  expression_destroy(expression);
  return NULL;
}

Expression *expression_share(Expression *expression) {
  if (expression) expression->shares++;
  return expression;
}

void expression_destroy(Expression *expression) {
  if (!expression || expression->shares-- > 0) return;
  graph_formula_destroy(expression->formula);
  free(expression->text);
  free(expression);
}

double expression_evaluate(Expression *expression, const double *values) {
  double value = expression->number;
  if (expression->formula) graph_formula_values(expression->formula, values, &value);
  return isnan(value) ? NAN : value; /* removes the sign of a NaN, so that equal results have equal bits */
}

/* Estimates of time, in s, on a processor core of about 3 GHz: CREATE_SECONDS to create an expression, READ_SECONDS per
 * character to parse it, CALL_SECONDS and OPERATE_SECONDS to evaluate it. They are made for the most expensive
 * expressions. */
#define CREATE_SECONDS  1e-6
#define READ_SECONDS    1e-7 /* time to parse one character, in s */
#define CALL_SECONDS    1e-8
#define OPERATE_SECONDS 2e-8
/* memory of a parsed expression, in bytes: a fixed part, and a part for each character */
enum { FORMULA_BYTES = 300, CHARACTER_BYTES = 32 };

void expression_cost(const char *text, double *seconds, double *bytes) {
  double value, length = (double)strlen(text);
  /* A text that is too long costs nothing, since it is refused without parsing. */
  bool plain = length > EXPRESSION_LENGTH_MAX || decimal_read(text, &value);
  *seconds = plain ? 0 : CREATE_SECONDS + READ_SECONDS * length;
  *bytes = plain ? 0 : FORMULA_BYTES + CHARACTER_BYTES * length;
}

double expression_seconds(const Expression *expression) {
  return expression->formula ? CALL_SECONDS + OPERATE_SECONDS * graph_formula_operations(expression->formula) : 1e-9;
}

bool expression_uses(const Expression *expression, const char *variable) {
  for (int i = 0; expression->formula && i < expression->n; i++)
    if (strcmp(expression->names[i], variable) == 0) return graph_formula_uses(expression->formula, i);
  return false;
}

const char *expression_text(const Expression *expression) { return expression->text; }

/* Returns whether a text stands for a number that is not finite, such as .inf and .nan in YAML. */
static bool names_non_finite(const char *text) {
  static const char *const names[] = {"inf", "infinity", "nan"};
  text += strspn(text, "+-");
  if (*text == '.') text++;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(text, names[i]) == 0) return true;
  return false;
}

bool expression_constant(const char *text, double *value, char message[EXPRESSION_MESSAGE_SIZE]) {
  char excerpt[EXCERPT_SIZE], why[EXPRESSION_MESSAGE_SIZE] = "";
  if (!names_non_finite(text)) {
    if (!decimal_read(text, value)) {
      Expression *expression = expression_create(text, 0, NULL, why);
      if (!expression) {
        snprintf(message, EXPRESSION_MESSAGE_SIZE, "%s", why);
        return false;
      }
      *value = expression_evaluate(expression, NULL) + 0.0;
      expression_destroy(expression);
    }
    if (isfinite(*value)) return true;
  }
  snprintf(message, EXPRESSION_MESSAGE_SIZE, "%s is not a finite number", text_excerpt(text, excerpt));
  return false;
}
