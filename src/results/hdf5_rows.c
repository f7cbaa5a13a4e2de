/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/hdf5_rows.h"

#include "control/base/clock.h"
#include "src/process/child.h"
#include "src/process/hdf5_library.h"
#include "src/results/hdf5_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Maximum number of values in a chunk, which is the unit of storage in an HDF5 file: 1 MiB. HDF5 keeps one chunk of
 * each dataset in memory. */
enum { CHUNK_SIZE = 1 << 17 };
#define FLUSH_SECONDS 0.25

typedef struct Dataset {
  hid_t id;
  /* The range of each row that this process writes. The first process also writes scalars. */
  hsize_t first, count;
  hsize_t width; /* number of values in a row */
  int rank;
} Dataset;

struct Hdf5File {
  hid_t file, transfer;
  Dataset sets[TABLE_COLUMNS_MAX]; /* the datasets; t is the first */
  int n_sets;
  hid_t over[WIDTHS]; /* dimension scale for each ColumnWidth (table.h); for columns with one value per row it is the
                       * dataset t; 0: there is none, or it is not created yet */
  hsize_t n, written; /* number of rows in the file, and number of rows that have been written */
  bool together;      /* whether several processes write the file together; each then passes its data to the file at
                       * once */
  double flushed;     /* time of the last flush, in s */
};

static bool put_flag(hid_t object, const char *name) {
  hbool_t yes = true;
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, H5T_NATIVE_HBOOL, space, H5P_DEFAULT, H5P_DEFAULT);
  bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_HBOOL, &yes) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return done;
}

/* Chooses the size of chunks. A chunk has several whole rows, or an equal part of a row, with at most CHUNK_SIZE
 * numbers. */
static void chunk_of(int rank, const hsize_t *size, hsize_t *chunk) {
  hsize_t width = rank == 2 ? size[1] : 1, pieces = (width + CHUNK_SIZE - 1) / CHUNK_SIZE;
  hsize_t piece = (width + pieces - 1) / pieces, rows = CHUNK_SIZE / piece;
  chunk[0] = rows < size[0] ? rows : size[0];
  if (rank == 2) chunk[1] = piece;
}

