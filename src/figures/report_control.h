/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the part of a report that lists the control u found by a search. */
#ifndef SRC_REPORT_CONTROL_H
#define SRC_REPORT_CONTROL_H

#include "src/results/run_results.h"

/* Writes a table of u with the times of its segments. If this is the refined u, writes a second table with the u that
 * the search itself found. Writes nothing if the run has no control. */
void report_control(FILE *page, const RunResults *run);

#endif
