#include "src/readback/table_hdf5.h"

#include "src/base/exit_code.h"
#include "src/base/file_open.h"

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETS_MAX = 96, NAME_SIZE = 64, COLUMN_SIZE = NAME_SIZE + 24 }; /* a column's name has a number, too */

typedef struct Set {
  char name[NAME_SIZE];
  bool vector;
} Set;

typedef struct Layout {
  Set sets[SETS_MAX]; /* t first */
  int n_sets;
  hsize_t n, d; /* rows, degrees of freedom */
  hsize_t row_stride, dof_stride, rows, shown;
} Layout;

static const char *const no_picture[] = {"force", "s", "t"};

static bool is_wanted(const char *name) {
  for (size_t k = 0; k < sizeof no_picture / sizeof *no_picture; k++)
    if (strcmp(name, no_picture[k]) == 0) return false;
  return true;
}

/* The sizes of a dataset; returns how many, or -1. */
static int sizes_of(hid_t file, const char *name, hsize_t size[2]) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  if (rank != 1 && rank != 2)
    rank = -1;
  else
    H5Sget_simple_extent_dims(space, size, NULL);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return rank;
}

static bool find_sets(hid_t file, Layout *layout) {
  hsize_t size[2];
  H5G_info_t info;
  if (sizes_of(file, "t", size) != 1 || H5Gget_info(file, &info) < 0) return false;
  layout->sets[layout->n_sets++] = (Set){"t", false};
  layout->n = size[0];
  for (hsize_t k = 0; k < info.nlinks && layout->n_sets < SETS_MAX; k++) {
    Set *set = &layout->sets[layout->n_sets];
    if (H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, k, set->name, NAME_SIZE, H5P_DEFAULT) < 0)
      return false;
    if (!is_wanted(set->name)) continue;
    int rank = sizes_of(file, set->name, size);
    if (rank < 0 || size[0] != layout->n || (rank == 2 && layout->d && size[1] != layout->d)) return false;
    set->vector = rank == 2;
    if (set->vector) layout->d = size[1];
    layout->n_sets++;
  }
  return layout->n > 0 && layout->d > 0;
}

/* Every row_stride-th row and every dof_stride-th dof of a dataset, into columns from `column` of the table. */
static bool read_set(hid_t file, const Layout *layout, const Set *set, Table *table, int column) {
  hsize_t first[2] = {0, 0}, stride[2] = {layout->row_stride, layout->dof_stride};
  hsize_t count[2] = {layout->rows, set->vector ? layout->shown : 1};
  hsize_t all[2] = {layout->rows, (hsize_t)table->columns}, to[2] = {0, (hsize_t)column};
  hid_t id = H5Dopen2(file, set->name, H5P_DEFAULT), from = id < 0 ? -1 : H5Dget_space(id);
  hid_t memory = H5Screate_simple(2, all, NULL);
  bool done = from >= 0 && memory >= 0 && H5Sselect_hyperslab(from, H5S_SELECT_SET, first, stride, count, NULL) >= 0 &&
              H5Sselect_hyperslab(memory, H5S_SELECT_SET, to, NULL, count, NULL) >= 0 &&
              H5Dread(id, H5T_NATIVE_DOUBLE, memory, from, H5P_DEFAULT, table->values) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (from >= 0) H5Sclose(from);
  if (id >= 0) H5Dclose(id);
  return done;
}

static bool make_table(const Layout *layout, Table *table) {
  for (int k = 0; k < layout->n_sets; k++) table->columns += layout->sets[k].vector ? (int)layout->shown : 1;
  size_t columns = (size_t)table->columns;
  table->header = calloc(columns, COLUMN_SIZE);
  table->names = calloc(columns, sizeof *table->names);
  table->values = calloc(columns * layout->rows, sizeof *table->values);
  if (!table->header || !table->names || !table->values) return false;
  char *name = table->header;
  for (int k = 0, column = 0; k < layout->n_sets; k++)
    for (hsize_t i = 0; i < (layout->sets[k].vector ? layout->shown : 1); i++, name += COLUMN_SIZE) {
      if (layout->sets[k].vector)
        snprintf(name, COLUMN_SIZE, "%s%ld", layout->sets[k].name, 1 + (long)(i * layout->dof_stride));
      else
        snprintf(name, COLUMN_SIZE, "%s", layout->sets[k].name);
      table->names[column++] = name;
    }
  return true;
}

static void thin(Layout *layout) {
  layout->dof_stride = (layout->d + READ_DOFS_MAX - 1) / READ_DOFS_MAX;
  layout->shown = (layout->d + layout->dof_stride - 1) / layout->dof_stride;
  hsize_t columns = 0;
  for (int k = 0; k < layout->n_sets; k++) columns += layout->sets[k].vector ? layout->shown : 1;
  layout->row_stride = (layout->n * columns + READ_VALUES_MAX - 1) / READ_VALUES_MAX;
  layout->rows = (layout->n + layout->row_stride - 1) / layout->row_stride;
}

/* Rows whose time is unknown were not reached. */
static void cut(Table *table, long rows) {
  while (table->rows < rows && !isnan(table_at(table, table->rows, 0))) table->rows++;
}

static int read_file(hid_t file, const char *path, Table *table, int *d, int *stride, Diagnostics *diagnostics) {
  Layout layout = {.n_sets = 0};
  bool read = find_sets(file, &layout);
  if (read) {
    thin(&layout);
    if (!make_table(&layout, table)) return diagnostics_error(diagnostics, EXIT_INTERNAL, "%s: out of memory", path);
  }
  for (int k = 0, column = 0; read && k < layout.n_sets; k++) {
    read = read_set(file, &layout, &layout.sets[k], table, column);
    column += layout.sets[k].vector ? (int)layout.shown : 1;
  }
  if (read) cut(table, (long)layout.rows);
  *d = (int)layout.d;
  *stride = (int)layout.dof_stride;
  if (read && table->rows > 0) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE, "%s: has not the datasets of a trajectory", path);
}

int table_read_hdf5(Table *table, const char *directory, int *d, int *stride, Diagnostics *diagnostics) {
  char path[FILE_PATH_SIZE];
  *table = (Table){0};
  if (snprintf(path, sizeof path, "%s/trajectory.h5", directory) >= (int)sizeof path || access(path, F_OK)) return 0;
  char fault[FILE_FAULT_SIZE];
  FILE *there = file_open(path, fault);
  if (!there) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", path, fault);
  fclose(there);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* told here */
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  int code = EXIT_USAGE;
  if (file >= 0) {
    code = read_file(file, path, table, d, stride, diagnostics);
    H5Fclose(file);
  } else
    diagnostics_error(diagnostics, EXIT_USAGE, "%s: cannot be read as HDF5 (is it whole?)", path);
  if (code) table_clear(table);
  return code;
}