/* Creates a dataset [n] or [n][d] and allocates all its chunks. fill: initial value of its numbers; NULL: undefined. */
static hid_t make_dataset(hid_t file, const char *name, const char *units, int rank, const hsize_t *size,
                          const double *fill) {
  hsize_t most[2] = {H5S_UNLIMITED, rank == 2 ? size[1] : 0}, chunk[2];
  chunk_of(rank, size, chunk);
  hid_t space = H5Screate_simple(rank, size, most), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(how, rank, chunk);
  H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(how, fill ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
  if (fill) H5Pset_fill_value(how, H5T_NATIVE_DOUBLE, fill);
  hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  if (set >= 0 && !hdf5_put_text(set, "units", units)) {
    H5Dclose(set);
    set = -1;
  }
  H5Pclose(how);
  H5Sclose(space);
  return set;
}

/* Writes `count` numbers from index `first` on into a row of a dataset, or into a dataset with one dimension. */
static bool write_piece(const Hdf5File *file, hid_t set, int rank, const hsize_t *first, const hsize_t *count,
                        const double *data) {
  hsize_t many = rank == 2 ? count[1] : count[0];
  hid_t to = H5Dget_space(set), from = H5Screate_simple(1, &many, NULL);
  bool done = to >= 0 && from >= 0;
  if (done && many)
    done = H5Sselect_hyperslab(to, H5S_SELECT_SET, first, NULL, count, NULL) >= 0;
  else if (done)
    done = H5Sselect_none(to) >= 0 && H5Sselect_none(from) >= 0;
  done = done && H5Dwrite(set, H5T_NATIVE_DOUBLE, from, to, file->transfer, data) >= 0;
  if (from >= 0) H5Sclose(from);
  if (to >= 0) H5Sclose(to);
  return done;
}

/* Creates a dimension scale of length `size`. This process writes `count` values of it, from index `first` on. */
static hid_t make_scale(const Hdf5File *file, const char *name, const char *units, hid_t type, hsize_t size,
                        hsize_t first, hsize_t count, const double *values) {
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(file->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  if (set < 0 || (hdf5_put_text(set, "units", units) && hdf5_make_scale(set, name) &&
                  write_piece(file, set, 1, &first, &count, values)))
    return set;
  H5Dclose(set);
  return -1;
}

/* Creates a dimension scale with the values 1, 2, .. */
static hid_t make_counter(const Hdf5File *file, const char *name, hsize_t size, hsize_t first, hsize_t count) {
  double *numbers = malloc((size_t)(count + 1) * sizeof *numbers);
  for (hsize_t i = 0; numbers && i < count; i++) numbers[i] = (double)(first + i + 1);
  hid_t set = numbers ? make_scale(file, name, "1", H5T_STD_I32LE, size, first, count, numbers) : -1;
  free(numbers);
  return set;
}

static bool make_scales(Hdf5File *file, const TableLayout *layout) {
  hsize_t d = (hsize_t)layout->d, first = (hsize_t)layout->first, count = (hsize_t)layout->count,
          p = (hsize_t)layout->controls;
  file->over[WIDTH_DOFS] = layout->positions
                               ? make_scale(file, "s", "m", H5T_IEEE_F64LE, d, first, count, layout->positions)
                               : make_counter(file, "dof", d, first, count);
  if (p > 0) file->over[WIDTH_CONTROLS] = make_counter(file, "control", p, 0, first == 0 ? p : 0);
  return file->over[WIDTH_DOFS] >= 0 && file->over[WIDTH_CONTROLS] >= 0;
}

/* Adds the dataset with this id to the list of the file's datasets. */
static bool add_dataset(Hdf5File *file, const TableLayout *layout, const TableColumn *column, hid_t id) {
  Dataset *set = &file->sets[file->n_sets];
  const hsize_t widths[WIDTHS] = {1, (hsize_t)layout->d, (hsize_t)layout->controls};
  bool vector = column->width == WIDTH_DOFS;
  *set = (Dataset){.id = id, .rank = column->width == WIDTH_ONE ? 1 : 2, .width = widths[column->width]};
  set->first = vector ? (hsize_t)layout->first : 0;
  set->count = vector ? (hsize_t)layout->count : layout->first == 0 ? set->width : 0;
  if (id >= 0) file->n_sets++;
  return id >= 0;
}

/* Adds a column. The column t becomes the dimension scale of the rows. Each other column is a dataset over the scale t
 * and, if it is a vector, over a second scale. */
static bool add_column(Hdf5File *file, const TableLayout *layout, const TableColumn *column, const double *fill) {
  const hsize_t size[2] = {file->n, (hsize_t)(column->width == WIDTH_CONTROLS ? layout->controls : layout->d)};
  int rank = column->width == WIDTH_ONE ? 1 : 2;
  hid_t id = make_dataset(file->file, column->name, column->unit, rank, size, fill);
  if (!add_dataset(file, layout, column, id)) return false;
  if (file->n_sets == 1) return hdf5_make_scale(id, column->name);
  return hdf5_put_over(id, 0, file->sets[0].id) &&
         (rank == 1 || (hdf5_put_over(id, 1, file->over[column->width]) && put_flag(id, "timestepping")));
}

/* Opens the existing dataset of a column. */
static bool find_column(Hdf5File *file, const TableLayout *layout, const TableColumn *column) {
  hsize_t size[2] = {0, 0};
  if (!add_dataset(file, layout, column, H5Dopen2(file->file, column->name, H5P_DEFAULT))) return false;
  const Dataset *set = &file->sets[file->n_sets - 1];
  hid_t space = H5Dget_space(set->id);
  bool fits = H5Sget_simple_extent_ndims(space) == set->rank &&
              H5Sget_simple_extent_dims(space, size, NULL) == set->rank && size[0] == file->n &&
              (set->rank == 1 || size[1] == set->width);
  H5Sclose(space);
  return fits;
}

/* Sets t = NaN in all rows after the first `rows` ones, since they will be computed again. */
static bool forget_times(const Hdf5File *file, const TableLayout *layout, hsize_t rows) {
  hsize_t count = layout->first == 0 ? file->n - rows : 0;
  double *unknown = malloc((size_t)(file->n - rows + 1) * sizeof *unknown);
  for (hsize_t k = 0; unknown && k < count; k++) unknown[k] = NAN;
  bool done = unknown && write_piece(file, file->sets[0].id, 1, &rows, &count, unknown);
  free(unknown);
  return done;
}

static bool find_rows(Hdf5File *file, const TableLayout *layout, hsize_t rows) {
  if (rows > file->n) return false;
  for (int c = 0; c < layout->n_columns; c++)
    if (!find_column(file, layout, &layout->columns[c])) return false;
  file->written = rows;
  return forget_times(file, layout, rows);
}

static bool fill_file(Hdf5File *file, const TableLayout *layout) {
  const double unknown = NAN;
  if (!hdf5_put_format(file->file, layout->format)) return false;
  if (layout->title && !hdf5_put_text(file->file, "title", layout->title)) return false;
  if (!hdf5_put_text(file->file, "problem", layout->problem)) return false;
  if (!add_column(file, layout, &layout->columns[0], &unknown) || !make_scales(file, layout)) return false;
  for (int c = 1; c < layout->n_columns; c++)
    if (!add_column(file, layout, &layout->columns[c], NULL)) return false;
  return H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0;
}

/* Opens a file. rows: number of rows of an existing file that are kept; -1: a new file is created. */
static bool open_file(Hdf5File *file, const char *path, const TableLayout *layout, long rows) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, false, true); /* HDF5 then does not lock the file, so that other processes can read it
                                             * while it is written */
#ifdef H5_HAVE_PARALLEL
  if (file->together) {
    H5Pset_fapl_mpio(access, sim_group_comm(layout->group), MPI_INFO_NULL);
    H5Pset_dxpl_mpio(file->transfer, H5FD_MPIO_COLLECTIVE);
  }
#endif
  file->file = rows < 0 ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access) : H5Fopen(path, H5F_ACC_RDWR, access);
  H5Pclose(access);
  if (file->file < 0) return false;
  return rows < 0 ? fill_file(file, layout) : find_rows(file, layout, (hsize_t)rows);
}

