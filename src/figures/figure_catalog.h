/* SPDX-License-Identifier: BSD-2-Clause */
/* Selects the figures for the results of one run, or for the comparison of two. */
#ifndef SRC_FIGURES_FIGURE_CATALOG_H
#define SRC_FIGURES_FIGURE_CATALOG_H

#include "src/figures/figure.h"
#include "src/results/run_results.h"

/* FIGURES_MAX: maximum number of figures. DOFS_CHOSEN_MAX: maximum number of dofs that a user may choose. COMPARED_MAX:
 * maximum number of panels for a comparison of two runs */
enum { FIGURES_MAX = 15, DOFS_CHOSEN_MAX = 12, COMPARED_MAX = 6 };

/* The degrees of freedom to draw, numbered from 1. */
typedef struct DofChoice {
  int n, dofs[DOFS_CHOSEN_MAX];
} DofChoice;

/* Fills list [FIGURES_MAX] with the figures of one run, or of a comparison of two runs. The figures borrow the runs.
 * Returns the number of figures, or -1 after reporting that a file lacks a column.
 *
 * One run: up to 12 degrees of freedom are drawn as curves; if more than 7, as two groups by size. More than 12, and
 * multipliers of more than 7, are drawn as maps over time and degree of freedom. Two runs: at most 6 equally spaced
 * degrees of freedom are drawn, each in a panel with a curve for each run.
 *
 * chosen: only these degrees of freedom are drawn, as curves; NULL: as above. */
int figure_catalog(const RunResults *runs, int n_runs, const DofChoice *chosen, Figure *list);

/* A file that is missing among the results, and the figure that cannot be drawn without it. */
typedef struct FigureGap {
  const char *file, *lost;
} FigureGap;
enum { FIGURE_GAPS_MAX = 4 };

/* Fills gaps [FIGURE_GAPS_MAX] and returns their number. A stopped search has no motion yet; its figures are not
 * gaps. */
int figures_missing(const RunResults *run, FigureGap *gaps);

#endif
