/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads HDF5 when it is first needed (sim/base/library.h). Files that include this header call the functions of HDF5 by
 * their usual names. A new function needs an entry in the list of names, and a #define below it. */
#ifndef SRC_HDF5_LIBRARY_H
#define SRC_HDF5_LIBRARY_H

#include "sim/base/library.h"
#include "src/base/diagnostics.h"

#include <hdf5.h>
#include <hdf5_hl.h>

/* clang-format off */
#ifdef H5_HAVE_PARALLEL /* several processes can write one file together */
#define HDF5_PARALLEL_SYMBOLS(X) X(H5Pset_dxpl_mpio) X(H5Pset_fapl_mpio)
#else
#define HDF5_PARALLEL_SYMBOLS(X)
#endif
#define HDF5_SYMBOLS(X)                                                                                                \
  X(H5Aclose) X(H5Acreate2) X(H5Aexists) X(H5Aget_space) X(H5Aget_type) X(H5Aopen) X(H5Aread) X(H5Awrite)              \
  X(H5DSattach_scale) X(H5DSget_scale_name) X(H5DSset_label) X(H5DSset_scale) X(H5Dclose) X(H5Dcreate2) X(H5Dflush)    \
  X(H5Dget_space) X(H5Dopen2) X(H5Dread) X(H5Dset_extent) X(H5Dwrite) X(H5Eset_auto2) X(H5Fclose) X(H5Fcreate)         \
  X(H5Fflush) X(H5Fget_vfd_handle) X(H5Fopen) X(H5Gget_info) X(H5Lget_name_by_idx) X(H5Pclose) X(H5Pcreate)            \
  X(H5Pset_alloc_time) X(H5Pset_chunk) X(H5Pset_file_locking)                                                        \
  HDF5_PARALLEL_SYMBOLS(X)                                                                                            \
  X(H5Pset_fill_time) X(H5Pset_fill_value) X(H5Pset_obj_track_times) X(H5Sclose) X(H5Screate) X(H5Screate_simple)      \
  X(H5Sget_simple_extent_dims) X(H5Sget_simple_extent_ndims) X(H5Sget_simple_extent_npoints) X(H5Sselect_hyperslab)    \
  X(H5Sselect_none) X(H5Tclose) X(H5Tcopy) X(H5Tget_class) X(H5Tis_variable_str) X(H5Tset_cset) X(H5Tset_size)         \
  X(H5Tset_strpad) X(H5check_version) X(H5dont_atexit) X(H5open) X(H5P_CLS_DATASET_CREATE_ID_g)                        \
  X(H5P_CLS_DATASET_XFER_ID_g)                                                                                         \
  X(H5P_CLS_FILE_ACCESS_ID_g) X(H5T_C_S1_g) X(H5T_IEEE_F64LE_g) X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_HBOOL_g)           \
  X(H5T_NATIVE_INT64_g) X(H5T_NATIVE_INT_g) X(H5T_STD_I32LE_g) X(H5T_STD_I64LE_g)
/* clang-format on */

typedef struct Hdf5Table {
  HDF5_SYMBOLS(LIBRARY_MEMBER)
} Hdf5Table;

extern Hdf5Table hdf5_table;

/* Loads HDF5, if it is not loaded yet. Must be called before any function of HDF5. Returns false after reporting an
 * error. */
bool hdf5_load(Diagnostics *diagnostics);
/* Prepares HDF5 in programs that write files. If MPI is used, must be called before MPI starts. */
bool hdf5_begin(Diagnostics *diagnostics);

