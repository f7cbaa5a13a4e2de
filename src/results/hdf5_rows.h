/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes HDF5 files that grow during a run (src/results/table.h). A file is written by one process or by several
 * together. Its datasets are
 *
 *     t [n];   NAME [n] for one number per row, [n][d] for one per degree of freedom, [n][p] for one per control
 *     dof [d], 1 to d or, if the layout has positions, s [d], m;   control [p], 1 to p
 *
 * The datasets t, dof, s and control are the dimension scales of the others: they label their dimensions. The number n
 * of rows is fixed in advance. All datasets are allocated when the file is created, and afterwards only their numbers
 * change. Thus the file can be read at any time, even after the writer was killed. Rows that the run has not reached
 * have t = NaN.
 *
 * Every dataset has an attribute `units`. The file has the attributes `format`, `title` and `problem`, the resolved
 * problem as JSON. Datasets [n][..] have the attribute `timestepping` of PETSc, by which PETSc's viewer loads row k as
 * a Vec. */
#ifndef SRC_RESULTS_HDF5_ROWS_H
#define SRC_RESULTS_HDF5_ROWS_H

#include "src/results/table.h"

typedef struct Hdf5File Hdf5File;

/* Creates a file or, if rows >= 0, opens an existing file of this layout and discards all rows after its first `rows`
 * ones. An existing file is first tested by a child process, since HDF5 may crash on a damaged one. Collective, like
 * all functions here. Returns NULL after reporting an error. */
Hdf5File *hdf5_rows_open(const Results *results, const char *name, const TableLayout *layout, long rows);

/* Flushes all appended rows to the disk. Returns their number, or -1. */
long hdf5_rows_sync(Hdf5File *file);

/* Appends a row as table_append does. Returns 0 or -1. */
int hdf5_rows_append(Hdf5File *file, const double *const *data);

/* Closes the file. cut: rows that the run has not reached are removed. Returns 0, or -1 if the file could not be
 * written completely. If file is NULL, returns 0. */
int hdf5_rows_close(Hdf5File *file, bool cut);

#endif
