/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/hdf5_read.h"

#include "src/base/file_open.h"
#include "src/base/formats.h"
#include "src/base/labels.h"
#include "src/process/child.h"
#include "src/process/hdf5_library.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETS_MAX = 96, UNITS_MAX = 1024, NAME_SIZE = 64 };
/* maximum length of a column's name in a table: the name of a dataset followed by a number */
enum { COLUMN_SIZE = NAME_SIZE + 24 };
static const hsize_t ROWS_MAX = (hsize_t)1 << 40;

typedef struct Set {
  char name[NAME_SIZE];
  int rank;              /* number of dimensions; 1: [n], 2: [n][..] */
  hsize_t shown, stride; /* number of values that are read from each row, and distance between them in the row */
} Set;

typedef struct Layout {
  Set sets[SETS_MAX]; /* the datasets; t is the first */
  int n_sets;
  hsize_t n, d, p; /* number of rows, of degrees of freedom, and of controls */
  hsize_t row_stride, rows, left_out;
} Layout;

static const char *const no_picture[] = {"control", "dof", "force", "s", "t"};

static bool is_wanted(const char *name) {
  for (size_t k = 0; k < sizeof no_picture / sizeof *no_picture; k++)
    if (strcmp(name, no_picture[k]) == 0) return false;
  return true;
}

/* Reads the sizes of a dataset. Returns its number of dimensions, or -1. */
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

static bool is_control(const Set *set) { return strcmp(set->name, "u") == 0; }

static hsize_t dof_stride(const Layout *layout) { return (layout->d + READ_DOFS_MAX - 1) / READ_DOFS_MAX; }

/* Reduces the columns and rows to as many as a picture can show. */
static void thin(Layout *layout) {
  hsize_t stride = dof_stride(layout), columns = 0;
  for (int k = 0; k < layout->n_sets; k++) {
    Set *set = &layout->sets[k];
    set->stride = set->rank == 2 && !is_control(set) ? stride : 1;
    set->shown = set->rank == 1 ? 1 : is_control(set) ? layout->p : (layout->d + stride - 1) / stride;
    if (set->shown > READ_DOFS_MAX) set->shown = READ_DOFS_MAX; /* only the first controls are read */
    columns += set->shown;
  }
  layout->row_stride = (layout->n * columns + READ_VALUES_MAX - 1) / READ_VALUES_MAX;
  layout->rows =
      /* NOLINT(*DivideZero): row_stride > 0, as find_trajectory ensures n > 0 */
      (layout->n + layout->row_stride - 1) / layout->row_stride;
}

static bool find_trajectory(hid_t file, Layout *layout) {
  hsize_t size[2];
  H5G_info_t info;
  if (sizes_of(file, "t", size) != 1 || H5Gget_info(file, &info) < 0) return false;
  layout->sets[layout->n_sets++] = (Set){"t", 1, 1, 1};
  layout->n = size[0];
  for (hsize_t k = 0; k < info.nlinks && layout->n_sets < SETS_MAX; k++) {
    Set *set = &layout->sets[layout->n_sets];
    if (H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, k, set->name, NAME_SIZE, H5P_DEFAULT) < 0)
      return false;
    if (!is_wanted(set->name)) continue;
    set->rank = sizes_of(file, set->name, size);
    hsize_t *width = is_control(set) ? &layout->p : &layout->d;
    if (set->rank < 0 || size[0] != layout->n || (set->rank == 2 && *width && size[1] != *width)) return false;
    if (set->rank == 2) *width = size[1];
    layout->n_sets++;
  }
  if (layout->n < 1 || layout->n > ROWS_MAX || layout->d < 1 || layout->d > INT_MAX) return false;
  thin(layout);
  return true;
}

/* Finds the datasets of slips, which must be vectors of equal length. The last one, `event`, may be missing. */
static bool find_slips(hid_t file, Layout *layout) {
  hsize_t size[2];
  for (int k = 0; k < SLIP_COLUMNS; k++) {
    int rank = sizes_of(file, slip_columns[k], size);
    if (k == SLIP_EVENT && rank < 0) break;
    if (rank != 1 || size[0] > ROWS_MAX || (k > 0 && size[0] != layout->n)) return false;
    layout->n = size[0];
    Set *set = &layout->sets[layout->n_sets++];
    *set = (Set){.rank = 1, .shown = 1, .stride = 1};
    snprintf(set->name, NAME_SIZE, "%s", slip_columns[k]);
  }
  layout->d = layout->row_stride = 1;
  layout->rows = layout->n < READ_SLIPS_MAX ? layout->n : READ_SLIPS_MAX;
  layout->left_out = layout->n - layout->rows;
  return true;
}

/* Reads the selected values of a dataset into the table, from its column `column` on. Of all rows, one of row_stride is
 * read. */
