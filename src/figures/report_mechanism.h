/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes drawings of a mechanism in motion, for a report. */
#ifndef SRC_REPORT_MECHANISM_H
#define SRC_REPORT_MECHANISM_H

#include "src/results/run_results.h"

/* Writes a still picture of the mechanism at some times of its motion, and a moving picture, both as SVG without
 * scripts. Writes nothing if the model is not a mechanism, has nothing to draw, or cannot be read again from
 * summary.json. */
void report_mechanism(FILE *page, const RunResults *run);

#endif
