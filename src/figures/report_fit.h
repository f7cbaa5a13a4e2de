/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the part of a report about the parameters that `identify` has found. */
#ifndef SRC_REPORT_FIT_H
#define SRC_REPORT_FIT_H

#include "src/results/run_results.h"

/* Writes how well the model fits, as paragraphs: residuals, combinations that the data do not determine, and the bias
 * by time steps. Writes nothing for other runs, like the next function. */
void report_fit_verdict(FILE *page, const RunResults *run);
/* Writes tables of the parameters with their standard errors, of their correlations, and of the residuals. */
void report_fit_tables(FILE *page, const RunResults *run);

#endif
