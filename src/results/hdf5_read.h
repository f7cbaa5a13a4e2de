/* trajectory.h5, events.h5 and the units of sweep.h5 read back as tables, as CSV files are. HDF5 crashes on some damaged
 * files: a child process reads them. */
#ifndef SRC_RESULTS_HDF5_READ_H
#define SRC_RESULTS_HDF5_READ_H

#include "src/results/slips_file.h"
#include "src/results/table.h"

/* Reads DIR/NAME, as table_read has it.
 *
 * trajectory.h5: columns t, NAME1.. of each vector but the friction force and of the controls, and NAME of each scalar; up to the last row
 * that was written. What is too much for a picture is left out: beyond READ_DOFS_MAX degrees of freedom every stride-th is read,
 * from the first, of as many controls the first, and beyond READ_VALUES_MAX numbers one in so many rows.
 *
 * events.h5: columns dof, start, end, slip, energy and, if it is there, event: the first READ_SLIPS_MAX slips.
 *
 * sweep.h5: its columns and their units, but no rows. */
int hdf5_read(Table *table, const char *directory, const char *name, Diagnostics *diagnostics);

enum { READ_DOFS_MAX = 400, READ_VALUES_MAX = 1 << 22, READ_SLIPS_MAX = READ_VALUES_MAX / 6 };

#endif
