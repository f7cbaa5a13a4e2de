/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads sweep.csv, the table of a sweep, for figures. */
#ifndef SRC_RESULTS_SWEEP_RESULTS_H
#define SRC_RESULTS_SWEEP_RESULTS_H

#include "src/results/table.h"

/* Returns whether a directory has the results of a sweep rather than of a single run. */
bool sweep_results_there(const char *directory);

/* Reads DIR/sweep.csv as a table of texts, and the units of its columns from DIR/sweep.h5. The columns run, KEY..,
 * outcome are required, and every row must be complete. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting an
 * error. The caller clears sweep in each case. */
int sweep_results_read(Table *sweep, const char *directory, Diagnostics *diagnostics);

/* sweep_results_record reads the record of a sweep, DIR/checkpoint/run.json. sweep_results_problem reads its resolved
 * problem, DIR/checkpoint/problem.yaml, in which the varied keys have the values of one run. Both return a reference
 * that the caller owns; NULL if the file is missing, damaged or of a later format. */
json_t *sweep_results_record(const char *directory);
json_t *sweep_results_problem(const char *directory);

/* Keeps only the rows in which a varied key has the value of a setting KEY=VALUE, and removes the column of the key.
 * VALUE may be the text in the table, or the same number in another form. Returns 0; EXIT_USAGE after listing the
 * possible values; or EXIT_INTERNAL. */
int sweep_results_fix(Table *sweep, const char *setting, Diagnostics *diagnostics);

/* Returns the number n of varied keys. Their columns have the numbers 1 to n. */
int sweep_results_axes(const Table *sweep);

#endif
