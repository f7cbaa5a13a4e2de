/* Arithmetic that users write: "-100*exp(-10*t)", "2/(delta*step)", "1/3". Read and evaluated by sim/graph,
 * which names operators, functions and constants (sim/graph/reader.h); no assignments, no lists. */
#ifndef SRC_EXPRESSION_H
#define SRC_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum { EXPRESSION_VARIABLES_MAX = 3, EXPRESSION_LENGTH_MAX = 4000, EXPRESSION_MESSAGE_SIZE = 160 };

/* One expression, ready to be evaluated again and again. */
typedef struct Expression Expression;

/* text: copied. variables: [n] names, n <= EXPRESSION_VARIABLES_MAX, of at most 7 characters; copied. Returns NULL when the
 * text is not an expression in these variables and says why in message, or leaves it empty when memory ran
 * out. */
Expression *expression_create(const char *text, int n, const char *const *variables,
                              char message[EXPRESSION_MESSAGE_SIZE]);
/* The same once more, which is destroyed as well; NULL: NULL. */
Expression *expression_share(Expression *expression);
void expression_destroy(Expression *expression); /* NULL: nothing */

/* values: [n] of the variables. The value may be infinite or NaN. Not for two threads at once. */
double expression_evaluate(Expression *expression, const double *values);

/* About what it costs to read a text as an expression, of a plain number nothing: s of the processor, bytes kept. */
void expression_cost(const char *text, double *seconds, double *bytes);
/* About the time of one evaluation, s. */
double expression_seconds(const Expression *expression);

/* Whether its value depends on a variable. */
bool expression_uses(const Expression *expression, const char *variable);

/* As it was given; borrowed. */
const char *expression_text(const Expression *expression);

/* The value of a plain number or of an expression without variables; false and a message when it is neither,
 * or not finite. Never -0, which would make two bit patterns of one value. */
bool expression_constant(const char *text, double *value, char message[EXPRESSION_MESSAGE_SIZE]);

#endif
