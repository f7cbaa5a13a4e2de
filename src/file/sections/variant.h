/* Changes numbers of a problem's model in memory; everything derived is the same as when a file with these numbers is
 * read. */
#ifndef SRC_PROBLEM_VARIANT_H
#define SRC_PROBLEM_VARIANT_H

#include "src/file/values/reader.h"

/* Whether the number of the model at a path can be set, in a problem of problem_document_read. An entry of a vector or
 * a diagonal given by one number can be set; the number is then expanded to a list. Returns false for values that are
 * not stored as numbers, and for models that store some numbers in another form: chains, gear boxes, friction that
 * depends on time, position or direction or comes from a table, viscous friction. */
bool problem_can_set(Problem *problem, const char *path);

/* Sets the number; call problem_settle afterwards. Returns false if it cannot be set or there is no memory to expand a
 * number to a list. */
bool problem_set(Problem *problem, const char *path, double value);

/* Derives everything that depends on the numbers set, checks the model and finalizes problem->sim; the control is
 * unchanged. Returns 0, EXIT_USAGE after reporting errors as for the file, or EXIT_INTERNAL. Numbers can be set again
 * in each case. */
int problem_settle(Problem *problem, Diagnostics *diagnostics);

/* Returns the problem after its first settlement, for its bounds; NULL if there was none. */
const SimProblem *readings_known(const Problem *problem);

/* Starts recording; for the file reader. */
void readings_open(Reader *reader);
void readings_destroy(Readings *readings); /* NULL: does nothing */

#endif
