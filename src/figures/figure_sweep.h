/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the figures of a sweep. If one key is varied they have curves, or points if its values are words; for two keys
 * they are maps. */
#ifndef SRC_FIGURE_SWEEP_H
#define SRC_FIGURE_SWEEP_H

#include "src/figures/figure_catalog.h"
#include "src/results/sweep_results.h"

/* The figures, with the data they show, ordered by the values of the keys. */
typedef struct SweepFigures {
  Figure figures[FIGURES_MAX];
  int n;
  double *numbers;    /* values of all curves or maps, in one array; owned, like the members below */
  const char **names; /* words along the axes of a map, or along the x axis of curves */
  Table table;        /* data of the curves; its values are part of `numbers` */
  char (*texts)[64];
} SweepFigures;

/* Returns whether the sweep can be drawn: one or two keys vary, or the keys were zipped together. */
bool figure_sweep_fits(const Table *sweep);

/* Makes the figures of a sweep; they borrow the sweep. They show up to 12 numeric columns that vary by more than
 * round-off: the results and the columns that the user adds by --column. If none of these varies, they show the columns
 * that describe how the runs were solved, e.g. the distances E1 and E2 from the target, and counts. If keys were zipped
 * together, the x axis shows the first one. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting an error. The
 * caller must clear the figures in each case. */
int figure_sweep(const Table *sweep, SweepFigures *figures, Diagnostics *diagnostics);
void figure_sweep_clear(SweepFigures *figures);

#endif
