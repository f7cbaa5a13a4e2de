/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads sweep.csv, the table of a sweep, for figures. */
#ifndef SRC_RESULTS_SWEEP_RESULTS_H
#define SRC_RESULTS_SWEEP_RESULTS_H

#include "src/results/table.h"

/* Returns whether a directory holds the results of a sweep rather than of a single run. */
bool sweep_results_there(const char *directory);

/* Reads DIR/sweep.csv as a table of texts, with the units of DIR/sweep.h5. The columns run, KEY.., outcome are
 * required, and every row must be complete. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting an error. Clear
 * sweep in each case. */
int sweep_results_read(Table *sweep, const char *directory, Diagnostics *diagnostics);

/* Reads the record DIR/checkpoint/run.json of a sweep, or its problem with all defaults, DIR/checkpoint/problem.yaml,
 * in which the varied keys have the values of one run. Returns a new reference; NULL if the file is missing, damaged or
 * of a later format. */
json_t *sweep_results_record(const char *directory);
json_t *sweep_results_problem(const char *directory);

/* Keeps only the rows in which a varied key has the value of the setting KEY=VALUE, and removes the key's column. The
 * value is written as in the table, or is another form of the same number. Returns 0; EXIT_USAGE after listing the
 * possible values; or EXIT_INTERNAL. */
int sweep_results_fix(Table *sweep, const char *setting, Diagnostics *diagnostics);

/* Returns the number n of varied keys; their columns are 1 to n. */
int sweep_results_axes(const Table *sweep);

#endif
