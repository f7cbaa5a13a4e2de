/* search.csv: one row a round of the search (a simplex, or a point of each local method), handed to the system as soon as it is written (a program that ends, however it ends,
 * has lost none) and on the disk a second later (nor has a machine that fails, but for that second). Waiting for the
 * disk at every simplex could take longer than a fast simplex itself. */
#ifndef SRC_SEARCH_LOG_H
#define SRC_SEARCH_LOG_H

#include "control/internal.h"
#include "src/results/table.h"

typedef struct SearchLog {
  TableFile *file;
  ResultsMark mark; /* of the rows that are on the disk */
  double synced;    /* s, of the drive's clock */
  bool unsynced;    /* rows that may not be on the disk yet */
} SearchLog;

/* Opens the file; saved: NULL, or the mark of one that is there already, behind which it is cut off. Returns 0, or EXIT_USAGE after
 * reporting the error. */
int search_log_open(SearchLog *log, const Results *results, const ResultsMark *saved);

/* Returns 0, or -1 when this row or an earlier one could not be written. */
int search_log_row(SearchLog *log, const CtlState *state, double seconds);

/* To be called every now and then: puts rows on the disk when a second has passed. */
void search_log_tick(SearchLog *log, double seconds);

/* Puts all rows on the disk now. Returns 0, or -1 when some could not be written. */
int search_log_sync(SearchLog *log, double seconds);

/* Returns 0, or -1 after reporting that something could not be written. Closed already: 0. */
int search_log_close(SearchLog *log);

#endif
