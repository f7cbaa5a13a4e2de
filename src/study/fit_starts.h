/* Where least squares begin: at the file's values, at the best of a direct search, at points spread within the bounds. */
#ifndef SRC_STUDY_FIT_STARTS_H
#define SRC_STUDY_FIT_STARTS_H

#include "src/study/evaluation.h"

/* Fills points [id->starts][id->n], on all ranks the same bits for any number of them. The search evaluates on all ranks. Collective over
 * all. Returns 0, or EXIT_INTERNAL after telling. */
int starts_find(Evaluation *evaluation, double *points, Diagnostics *diagnostics);

#endif
