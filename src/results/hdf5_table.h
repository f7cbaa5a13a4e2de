/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes whole tables as HDF5 files, with a dataset [n] for each column. Also has the functions that all HDF5 files of
 * a run need: for attributes, and for dimension scales (the interface H5DS of HDF5), from which programs such as h5py
 * read the dimensions of a dataset. The type hid_t of HDF5 is passed as int64_t, so that only files that write HDF5
 * include its headers. */
#ifndef SRC_RESULTS_HDF5_TABLE_H
#define SRC_RESULTS_HDF5_TABLE_H

#include "src/results/table.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes an attribute of UTF-8 text. */
bool hdf5_put_text(int64_t object, const char *name, const char *text);

/* Writes the attribute `format` of a file, the version number of its format (src/base/formats.h). */
bool hdf5_put_format(int64_t file, int format);

/* Makes a dataset [n] a dimension scale with this name, which also becomes the label of its own dimension. */
bool hdf5_make_scale(int64_t set, const char *name);

/* Attaches a dimension scale to dimension number `dimension` of a dataset, from 0. The dimension gets the name of the
 * scale as its label. */
bool hdf5_put_over(int64_t set, unsigned dimension, int64_t scale);

/* Writes a whole table to a file, as table_write does, and flushes it to the disk. Returns false if there is no memory,
 * or if the file could not be written. */
bool hdf5_table_write(const char *path, const Table *table, const TableColumn *columns, int format, const char *title);

#endif
