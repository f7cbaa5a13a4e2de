/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes numbers of a problem's model in memory. All derived values are then the same as if a file with these numbers
 * had been read. */
#ifndef SRC_PROBLEM_VARIANT_H
#define SRC_PROBLEM_VARIANT_H

#include "src/file/values/reader.h"

/* Returns whether the number at a path of the model can be set. The problem must come from problem_document_read. If
 * the file gives one number for all entries of a vector or diagonal, a single entry can be set; the number is then
 * expanded to a list. These values cannot be set:
 * - values that are not stored as numbers;
 * - values of models that store some numbers in another form: chains, gear boxes, viscous friction, and friction
 *   that depends on time, position or direction or comes from a table;
 * - values of motion plans (Problem.plan), since the bounds of their end time T depend on the model. */
bool problem_can_set(Problem *problem, const char *path);

/* Sets the number at a path. The caller must then call problem_settle. Returns false if the number cannot be set, or if
 * there is no memory to expand it to a list. */
bool problem_set(Problem *problem, const char *path, double value);

/* Derives everything that depends on the numbers that were set, checks the model and finalizes problem->sim. The
 * control is unchanged. Returns 0; EXIT_USAGE after reporting errors as for a file; or EXIT_INTERNAL. In each case
 * numbers can be set again. */
int problem_settle(Problem *problem, Diagnostics *diagnostics);

/* Copies the settled problem without its force. The constants of the scheme in the copy are those that the file gives,
 * where 0 stands for a default that follows from other values. Returns false if there is no memory, or if a constant is
 * a formula in delta. The caller must clear the copy in each case. */
bool problem_as_given(const Problem *problem, SimProblem *given);

/* Returns an earlier version of the problem from which known properties of its matrices (e.g. bounds of eigenvalues)
 * can be copied; NULL if there is none. */
const SimProblem *readings_known(const Problem *problem);

/* Starts recording the place in the file from which each number is read. Called by the reader of files. */
void readings_open(Reader *reader);
void readings_destroy(Readings *readings); /* NULL is allowed */

#endif
