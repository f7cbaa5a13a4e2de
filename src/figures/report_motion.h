/* The parts of a report that describe a motion. */
#ifndef SRC_REPORT_MOTION_H
#define SRC_REPORT_MOTION_H

#include "src/results/run_results.h"

/* Writes a list of facts for the outcome: changes between stick and slip, time stuck, slips, impacts, energy. */
void report_motion_facts(FILE *page, const RunResults *run);

/* Writes one row per dof: final state, target, and time in stick. */
void report_motion_state(FILE *page, const RunResults *run);
/* Writes one row per dof: least and greatest x and v, and how often per second it begins to stick. */
void report_motion_range(FILE *page, const RunResults *run);

#endif
