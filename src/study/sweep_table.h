/* The table of a sweep: sweep.csv and sweep.h5, a row a run in their order, the same bytes each time; and times.csv, which is not.
 *
 * sweep.csv has run, the keys that are varied, outcome, reason, warnings, and the plan's columns. sweep.h5 has the same, a data set each:
 * of doubles, NaN for an empty cell, where all of its cells are numbers, else of texts. times.csv has run,seconds,simulating: the
 * latter of a search's simulations, summed over ranks. */
#ifndef SRC_STUDY_SWEEP_TABLE_H
#define SRC_STUDY_SWEEP_TABLE_H

#include "src/study/sweep_rows.h"

/* Writes them, each whole or not at all, of those rows that there are. Returns 0, or EXIT_INTERNAL after telling. */
int sweep_table_write(const SweepPlan *plan, const SweepRows *rows);

#endif
