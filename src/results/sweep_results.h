/* sweep.csv, the table of a sweep, read back for pictures. */
#ifndef SRC_RESULTS_SWEEP_RESULTS_H
#define SRC_RESULTS_SWEEP_RESULTS_H

#include "src/results/table.h"

/* Whether a directory holds a sweep, and no single run. */
bool sweep_results_there(const char *directory);

/* Reads DIR/sweep.csv as a table of texts, whose columns run,KEY..,outcome,.. must be there, every row whole, with the
 * units of DIR/sweep.h5. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after reporting the error; clear it either way. */
int sweep_results_read(Table *sweep, const char *directory, Diagnostics *diagnostics);

/* Keeps the rows in which a key that was varied has a value, given as KEY=VALUE, the value as in the table or another form
 * of its number. The key's column is then left out. Returns 0, or EXIT_USAGE, after reporting what there is instead, or
 * EXIT_INTERNAL. */
int sweep_results_fix(Table *sweep, const char *setting, Diagnostics *diagnostics);

/* How many columns were varied: they are columns 1 .. of it. */
int sweep_results_axes(const Table *sweep);

#endif
