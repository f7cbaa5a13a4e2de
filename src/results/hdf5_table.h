/* Whole tables as HDF5 files, a dataset [n] a column, and what all HDF5 files of a run have in common: attributes, and dimension scales (HDF5's high-level interface H5DS), by which h5py and
 * others know what a dataset is over. A hid_t is passed as int64_t, so that HDF5's headers stay with who writes. */
#ifndef SRC_RESULTS_HDF5_TABLE_H
#define SRC_RESULTS_HDF5_TABLE_H

#include "src/results/table.h"

#include <stdbool.h>
#include <stdint.h>

/* An attribute of text, in UTF-8. */
bool hdf5_put_text(int64_t object, const char *name, const char *text);

/* The attribute `format` of a file, a number of src/base/formats.h. */
bool hdf5_put_format(int64_t file, int format);

/* Makes a dataset [n] a dimension scale of that name, which is its dimension's label, too. */
bool hdf5_make_scale(int64_t set, const char *name);

/* Dimension `dimension` of a dataset, from 0, is over a scale made before: attached, and labelled by its name. */
bool hdf5_put_over(int64_t set, unsigned dimension, int64_t scale);

/* The file of a whole table, as table_write has it, put on the disk. False: no memory, or it could not be written. */
bool hdf5_table_write(const char *path, const Table *table, const TableColumn *columns, int format, const char *title);

#endif
