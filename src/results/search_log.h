/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes search.csv with one row per round of the search: a simplex, or a point of each local method. Each row is
 * passed to the system at once, so that none is lost when the program ends. It is flushed to the disk within about a
 * second, so that a failing machine loses no more. Flushing after every simplex could take longer than a fast
 * simplex. */
#ifndef SRC_SEARCH_LOG_H
#define SRC_SEARCH_LOG_H

#include "control/internal.h"
#include "src/results/table.h"

typedef struct SearchLog {
  TableFile *file;
  ResultsMark mark; /* mark of the rows that are on the disk */
  double synced;    /* time of the last flush, in s, in the time of the run that the caller passes */
  bool unsynced;    /* whether some rows may not be on the disk yet */
} SearchLog;

/* Opens the file. saved: mark to which an existing file is cut; NULL: creates a new file. Returns 0, or EXIT_USAGE
 * after reporting an error. */
int search_log_open(SearchLog *log, const Results *results, const ResultsMark *saved);

/* Adds a row. Returns 0, or -1 if this or an earlier row could not be written. */
int search_log_row(SearchLog *log, const CtlState *state, double seconds);

/* Flushes the rows to the disk if a second has passed since the last flush. To be called regularly. */
void search_log_tick(SearchLog *log, double seconds);

/* Flushes all rows to the disk. Returns 0, or -1 if some could not be written. */
int search_log_sync(SearchLog *log, double seconds);

/* Closes the file unless it is closed. Returns 0, or -1 after reporting that something could not be written. */
int search_log_close(SearchLog *log);

#endif
