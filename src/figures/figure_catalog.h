/* Which figures the results of a run, or of two runs over one another, make. */
#ifndef SRC_FIGURES_FIGURE_CATALOG_H
#define SRC_FIGURES_FIGURE_CATALOG_H

#include "src/figures/figure.h"
#include "src/results/run_results.h"

enum { FIGURES_MAX = 15, DOFS_CHOSEN_MAX = 12, COMPARED_MAX = 6 /* panels of two runs */ };

/* Degrees of freedom to be drawn, from 1 on. */
typedef struct DofChoice {
  int n, dofs[DOFS_CHOSEN_MAX];
} DofChoice;

/* Fills list [FIGURES_MAX] from runs [1 or 2] (borrowed by the figures) and returns how many there are; -1 after telling that
 * a file lacks a column. One run: up to 12 degrees of freedom are curves, more than 7 in two groups of like size; more than 12,
 * and multipliers of more than 7, are maps of time and degree of freedom. Two runs: a panel for each of at most 6 degrees of
 * freedom, from the first to the last in equal steps, with a curve for each run. chosen: those degrees of freedom alone, as
 * curves; NULL: as above. */
int figure_catalog(const RunResults *runs, int n_runs, const DofChoice *chosen, Figure *list);

/* A file that the run should have left and has not, and what is not drawn for it. */
typedef struct FigureGap {
  const char *file, *lost;
} FigureGap;
enum { FIGURE_GAPS_MAX = 4 };

/* Fills gaps [FIGURE_GAPS_MAX] and returns how many there are. A search that was stopped has no motion yet. */
int figures_missing(const RunResults *run, FigureGap *gaps);

#endif