static bool read_set(hid_t file, const Layout *layout, const Set *set, Table *table, int column) {
  hsize_t first[2] = {0, 0}, stride[2] = {layout->row_stride, set->stride};
  hsize_t count[2] = {layout->rows, set->shown};
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

/* Allocates the table; returns false if there is no memory. */
static bool make_table(const Layout *layout, Table *table) {
  int columns = 0;
  for (int k = 0; k < layout->n_sets; k++) columns += (int)layout->sets[k].shown;
  bool made = table_make(table, columns, (long)layout->rows, false);
  for (hsize_t row = 0; made && row < layout->rows; row++) made = table_add_row(table) != NULL;
  for (int k = 0, column = 0; k < layout->n_sets; k++)
    for (hsize_t i = 0; made && i < layout->sets[k].shown; i++) {
      const Set *set = &layout->sets[k];
      made = table_name(table, column++, set->rank == 2 ? "%s%ld" : "%s", set->name, 1 + (long)(i * set->stride));
    }
  return made;
}

/* Removes the rows after the last one that the run has reached. In such rows the time is NaN. */
static void cut(Table *table) {
  long rows = 0;
  while (rows < table->rows && !isnan(table_at(table, rows, 0))) rows++;
  table->rows = rows;
}

/* A kind of file: its name, the newest format number that can be read, the function that finds its datasets, and
 * whether its rows are instants. If the function is NULL, only units are read. */
typedef struct Kind {
  const char *name;
  int format;
  bool (*find)(hid_t file, Layout *layout);
  bool rows;
  const char *fault; /* message if the datasets are not found */
} Kind;

static const Kind kinds[] = {
    {"trajectory.h5", FORMAT_TRAJECTORY, find_trajectory, true, "does not have the datasets of a trajectory"},
    {"events.h5", FORMAT_EVENTS, find_slips, false, "does not have the datasets of slips"},
    {"sweep.h5", FORMAT_SWEEP, NULL, false, "does not have the datasets of a sweep"}};

/* Header that the child process sends first. If its code is 0, the child then sends the names of the columns,
 * COLUMN_SIZE bytes each, the units, UNIT_SIZE bytes each, and the values. */
typedef struct Head {
  int code, columns, d, stride;
  long rows, left_out;
  char fault[80];
} Head;

static void fail(Head *head, int code, const char *fault) {
  head->code = code;
  snprintf(head->fault, sizeof head->fault, "%s", fault);
}

static void read_datasets(hid_t file, const Kind *kind, Table *table, Head *head) {
  Layout layout = {.n_sets = 0};
  bool read = kind->find(file, &layout);
  if (read && !make_table(&layout, table)) {
    fail(head, EXIT_INTERNAL, "out of memory");
    return;
  }
  for (int k = 0, column = 0; read && layout.rows > 0 && k < layout.n_sets; k++) {
    read = read_set(file, &layout, &layout.sets[k], table, column);
    column += (int)layout.sets[k].shown;
  }
  if (read) cut(table);
  if (read && (table->rows > 0 || !kind->rows))
    *head = (Head){.columns = table->columns,
                   .d = (int)layout.d,
                   .stride = (int)dof_stride(&layout),
                   .rows = table->rows,
                   .left_out = (long)layout.left_out};
  else
    fail(head, EXIT_USAGE, kind->fault);
}

/* Reads the attribute `units` of a dataset. Sets unit to "" if there is none or it is not valid. */
static void read_unit(hid_t file, const char *name, char unit[UNIT_SIZE]) {
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t attribute = set < 0 || H5Aexists(set, "units") <= 0 ? -1 : H5Aopen(set, "units", H5P_DEFAULT);
  hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute), space = attribute < 0 ? -1 : H5Aget_space(attribute);
  char *text = NULL;
  bool whole = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 &&
               H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, &text) >= 0;
  snprintf(unit, UNIT_SIZE, "%s",
           /* the text is never freed, since this child process ends soon */
           whole && text && label_is_unit(text) ? text : "");
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  if (set >= 0) H5Dclose(set);
}

/* Makes a table with a column for each dataset, with its unit but without rows. */
static void read_units(hid_t file, const Kind *kind, Table *table, Head *head) {
  H5G_info_t info;
  if (H5Gget_info(file, &info) < 0 || info.nlinks == 0 || info.nlinks > UNITS_MAX) {
    fail(head, EXIT_USAGE, kind->fault);
    return;
  }
  bool made = table_make(table, (int)info.nlinks, 0, false);
  for (hsize_t k = 0; made && k < info.nlinks; k++) {
    char name[COLUMN_SIZE] = "", unit[UNIT_SIZE] = "";
    if (H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, COLUMN_SIZE, H5P_DEFAULT) >= 0)
      read_unit(file, name, unit);
    made = table_name(table, (int)k, "%s", name) && table_set_unit(table, (int)k, unit);
  }
  if (made)
    *head = (Head){.columns = table->columns, .d = 1, .stride = 1};
  else
    fail(head, EXIT_INTERNAL, "out of memory");
}

/* Returns the attribute `format` of a file; 0 if there is none, -1 if it is not a number. */
static int format_of(hid_t file) {
  int format = -1;
  if (H5Aexists(file, "format") <= 0) return 0;
  hid_t attribute = H5Aopen(file, "format", H5P_DEFAULT);
  hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute), space = attribute < 0 ? -1 : H5Aget_space(attribute);
  bool whole = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1;
  if (whole && H5Aread(attribute, H5T_NATIVE_INT, &format) < 0) format = -1;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  return format;
}

