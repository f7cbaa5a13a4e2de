/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the part of a report about the parameters that `identify` has found. */
#ifndef SRC_REPORT_FIT_H
#define SRC_REPORT_FIT_H

#include "src/results/run_results.h"

/* Writes how well the model fits the measurements, as paragraphs: residuals, combinations of parameters that the data
 * do not determine, and the bias caused by time steps. Like report_fit_tables, writes nothing for runs of other
 * commands. */
void report_fit_verdict(FILE *page, const RunResults *run);
/* Writes tables of the parameters with their standard errors, of their correlations, and of the residuals. */
void report_fit_tables(FILE *page, const RunResults *run);

#endif
