/* trajectory.h5 read back as a table, as trajectory.csv is. */
#ifndef SRC_TABLE_HDF5_H
#define SRC_TABLE_HDF5_H

#include "src/readback/table.h"

/* Reads DIR/trajectory.h5 (src/results/trajectory_hdf5.h) into columns t, NAME1.. of each vector but the friction force, and NAME
 * of each scalar; up to the last row that was written. What is too much for a picture is left out: beyond READ_DOFS_MAX
 * degrees of freedom every stride-th is read, from the first, and beyond READ_VALUES_MAX numbers one in so many rows.
 * d: degrees of freedom. A file that is not there leaves the table empty. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after telling. */
int table_read_hdf5(Table *table, const char *directory, int *d, int *stride, Diagnostics *diagnostics);

enum { READ_DOFS_MAX = 400, READ_VALUES_MAX = 1 << 22 };

#endif
