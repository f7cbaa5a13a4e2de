/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the HTML page of a sweep: its command, how the runs ended, its figures, its table and its problem. */
#ifndef SRC_REPORT_SWEEP_H
#define SRC_REPORT_SWEEP_H

#include "src/base/diagnostics.h"

#include <stdio.h>

/* Reads the results of a sweep in a directory and writes the page; gnuplot draws the figures. The page has the first
 * 200 rows of the table. If checkpoint/ is missing, the page has neither command nor problem. Returns 0; or
 * EXIT_USAGE or EXIT_INTERNAL after reporting an error. */
int report_sweep_write(FILE *page, const char *directory, Diagnostics *diagnostics);

#endif
