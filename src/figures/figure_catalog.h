/* Selects the figures for the results of one run, or for the comparison of two. */
#ifndef SRC_FIGURES_FIGURE_CATALOG_H
#define SRC_FIGURES_FIGURE_CATALOG_H

#include "src/figures/figure.h"
#include "src/results/run_results.h"

enum { FIGURES_MAX = 15, DOFS_CHOSEN_MAX = 12, COMPARED_MAX = 6 /* maximum number of panels for two runs */ };

/* Degrees of freedom to draw, from 1. */
typedef struct DofChoice {
  int n, dofs[DOFS_CHOSEN_MAX];
} DofChoice;

/* Fills list [FIGURES_MAX] from runs [1 or 2] (borrowed by the figures). Returns the number of figures, or -1 after
 * reporting that a file lacks a column. One run: up to 12 degrees of freedom are drawn as curves, more than 7 in two
 * groups by size; more than 12, and multipliers of more than 7, are drawn as maps of time and degree of freedom. Two
 * runs: one panel for each of at most 6 equally spaced degrees of freedom, with a curve for each run. chosen: draws
 * these degrees of freedom only, as curves; NULL: as above. */
int figure_catalog(const RunResults *runs, int n_runs, const DofChoice *chosen, Figure *list);

/* A file that is missing from the results, and the figure that is therefore not drawn. */
typedef struct FigureGap {
  const char *file, *lost;
} FigureGap;
enum { FIGURE_GAPS_MAX = 4 };

/* Fills gaps [FIGURE_GAPS_MAX] and returns their number. A stopped search has no motion yet, which is not a gap. */
int figures_missing(const RunResults *run, FigureGap *gaps);

#endif
