/* search.csv: one row a simplex, on the disk as soon as it is written. */
#ifndef SRC_SEARCH_LOG_H
#define SRC_SEARCH_LOG_H

#include "control/control.h"

#include <stdio.h>

void search_log_header(FILE *file);

/* Returns 0, or -1 when the row could not be written. */
int search_log_row(FILE *file, const CtlState *state, double seconds);

#endif
