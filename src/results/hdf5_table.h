/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes whole tables as HDF5 files, with a dataset [n] for each column. Also has the functions that all HDF5 files of
 * a run use: attributes, and dimension scales (HDF5's interface H5DS), from which h5py and others know the dimensions
 * of a dataset. A hid_t is passed as int64_t, so that only files that write HDF5 include its headers. */
#ifndef SRC_RESULTS_HDF5_TABLE_H
#define SRC_RESULTS_HDF5_TABLE_H

#include "src/results/table.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes an attribute of UTF-8 text. */
bool hdf5_put_text(int64_t object, const char *name, const char *text);

/* Writes the attribute `format` of a file, the version number of its format (src/base/formats.h). */
bool hdf5_put_format(int64_t file, int format);

/* Makes a dataset [n] a dimension scale of this name. The name also becomes the label of its dimension. */
bool hdf5_make_scale(int64_t set, const char *name);

/* Attaches a scale to dimension number `dimension` of a dataset, from 0, and labels the dimension by the name of the
 * scale. */
bool hdf5_put_over(int64_t set, unsigned dimension, int64_t scale);

/* Writes a whole table to a file, as table_write does, and flushes it to the disk. Returns false if there is no memory
 * or it could not be written. */
bool hdf5_table_write(const char *path, const Table *table, const TableColumn *columns, int format, const char *title);

#endif