/* Body of the child process: reads the file, sends the table to the parent, and exits. */
static _Noreturn void send_table(const char *path, const Kind *kind, int to) {
  Table table = {.columns = 0};
  Head head = {.code = EXIT_USAGE};
  char fault[FORMAT_FAULT_SIZE];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* switches off HDF5's own messages, as the parent reports errors */
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    fail(&head, EXIT_USAGE, "cannot be read as HDF5 (is it whole?)");
  else if (format_fault(format_of(file), kind->format, fault))
    fail(&head, EXIT_USAGE, fault);
  else
    (kind->find ? read_datasets : read_units)(file, kind, &table, &head);
  FILE *stream = fdopen(to, "w");
  size_t columns = (size_t)head.columns;
  bool sent = stream && fwrite(&head, sizeof head, 1, stream) == 1;
  for (size_t c = 0; sent && !head.code && c < columns; c++) {
    char name[COLUMN_SIZE] = "", unit[UNIT_SIZE] = "";
    snprintf(name, sizeof name, "%s", table.names[c]);
    snprintf(unit, sizeof unit, "%s", table_unit(&table, (int)c));
    sent = fwrite(name, sizeof name, 1, stream) == 1 && fwrite(unit, sizeof unit, 1, stream) == 1;
  }
  if (sent && !head.code)
    sent = fwrite(table.values, sizeof(double), columns * (size_t)head.rows, stream) == columns * (size_t)head.rows;
  _exit(sent && fflush(stream) == 0 ? EXIT_DONE : EXIT_INTERNAL);
}

/* Returns whether a header from the child is plausible. It may have any content if HDF5 has corrupted the child's
 * memory. */
static bool is_sound(const Head *head) {
  return head->columns > 0 && head->columns <= SETS_MAX * READ_DOFS_MAX && head->rows >= 0 &&
         head->rows <= READ_VALUES_MAX / head->columns + 1 && head->left_out >= 0 && head->d > 0 && head->stride > 0;
}

/* Receives the table from the child process. Records a failure in `head`. */
static void receive_table(FILE *from, Table *table, Head *head) {
  static const char damaged[] = "is damaged: HDF5 does not come to the end of it";
  if (!from || fread(head, sizeof *head, 1, from) != 1 || (!head->code && !is_sound(head))) {
    fail(head, EXIT_USAGE, damaged);
    return;
  }
  head->fault[sizeof head->fault - 1] = 0;
  if (head->code) return;
  size_t values = (size_t)head->columns * (size_t)head->rows;
  bool made = table_make(table, head->columns, head->rows, false), come = true;
  for (int c = 0; made && come && c < head->columns; c++) {
    char name[COLUMN_SIZE], unit[UNIT_SIZE];
    come = fread(name, sizeof name, 1, from) == 1 && fread(unit, sizeof unit, 1, from) == 1;
    name[sizeof name - 1] = unit[sizeof unit - 1] = 0;
    if (come) made = table_name(table, c, "%s", name) && table_set_unit(table, c, unit);
  }
  for (long row = 0; made && come && row < head->rows; row++) made = table_add_row(table) != NULL;
  if (made && come) come = fread(table->values, sizeof *table->values, values, from) == values;
  if (!made)
    fail(head, EXIT_INTERNAL, "out of memory");
  else if (!come)
    fail(head, EXIT_USAGE, damaged);
}

static int read_in_child(const char *path, const Kind *kind, Table *table, Head *head) {
  int ends[2];
  if (pipe(ends)) return -1;
  pid_t child = process_child();
  if (child == 0) send_table(path, kind, ends[1]);
  close(ends[1]);
  FILE *from = child > 0 ? fdopen(ends[0], "r") : NULL;
  if (child > 0) receive_table(from, table, head);
  if (from)
    fclose(from);
  else
    close(ends[0]);
  if (child > 0)
    process_child_ended(child); /* the exit code is not used, as the received data show whether the child succeeded */
  return child > 0 ? 0 : -1;
}

int hdf5_read(Table *table, const char *directory, const char *name, Diagnostics *diagnostics) {
  char path[FILE_PATH_SIZE], fault[FILE_FAULT_SIZE];
  const Kind *kind = kinds;
  while (strcmp(kind->name, name) != 0) kind++;
  Head head = {.code = 0};
  *table = (Table){.columns = 0};
  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path || access(path, F_OK)) return 0;
  FILE *there = file_open(path, fault);
  if (!there) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", path, fault);
  fclose(there);
  if (!hdf5_load(diagnostics)) return EXIT_INTERNAL;
  if (read_in_child(path, kind, table, &head)) fail(&head, EXIT_INTERNAL, strerror(errno));
  if (head.code) {
    table_clear(table);
    return diagnostics_error(diagnostics, head.code, "%s: %s", path, head.fault);
  }
  snprintf(table->place, sizeof table->place, "%s", name);
  table->d = head.d;
  table->stride = head.stride;
  table->left_out = head.left_out;
  return 0;
}
