#include "src/results/slips_hdf5.h"

#include "src/base/formats.h"
#include "src/process/hdf5_library.h"
#include "src/results/hdf5_parts.h"
#include "src/results/slip_clusters.h"

#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 6, EVENT = COLUMNS - 1, BLOCK = 1 << 13 }; /* rows at a time */

typedef struct Writer {
  const SlipsHdf5 *catalogue;
  long n;
  SlipClusters *clusters; /* NULL: there are none */
  const long *events;     /* [n] then */
  hid_t file, sets[COLUMNS];
  double *block; /* [BLOCK][COLUMNS] */
} Writer;

static const char *const names[COLUMNS] = {"dof", "start", "end", "slip", "energy", "event"};

static int n_columns(const Writer *writer) { return writer->clusters ? COLUMNS : EVENT; }

/* The next rows at most BLOCK, into the block but for their events; returns how many, -1 where the file ends too early. */
static long read_block(Writer *writer, long first) {
  long count = writer->n - first < BLOCK ? writer->n - first : BLOCK;
  for (long k = 0; k < count; k++)
    if (fread(writer->block + k * COLUMNS, sizeof(Slip), 1, writer->catalogue->rows) != 1) return -1;
  return count;
}

static bool find_events(Writer *writer) {
  writer->clusters = slip_clusters_create(writer->catalogue->d, writer->n);
  if (!writer->clusters) return false;
  rewind(writer->catalogue->rows);
  for (long first = 0, count; first < writer->n; first += count) {
    if ((count = read_block(writer, first)) < 0) return false;
    for (long k = 0; k < count; k++) {
      const double *row = writer->block + k * COLUMNS;
      slip_clusters_add(writer->clusters, (int)row[0], row[1], row[2]);
    }
  }
  writer->events = slip_clusters_events(writer->clusters);
  return true;
}

/* What all columns are over: the slips' numbers, from 1. */
static hid_t make_numbers(const Writer *writer, hid_t space, hid_t how) {
  int64_t *numbers = malloc(((size_t)writer->n + 1) * sizeof *numbers);
  hid_t set = numbers ? H5Dcreate2(writer->file, "number", H5T_STD_I64LE, space, H5P_DEFAULT, how, H5P_DEFAULT) : -1;
  for (long k = 0; numbers && k < writer->n; k++) numbers[k] = k + 1;
  bool done = set >= 0 && hdf5_put_text(set, "units", "1") && hdf5_make_scale(set, "number") &&
              H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
  free(numbers);
  if (set >= 0 && !done) H5Dclose(set);
  return done ? set : -1;
}

static bool make_sets(Writer *writer) {
  const SlipsHdf5 *catalogue = writer->catalogue;
  const char *const units[COLUMNS] = {"1", "s", "s", catalogue->position, catalogue->energy, "1"};
  hsize_t size = (hsize_t)writer->n;
  hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(how, false); /* the same bytes at any time */
  bool done = hdf5_put_format(writer->file, FORMAT_EVENTS);
  done = done && (!catalogue->title || hdf5_put_text(writer->file, "title", catalogue->title));
  hid_t numbers = done ? make_numbers(writer, space, how) : -1;
  done = numbers >= 0;
  for (int c = 0; done && c < n_columns(writer); c++) {
    hid_t type = c == 0 ? H5T_STD_I32LE : c == EVENT ? H5T_STD_I64LE : H5T_IEEE_F64LE;
    writer->sets[c] = H5Dcreate2(writer->file, names[c], type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    done = writer->sets[c] >= 0 && hdf5_put_text(writer->sets[c], "units", units[c]) &&
           hdf5_put_over(writer->sets[c], 0, numbers);
  }
  if (numbers >= 0) done = H5Dclose(numbers) >= 0 && done;
  H5Pclose(how);
  H5Sclose(space);
  return done;
}

static bool write_block(const Writer *writer, long first, long count) {
  hsize_t from[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, 1}, all[2] = {BLOCK, COLUMNS};
  bool done = true;
  for (int c = 0; done && c < n_columns(writer); c++) {
    hsize_t at[2] = {0, (hsize_t)c};
    hid_t to = H5Dget_space(writer->sets[c]), memory = H5Screate_simple(2, all, NULL);
    done = H5Sselect_hyperslab(to, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
           H5Sselect_hyperslab(memory, H5S_SELECT_SET, at, NULL, size, NULL) >= 0 &&
           H5Dwrite(writer->sets[c], H5T_NATIVE_DOUBLE, memory, to, H5P_DEFAULT, writer->block) >= 0;
    H5Sclose(memory);
    H5Sclose(to);
  }
  return done;
}

static bool write_rows(Writer *writer) {
  rewind(writer->catalogue->rows);
  for (long first = 0, count; first < writer->n; first += count) {
    if ((count = read_block(writer, first)) < 0) return false;
    for (long k = 0; writer->events && k < count; k++)
      writer->block[k * COLUMNS + EVENT] = (double)writer->events[first + k];
    if (!write_block(writer, first, count)) return false;
  }
  return true;
}

static bool sync_file(hid_t file) {
  void *handle = NULL;
  return H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 &&
         fsync(*(int *)handle) == 0;
}

static bool write_file(Writer *writer, const char *path) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* the caller tells */
  writer->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  bool done = writer->file >= 0 && make_sets(writer) && write_rows(writer);
  for (int c = 0; c < COLUMNS; c++)
    if (writer->sets[c] >= 0) done = H5Dclose(writer->sets[c]) >= 0 && done;
  done = done && sync_file(writer->file);
  if (writer->file >= 0) done = H5Fclose(writer->file) >= 0 && done;
  return done;
}

bool slips_hdf5_write(const char *path, const SlipsHdf5 *catalogue) {
  if (fseek(catalogue->rows, 0, SEEK_END)) return false;
  Writer writer = {.catalogue = catalogue,
                   .n = ftell(catalogue->rows) / (long)sizeof(Slip),
                   .sets = {-1, -1, -1, -1, -1, -1},
                   .block = calloc(BLOCK * COLUMNS, sizeof *writer.block)};
  bool done = writer.block && (!catalogue->chain || find_events(&writer)) && write_file(&writer, path);
  slip_clusters_destroy(writer.clusters);
  free(writer.block);
  return done;
}