#define H5Aclose                     (*hdf5_table.at_H5Aclose)
#define H5Acreate2                   (*hdf5_table.at_H5Acreate2)
#define H5Aexists                    (*hdf5_table.at_H5Aexists)
#define H5Aget_space                 (*hdf5_table.at_H5Aget_space)
#define H5Aget_type                  (*hdf5_table.at_H5Aget_type)
#define H5Aopen                      (*hdf5_table.at_H5Aopen)
#define H5Aread                      (*hdf5_table.at_H5Aread)
#define H5Awrite                     (*hdf5_table.at_H5Awrite)
#define H5DSattach_scale             (*hdf5_table.at_H5DSattach_scale)
#define H5DSget_scale_name           (*hdf5_table.at_H5DSget_scale_name)
#define H5DSset_label                (*hdf5_table.at_H5DSset_label)
#define H5DSset_scale                (*hdf5_table.at_H5DSset_scale)
#define H5Dclose                     (*hdf5_table.at_H5Dclose)
#define H5Dcreate2                   (*hdf5_table.at_H5Dcreate2)
#define H5Dflush                     (*hdf5_table.at_H5Dflush)
#define H5Dget_space                 (*hdf5_table.at_H5Dget_space)
#define H5Dopen2                     (*hdf5_table.at_H5Dopen2)
#define H5Dread                      (*hdf5_table.at_H5Dread)
#define H5Dset_extent                (*hdf5_table.at_H5Dset_extent)
#define H5Dwrite                     (*hdf5_table.at_H5Dwrite)
#define H5Eset_auto2                 (*hdf5_table.at_H5Eset_auto2)
#define H5Fclose                     (*hdf5_table.at_H5Fclose)
#define H5Fcreate                    (*hdf5_table.at_H5Fcreate)
#define H5Fflush                     (*hdf5_table.at_H5Fflush)
#define H5Fget_vfd_handle            (*hdf5_table.at_H5Fget_vfd_handle)
#define H5Fopen                      (*hdf5_table.at_H5Fopen)
#define H5Gget_info                  (*hdf5_table.at_H5Gget_info)
#define H5Lget_name_by_idx           (*hdf5_table.at_H5Lget_name_by_idx)
#define H5Pclose                     (*hdf5_table.at_H5Pclose)
#define H5Pcreate                    (*hdf5_table.at_H5Pcreate)
#define H5Pset_alloc_time            (*hdf5_table.at_H5Pset_alloc_time)
#define H5Pset_chunk                 (*hdf5_table.at_H5Pset_chunk)
#define H5Pset_dxpl_mpio             (*hdf5_table.at_H5Pset_dxpl_mpio)
#define H5Pset_fapl_mpio             (*hdf5_table.at_H5Pset_fapl_mpio)
#define H5Pset_file_locking          (*hdf5_table.at_H5Pset_file_locking)
#define H5Pset_fill_time             (*hdf5_table.at_H5Pset_fill_time)
#define H5Pset_fill_value            (*hdf5_table.at_H5Pset_fill_value)
#define H5Pset_obj_track_times       (*hdf5_table.at_H5Pset_obj_track_times)
#define H5Sclose                     (*hdf5_table.at_H5Sclose)
#define H5Screate                    (*hdf5_table.at_H5Screate)
#define H5Screate_simple             (*hdf5_table.at_H5Screate_simple)
#define H5Sget_simple_extent_dims    (*hdf5_table.at_H5Sget_simple_extent_dims)
#define H5Sget_simple_extent_ndims   (*hdf5_table.at_H5Sget_simple_extent_ndims)
#define H5Sget_simple_extent_npoints (*hdf5_table.at_H5Sget_simple_extent_npoints)
#define H5Sselect_hyperslab          (*hdf5_table.at_H5Sselect_hyperslab)
#define H5Sselect_none               (*hdf5_table.at_H5Sselect_none)
#define H5Tclose                     (*hdf5_table.at_H5Tclose)
#define H5Tcopy                      (*hdf5_table.at_H5Tcopy)
#define H5Tget_class                 (*hdf5_table.at_H5Tget_class)
#define H5Tis_variable_str           (*hdf5_table.at_H5Tis_variable_str)
#define H5Tset_cset                  (*hdf5_table.at_H5Tset_cset)
#define H5Tset_size                  (*hdf5_table.at_H5Tset_size)
#define H5Tset_strpad                (*hdf5_table.at_H5Tset_strpad)
#define H5check_version              (*hdf5_table.at_H5check_version)
#define H5dont_atexit                (*hdf5_table.at_H5dont_atexit)
#define H5open                       (*hdf5_table.at_H5open)
#define H5P_CLS_DATASET_CREATE_ID_g  (*hdf5_table.at_H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_DATASET_XFER_ID_g    (*hdf5_table.at_H5P_CLS_DATASET_XFER_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g     (*hdf5_table.at_H5P_CLS_FILE_ACCESS_ID_g)
#define H5T_C_S1_g                   (*hdf5_table.at_H5T_C_S1_g)
#define H5T_IEEE_F64LE_g             (*hdf5_table.at_H5T_IEEE_F64LE_g)
#define H5T_NATIVE_DOUBLE_g          (*hdf5_table.at_H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_HBOOL_g           (*hdf5_table.at_H5T_NATIVE_HBOOL_g)
#define H5T_NATIVE_INT64_g           (*hdf5_table.at_H5T_NATIVE_INT64_g)
#define H5T_NATIVE_INT_g             (*hdf5_table.at_H5T_NATIVE_INT_g)
#define H5T_STD_I32LE_g              (*hdf5_table.at_H5T_STD_I32LE_g)
#define H5T_STD_I64LE_g              (*hdf5_table.at_H5T_STD_I64LE_g)

#endif
