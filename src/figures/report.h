/* The page of a run's results: outcome, figures, tables, the problem as understood; it needs nothing from elsewhere. */
#ifndef SRC_FIGURES_REPORT_H
#define SRC_FIGURES_REPORT_H

#include "src/results/run_results.h"

#include <stdio.h>

/* Writes it, with figures drawn by gnuplot. Returns 0, or an exit code when they could not be drawn; what the run lacks and
 * what has failed is put into run->diagnostics. */
int report_write(FILE *page, const RunResults *run);

#endif
