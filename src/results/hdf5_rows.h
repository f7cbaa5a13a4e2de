/* HDF5 files that grow (src/results/table.h), written as a run goes by one process or by several together.
 *
 *     t [n];   NAME [n] of one number a row, [n][d] of one for each degree of freedom, [n][p] of one for each control
 *     dof [d], 1 to d, or, where the layout has positions, s [d], m;   control [p], 1 to p
 *
 * t, dof, s and control are the dimension scales of the others, and the labels of their dimensions.
 * n grows no further than announced: all datasets are laid out in full when the file is created, and nothing but their
 * numbers changes afterwards. So the file can be read at any time, also after the writer was killed: rows not reached
 * have t = NaN. Every dataset has an attribute `units`; the file has `format`, `title` and `problem` (as
 * understood, JSON). What is [n][..] carries PETSc's attribute `timestepping`: its viewer loads row k as a Vec. */
#ifndef SRC_RESULTS_HDF5_ROWS_H
#define SRC_RESULTS_HDF5_ROWS_H

#include "src/results/table.h"

typedef struct Hdf5File Hdf5File;

/* Creates the file, or (rows >= 0) opens one of this layout to go on behind its first rows: what is behind them is forgotten. Before that
 * a process of its own tries it, for HDF5 may crash over a damaged file. Collective, as all here. NULL after reporting the error. */
Hdf5File *hdf5_rows_open(const Results *results, const char *name, const TableLayout *layout, long rows);

/* Puts what has been appended on the disk: how many rows that are, or -1. */
long hdf5_rows_sync(Hdf5File *file);

/* The next row, as of table_append. Returns 0 or -1. */
int hdf5_rows_append(Hdf5File *file, const double *const *data);

/* cut: rows not reached are cut off. Returns 0, or -1 when the file could not be written in full. NULL: 0. */
int hdf5_rows_close(Hdf5File *file, bool cut);

#endif
