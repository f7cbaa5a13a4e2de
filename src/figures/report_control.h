/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the part of a report that lists the answer's control. */
#ifndef SRC_REPORT_CONTROL_H
#define SRC_REPORT_CONTROL_H

#include "src/results/run_results.h"

/* Writes a table of u with the times of its segments, and a second one of the search's own answer where the first is
 * refined. Nothing if the run has no control. */
void report_control(FILE *page, const RunResults *run);

#endif
