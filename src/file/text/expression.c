#include "src/file/text/expression.h"
#include "src/base/decimal.h"
#include "src/base/diagnostics.h"

#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { QUOTED_MAX = 1900 };

struct Expression {
  int shares; /* number of references in addition to the first */
  char *text;
  muParserHandle_t parser; /* NULL: a plain number, which needs no parser */
  int n;
  double values[EXPRESSION_VARIABLES_MAX]; /* the parser's variables; values[0] is the value of a plain number */
};

/* Returns why a text is refused although muParser would accept it; NULL if it is not. */
static const char *find_forbidden(const char *text) {
  if (strlen(text) > EXPRESSION_LENGTH_MAX) return "longer than 4000 characters";
  if (!text[strspn(text, " \t\r\n")]) return "empty";
  for (const char *c = text; (c = strchr(c, '=')); c++) {
    if (c[1] == '=')
      c++;
    else if (c == text || !strchr("<>!", c[-1]))
      return "an assignment; to compare, write ==";
  }
  return NULL;
}

/* Copies muParser's message, which is in a buffer shared by all parsers. Removes redundant words and counts positions
 * from 1. */
static void take_message(muParserHandle_t parser, const char *text, char message[EXPRESSION_MESSAGE_SIZE]) {
  static const char *const noise[] = {" found at position", " at expression position", " at position"};
  char raw[EXPRESSION_LENGTH_MAX];
  int position = mupGetErrorPos(parser);
  /* muParser may quote the whole text in its message and does not check the size of its buffer of 2048 bytes */
  snprintf(raw, sizeof raw, "%s", strlen(text) < QUOTED_MAX ? mupGetErrorMsg(parser) : "not understood");
  if (strstr(raw, "nternal error")) strcpy(raw, "not understood");
  for (size_t i = 0; i < sizeof noise / sizeof *noise; i++) {
    char *found = strstr(raw, noise[i]);
    if (found) *found = '\0';
  }
  size_t length = strlen(raw);
  while (length && strchr(".! \n", raw[length - 1])) raw[--length] = '\0';
  if (length > 1 && strcmp(raw + length - 2, " \"") == 0) strcpy(raw + length - 2, "\""); /* "! " for "!" */
  raw[0] = (char)tolower((unsigned char)raw[0]);
  int cut = (int)text_cut(raw, EXPRESSION_MESSAGE_SIZE - 32);
  if (position >= 0 && (size_t)position < strlen(text))
    snprintf(message, EXPRESSION_MESSAGE_SIZE, "%.*s at character %d", cut, raw, position + 1);
  else
    snprintf(message, EXPRESSION_MESSAGE_SIZE, "%.*s", cut, raw);
}

/* Creates the expression's parser and evaluates it once, since muParser parses at the first evaluation. */
static bool parse(Expression *expression, const char *const *variables, char message[EXPRESSION_MESSAGE_SIZE]) {
  muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
  if (!parser) return false;
  expression->parser = parser;
  mupDefineConst(parser, "pi", 3.14159265358979323846);
  mupDefineConst(parser, "e", 2.71828182845904523536);
  for (int i = 0; i < expression->n; i++) mupDefineVar(parser, variables[i], &expression->values[i]);
  mupSetExpr(parser, expression->text);
  int n_results = 0;
  if (!mupError(parser)) mupEvalMulti(parser, &n_results);
  if (mupError(parser)) {
    take_message(parser, expression->text, message);
    return false;
  }
  if (n_results != 1) {
    snprintf(message, EXPRESSION_MESSAGE_SIZE, "a list of %d values", n_results);
    return false;
  }
  return true;
}

Expression *expression_create(const char *text, int n, const char *const *variables,
                              char message[EXPRESSION_MESSAGE_SIZE]) {
  message[0] = '\0';
  const char *forbidden = find_forbidden(text);
  if (forbidden) {
    snprintf(message, EXPRESSION_MESSAGE_SIZE, "%s", forbidden);
    return NULL;
  }
  Expression *expression = calloc(1, sizeof *expression);
  if (!expression) return NULL;
  expression->n = n;
  expression->text = strdup(text);
  bool done = expression->text && (decimal_read(text, &expression->values[0]) || parse(expression, variables, message));
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
  if (expression->parser) mupRelease(expression->parser);
  free(expression->text);
  free(expression);
}

double expression_evaluate(Expression *expression, const double *values) {
  if (!expression->parser) return expression->values[0];
  for (int i = 0; i < expression->n; i++) expression->values[i] = values[i];
  double value = mupEval(expression->parser);
  return mupError(expression->parser) ? NAN : value;
}

/* Times of muParser 2.3 on a core of about 3 GHz, for the slowest expressions of each length: creating a parser,
 * parsing (it rereads earlier text) and evaluating. */
#define CREATE_SECONDS  4e-5
#define READ_SECONDS    2e-6 /* per character */
#define SQUARE_SECONDS  4e-9
#define CALL_SECONDS    5e-8
#define OPERATE_SECONDS 5e-9 /* per character */
enum { PARSER_BYTES = 6500, CHARACTER_BYTES = 64 };

void expression_cost(const char *text, double *seconds, double *bytes) {
  double value, length = (double)strlen(text);
  /* a longer text is refused without parsing */
  bool plain = length > EXPRESSION_LENGTH_MAX || decimal_read(text, &value);
  *seconds = plain ? 0 : CREATE_SECONDS + length * (READ_SECONDS + length * SQUARE_SECONDS);
  *bytes = plain ? 0 : PARSER_BYTES + CHARACTER_BYTES * length;
}

double expression_seconds(const Expression *expression) {
  return expression->parser ? CALL_SECONDS + OPERATE_SECONDS * (double)strlen(expression->text) : 1e-9;
}

bool expression_uses(const Expression *expression, const char *variable) {
  int n = expression->parser ? mupGetExprVarNum(expression->parser) : 0;
  for (int i = 0; i < n; i++) {
    const char *name = NULL;
    double *value;
    mupGetExprVar(expression->parser, (unsigned)i, &name, &value);
    if (name && strcmp(name, variable) == 0) return true;
  }
  return false;
}

const char *expression_text(const Expression *expression) { return expression->text; }

/* Whether a text names a non-finite number, such as YAML's .inf and .nan. */
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
