/* How a problem file's model is evaluated. */
#ifndef SRC_STORAGE_H
#define SRC_STORAGE_H

#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Whether a simulation may hold matrices as their pattern suggests: not where a control may be given for all rows, or the motion itself is asked
 * for, which dense ones alone have. */
bool storage_by_pattern(const Options *options);

/* By rank 0's word; PETSc is started with the command line's -step_ options where that needs it. Called by all ranks.
 * Returns 0, or EXIT_USAGE after telling of these options, on all of them. */
int storage_choose(const Options *options, ModelStorage *storage, Diagnostics *diagnostics);

#endif