static Hdf5File *open_any(const char *path, const TableLayout *layout, long rows) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* switches off HDF5's own messages, as the caller reports errors */
  Hdf5File *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->n = (hsize_t)layout->n;
  file->together = layout->group != NULL;
  file->flushed = ctl_seconds();
  file->transfer = H5Pcreate(H5P_DATASET_XFER);
  if (open_file(file, path, layout, rows)) return file;
  hdf5_rows_close(file, false);
  return NULL;
}

/* Flushes all rows to the disk. If several processes write together, the values of rows are already in the file, and
 * nothing else has changed, so HDF5 itself need not be flushed. */
long hdf5_rows_sync(Hdf5File *file) {
  void *handle = NULL;
  bool done = file->together || H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0;
  done = H5Fget_vfd_handle(file->file, H5P_DEFAULT, &handle) >= 0 && done;
  if (done) done = (file->together ? MPI_File_sync(*(MPI_File *)handle) : fsync(*(int *)handle)) == 0;
  return done ? (long)file->written : -1;
}

int hdf5_rows_append(Hdf5File *file, const double *const *data) {
  bool done = true;
  for (int i = 0; i < file->n_sets; i++) {
    int k = (i + 1) % file->n_sets; /* the order of the datasets ends with t, so that every row with a time is
                                     * complete */
    const Dataset *set = &file->sets[k];
    hsize_t first[2] = {file->written, set->first}, count[2] = {set->count ? 1 : 0, set->count};
    done = write_piece(file, set->id, set->rank, first, count, data[k]) && done;
  }
  file->written++;
  if (file->together || ctl_seconds() - file->flushed < FLUSH_SECONDS) return done ? 0 : -1;
  /* t is flushed last, so that every row with a time is complete */
  for (int k = 1; k < file->n_sets; k++) done = H5Dflush(file->sets[k].id) >= 0 && done;
  done = H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0 && done;
  file->flushed = ctl_seconds();
  return done ? 0 : -1;
}

