/* A problem with other numbers in its model, made in memory: what follows from them follows as when a file with these numbers is read. */
#ifndef SRC_PROBLEM_VARIANT_H
#define SRC_PROBLEM_VARIANT_H

#include "src/file/values/reader.h"

/* Whether a number of the model can be set: of a problem of problem_document_read, by its path. An entry of a vector or a diagonal that is
 * one number for all can, and is one of a list from then on. False of what the rows do not keep as numbers, and of models some of whose
 * numbers are kept in another form: chains, gear boxes, friction in time, by place, by direction or from a table, viscous friction. */
bool problem_can_set(Problem *problem, const char *path);

/* Sets it; problem_settle must follow. False: it cannot be set, or there is no memory to write one number out as a list. */
bool problem_set(Problem *problem, const char *path, double value);

/* Derives what depends on the numbers set, checks the model and finalizes problem->sim; the control is left as it is. Returns 0, EXIT_USAGE after
 * reporting the mistakes as of the file, or EXIT_INTERNAL. Other numbers may follow in each case. */
int problem_settle(Problem *problem, Diagnostics *diagnostics);

/* The problem as it was first settled, for its bounds; NULL: it has not been. */
const SimProblem *readings_known(const Problem *problem);

/* Begins to keep what is read; for the reader of files. */
void readings_open(Reader *reader);
void readings_destroy(Readings *readings); /* NULL: nothing */

#endif
