/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the drawing of a mechanism that moves, for a report. */
#ifndef SRC_REPORT_MECHANISM_H
#define SRC_REPORT_MECHANISM_H

#include "src/results/run_results.h"

/* Writes a figure with some instants of the motion and a moving picture, as SVG without scripts. Writes nothing if the
 * model is no mechanism, has nothing to draw, or is not read again from the summary. */
void report_mechanism(FILE *page, const RunResults *run);

#endif
