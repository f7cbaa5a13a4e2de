/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes search.csv, with one row per round of the search. A round evaluates a simplex, or a point of each local
 * method. Each row is passed to the operating system at once, so that no row is lost if the program ends. Rows are
 * flushed to the disk within about a second, so a failure of the machine loses no more than that. Flushing after each
 * round could take longer than the round. */
#ifndef SRC_SEARCH_LOG_H
#define SRC_SEARCH_LOG_H

#include "control/internal.h"
#include "src/results/table.h"

typedef struct SearchLog {
  TableFile *file;
  ResultsMark mark; /* length and checksum of the part of the file that is on the disk */
  double synced;    /* time of the last flush, in s, on the clock of the run that the caller uses */
  bool unsynced;    /* whether some rows may not be on the disk yet */
} SearchLog;

/* Opens the file. saved: length and checksum to which an existing file is cut; NULL: a new file is created. Returns 0,
 * or EXIT_USAGE after reporting an error. */
int search_log_open(SearchLog *log, const Results *results, const ResultsMark *saved);

/* Adds a row. Returns 0, or -1 if this or an earlier row could not be written. */
int search_log_row(SearchLog *log, const CtlState *state, double seconds);

/* Flushes the rows to the disk if a second has passed since the last flush. The caller calls it regularly. */
void search_log_tick(SearchLog *log, double seconds);

/* Flushes all rows to the disk. Returns 0, or -1 if some could not be written. */
int search_log_sync(SearchLog *log, double seconds);

/* Closes the file, if it is open. Returns 0, or -1 after reporting that some row could not be written. */
int search_log_close(SearchLog *log);

#endif
