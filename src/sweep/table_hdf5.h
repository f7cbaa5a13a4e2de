/* sweep.h5: the table, a data set a column (table.h). */
#ifndef SRC_SWEEP_TABLE_HDF5_H
#define SRC_SWEEP_TABLE_HDF5_H

#include "src/sweep/one_run.h"
#include "src/sweep/rows.h"

enum { SWEEP_HDF5_COLUMNS = ROW_COLUMNS + SWEEP_COLUMNS_MAX };

/* Writes it of those rows that there are. names: of the cells of a row. False: it could not be done. */
bool sweep_table_hdf5(const char *path, const SweepPlan *plan, const SweepRows *rows, const char *const *names);

#endif
