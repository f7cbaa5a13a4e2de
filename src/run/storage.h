/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses how the model of a problem file is stored and evaluated. */
#ifndef SRC_STORAGE_H
#define SRC_STORAGE_H

#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Returns whether a simulation may choose the storage of matrices by their pattern. It may not if the options may give
 * a control for all rows, or request the exact motion, which needs dense matrices. */
bool storage_by_pattern(const Options *options);

/* Chooses the storage on rank 0, for all ranks. If the storage needs PETSc, starts PETSc with the options -step_ of the
 * command line. Collective over all ranks. Returns 0, or EXIT_USAGE on all ranks after reporting an error in these
 * options. */
int storage_choose(const Options *options, ModelStorage *storage, Diagnostics *diagnostics);

#endif
