/* What the HDF5 files of a run have in common: attributes, and dimension scales (HDF5's high-level interface H5DS), by which h5py and
 * others know what a dataset is over. A hid_t is passed as int64_t, so that HDF5's headers stay with who writes. */
#ifndef SRC_RESULTS_HDF5_PARTS_H
#define SRC_RESULTS_HDF5_PARTS_H

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

#endif