int hdf5_rows_close(Hdf5File *file, bool cut) {
  if (!file) return 0;
  bool done = file->file >= 0;
  for (int i = 0; i < file->n_sets; i++) {
    hsize_t size[2] = {file->written, file->sets[i].width};
    if (cut && file->written < file->n) done = H5Dset_extent(file->sets[i].id, size) >= 0 && done;
    done = H5Dclose(file->sets[i].id) >= 0 && done;
  }
  for (int k = 0; k < WIDTHS; k++)
    if (file->over[k] > 0) done = H5Dclose(file->over[k]) >= 0 && done;
  if (file->file >= 0) done = H5Fclose(file->file) >= 0 && done;
  H5Pclose(file->transfer);
  free(file);
  return done ? 0 : -1;
}

/* Body of a child process: opens the file, writes a test row after the last row, and closes the file. */
static _Noreturn void try_file(const char *path, const TableLayout *layout, long rows) {
  TableLayout alone = *layout;
  alone.first = 0;
  alone.count = layout->d;
  alone.group = NULL;
  int most = layout->d > layout->controls ? layout->d : layout->controls;
  double *zeros = calloc((size_t)most + 1, sizeof *zeros), unknown = NAN;
  const double *data[TABLE_COLUMNS_MAX] = {&unknown};
  for (int c = 1; c < layout->n_columns; c++) data[c] = zeros;
  Hdf5File *file = zeros ? open_any(path, &alone, rows) : NULL;
  bool done = file && (rows == layout->n || hdf5_rows_append(file, data) == 0);
  _exit(done && hdf5_rows_close(file, false) == 0 ? 0 : 1);
}

/* Returns whether rows can be added to a file. A child process tests it, since HDF5 may crash on a damaged file. */
static bool can_go_on(const char *path, const TableLayout *layout, long rows) {
  pid_t child = process_child();
  if (child == 0) try_file(path, layout, rows);
  return child > 0 && process_child_ended(child);
}

/* Returns whether the processes of the group can write a file together; reports an error if not. */
static bool can_share(const Results *results, const char *name, const SimGroup *group) {
#ifdef H5_HAVE_PARALLEL
  (void)results, (void)name, (void)group;
  return true;
#else
  if (!group) return true;
  if (stiction_group_rank(group) == 0)
    diagnostics_error(results->diagnostics, EXIT_USAGE,
                      "%s: %d processes cannot write one file with the serial HDF5 of this program; use one process, "
                      "or build it with an HDF5 that knows MPI (-DSTICTION_HDF5=hdf5-openmpi)",
                      name, stiction_group_size(group));
  return false;
#endif
}

Hdf5File *hdf5_rows_open(const Results *results, const char *name, const TableLayout *layout, long rows) {
  char path[FILE_PATH_SIZE];
  const SimGroup *group = layout->group;
  bool first = stiction_group_rank(group) == 0, resumed = rows >= 0;
  if (!can_share(results, name, group)) return NULL;
  bool failed = results_path(results, name, path) != 0;
  failed = sim_group_agree(group, failed || (first && !results_clear_way(results, name, resumed)));
  if (failed || sim_group_agree(group, !hdf5_begin(results->diagnostics))) return NULL;
  if (resumed) failed = sim_group_agree(group, first && !can_go_on(path, layout, rows));
  Hdf5File *file = failed ? NULL : open_any(path, layout, rows);
  if (!file && first)
    diagnostics_error(results->diagnostics, EXIT_INTERNAL, "%s: %s", path,
                      resumed ? "does not hold all that it held when the checkpoint was written" : "cannot be created");
  return file;
}
