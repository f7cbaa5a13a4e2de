/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads trajectory.h5, events.h5 and the units of sweep.h5 into tables, as CSV files are read. The files are read by a
 * child process, since HDF5 crashes on some damaged files. */
#ifndef SRC_RESULTS_HDF5_READ_H
#define SRC_RESULTS_HDF5_READ_H

#include "src/results/slips_file.h"
#include "src/results/table.h"

/* Reads DIR/NAME as described at table_read.
 *
 * trajectory.h5 gives the column t and, for each vector NAME except the friction force and for the controls, the
 * columns NAME1, NAME2, ... A scalar NAME gives the column NAME. Rows are read up to the last one that the run has
 * written. The data are meant for pictures and are therefore reduced:
 * - with more than READ_DOFS_MAX degrees of freedom, only every stride-th one is read, beginning with the first;
 * - of the controls, only the first READ_DOFS_MAX are read;
 * - with more than READ_VALUES_MAX numbers in all, only every n-th row is read.
 *
 * events.h5 gives the columns dof, start, end, slip, energy and, if present, event, for the first READ_SLIPS_MAX slips.
 *
 * sweep.h5 gives its columns and their units, without rows. */
int hdf5_read(Table *table, const char *directory, const char *name, Diagnostics *diagnostics);

enum { READ_DOFS_MAX = 400, READ_VALUES_MAX = 1 << 22, READ_SLIPS_MAX = READ_VALUES_MAX / 6 };

#endif
