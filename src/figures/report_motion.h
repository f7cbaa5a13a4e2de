/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the parts of a report that describe a motion. */
#ifndef SRC_REPORT_MOTION_H
#define SRC_REPORT_MOTION_H

#include "src/results/run_results.h"

/* Writes a list of facts for the outcome: changes between stick and slip, times of stick, slips, impacts, energy. */
void report_motion_facts(FILE *page, const RunResults *run);

/* Writes a table with one row per dof: its final state, its target, and the time for which it sticks. */
void report_motion_state(FILE *page, const RunResults *run);
/* Writes a table with one row per dof: least and greatest x and v, and how often per second it begins to stick. */
void report_motion_range(FILE *page, const RunResults *run);

#endif
