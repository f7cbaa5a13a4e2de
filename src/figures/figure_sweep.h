/* Pictures of a sweep: over one key that was varied, curves, or points where it has words; over two, maps. */
#ifndef SRC_FIGURE_SWEEP_H
#define SRC_FIGURE_SWEEP_H

#include "src/figures/figure_catalog.h"
#include "src/results/sweep_results.h"

/* What the figures show, in the order of the keys' values. */
typedef struct SweepFigures {
  Figure figures[FIGURES_MAX];
  int n;
  double *numbers;    /* owned, as the rest: of all curves, or of all maps */
  const char **names; /* along the axes of a map, or the words along that of curves */
  Table table;        /* of the curves; its values are numbers */
  char (*texts)[64];
} SweepFigures;

/* What it makes of a sweep, which is borrowed, of its columns of numbers that are not the same in all rows: up to 12. Runs zipped together
 * are drawn over the first key. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after telling; clear it either way. */
int figure_sweep(const Table *sweep, SweepFigures *figures, Diagnostics *diagnostics);
void figure_sweep_clear(SweepFigures *figures);

#endif
