/* Figures of a sweep. One varied key gives curves, or points if its values are words; two give maps. */
#ifndef SRC_FIGURE_SWEEP_H
#define SRC_FIGURE_SWEEP_H

#include "src/figures/figure_catalog.h"
#include "src/results/sweep_results.h"

/* Figures with the data they show, ordered by the keys' values. */
typedef struct SweepFigures {
  Figure figures[FIGURES_MAX];
  int n;
  double *numbers;    /* owned, like the members below: values of all curves or maps */
  const char **names; /* words along the axes of a map, or along the x axis of curves */
  Table table;        /* data of the curves; its values are in numbers */
  char (*texts)[64];
} SweepFigures;

/* Makes the figures of a sweep, which is borrowed, for up to 12 numeric columns that are not constant. Runs zipped
 * together are drawn over the first key. Returns 0; EXIT_USAGE or EXIT_INTERNAL after reporting an error. Clear the
 * figures in each case. */
int figure_sweep(const Table *sweep, SweepFigures *figures, Diagnostics *diagnostics);
void figure_sweep_clear(SweepFigures *figures);

#endif
