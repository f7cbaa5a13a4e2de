/* The HTML page of a run's results: outcome, figures, tables, the resolved problem. It is self-contained. */
#ifndef SRC_FIGURES_REPORT_H
#define SRC_FIGURES_REPORT_H

#include "src/results/run_results.h"

#include <stdio.h>

/* Writes the page, with figures drawn by gnuplot. Returns 0, or an exit code if they could not be drawn. Missing files
 * and failures are added to run->diagnostics. */
int report_write(FILE *page, const RunResults *run);

#endif
