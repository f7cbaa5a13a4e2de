/* Arithmetic expressions of users: "-100*exp(-10*t)", "2/(delta*step)", "1/3". Read and evaluated by sim/graph, which names operators,
 * functions and constants (sim/graph/reader.h); no assignments, no lists. */
#ifndef SRC_EXPRESSION_H
#define SRC_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum { EXPRESSION_VARIABLES_MAX = 3, EXPRESSION_LENGTH_MAX = 4000, EXPRESSION_MESSAGE_SIZE = 160 };

/* A parsed expression, to be evaluated repeatedly. */
typedef struct Expression Expression;

/* Parses a text, which is copied. variables: [n] names of at most 7 characters, n <= EXPRESSION_VARIABLES_MAX; copied. Returns NULL if the
 * text is not an expression in these variables; message says why, or is empty if there was no memory. */
Expression *expression_create(const char *text, int n, const char *const *variables,
                              char message[EXPRESSION_MESSAGE_SIZE]);
/* Returns another reference to the same expression, which must also be destroyed; NULL for NULL. */
Expression *expression_share(Expression *expression);
void expression_destroy(Expression *expression); /* NULL: does nothing */

/* Evaluates for values [n] of the variables. The result may be infinite or NaN. Not thread-safe. */
double expression_evaluate(Expression *expression, const double *values);

/* Estimated cost of parsing a text, 0 for a plain number: processor time in s, and bytes kept. */
void expression_cost(const char *text, double *seconds, double *bytes);
/* Estimated time of one evaluation, s. */
double expression_seconds(const Expression *expression);

/* Whether its value depends on a variable. */
bool expression_uses(const Expression *expression, const char *variable);

/* Returns the text as given; borrowed. */
const char *expression_text(const Expression *expression);

/* Evaluates a plain number or an expression without variables. Returns false with a message if it is neither or not
 * finite. Never -0, so that each value has one bit pattern. */
bool expression_constant(const char *text, double *value, char message[EXPRESSION_MESSAGE_SIZE]);

#endif
