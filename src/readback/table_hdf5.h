/* trajectory.h5, events.h5 and the units of sweep.h5 read back as tables, as CSV files are. */
#ifndef SRC_TABLE_HDF5_H
#define SRC_TABLE_HDF5_H

#include "src/readback/table.h"

/* Reads DIR/trajectory.h5 (src/results/trajectory_hdf5.h) into columns t, NAME1.. of each vector but the friction force and of the
 * controls, and NAME of each scalar; up to the last row that was written. What is too much for a picture is left out: beyond READ_DOFS_MAX
 * degrees of freedom every stride-th is read, from the first, of as many controls the first, and beyond READ_VALUES_MAX numbers one in so many rows.
 * d: degrees of freedom. A file that is not there leaves the table empty. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after telling. */
int table_read_hdf5(Table *table, const char *directory, int *d, int *stride, Diagnostics *diagnostics);

/* Reads DIR/events.h5 (src/results/slips_hdf5.h) into columns dof, start, end, slip, energy and, if it is there, event: the first
 * READ_SLIPS_MAX slips; left_out: how many there are besides. Else likewise. */
int table_read_slips(Table *table, const char *directory, long *left_out, Diagnostics *diagnostics);

/* Its columns. */
enum { SLIP_DOF, SLIP_START, SLIP_END, SLIP_WAY, SLIP_ENERGY, SLIP_EVENT };

/* Reads which units the columns of DIR/sweep.h5 have, into a table for the next alone; likewise. */
int table_read_units(Table *table, const char *directory, Diagnostics *diagnostics);
/* The unit of a column, borrowed; "": not known. */
const char *table_unit(const Table *table, const char *name);

enum { READ_DOFS_MAX = 400, READ_VALUES_MAX = 1 << 22, READ_SLIPS_MAX = READ_VALUES_MAX / 6 };

#endif
