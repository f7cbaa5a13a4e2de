/* search.csv: one row per round of the search (a simplex, or a point of each local method). Each row is passed to the
 * system at once, so that none is lost when the program ends, and flushed to the disk a second later, so that a failing
 * machine loses at most a second. Flushing at every simplex could take longer than a fast simplex. */
#ifndef SRC_SEARCH_LOG_H
#define SRC_SEARCH_LOG_H

#include "control/internal.h"
#include "src/results/table.h"

typedef struct SearchLog {
  TableFile *file;
  ResultsMark mark; /* of the rows that are on the disk */
  double synced;    /* time of the last flush, s, on the drive's clock */
  bool unsynced;    /* there are rows that may not be on the disk yet */
} SearchLog;

/* Opens the file. saved: NULL, or the mark to which an existing file is cut. Returns 0, or EXIT_USAGE after reporting
 * an error. */
int search_log_open(SearchLog *log, const Results *results, const ResultsMark *saved);

/* Adds a row. Returns 0, or -1 if this row or an earlier one could not be written. */
int search_log_row(SearchLog *log, const CtlState *state, double seconds);

/* Flushes rows to the disk if a second has passed; to be called regularly. */
void search_log_tick(SearchLog *log, double seconds);

/* Flushes all rows to the disk. Returns 0, or -1 if some could not be written. */
int search_log_sync(SearchLog *log, double seconds);

/* Closes the file. Returns 0, or -1 after reporting that something could not be written. Returns 0 if it is already
 * closed. */
int search_log_close(SearchLog *log);

#endif
