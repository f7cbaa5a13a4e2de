/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads trajectory.h5, events.h5 and the units of sweep.h5 as tables, like CSV files. A child process does the reading,
 * since HDF5 crashes on some damaged files. */
#ifndef SRC_RESULTS_HDF5_READ_H
#define SRC_RESULTS_HDF5_READ_H

#include "src/results/slips_file.h"
#include "src/results/table.h"

/* Reads DIR/NAME as described at table_read.
 *
 * trajectory.h5 gives the columns t, NAME1, NAME2, .. for each vector except the friction force, likewise for the
 * controls, and NAME for each scalar. It is read up to the last row written. Since the data are for pictures, they
 * are reduced:
 * - with more than READ_DOFS_MAX degrees of freedom, every stride-th one is read, starting with the first;
 * - of the controls, the first READ_DOFS_MAX are read;
 * - with more than READ_VALUES_MAX numbers in all, every n-th row is read.
 *
 * events.h5 gives the columns dof, start, end, slip, energy and, if present, event, of the first READ_SLIPS_MAX
 * slips.
 *
 * sweep.h5 gives its columns and their units, without rows. */
int hdf5_read(Table *table, const char *directory, const char *name, Diagnostics *diagnostics);

enum { READ_DOFS_MAX = 400, READ_VALUES_MAX = 1 << 22, READ_SLIPS_MAX = READ_VALUES_MAX / 6 };

#endif
