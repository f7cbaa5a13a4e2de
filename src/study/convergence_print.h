/* The tables of a convergence, and its files. */
#ifndef SRC_STUDY_CONVERGENCE_PRINT_H
#define SRC_STUDY_CONVERGENCE_PRINT_H

#include "src/base/text_table.h"
#include "src/results/results.h"
#include "src/study/convergence.h"

/* Errors, then orders. Returns 0, or EXIT_INTERNAL after telling. */
int convergence_print(const Convergence *convergence, TextTableForm form, FILE *out, Diagnostics *diagnostics);

/* convergence.csv and orders.csv into a results directory. Likewise. */
int convergence_write(const Convergence *convergence, const Results *results);

#endif
