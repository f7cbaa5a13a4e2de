/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/hdf5_table.h"

#include "src/process/hdf5_library.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCALE_NAME_SIZE = 256 };

bool hdf5_put_text(hid_t object, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE); /* the length is variable, since a text of fixed length is limited to 64 kB */
  H5Tset_cset(type, H5T_CSET_UTF8);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool done = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return done;
}

bool hdf5_put_format(hid_t file, int format) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(file, "format", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &format) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return done;
}

bool hdf5_make_scale(hid_t set, const char *name) {
  return H5DSset_scale(set, name) >= 0 && H5DSset_label(set, 0, name) >= 0;
}

bool hdf5_put_over(hid_t set, unsigned dimension, hid_t scale) {
  char name[SCALE_NAME_SIZE] = "";
  return H5DSattach_scale(set, scale, dimension) >= 0 && H5DSget_scale_name(scale, name, sizeof name) >= 0 &&
         H5DSset_label(set, dimension, name) >= 0;
}

static bool is_text(const Table *table, int column) { return table->words && table->words[column]; }

/* Returns the length in bytes of the longest text in a column. Texts are stored without a terminator. */
static size_t text_size(const Table *table, int column) {
  size_t size = 1;
  for (long row = 0; row < table->rows; row++) {
    size_t length = strlen(table_text(table, row, column));
    if (length > size) size = length;
  }
  return size;
}

/* Returns the HDF5 type of a column; the caller closes it. */
static hid_t type_of(const Table *table, int column, ColumnKind kind) {
  if (!is_text(table, column))
    return H5Tcopy(kind == COLUMN_COUNT ? H5T_STD_I32LE : kind == COLUMN_LONG ? H5T_STD_I64LE : H5T_IEEE_F64LE);
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, text_size(table, column));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

/* Returns the data of a column in the form in which they are written to the file; the caller frees them. NULL if there
 * is no memory. */
static void *cells_of(const Table *table, int column) {
  bool text = is_text(table, column);
  size_t size = text ? text_size(table, column) : sizeof(double);
  char *cells = calloc((size_t)table->rows + 1, size), *to = cells;
  for (long row = 0; cells && row < table->rows; row++, to += size) {
    const double value = table_at(table, row, column);
    const char *words = text ? table_text(table, row, column) : NULL;
    memcpy(to, text ? words : (const char *)&value, text ? strlen(words) : size);
  }
  return cells;
}

static bool write_cells(hid_t set, const Table *table, int column, ColumnKind kind) {
  hid_t type = type_of(table, column, kind);
  void *cells = cells_of(table, column);
  bool done = cells && H5Dwrite(set, is_text(table, column) ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                cells) >= 0;
  free(cells);
  H5Tclose(type);
  return done;
}

/* Creates the dataset of a column, which has the dimension scale `scale`. If scale < 0, the column is the scale itself.
 * The values are written at once if the column is the scale or the table has texts, and later otherwise. */
static hid_t make_column(hid_t file, const Table *table, int c, const TableColumn *column, hid_t scale) {
  const char *name = table->names[c];
  hsize_t size = (hsize_t)table->rows;
  hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE),
        type = type_of(table, c, column->kind);
  H5Pset_obj_track_times(how, false); /* the file then has no time stamps, so the same table always gives the same
                                       * bytes */
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  bool done = set >= 0 && (!table->words || write_cells(set, table, c, column->kind));
  if (column->unit && !is_text(table, c)) done = done && hdf5_put_text(set, "units", column->unit);
  done = done && (scale < 0 ? hdf5_make_scale(set, name) : hdf5_put_over(set, 0, scale));
  if (scale < 0 && !table->words) done = done && write_cells(set, table, c, column->kind);
  if (set >= 0 && !done) H5Dclose(set);
  H5Tclose(type);
  H5Pclose(how);
  H5Sclose(space);
  return done ? set : -1;
}

static bool put_columns(hid_t file, const Table *table, const TableColumn *columns) {
  hid_t *sets = calloc((size_t)table->columns, sizeof *sets);
  int made = 0;
  bool done = sets != NULL;
  for (; done && made < table->columns; made += done) {
    sets[made] = make_column(file, table, made, &columns[made], made ? sets[0] : -1);
    done = sets[made] >= 0;
  }
  for (int c = 1; c < made && !table->words; c++) done = done && write_cells(sets[c], table, c, columns[c].kind);
  for (int c = 0; c < made; c++) done = H5Dclose(sets[c]) >= 0 && done;
  free(sets);
  return done;
}

bool hdf5_table_write(const char *path, const Table *table, const TableColumn *columns, int format, const char *title) {
  void *handle = NULL;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* switches off HDF5's own messages, as the caller reports errors */
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  bool done = file >= 0 && hdf5_put_format(file, format) && (!title || hdf5_put_text(file, "title", title)) &&
              put_columns(file, table, columns);
  done = done && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 &&
         fsync(*(int *)handle) == 0;
  return file >= 0 && H5Fclose(file) >= 0 && done;
}
