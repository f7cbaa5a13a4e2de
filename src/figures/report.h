/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the HTML page of a run's results: outcome, figures, tables and the resolved problem. The page needs no other
 * file. */
#ifndef SRC_FIGURES_REPORT_H
#define SRC_FIGURES_REPORT_H

#include "src/results/run_results.h"

#include <stdio.h>

/* Writes the page; gnuplot draws the figures. Returns 0, or an exit code if the figures could not be drawn. Missing
 * files and failures are added to run->diagnostics. */
int report_write(FILE *page, const RunResults *run);

#endif
