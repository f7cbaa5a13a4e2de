/* The picture of a convergence. */
#ifndef SRC_STUDY_CONVERGENCE_FIGURE_H
#define SRC_STUDY_CONVERGENCE_FIGURE_H

#include "src/results/results.h"
#include "src/study/convergence.h"

/* Errors over the step, a curve for each scheme: figures/convergence.svg and .png of a results directory. Returns 0, EXIT_USAGE (no gnuplot) or EXIT_INTERNAL after telling. */
int convergence_draw(const Convergence *convergence, const Results *results);

#endif
