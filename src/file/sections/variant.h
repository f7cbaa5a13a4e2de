/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes numbers of a problem's model in memory. All derived values are the same as if a file with these numbers were
 * read. */
#ifndef SRC_PROBLEM_VARIANT_H
#define SRC_PROBLEM_VARIANT_H

#include "src/file/values/reader.h"

/* Returns whether the number at a path of the model can be set, in a problem of problem_document_read. An entry of a
 * vector or diagonal that the file gives as one number can be set; the number is then expanded to a list. Values that
 * are not stored as numbers cannot be set. Nor can values of models that store some numbers in another form: chains,
 * gear boxes, viscous friction, and friction that depends on time, position or direction or comes from a table. Nor can
 * values of motion plans (Problem.plan), since the bounds of the end time T of a plan depend on the model. */
bool problem_can_set(Problem *problem, const char *path);

/* Sets the number at a path. Call problem_settle afterwards. Returns false if the number cannot be set, or there is no
 * memory to expand it to a list. */
bool problem_set(Problem *problem, const char *path, double value);

/* Derives everything that depends on the numbers that were set, checks the model and finalizes problem->sim. The
 * control is unchanged. Returns 0; EXIT_USAGE after reporting errors as for a file; or EXIT_INTERNAL. In each case
 * numbers can be set again. */
int problem_settle(Problem *problem, Diagnostics *diagnostics);

/* Copies the settled problem without its force, and resets the copy's constants of the scheme to those of the file,
 * where 0 stands for a default that follows from other values. Returns false if there is no memory, or a constant is
 * a formula in delta. The caller clears the copy, also then. */
bool problem_as_given(const Problem *problem, SimProblem *given);

/* Returns the problem with the properties of its matrices that were computed first (e.g. bounds of eigenvalues), from
 * which they can be taken; NULL if none are kept. */
const SimProblem *readings_known(const Problem *problem);

/* Begins to record from which place of the file each number is read. The reader of files calls this function. */
void readings_open(Reader *reader);
void readings_destroy(Readings *readings); /* NULL is allowed */

#endif
