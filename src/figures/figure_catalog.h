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
 * One run: up to 12 degrees of freedom are drawn as curves, in two groups by size if there are more than 7. If there
 * are more than 12, they are drawn as maps over time and degree of freedom; multipliers are drawn as a map if there are
 * more than 7. Two runs: at most 6 equally spaced degrees of freedom are drawn, each in a panel with a curve for each
 * run.
 *
 * chosen: only these degrees of freedom are drawn, as curves; NULL: the program selects them as described. */
int figure_catalog(const RunResults *runs, int n_runs, const DofChoice *chosen, Figure *list);

/* A file that is missing in the results directory, and the figure that cannot be drawn without it. */
typedef struct FigureGap {
  const char *file, *lost;
} FigureGap;
enum { FIGURE_GAPS_MAX = 4 };

/* Fills gaps [FIGURE_GAPS_MAX] and returns their number. A stopped search has computed no motion yet, so figures of a
 * motion are then not reported. */
int figures_missing(const RunResults *run, FigureGap *gaps);

/* Returns the column name of entry k of u in a table, from 0: "u1", or "u:NAME" with the name of the degree of freedom on
 * which it acts. Only a u that varies in time has columns. Returns NULL if there are fewer. */
const char *figure_control_column(const Table *table, int k);
/* Returns the name that figures and tables show for such a column: "u1" or "NAME". */
const char *figure_control_name(const char *column);

#endif
