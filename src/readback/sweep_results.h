/* sweep.csv, the table of a sweep, read back for pictures: its columns as numbers, texts as the numbers of the words that there are. */
#ifndef SRC_SWEEP_RESULTS_H
#define SRC_SWEEP_RESULTS_H

#include "src/base/diagnostics.h"
#include "src/readback/table.h"

#include <stdbool.h>

enum { SWEEP_READ_COLUMNS_MAX = 128 };

typedef struct SweepField {
  const char *name;
  const char *unit; /* of sweep.h5; "": not known */
  bool words;       /* not all cells are numbers: values are numbers of words, from 0, by their first appearance */
  double *value;    /* [rows]; NAN: empty; owned */
  char **word;      /* [rows] each cell's text; into the file's */
} SweepField;

typedef struct SweepResults {
  char *text;  /* the file; owned */
  Table units; /* owned */
  long rows;
  int n;    /* columns */
  int axes; /* of them columns 1 .. axes are what was varied */
  SweepField fields[SWEEP_READ_COLUMNS_MAX];
} SweepResults;

/* Whether a directory holds a sweep, and no single run. */
bool sweep_results_there(const char *directory);

/* Reads DIR/sweep.csv, whose run,KEY..,outcome,.. must be there, every row whole. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after telling;
 * clear it either way. */
int sweep_results_read(SweepResults *sweep, const char *directory, Diagnostics *diagnostics);

/* Keeps the rows in which a key that was varied has a value, given as KEY=VALUE, the value as in the table or another form of its number.
 * The key is then an axis no more. Returns 0, or EXIT_USAGE after reporting what there is instead. */
int sweep_results_fix(SweepResults *sweep, const char *setting, Diagnostics *diagnostics);
void sweep_results_clear(SweepResults *sweep);

#endif
