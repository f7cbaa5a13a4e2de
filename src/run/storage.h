/* Chooses how a problem file's model is stored and evaluated. */
#ifndef SRC_STORAGE_H
#define SRC_STORAGE_H

#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Whether a simulation may choose the storage of matrices by their pattern. Not if a control may be given for all rows,
 * or the exact motion is requested, which requires dense matrices. */
bool storage_by_pattern(const Options *options);

/* Chooses the storage; rank 0 decides. Starts PETSc with the -step_ options of the command line if needed. Collective
 * over all ranks. Returns 0, or EXIT_USAGE on all ranks after reporting an error in these options. */
int storage_choose(const Options *options, ModelStorage *storage, Diagnostics *diagnostics);

#endif
