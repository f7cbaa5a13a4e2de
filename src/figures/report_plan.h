/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the part of a report about the solution of a motion plan. */
#ifndef SRC_REPORT_PLAN_H
#define SRC_REPORT_PLAN_H

#include "src/results/run_results.h"

/* Returns whether a run is a motion plan and has a solution. */
bool report_has_plan(const RunResults *run);

/* Writes the outcome of a motion plan as the beginning of a sentence. The function write_outcome (report.c) ends the
 * sentence with the reason why the search ended. */
void report_plan_outcome(FILE *page, const RunResults *run);
/* Writes a table of the quantities of a motion plan, one row each. */
void report_plan_quantities(FILE *page, const RunResults *run);

#endif
