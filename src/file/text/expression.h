/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic expressions that users write, e.g. "-100*exp(-10*t)", "2/(delta*step)" or "1/3". sim/graph parses and
 * evaluates them; sim/graph/reader.h lists the operators, functions and constants. Assignments and lists are not
 * supported. */
#ifndef SRC_EXPRESSION_H
#define SRC_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum { EXPRESSION_VARIABLES_MAX = 3, EXPRESSION_LENGTH_MAX = 4000, EXPRESSION_MESSAGE_SIZE = 160 };

/* A parsed expression, which can be evaluated repeatedly. */
typedef struct Expression Expression;

/* Parses a text, which is copied. variables: [n] names of at most 7 characters, n <= EXPRESSION_VARIABLES_MAX; copied.
 * If the text is not an expression in these variables, returns NULL and sets message to the reason. If there is no
 * memory, returns NULL with an empty message. */
Expression *expression_create(const char *text, int n, const char *const *variables,
                              char message[EXPRESSION_MESSAGE_SIZE]);
/* Returns another reference to the same expression, which must also be destroyed; NULL for NULL. */
Expression *expression_share(Expression *expression);
void expression_destroy(Expression *expression); /* NULL is allowed */

/* Evaluates the expression for values [n] of its variables. The result may be infinite or NaN. Not thread-safe. */
double expression_evaluate(Expression *expression, const double *values);

/* Estimates the cost of parsing a text: processor time, in s, and memory in bytes. Both are 0 for a plain number. */
void expression_cost(const char *text, double *seconds, double *bytes);
/* Returns the estimated time of one evaluation, in s. */
double expression_seconds(const Expression *expression);

/* Returns whether the value depends on this variable. */
bool expression_uses(const Expression *expression, const char *variable);

/* Returns the text from which the expression was created; borrowed. */
const char *expression_text(const Expression *expression);

/* Evaluates a text that is a plain number or an expression without variables. Returns false with a message if the text
 * is neither, or the value is not finite. The value is never -0, so that equal values have equal bits. */
bool expression_constant(const char *text, double *value, char message[EXPRESSION_MESSAGE_SIZE]);

#endif
