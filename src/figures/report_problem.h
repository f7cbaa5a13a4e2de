/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the part of a report that lists the problem file with all defaults. */
#ifndef SRC_REPORT_PROBLEM_H
#define SRC_REPORT_PROBLEM_H

#include "src/results/run_results.h"

/* Writes a table of all keys with their values and, as `stiction help` does, what they mean. */
void report_problem(FILE *page, const RunResults *run);

#endif
